"""The numbers that describe a bot's play: each a name, a meaning and a formula, over rows of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

Take = Callable[[pd.DataFrame], Any]


@dataclass(frozen=True)
class Measure:
    """The mean of `value` over the rows of a table in `where`, or its sum per game.

    group     measures that are shown together
    unit      "share" (0 to 1; shown in percent), "points" (of the chance to win a game, likewise),
              "dice", or "" for a number of times
    table     "calls": as `weigh` gives them, of the bot that called; "hands": as `stakes` does
    per_game  the sum over the rows is divided by the games of the bot, not by the rows
    """

    name: str
    group: str
    unit: str
    meaning: str
    table: str
    where: Take
    value: Take
    per_game: bool = False


def _bid(calls: pd.DataFrame) -> Any:
    return calls["kind"] == "bid"


def _opening(calls: pd.DataFrame) -> Any:
    return (calls["kind"] == "bid") & (calls["standing_quantity"] == 0)


def _dudo(calls: pd.DataFrame) -> Any:
    return calls["kind"] == "dudo"


def _calza(calls: pd.DataFrame) -> Any:
    return calls["kind"] == "calza"


def _answer(calls: pd.DataFrame) -> Any:
    """A standing bid was raised or doubted."""
    return (_bid(calls) | _dudo(calls)) & (calls["standing_quantity"] > 0)


def _ended(*endings: str, **of: Any) -> Take:
    """Hands of rounds that ended so; `of` are columns that have this value."""

    def where(hands: pd.DataFrame) -> Any:
        found = hands["ended_by"].isin(endings)
        for column, value in of.items():
            found &= hands[column] == value
        return found

    return where


def _true(calls: pd.DataFrame) -> Any:
    return calls["true"]


def _false(table: pd.DataFrame) -> Any:
    return ~table["true" if "true" in table else "right"]


def _excess(calls: pd.DataFrame) -> Any:
    return calls["quantity"] - calls["expected"]


def _once(table: pd.DataFrame) -> Any:
    return pd.Series(1.0, table.index)


def _lost(hands: pd.DataFrame) -> Any:
    return hands["change"] < 0


def _swing(hands: pd.DataFrame) -> Any:
    return hands["swing"]


_PLAYED = ("dudo", "calza", "tabba")

MEASURES = (
    Measure(
        "bid_chance",
        "bids",
        "share",
        "mean chance that its bids are true, as its own hand tells",
        "calls",
        _bid,
        lambda calls: calls["true_chance"],
    ),
    Measure("bid_true", "bids", "share", "bids that were true", "calls", _bid, _true),
    Measure(
        "bluff",
        "bids",
        "share",
        "bids on a face of which it holds less than an average hand, and more than it can expect",
        "calls",
        _bid,
        lambda calls: calls["bluff"],
    ),
    Measure(
        "bare",
        "bids",
        "share",
        "bids for which none of its own dice counts",
        "calls",
        _bid,
        lambda calls: calls["own"] == 0,
    ),
    Measure(
        "over",
        "bids",
        "share",
        "bids of more dice than it can expect",
        "calls",
        _bid,
        lambda calls: calls["quantity"] > calls["expected"],
    ),
    Measure(
        "excess",
        "bids",
        "dice",
        "dice bid beyond those it can expect, on average; below 0 it bids less",
        "calls",
        _bid,
        _excess,
    ),
    Measure(
        "open_chance",
        "openings",
        "share",
        "mean chance that its opening bids are true, as its own hand tells",
        "calls",
        _opening,
        lambda calls: calls["true_chance"],
    ),
    Measure(
        "open_excess",
        "openings",
        "dice",
        "dice of its opening bids beyond those it can expect, on average",
        "calls",
        _opening,
        _excess,
    ),
    Measure(
        "open_part",
        "openings",
        "share",
        "its opening quantity as a share of the dice in play",
        "calls",
        _opening,
        lambda calls: calls["quantity"] / calls["dice"],
    ),
    Measure(
        "open_bluff",
        "openings",
        "share",
        "openings that are bluffs",
        "calls",
        _opening,
        lambda calls: calls["bluff"],
    ),
    Measure(
        "open_aces",
        "openings",
        "share",
        "openings on aces",
        "calls",
        _opening,
        lambda calls: calls["face"] == 1,
    ),
    Measure(
        "doubts",
        "doubts",
        "share",
        "standing bids that it doubted, of those it raised or doubted",
        "calls",
        _answer,
        _dudo,
    ),
    Measure(
        "doubt_chance",
        "doubts",
        "share",
        "mean chance that a bid which it doubted was false, as its own hand tells",
        "calls",
        _dudo,
        lambda calls: calls["doubt_chance"],
    ),
    Measure("doubt_right", "doubts", "share", "its doubts that were right", "calls", _dudo, _false),
    Measure(
        "caught",
        "doubts",
        "share",
        "its own bids that were doubted: how many were false",
        "hands",
        _ended("dudo", role="bidder"),
        _false,
    ),
    Measure("calzas", "calza", "", "its calzas per game", "calls", _calza, _once, per_game=True),
    Measure(
        "calza_chance",
        "calza",
        "share",
        "mean chance that a bid on which it called calza was exact, as its own hand tells",
        "calls",
        _calza,
        lambda calls: calls["exact_chance"],
    ),
    Measure(
        "calza_right",
        "calza",
        "share",
        "its calzas that were right",
        "calls",
        _calza,
        lambda calls: calls["exact"],
    ),
    Measure(
        "loses",
        "rounds",
        "share",
        "ordinary rounds in which it lost dice, of those in which it held some",
        "hands",
        _ended(*_PLAYED, palifico=False),
        _lost,
    ),
    Measure(
        "palifico_loses",
        "rounds",
        "share",
        "palifico rounds in which it lost dice, likewise",
        "hands",
        _ended(*_PLAYED, palifico=True),
        _lost,
    ),
    Measure(
        "opener_loses",
        "rounds",
        "share",
        "ordinary rounds that it opened in which it lost dice",
        "hands",
        _ended(*_PLAYED, palifico=False, opened=True),
        _lost,
    ),
    Measure(
        "palifico_opener_loses",
        "rounds",
        "share",
        "palifico rounds that it opened in which it lost dice",
        "hands",
        _ended(*_PLAYED, palifico=True, opened=True),
        _lost,
    ),
    *(
        Measure(name, "swings", "points", meaning, "hands", where, _swing, per_game=True)
        for name, meaning, where in (
            (
                "by_doubting",
                "chance to win gained per game by its own doubts",
                _ended("dudo", role="caller"),
            ),
            ("when_doubted", "likewise by doubts of its own bids", _ended("dudo", role="bidder")),
            (
                "by_calling",
                "likewise by its own calzas and tabbas",
                _ended("calza", "tabba", role="caller"),
            ),
            (
                "when_called",
                "likewise by those of others on its bids",
                _ended("calza", "tabba", role="bidder"),
            ),
            (
                "looking_on",
                "likewise while others lost or gained dice",
                lambda hands: hands["role"] == "onlooker",
            ),
            ("by_forfeit", "likewise by its own forfeits", _ended("forfeit", role="caller")),
        )
    ),
)
"""In the order in which they are shown. Forfeits and passes are no bids, doubts or calzas, and what the
referee called for a bot at fault is not counted as the bot's."""
