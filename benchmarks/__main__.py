"""The benchmark suite: `python -m benchmarks [--quick] [PART ...]`."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import click

from benchmarks.measure import FULL, LEAST, QUICK, Effort, Section, Target
from benchmarks.show import machine, put_into, show, targets

PARTS = {
    "loops": ("beside_loops", "the arena beside bare loops over ZeroMQ and pipes"),
    "stages": ("stages", "where the referee's microseconds go"),
    "log": ("log", "what the log costs"),
    "peers": ("beside_peers", "the arena and its rules beside other programs"),
    "workers": ("workers", "whether a second worker does as much as the first"),
    "growth": ("growth", "games in flight, players, bots"),
    "games": ("many_games", "a hundred to a million games: memory, table, charts"),
}
"""Name of each part, its module, what it measures."""


def sections(part: str, effort: Effort) -> list[Section]:
    """Measure a part."""
    found: list[Section] = import_module(f"benchmarks.{PARTS[part][0]}").measure(effort)
    return found


@click.command(epilog="Parts: " + "; ".join(f"{name}: {words}" for name, (_, words) in PARTS.items()))
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)), metavar="[PART]...")
@click.option("--quick", is_flag=True, help="A few minutes, for coarser figures.")
@click.option("--least", is_flag=True, help="Seconds: shows that a part works, measures nothing.")
@click.option("--repeats", type=click.IntRange(1), help="Runs of each contender.")
@click.option(
    "--into",
    "page",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Refresh the tables of this page.",
)
def main(
    parts: tuple[str, ...], quick: bool, least: bool, repeats: int | None, page: Path | None
) -> None:
    """Measure how fast the arena is, every figure beside others of the same minutes.

    Without a PART all of them are measured. Ratios can be compared between machines, figures cannot:
    close what else runs.
    """
    effort = LEAST if least else QUICK if quick else FULL
    if repeats:
        effort = replace(effort, repeats=repeats)
    click.echo(machine() + "\n")
    wanted: list[Target] = []
    for part in parts or PARTS:
        when = machine()
        found = sections(part, effort)
        click.echo(show(found))
        if page is not None:
            put_into(page, part, f"*{when}*\n\n{show(found, markdown=True)}")
        wanted += [target for section in found for target in section.targets]
    if len(parts) != 1:
        click.echo(targets(wanted))


if __name__ == "__main__":
    # An arena that is installed goes before the one in this folder: it may be compiled.
    sys.path.append(sys.path.pop(0))
    main()
