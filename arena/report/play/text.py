"""The play as tables on the terminal, as CSV and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from math import isfinite
from typing import Any

import pandas as pd

from arena.report.blocks import MIN_BLOCKS
from arena.report.play.measures import MEASURES, Measure
from arena.report.play.read import DIFFICULTY_BINS, DOUBT_BINS, Play

TITLES = {
    "bids": "Bids",
    "openings": "Opening bids",
    "doubts": "Doubts",
    "calza": "Calza",
    "rounds": "Rounds lost",
    "swings": "Chance to win gained per game",
}
"""Of the groups of measures."""
UNITS = {"share": "%", "points": "% points", "dice": "dice", "": ""}
CALLING = {"by_calling", "when_called"}
CURVES = ("doubts", "openings", "difficulty", "dice")


def groups_of(play: Play) -> Iterator[tuple[str, list[Measure]]]:
    """The groups of measures that say something under these rules."""
    for group, measures in groupby(MEASURES, lambda measure: measure.group):
        if play.calza or group != "calza":
            yield group, [m for m in measures if play.calling or m.name not in CALLING]


def show_value(value: float, low: float, high: float, unit: str) -> str:
    """ "13.8 ±0.8": no more digits than the interval allows, and so many that it is not ±0.0."""
    if not isfinite(value):
        return "-"
    scale, digits = (100, 1) if unit in ("share", "points") else (1, 2)
    half = scale * max(high - value, value - low)  # the other may be cut
    if not isfinite(half):
        return f"{scale * value:.{digits - 1}f}"
    while digits and half >= 2 * 10 ** (1 - digits):
        digits -= 1
    while half and not round(half, digits):
        digits += 1
    return f"{scale * value:.{digits}f} ±{half:.{digits}f}"


def show_play(play: Play) -> None:
    """Print every group of measures as a table with a row per bot."""
    console = _console()
    console.print(_facts(play), markup=False)
    values = by_bot(play)
    for group, measures in groups_of(play):
        titles = [measure.name + (" dice" if measure.unit == "dice" else "") for measure in measures]
        rows = []
        for bot, found in values.items():
            cells = (found.get(measure.name) for measure in measures)
            rows.append(
                [
                    bot,
                    *(
                        "-" if cell is None else _value(cell, measure.unit)
                        for cell, measure in zip(cells, measures, strict=True)
                    ),
                ]
            )
        _print(console, [f"{TITLES[group]}, %", *titles], rows)
    console.print()
    console.print(_about(play), markup=False)
    console.print(
        "arena stats DIR --bot NAME says what each number means, and how sure a bot's doubts are.",
        markup=False,
    )


def show_bot(play: Play, bot: str) -> None:
    """Print all of one bot: each measure with its meaning, its curves and its games of note."""
    console = _console()
    console.print(f"{bot}: {_facts(play)}", markup=False)
    values = by_bot(play)[bot]
    for group, measures in groups_of(play):
        rows = [
            [m.name, _value(cell, m.unit), UNITS[m.unit], str(cell["count"]), m.meaning]
            for m in measures
            if (cell := values.get(m.name)) is not None
        ]
        _print(console, [TITLES[group], "", "", "of", "meaning"], rows, left=("meaning",))

    steps = _rows(_of(play.openings, bot))
    faces = [[f"{step['face']}", _value(step, "share"), str(step["count"])] for step in steps]
    _print(console, ["Opening bids on", "%", "of"], faces)
    steps = _rows(_of(play.doubts, bot))
    doubts = [
        [
            f"{100 * step['bin']:.0f} to {100 * (step['bin'] + 1 / DOUBT_BINS):.0f} %",
            f"{100 * step['predicted']:.1f}",
            _value(step, "share"),
            str(step["count"]),
        ]
        for step in steps
    ]
    _print(console, ["Doubts, by own chance", "mean %", "were right %", "of"], doubts)
    steps = _rows(_of(play.difficulty, bot))
    times = [
        [
            f"{step['bin']:.1f} to {step['bin'] + 1 / DIFFICULTY_BINS:.1f} bits",
            f"{step['value']:.3g}",
            f"{step['low']:.3g} to {step['high']:.3g}" if isfinite(step["low"]) else "-",
            str(step["count"]),
        ]
        for step in steps
    ]
    _print(console, ["Time by difficulty", "ms (geometric mean)", "95 % interval", "of"], times)
    console.print()
    for game in _rows(_of(play.games, bot)):
        did = "won" if game["kind"] == "comeback" else "lost"
        console.print(
            f"{game['kind']}: {did} game {game['game']} after a chance of {100 * game['chance']:.0f} % "
            f"in round {game['round']}: arena show DIR {game['game']}",
            markup=False,
        )
    console.print()
    console.print(_about(play), markup=False)


def _print(console: Any, titles: list[str], rows: list[list[str]], left: tuple[str, ...] = ()) -> None:
    """A table under an empty line, if it has rows; the first column is to the left.

    On a narrow terminal titles and meanings go on in the next line, numbers never.
    """
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    vertical: Any = "top" if left else "bottom"
    for number, title in enumerate(titles):
        to_left = not number or title in left
        shown = title.replace("_", " ") if console.is_terminal else title
        table.add_column(shown, justify="left" if to_left else "right", vertical=vertical)
    for row in rows:
        table.add_row(*(Text(cell.replace(" ±", "\u00a0±")) for cell in row))
    console.print()
    console.print(table)


def _value(cell: dict[str, Any], unit: str) -> str:
    return show_value(cell["value"], cell["low"], cell["high"], unit)


def _console() -> Any:
    from rich.console import Console

    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=500)


def _facts(play: Play) -> str:
    header = play.header
    return f"{header.name}: ruleset {header.ruleset['name']}, {header.players} players, " + (
        "no block is complete yet"
        if not play.blocks
        else f"{play.blocks} complete block{'s' * (play.blocks != 1)}"
    )


def _about(play: Play) -> str:
    lines = [
        "±: 95 % interval over blocks, Student's t; none for fewer than "
        f"{MIN_BLOCKS} blocks or where all are alike.",
        "Chances are those of a player who sees its own hand and reads nothing from the bids of others.",
        "The chance to win is that of the dice alone: as if every player lost the next die alike.",
    ]
    if play.sample:
        lines.insert(0, play.sample)
    if (flight := play.header.settings.games_in_flight) > 1:
        lines.append(
            f"Up to {flight} games at once: the time of a message with several questions is shared."
        )
    return "\n".join(lines)


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


def by_bot(play: Play) -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = {bot.name: {} for bot in play.header.bots}
    for row in _rows(play.measures):
        found[row["bot"]][row["measure"]] = row
    return found


# --- files -------------------------------------------------------------------------------------------


def write_csv(play: Play, bot: str | None = None) -> str:
    """A line per bot and measure: group, unit, value, low, high, blocks, count; no interval: empty."""
    about = {measure.name: measure for measure in MEASURES}
    rows = _of(play.measures, bot)
    rows.insert(1, "group", [about[name].group for name in rows["measure"]])
    rows.insert(3, "unit", [about[name].unit for name in rows["measure"]])
    return str(rows.to_csv(index=False, lineterminator="\n"))


def write_json(play: Play, bot: str | None = None) -> str:
    """All tables of the play, and what the measures mean; null where there is no number."""
    told = {
        "name": play.header.name,
        "ruleset": play.header.ruleset["name"],
        "players": play.header.players,
        "blocks_complete": play.blocks,
        "one_block_in": play.one_in,
        "meanings": {measure.name: [measure.unit, measure.meaning] for measure in MEASURES},
        **{
            table: [
                {key: _plain(value) for key, value in row.items()}
                for row in _rows(_of(getattr(play, table), bot))
            ]
            for table in ("measures", *CURVES, "games")
        },
    }
    return json.dumps(told, indent=1, ensure_ascii=False)


def _of(frame: pd.DataFrame, bot: str | None) -> pd.DataFrame:
    return frame.copy() if bot is None else frame[frame["bot"] == bot].reset_index(drop=True)


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value
