"""`arena duel`: one bot against another."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import PERCENT, results_folder
from arena.errors import ConfigError


@click.command()
@results_folder
@click.argument("bots", nargs=-1, metavar="[A B]")
@click.option(
    "--confidence",
    type=PERCENT,
    default=95.0,
    show_default=True,
    help="Of the intervals, in percent.",
)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def duel(folder: Path, bots: tuple[str, ...], confidence: float, as_json: bool) -> None:
    """Compare bot A with bot B: score, Elo and how certain they are, from the games they shared.

    At larger tables what counts is who of the two finished above the other. Every number comes from
    blocks (one deal in all rotations of the seats); docs/8-head-to-head.md has the formulas.
    """
    if len(bots) not in (0, 2):
        raise ConfigError("name two bots, or none where the tournament has only two")
    import json

    from arena.report.duel import read_duel
    from arena.report.duel_text import duel_json, duel_lines

    found = read_duel(folder, (bots[0], bots[1]) if bots else None, confidence / 100)
    if as_json:
        click.echo(json.dumps(duel_json(found), indent=2))
    else:
        click.echo("\n".join(duel_lines(found)))
