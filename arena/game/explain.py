"""A ruleset in words: what always holds, and a sentence per option, in the order of play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.game.game import MAX_ROUNDS
from arena.game.ruleset import CHOICES, Ruleset, write_value

SUMMARIES = {
    "santaba": "the FISA text of Perudo Santaba: Calzone on call, Jonti out of turn, Tabba",
    "standard": "plain modern rules: aces wild and an ordinary face, automatic palifico, no calza",
    "pacos": "the French family: aces at half, automatic palifico that locks the face",
    "palafico": "the Peruvian text: neither part of a bid may fall, old palificos may change the face",
    "mso": "Mind Sports Olympiad: santaba without Calzone rounds",
    "wikipedia": "the encyclopedia's Dudo: automatic palifico, a right calza costs the bidder",
    "perudo_com": "palafico with calza by anybody but the next player",
    "bga": "BoardGameArena and the Asmodee booklet: one-die players may change the face",
    "neller": "Neller and Lanctot's Dudo: claims in one total order, the difference is lost",
    "openspiel": "OpenSpiel's liars_dice: two players, one die, sixes wild, one round",
    "rdr": "Red Dead Redemption: nothing wild, a right spot-on costs all others, the opening rotates",
    "snyd": "Snyd: two players, one round",
}
"""What each preset is, in a line."""


class Group(NamedTuple):
    """Options that belong together, and what holds beside them in every ruleset.

    `always` applies unless the option `switch` is "off".
    """

    title: str
    options: tuple[str, ...]
    always: tuple[str, ...]
    switch: str = ""

    def holds(self, rules: Ruleset) -> tuple[str, ...]:
        """What always holds, as far as it applies to these rules."""
        return () if self.switch and getattr(rules, self.switch) == "off" else self.always


GROUPS = (
    Group(
        "The table",
        ("players", "dice", "opener"),
        (
            "The seats play in the order 0, 1, 2 ... and round again; seats without dice are skipped.",
            "In every round each player rolls all his dice once and sees only his own.",
        ),
    ),
    Group(
        "Bidding",
        ("bidding_rule", "ace_bids"),
        (
            "A bid names a quantity and a face. It claims that of all dice in play, the bidder's own "
            "and everybody else's, at least so many count for that face.",
            "The quantity is at most the number of dice in play.",
            "The opener bids. Then each player on turn raises the bid or doubts it; nobody may pass.",
        ),
    ),
    Group(
        "Dudo",
        ("wild_face", "loss", "next_opener"),
        (
            "Only the player on turn may doubt (dudo), and only the bid that stands. "
            "All dice are shown and counted, each die once.",
            "The bid is right if the count is its quantity or more: then the doubter loses the dudo, "
            "else the bidder does.",
        ),
    ),
    Group(
        "Palifico rounds",
        ("palifico", "palifico_change", "tabba", "palifico_min_players", "palifico_once"),
        (
            "In a palifico round no face is wild, and the ace is a face like any other.",
            "Its opener may name any face. Whoever bids after him must raise the quantity of the face "
            "that stands, unless he is one of those who may change it.",
        ),
        switch="palifico",
    ),
    Group(
        "Calza",
        ("calza", "calza_reward", "calza_at_cap", "calza_in_palifico"),
        ("The dice are counted as for a dudo. A wrong calza costs its caller one die.",),
        switch="calza",
    ),
    Group(
        "The end",
        ("one_round",),
        (
            "A player without dice is out. If he was to open, the next player with dice does.",
            "A bot that forfeits is out with all its dice: the round is void, nobody else loses a die, "
            "and the next player with dice opens a new round.",
            f"A game of {MAX_ROUNDS} rounds ends there; who holds more dice is placed before who holds "
            "fewer.",
        ),
    ),
)

NO_EFFECT = "no effect here"


def sentences(rules: Ruleset) -> dict[str, str]:
    """Option -> what its value means, for every option, in their order."""
    special = _table(rules) | _rounds(rules) | _calza(rules)
    return {
        option: special.get(option) or CHOICES[option][str(value)]
        for option, value in rules.options().items()
    }


def _table(rules: Ruleset) -> dict[str, str]:
    low, high = rules.players
    if isinstance(rules.dice, tuple):
        dice = f"the seats start with {', '.join(map(str, rules.dice))} dice; nobody may ever hold "
        dice += f"more than {rules.dice_cap}"
    else:
        dice = f"everybody starts with {rules.dice} {'die' if rules.dice == 1 else 'dice'}"
        dice += ", and nobody may ever hold more"
    return {
        "players": f"{low} players" if low == high else f"{low} to {high} players",
        "dice": dice,
        "one_round": "the game is over after one round; who lost no die wins"
        if rules.one_round
        else "rounds are played until one player has dice left: he wins",
    }


def _rounds(rules: Ruleset) -> dict[str, str]:
    where = "" if rules.palifico == "off" else ", but not in a palifico round"
    wild = {
        None: "no face is wild: only dice that show the face of the bid count",
        1: f"ones, the aces, are wild: they count for whatever face is bid{where}",
    }
    least = rules.palifico_min_players
    return {
        "wild_face": wild.get(
            rules.wild_face, f"{rules.wild_face}s are wild: they count for whatever face is bid{where}"
        ),
        "next_opener": CHOICES["next_opener"][rules.next_opener] + _opener_after_others(rules),
        "palifico_min_players": "palifico rounds are played even with two players left"
        if least == 2
        else f"there is no palifico round with fewer than {least} players left",
        "palifico_once": "a player has at most one palifico round in a game"
        if rules.palifico_once
        else "who gains a die and drops to one again has another palifico round",
    }


def _opener_after_others(rules: Ruleset) -> str:
    """Who opens after a calza or a tabba, where the option itself does not say it."""
    if rules.next_opener == "rotate":
        return ""
    text = ""
    if rules.calza != "off":
        if rules.calza_reward != "bidder-loses":
            text += "; after a calza, right or wrong, its caller does"
        elif rules.next_opener == "winner":
            text += "; after a calza the player who lost a die does"
    if rules.next_opener == "winner" and rules.palifico != "off" and rules.tabba == "call":
        text += "; after a tabba its bidder does"
    return text


def _calza(rules: Ruleset) -> dict[str, str]:
    gain = ", though he cannot gain one" if rules.calza_reward == "regain" else ""
    may = "may" if rules.calza_in_palifico else "may not"
    return {
        "calza_at_cap": f"a player who has all his dice may call calza{gain}"
        if rules.calza_at_cap
        else "a player who has all his dice may not call calza",
        "calza_in_palifico": f"calza {may} be called in a palifico round",
    }


def matters(rules: Ruleset, option: str) -> bool:
    """Whether an option has an effect, given the others."""
    if option in ("palifico_change", "palifico_min_players", "tabba"):
        return rules.palifico != "off"
    if option == "palifico_once":  # nobody drops to one die twice unless dice come back
        return rules.palifico != "off" and rules.calza != "off" and rules.calza_reward == "regain"
    if option in ("calza_at_cap", "calza_reward"):
        return rules.calza != "off"
    if option == "calza_in_palifico":
        return rules.calza != "off" and rules.palifico != "off"
    if option == "bidding_rule":
        return rules.ace_bids != "double" or rules.palifico != "off"
    if option == "next_opener":
        return not rules.one_round
    return True


class Difference(NamedTuple):
    """An option in which two rulesets differ: values as flags write them, and what they mean."""

    option: str
    values: tuple[str, str]
    sentences: tuple[str, str]


def differences(one: Ruleset, other: Ruleset) -> Iterator[Difference]:
    """What differs between two rulesets, in the order of play; options without effect in both do not."""
    both = (one, other)
    meanings = [sentences(rules) for rules in both]
    for option in (option for group in GROUPS for option in group.options):
        values = [getattr(rules, option) for rules in both]
        effect = [matters(rules, option) for rules in both]
        if any(effect) and values[0] != values[1]:
            says = [m[option] if e else NO_EFFECT for m, e in zip(meanings, effect, strict=True)]
            yield Difference(
                option, (write_value(values[0]), write_value(values[1])), (says[0], says[1])
            )
