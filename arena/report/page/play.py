"""How the bots play, for the page: the measures of `arena stats`, as tables and bot by bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.report.play import Measure, Play
from arena.report.play.text import TITLES, UNITS, by_bot, groups_of, show_value


@dataclass(frozen=True)
class PlayTable:
    """A group of measures: a row per bot, with its number in the header and a text per measure."""

    title: str
    measures: Sequence[Measure]
    rows: Sequence[tuple[int, Sequence[str]]]


def play_tables(play: Play, bots: Sequence[int]) -> list[PlayTable]:
    """Every group that says something under these rules, for the bots in this order."""
    values = by_bot(play)
    names = [bot.name for bot in play.header.bots]
    return [
        PlayTable(
            TITLES[group],
            measures,
            [(bot, [_text(values[names[bot]], measure) for measure in measures]) for bot in bots],
        )
        for group, measures in groups_of(play)
    ]


def unit_of(measure: Measure) -> str:
    """The unit in the words of a column's title."""
    return UNITS[measure.unit]


def notable(play: Play, bot: int) -> list[dict[str, Any]]:
    """The games that a bot won after a low chance or lost after a high one."""
    name = play.header.bots[bot].name
    games = play.games[play.games["bot"] == name]
    return [
        {
            "game": int(game),
            "round": int(number),
            "words": f"{'won' if kind == 'comeback' else 'lost'} after a chance of {100 * chance:.0f} %",
        }
        for kind, game, number, chance in games[["kind", "game", "round", "chance"]].itertuples(
            index=False
        )
    ]


def _text(values: dict[str, dict[str, Any]], measure: Measure) -> str:
    cell = values.get(measure.name)
    if cell is None:
        return "-"
    return show_value(cell["value"], cell["low"], cell["high"], measure.unit)
