"""`arena show`: one game, round by round."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import Whole, logged_game, results_folder
from arena.errors import ConfigError


@click.command()
@results_folder
@click.argument("game", type=Whole(0))
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--notation", is_flag=True, help="As text that `arena judge` reads.")
def show(folder: Path, game: int, as_json: bool, notation: bool) -> None:
    """Show game number GAME of the tournament in DIR."""
    from rich.console import Console

    from arena.record.log import log_of
    from arena.record.notation import write
    from arena.record.told import of_record
    from arena.report.show import game_as_json, show_game

    header, record = logged_game(log_of(folder), game)
    if as_json and notation:
        raise ConfigError("give either --json or --notation, not both")
    if notation:
        click.echo(write(of_record(header, record)), nl=False)
    elif as_json:
        click.echo(game_as_json(header, record))
    else:
        show_game(header, record, Console(highlight=False))
