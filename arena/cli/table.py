"""`arena table`: the standings of a tournament."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "form", flag_value="json", help="As JSON.")
@click.option("--csv", "form", flag_value="csv", help="As CSV.")
def table(folder: Path, form: str | None) -> None:
    """Show the standings of the tournament in DIR."""
    from arena.report.standings import read_standings, show_standings, write_csv, write_json

    standings = read_standings(folder)
    if form == "json":
        click.echo(write_json(standings))
    elif form == "csv":
        click.echo(write_csv(standings), nl=False)
    else:
        show_standings(standings)
