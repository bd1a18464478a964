"""Sections as text for a terminal, or as Markdown for a page."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import zmq

from benchmarks.measure import Section, Target


def machine() -> str:
    """When and on what this ran: figures of another machine cannot be compared, ratios can."""
    from arena.referee import loop  # late: see `__main__`

    form = "compiled" if str(loop.__file__).endswith(".so") else "in plain Python"
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {len(os.sched_getaffinity(0))} cores ({platform.machine()}), "
        f"Linux {platform.release().split('-')[0]}, Python {platform.python_version()}, "
        f"the arena {form}, pyzmq {zmq.pyzmq_version()} with libzmq {zmq.zmq_version()}; "
        f"load before {os.getloadavg()[0]:.1f}"
    )


def show(sections: Iterable[Section], markdown: bool = False) -> str:
    """The tables of a part and what was wanted of it."""
    parts = []
    wanted: list[Target] = []
    for each in sections:
        parts.append(f"### {each.title}" if markdown else f"{each.title}\n{'-' * len(each.title)}")
        parts.append(textwrap.fill(each.words, 120 if markdown else 100, break_on_hyphens=False))
        parts.append(table(each.columns, each.rows, markdown))
        wanted += each.targets
    if wanted:
        parts.append(targets(wanted, markdown))
    return "\n\n".join(parts) + "\n"


def put_into(page: Path, part: str, text: str) -> None:
    """Replace what a page says between the marks of a part. Raises `ValueError` if it has none."""
    begin, end = f"<!-- measured: {part} -->\n", "<!-- end -->\n"
    before, mark, rest = page.read_text().partition(begin)
    if not mark or end not in rest:
        raise ValueError(f"{page} has no lines {begin.strip()} and {end.strip()}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}")


def targets(wanted: Iterable[Target], markdown: bool = False) -> str:
    rows = [
        (
            each.text,
            f"{'at most' if each.at_most else 'at least'} {each.wanted:g}",
            str(each.found),
            "met" if each.met else "not met",
        )
        for each in wanted
    ]
    return table(("target", "wanted", "found", ""), rows, markdown)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], markdown: bool = False) -> str:
    rows = [tuple(columns), *map(tuple, rows)]
    if markdown:
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], "|---" * len(columns) + "|", *lines[1:]])
    widths = [max(len(row[at]) for row in rows) for at in range(len(columns))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at and at < len(columns) - 1 else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
