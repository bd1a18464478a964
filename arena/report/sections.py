"""What the table can show beside the standings: superiority, upsets, the worth of seats."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arena.rating import one_scale, seat_worth, superiority, upsets
from arena.report.standings import Standings

_ROW = "row bot"  # no bot can be called so: a name has no space
Cell = str | float | int | None


@dataclass(frozen=True)
class Section:
    """A small table. `rows` hold unrounded numbers by column, None where there is none; `facts` are
    numbers about all of it; `words` say what it is and what it is not; `text` prints one number;
    `heads` are the titles of columns that are not their names."""

    name: str
    title: str
    words: Sequence[str]
    columns: Sequence[str]
    rows: Sequence[dict[str, Cell]]
    facts: dict[str, Cell]
    text: Callable[[str, float], str]
    heads: dict[str, str] = field(default_factory=dict)


def superiority_section(table: Standings) -> Section:
    """How sure it is that the row bot is the better one."""
    share = superiority(table.ratings)
    at = [table.results.index(row.bot) for row in table.rows]
    names = [row.bot for row in table.rows]
    rows: list[dict[str, Cell]] = [
        {_ROW: name} | {other: _known(share[i, j]) for other, j in zip(names, at, strict=True)}
        for name, i in zip(names, at, strict=True)
    ]
    draws = len(table.ratings.draws)
    return Section(
        "superiority",
        "Probability of superiority",
        [
            f"share of {draws} bootstrap draws in which the row bot is rated above the column bot, #1 "
            "being that of the first row: how sure the order is, not how often it wins",
            "many pairs are looked at, so some look sure by luck; '-' where a bot has no draws",
        ],
        [_ROW, *names],
        rows,
        {"draws": draws},
        lambda column, value: "<0.01" if value < 0.01 else ">0.99" if value > 0.99 else f"{value:.2f}",
        {_ROW: "bot"} | {name: f"#{number}" for number, name in enumerate(names, 1)},
    )


def upsets_section(table: Standings) -> Section:
    """Who beats whom against the order of the ratings."""
    found = upsets(table.results, table.ratings)
    p = one_scale(table.results)
    if p is None:
        words = ["too few pairs met to tell whether one rating per bot fits"]
    else:
        verdict = "does not fit all pairs" if p < 0.05 else "may fit all pairs"
        words = [f"one rating per bot {verdict}: p = {_chance(p)} (all pairs together, from blocks)"]
    words.append(
        "score: share of shared games in which it finished above; p: that the score is 1/2, by itself, "
        "and corrected by Holm for looking at all pairs"
    )
    return Section(
        "upsets",
        "Who beats whom against the order of the ratings" + ("" if found else ": nobody"),
        words,
        ["bot", "beats", "score", "low", "high", "blocks", "rated_below", "p", "p_holm"],
        [
            {
                "bot": upset.winner,
                "beats": upset.loser,
                "score": upset.score,
                "low": _known(upset.low),
                "high": _known(upset.high),
                "blocks": upset.blocks,
                "rated_below": upset.rated_below,
                "p": _known(upset.p),
                "p_holm": _known(upset.p_holm),
            }
            for upset in found
        ],
        {"one_scale_p": p},
        lambda column, value: (
            _chance(value)
            if column.startswith("p")
            else f"{value:.0f}"
            if column == "rated_below"
            else f"{value:.2f}"
        ),
    )


def seats_section(table: Standings) -> Section:
    """What each seat is worth, for each size of tables."""
    sizes = np.unique((table.results.seats >= 0).sum(axis=1)).tolist()
    rows: list[dict[str, Cell]] = []
    for players in sizes:
        worth = seat_worth(table.results, players)
        for seat in range(players):
            rows.append(
                {
                    "players": players,
                    "seat": seat,
                    "worth": _known(worth.worth[seat]),
                    "low": _known(worth.low[seat]),
                    "high": _known(worth.high[seat]),
                    "blocks": worth.blocks,
                }
            )
    return Section(
        "seats",
        "What a seat is worth",
        [
            "Elo points above the mean of the seats, the same for every bot, from one joint fit of bots "
            "and seats; 95 % intervals from blocks",
        ],
        ["players", "seat", "worth", "low", "high", "blocks"],
        rows,
        {},
        lambda column, value: f"{value:+.0f}",
    )


SECTIONS: dict[str, Callable[[Standings], Section]] = {
    "superiority": superiority_section,
    "upsets": upsets_section,
    "seats": seats_section,
}


def show_section(section: Section) -> None:
    """Print it under its title."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, width=500)  # a matrix may be wider than any terminal
    console.print()
    console.print(section.title, style="bold", markup=False)
    if section.rows:
        shown = Table(box=None, pad_edge=False)
        for column in section.columns:
            left = isinstance(section.rows[0][column], str)
            head = section.heads.get(column, column.replace("_", " "))
            shown.add_column(head, justify="left" if left else "right", no_wrap=True)
        for row in section.rows:
            shown.add_row(*[_text(section, column, row[column]) for column in section.columns])
        console.print(shown, soft_wrap=True)
    for words in section.words:
        console.print(f"({words})", style="dim", markup=False, soft_wrap=True)


def section_facts(section: Section) -> dict[str, Any]:
    """For JSON."""
    return {**section.facts, "rows": list(section.rows), "about": list(section.words)}


def write_section_csv(section: Section) -> str:
    """One line per row; empty where there is no number."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(section.columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(section.rows)
    return text.getvalue()


def _text(section: Section, column: str, value: Cell) -> str:
    if value is None:
        return "-"
    return section.text(column, value) if isinstance(value, float) else str(value)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _chance(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"
