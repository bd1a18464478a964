"""Sections as text for a terminal, or as Markdown for a page."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import zmq

from benchmarks.measure import Section, Target


def machine() -> str:
    """When and on what this ran: figures of another machine cannot be compared, ratios can."""
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {len(os.sched_getaffinity(0))} cores ({platform.machine()}), "
        f"Linux {platform.release().split('-')[0]}, Python {platform.python_version()}, "
        f"pyzmq {zmq.pyzmq_version()} with libzmq {zmq.zmq_version()}; "
        f"load before {os.getloadavg()[0]:.1f}"
    )


def show(section: Section, markdown: bool) -> str:
    parts = [f"## {section.title}" if markdown else f"{section.title}\n{'-' * len(section.title)}"]
    parts.append(section.words if markdown else textwrap.fill(section.words, 100))
    parts.append(table(section.columns, section.rows, markdown))
    return "\n\n".join(parts) + "\n"


def targets(wanted: Iterable[Target], markdown: bool) -> str:
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


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], markdown: bool) -> str:
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
