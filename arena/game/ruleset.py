"""A ruleset is data: a frozen set of orthogonal options. Presets are values, never branches.

`CHOICES` lists the values of every option with a fixed set of values, each with a sentence of what
it means; validation, the command line and the documentation read the same table.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

MAX_PLAYERS = 6
MAX_DICE = 30
"""Most dice of one seat: a limit of the arena, not of any rule text."""

CHOICES: dict[str, dict[str, str]] = {
    "opener": {
        "roll": "every player rolls one die and the highest opens the first round; "
        "those who tie roll again",
        "agreed": "no roll: seat 0 opens the first round, and the bots change seats between games",
    },
    "bidding_rule": {
        "reset-face": "to raise, bid a higher quantity of any face, or as many of a higher face",
        "no-reset": "to raise, bid a higher quantity, a higher face or both; neither may fall",
        "reset-quantity": "to raise, name a higher face with any quantity, or bid more of the same face",
    },
    "ace_bids": {
        "halve": "a bid on aces needs half the standing quantity, rounded up, or more; from aces "
        "back to another face it takes twice the quantity and one more, or more; aces raise aces by "
        "quantity; aces may not open an ordinary round",
        "plain": "a bid on aces is like any other: the ace is the lowest face and may open, "
        "and nothing is halved or doubled",
        "double": "all bids stand in one order, Neller's, in which aces rank about double (1x6, then "
        "1x1, then 2x2; 3x6, 2x1, 4x2); any bid further up is a raise; aces may open",
    },
    "palifico": {
        "off": "there are no palifico rounds",
        "auto": "when a player drops to one die the next round is palifico",
        "call": "a player who has just dropped to one die may, if he opens, call palifico after "
        "looking at his die and before bidding; he need not",
    },
    "palifico_change": {
        "nobody": "nobody may change the face in a palifico round",
        "one-die": "players with exactly one die may change the face, by an ordinary raise with "
        "the ace as the lowest face",
        "ex-palifico": "players who are or were palifico may change the face: to any face, with a "
        "higher quantity",
    },
    "tabba": {
        "reject": "a forbidden change of face is an illegal bid",
        "call": "a forbidden change of face that is a legal raise otherwise stands, unless another "
        "player calls tabba before the next call: then its bidder loses a die at once, and no "
        "dice are counted",
    },
    "calza": {
        "off": "nobody may call calza",
        "turn": "the player on turn may, instead of bidding or doubting, call calza: the standing bid "
        "is exactly right",
        "others": "any player but the bidder and the player on turn may call calza before the next "
        "call: the standing bid is exactly right; they are asked clockwise from the seat after next",
    },
    "loss": {
        "one": "the loser of a dudo loses one die, nobody else any",
        "difference": "the loser of a dudo loses the difference between bid and count, at most all "
        "his dice; where they are equal all but the bidder lose one die",
    },
    "next_opener": {
        "loser": "the player who lost a die opens the next round",
        "winner": "the player who won the dudo opens the next round",
        "rotate": "the opening moves by one seat each round, against the direction of play",
    },
    "calza_reward": {
        "regain": "a right calza gives its caller one die back, never above the start",
        "others-lose": "a right calza costs every other player one die",
        "bidder-loses": "a right calza costs the bidder one die",
    },
}


class RulesetError(ValueError):
    """An option that cannot be; `option` names it."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(f"{option}: {message}")
        self.option = option


