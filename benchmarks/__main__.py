"""The benchmark suite: `python -m benchmarks [--quick] [--markdown] [PART ...]`."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import click

from benchmarks.measure import FULL, LEAST, QUICK, Effort, Section, Target
from benchmarks.show import machine, show, targets

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
@click.option("--markdown", is_flag=True, help="Tables as Markdown.")
def main(parts: tuple[str, ...], quick: bool, least: bool, repeats: int | None, markdown: bool) -> None:
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
        for section in sections(part, effort):
            click.echo(show(section, markdown))
            wanted += section.targets
    if wanted:
        click.echo(("## Targets\n\n" if markdown else "") + targets(wanted, markdown))


if __name__ == "__main__":
    main()
