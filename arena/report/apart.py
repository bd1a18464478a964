"""Several tournaments rated apart: by size of the tables, by ruleset, or each folder by itself."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

from arena.report.logs import Log
from arena.report.sections import Section, show_section
from arena.report.standings import Row, Standings, standings_of
from arena.report.text import facts_of, footer, say_faults, say_interval

Build = Callable[[Standings], Section]


def standings_apart(logs: Sequence[Log], each: str, options: dict[str, Any]) -> dict[str, Standings]:
    """The standings of each group of logs, with the options of `standings_of`.

    `each` is "players" (groups in ascending order), "ruleset" or "folder" (in the order given).
    Raises `ConfigError` where the logs of one group must not be rated together.
    """

    def group(log: Log) -> str:
        if each == "players":
            return str(log.header.players)
        return str(log.header.ruleset["name"]) if each == "ruleset" else log.folder

    groups: dict[str, list[Log]] = {}
    for log in sorted(logs, key=lambda log: log.header.players) if each == "players" else logs:
        groups.setdefault(group(log), []).append(log)
    return {name: standings_of(group, **options) for name, group in groups.items()}


def show(tables: dict[str, Standings], each: str, builds: Sequence[Build] = ()) -> None:
    """Print one table with a rating for every group, and what belongs under each."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=500)
    titles = {name: f"{name} players" if each == "players" else name for name in tables}
    shown = Table(box=None, pad_edge=False, header_style="bold")
    shown.add_column("bot", no_wrap=True)
    for name in tables:
        shown.add_column(titles[name], justify="right", no_wrap=True)
        shown.add_column("95 % interval", justify="right", no_wrap=True)
    rows = {name: {row.bot: row for row in table.rows} for name, table in tables.items()}
    for bot in dict.fromkeys(row.bot for table in tables.values() for row in table.rows):
        cells = [cell for name in tables for cell in _cells(rows[name].get(bot))]
        shown.add_row(bot, *cells)
    console.print(shown, soft_wrap=True)
    console.print(
        "(each column is a scale of its own, with what is held at the same points)", style="dim"
    )
    for name, table in tables.items():
        console.print()
        console.print(titles[name], style="bold", markup=False)
        for line in footer(table):
            console.print(line, markup=False, soft_wrap=True)
        for build in builds:
            show_section(build(table))


def write_json(tables: dict[str, Standings], each: str, builds: Sequence[Build] = ()) -> str:
    """The facts of every group, as `arena table --json` tells them of one."""
    groups = [
        {each: name} | facts_of(table, [build(table) for build in builds])
        for name, table in tables.items()
    ]
    return json.dumps({"each": each, "tables": groups}, indent=2)


def write_csv(tables: dict[str, Standings], each: str) -> str:
    """One line per bot and group, the group in the first column."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [each, *Row("").cells()], lineterminator="\n")
    writer.writeheader()
    for name, table in tables.items():
        for row in table.rows:
            writer.writerow({each: name} | row.cells() | {"faults": say_faults(row)})
    return text.getvalue()


def _cells(row: Row | None) -> tuple[str, str]:
    if row is None or row.rating is None:
        return "-", "-"
    rating = row.rating
    return rating.word if rating.rating is None else f"{rating.rating:.0f}", say_interval(rating)
