"""`arena stats`: how the bots play."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import results_folder


@click.command()
@results_folder
@click.option("--bot", metavar="NAME", help="All of this bot, with what each number means.")
@click.option("--json", "form", flag_value="json", help="As JSON, with all curves.")
@click.option("--csv", "form", flag_value="csv", help="As CSV, a line per bot and number.")
def stats(folder: Path, bot: str | None, form: str | None) -> None:
    """Show how the bots of the tournament in DIR play: bluffs, doubts, openings, swings."""
    from arena.errors import ConfigError
    from arena.record.log import GAMES, log_of, read_header
    from arena.report.play import read_play
    from arena.report.play.text import show_bot, show_play, write_csv, write_json

    if not log_of(folder).is_file():
        raise ConfigError(f"{folder} holds no tournament: there is no {GAMES}")
    names = [each.name for each in read_header(log_of(folder)).bots]
    if bot is not None and bot not in names:
        raise ConfigError(f"there is no bot {bot!r} in {folder}; bots: {', '.join(names)}")

    play = read_play(folder)
    if form == "json":
        click.echo(write_json(play, bot))
    elif form == "csv":
        click.echo(write_csv(play, bot), nl=False)
    elif bot is not None:
        show_bot(play, bot)
    else:
        show_play(play)
