"""`arena replay`: one game of a log once more, with the real bots and the same dice."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import Whole, logged_game, results_folder


@click.command()
@results_folder
@click.argument("game", type=Whole(0))
def replay(folder: Path, game: int) -> None:
    """Play game number GAME of DIR again: the same bots, dice and seats, freshly launched.

    The log is not changed. It ends with code 1 if the game took another course.
    """
    from rich.console import Console

    from arena.record.log import log_of
    from arena.report.show import show_game
    from arena.tournament.again import play_again

    header, before = logged_game(log_of(folder), game)
    after = play_again(folder, header, before)
    show_game(header, after, Console(highlight=False))
    same = [
        field
        for field in ("calls", "places", "hands")
        if getattr(before, field) != getattr(after, field)
    ]
    click.echo()
    if same or [fault.cause for fault in before.faults] != [fault.cause for fault in after.faults]:
        click.echo("This time the game took another course.")
        raise SystemExit(1)
    click.echo("The game took the same course as before.")
