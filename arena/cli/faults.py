"""`arena faults`: what went wrong, with whom, and how to see it again."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import Whole, logged_game, results_folder
from arena.errors import ConfigError


@click.command()
@results_folder
@click.option("--bot", metavar="NAME", help="Only the faults of this bot.")
@click.option("--cause", metavar="CAUSE", help="Only faults of this cause.")
@click.option("--game", type=Whole(0), help="Only this game.")
@click.option("--details", is_flag=True, help="With the question, what came, and what the bot printed.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with all details.")
def faults(
    folder: Path, bot: str | None, cause: str | None, game: int | None, details: bool, as_json: bool
) -> None:
    """List the faults of the tournament in DIR."""
    from arena.record.log import log_of
    from arena.referee.faults import Cause
    from arena.report.faults import faults_as_json, list_faults, show_faults

    if cause is not None and cause not in list(Cause):
        raise ConfigError(f"there is no cause {cause!r}; causes: {', '.join(Cause)}")
    found = list_faults(folder, bot=bot, cause=cause, game=game)
    if game is not None and not found:
        logged_game(log_of(folder), game)
    if as_json:
        click.echo(faults_as_json(found))
    else:
        show_faults(found, details)
