"""`arena charts`: what the log shows, as pictures."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import results_folder


@click.command()
@results_folder
def charts(folder: Path) -> None:
    """Draw the charts of the tournament in DIR into DIR/report (PNG and SVG)."""
    from arena.errors import ConfigError
    from arena.record.log import GAMES, log_of
    from arena.report.charts import draw_charts

    if not log_of(folder).is_file():
        raise ConfigError(f"{folder} holds no tournament: there is no {GAMES}")

    for path in draw_charts(folder):
        if path.suffix == ".png":
            click.echo(path)
