"""A ruleset in words: one sentence per option."""

from __future__ import annotations

from arena.game.ruleset import CHOICES, Ruleset

SUMMARIES = {
    "santaba": "the FISA text of Perudo Santaba: Calzone on call, Jonti out of turn, Tabba",
    "standard": "plain modern rules: aces wild and an ordinary face, automatic palifico, no calza",
    "pacos": "the French family: aces at half, automatic palifico that locks the face",
    "palafico": "the Peruvian text: neither part of a bid may fall, former palificos may change the face",
    "mso": "Mind Sports Olympiad: santaba without Calzone rounds",
    "wikipedia": "the encyclopedia's Dudo: palifico once, a right calza costs the bidder",
    "perudo_com": "palafico with calza by anybody but the next player",
    "bga": "BoardGameArena and the Asmodee booklet: one-die players may change the face",
    "neller": "Neller and Lanctot's Dudo: claims in one total order, the difference is lost",
    "openspiel": "OpenSpiel's liars_dice: two players, one die, sixes wild, one round",
    "rdr": "Red Dead Redemption: nothing wild, a right spot-on costs all others, the opening rotates",
    "snyd": "Snyd: two players, one round",
}
"""What each preset is, in a line."""


def sentences(rules: Ruleset) -> dict[str, str]:
    """Option -> what its value means, for every option, in their order."""
    low, high = rules.players
    seats = f"{low} players" if low == high else f"{low} to {high} players"
    if isinstance(rules.dice, tuple):
        dice = f"the seats start with {', '.join(map(str, rules.dice))} dice; nobody may hold more "
        dice += f"than {rules.dice_cap}"
    else:
        dice = f"everybody starts with {rules.dice} {'die' if rules.dice == 1 else 'dice'}"
        dice += ", and nobody may hold more"
    wild = {
        None: "no face is wild",
        1: "aces are wild: they count for every other face, outside palifico rounds",
    }.get(rules.wild_face, f"{rules.wild_face}s are wild, outside palifico rounds")
    players = rules.palifico_min_players
    special = {
        "players": seats,
        "dice": dice,
        "palifico_min_players": f"a palifico round needs {players} players still in the game",
        "calza_at_cap": "a player with all his dice may call calza, for no gain"
        if rules.calza_at_cap
        else "a player with all his dice may not call calza",
        "wild_face": wild,
        "calza_in_palifico": f"calza may {'' if rules.calza_in_palifico else 'not '}be called in a "
        "palifico round",
        "palifico_once": "a player has at most one palifico round in a game"
        if rules.palifico_once
        else "a player may have several palifico rounds in a game",
        "one_round": "the game is over after one round; who lost no die wins"
        if rules.one_round
        else "the last player with dice wins",
    }
    return {
        option: special.get(option) or CHOICES[option][str(value)]
        for option, value in rules.options().items()
    }


def matters(rules: Ruleset, option: str) -> bool:
    """Whether an option has an effect, given the others."""
    if option in ("palifico_change", "palifico_min_players", "palifico_once", "tabba"):
        return rules.palifico != "off"
    if option in ("calza_at_cap", "calza_reward"):
        return rules.calza != "off"
    if option == "calza_in_palifico":
        return rules.calza != "off" and rules.palifico != "off"
    if option == "bidding_rule":
        return rules.ace_bids != "double" or rules.palifico != "off"
    if option == "next_opener":
        return not rules.one_round
    return True
