"""`arena export`: the log as CSV, Parquet or text, for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import results_folder


@click.command()
@results_folder
@click.option(
    "--to",
    "form",
    type=click.Choice(["csv", "parquet", "notation"]),
    required=True,
    help="Tables as CSV or Parquet, or all games as text, each for `arena judge`.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Into this folder; by default DIR/tables.",
)
@click.option("--replace", is_flag=True, help="Write files that are there already anew.")
def export(folder: Path, form: str, out: Path | None, replace: bool) -> None:
    """Write the tables or the games of the tournament in DIR into files."""
    from arena.record.export import export as write_files

    for path in write_files(folder, form, out or folder / "tables", replace):
        click.echo(path)