@dataclass(frozen=True)
class Ruleset:
    """All options of the game. The defaults are the preset `standard`.

    players              fewest and most seats
    dice                 dice of each seat at the start, and the cap for regained dice;
                         a tuple gives every seat its own number, its largest is the cap
    palifico_min_players live players that a palifico round needs
    calza_at_cap         whether a player holding all his dice may call calza (for no gain)
    wild_face            the face that counts as any other outside palifico rounds; None = none
    calza_in_palifico    whether calza may be called in a palifico round
    palifico_once        at most one palifico round per player and game
    one_round            the game is over after one round; who lost no die wins

    The other options are described in `CHOICES`. Raises `RulesetError` for values that cannot be.
    """

    name: str = "standard"
    players: tuple[int, int] = (2, 6)
    dice: int | tuple[int, ...] = 5
    opener: str = "agreed"
    bidding_rule: str = "reset-face"
    ace_bids: str = "plain"
    palifico: str = "auto"
    palifico_change: str = "nobody"
    palifico_min_players: int = 2
    tabba: str = "reject"
    calza: str = "off"
    calza_at_cap: bool = True
    wild_face: int | None = 1
    loss: str = "one"
    next_opener: str = "loser"
    calza_reward: str = "regain"
    calza_in_palifico: bool = True
    palifico_once: bool = False
    one_round: bool = False

    def __hash__(self) -> int:
        return hash(self.name)  # fast, for every game looks up what belongs to its ruleset

    def __post_init__(self) -> None:
        for option, values in CHOICES.items():
            value = getattr(self, option)
            if not isinstance(value, str) or value not in values:
                raise RulesetError(option, f"{value!r} is not one of {', '.join(values)}")
        for option in ("calza_at_cap", "calza_in_palifico", "palifico_once", "one_round"):
            if not isinstance(getattr(self, option), bool):
                raise RulesetError(option, f"{getattr(self, option)!r} is not true or false")
        self._check_players()
        self._check_dice()
        if not _is_int(self.palifico_min_players, 2, MAX_PLAYERS):
            raise RulesetError("palifico_min_players", f"must be 2 to {MAX_PLAYERS}")
        if self.wild_face is not None and not _is_int(self.wild_face, 1, 6):
            raise RulesetError("wild_face", f"{self.wild_face!r} is not a face 1 to 6 or none")
        if self.ace_bids != "plain" and self.wild_face != 1:
            raise RulesetError("ace_bids", f"{self.ace_bids!r} needs wild_face = 1")
        if self.ace_bids == "halve" and self.bidding_rule == "reset-quantity":
            raise RulesetError(
                "bidding_rule",
                "'reset-quantity' with ace_bids = 'halve' would let the bidding loop: "
                "1x3, 1x1, 3x2, 1x3",
            )

    def _check_players(self) -> None:
        pair = self.players
        if (
            not isinstance(pair, tuple)
            or len(pair) != 2
            or not all(_is_int(n, 2, MAX_PLAYERS) for n in pair)
            or pair[0] > pair[1]
        ):
            raise RulesetError("players", f"{pair!r} is not two numbers from 2 to {MAX_PLAYERS}")

    def _check_dice(self) -> None:
        per_seat = self.dice if isinstance(self.dice, tuple) else (self.dice,)
        if not per_seat or not all(_is_int(held, 1, MAX_DICE) for held in per_seat):
            raise RulesetError("dice", f"{self.dice!r} is not a number of dice, 1 to {MAX_DICE}")
        if isinstance(self.dice, tuple) and not self.seats(len(self.dice)):
            raise RulesetError(
                "dice",
                f"a list for {len(self.dice)} seats, but players is "
                f"{self.players[0]} to {self.players[1]}",
            )

    def seats(self, players: int) -> bool:
        """Whether a game of this ruleset can have `players` seats."""
        fits = self.players[0] <= players <= self.players[1]
        return fits and (isinstance(self.dice, int) or len(self.dice) == players)

    def starting_dice(self, players: int) -> tuple[int, ...]:
        """Dice per seat at the start. Raises `RulesetError` for an impossible number of players."""
        if not self.seats(players):
            raise RulesetError("players", f"{players} players cannot play {self.name}: {self._who()}")
        return self.dice if isinstance(self.dice, tuple) else (self.dice,) * players

    def _who(self) -> str:
        if isinstance(self.dice, tuple):
            return f"its dice are given for {len(self.dice)} seats"
        low, high = self.players
        return f"it seats {low}" if low == high else f"it seats {low} to {high}"

    @property
    def dice_cap(self) -> int:
        """Most dice that a seat may hold."""
        return max(self.dice) if isinstance(self.dice, tuple) else self.dice

    def options(self) -> dict[str, Any]:
        """Every option by name, without the ruleset's own name."""
        return {option: getattr(self, option) for option in OPTIONS}

    def with_options(self, options: Mapping[str, Any]) -> Ruleset:
        """This ruleset with other values; its name says which.

        Lists stand for tuples and "none" or 0 for no wild face, as files and flags write them.
        Raises `RulesetError`.
        """
        changes: dict[str, Any] = {}
        for option, given in options.items():
            if option not in OPTIONS:
                near = get_close_matches(option, OPTIONS, 1)
                hint = f"; did you mean {near[0]}?" if near else f"; options: {', '.join(OPTIONS)}"
                raise RulesetError(option, "no such option" + hint)
            value = tuple(given) if isinstance(given, list) else given
            if option == "wild_face" and value in ("none", 0) and value is not False:
                value = None
            if value != getattr(self, option) or type(value) is not type(getattr(self, option)):
                changes[option] = value
        if not changes:
            return self
        told = " ".join(f"{option}={write_value(value)}" for option, value in changes.items())
        return dataclasses.replace(self, name=f"{self.name} {told}", **changes)


OPTIONS = tuple(f.name for f in dataclasses.fields(Ruleset) if f.name != "name")


def parse_option(text: str) -> tuple[str, Any]:
    """`option=value` as a flag writes it: numbers, lists as 2,6, true and false, words.

    Raises `RulesetError` without a `=`; whether the value fits is `Ruleset.with_options`' business.
    """
    option, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not option or not value:
        raise RulesetError(text, "write option=value, such as calza=turn")
    option = option.replace("-", "_")
    if value in ("true", "false"):
        return option, value == "true"
    parts = value.split(",")
    if all(part.strip().isdecimal() for part in parts):
        numbers = [int(part) for part in parts]
        return option, numbers if len(numbers) > 1 else numbers[0]
    return option, value


def _is_int(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def write_value(value: object) -> str:
    """An option's value as a flag writes it, the counterpart of `parse_option`."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
