"""`arena plan`: how many games are enough."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import PERCENT, Number, Whole
from arena.errors import ConfigError


@click.command()
@click.option(
    "--elo",
    type=Number(0, 1000, min_open=True),
    required=True,
    help="The difference that is to be found, and half the width of the interval.",
)
@click.option("--players", type=Whole(2, 6), help="Seats at a table. Default: 2.")
@click.option(
    "--deals", type=click.Choice(["mirrored", "independent"]), help="As in arena run. Default: mirrored."
)
@click.option(
    "--confidence", type=PERCENT, default=95.0, show_default=True, help="Of the interval, in percent."
)
@click.option(
    "--power",
    type=PERCENT,
    default=80.0,
    show_default=True,
    help="How surely the difference is to be found, in percent.",
)
@click.option(
    "--from",
    "folder",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Players, deals and spread as in the results of a tournament.",
)
@click.option("--pair", nargs=2, metavar="A B", help="Of which bots in DIR, where there are more.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def plan(
    elo: float,
    players: int | None,
    deals: str | None,
    confidence: float,
    power: float,
    folder: Path | None,
    pair: tuple[str, str] | None,
    as_json: bool,
) -> None:
    """Say how many blocks and games tell two bots apart that differ by so much Elo.

    The spread of block scores decides. Without --from it is that of two equal bots.
    """
    if folder and (players or deals):
        raise ConfigError("--from: players and deals are those of the log; leave --players, --deals out")
    if pair and not folder:
        raise ConfigError("--pair: names bots of a tournament; give it with --from DIR")
    import json

    from arena.report.plan import make_plan, read_spread, usual_spread

    if folder:
        spread = read_spread(folder, pair, confidence / 100)
    else:
        spread = usual_spread(players or 2, deals or "mirrored")
    found = make_plan(elo, confidence / 100, power / 100, spread)
    click.echo(json.dumps(found.json(), indent=2) if as_json else "\n".join(found.lines()))
