"""`arena table`: the standings of a tournament."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.common import results_folder


@click.command()
@results_folder
@click.option(
    "--by", type=click.Choice(["rating", "points", "wins"]), default="rating", show_default=True
)
@click.option(
    "--columns", metavar="A,B,...", help="Which columns, in which order; an unknown one lists them."
)
@click.option("--exclude", multiple=True, metavar="BOT", help="Leave out the games of this bot.")
@click.option("--anchor", metavar="BOT", help="Give this bot 1500 instead of the mean.")
@click.option("--json", "form", flag_value="json", help="As JSON.")
@click.option("--csv", "form", flag_value="csv", help="As CSV.")
def table(folder: Path, columns: str | None, form: str | None, **options: Any) -> None:
    """Show the standings of the tournament in DIR."""
    from arena.report.standings import read_standings
    from arena.report.text import choose_columns, show_standings, write_csv, write_json

    standings = read_standings(folder, **options)
    if form == "json":
        click.echo(write_json(standings))
    elif form == "csv":
        click.echo(write_csv(standings), nl=False)
    else:
        show_standings(standings, choose_columns(columns, standings))
