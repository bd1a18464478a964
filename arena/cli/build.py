"""`arena build`: build a bot."""

from __future__ import annotations

from functools import partial

import click


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT [BOT ...]")
def build(bots: tuple[str, ...]) -> None:
    """Build bots as their bot.toml says, where they have changed since the last time.

    arena run does so by itself. The build is held as strictly as works here; see docs/2-hosting.md.
    """
    from arena.referee.probe import best
    from arena.tournament.bots import build, find_bot

    level, note = best()
    if note:
        click.echo(note, err=True)
    for text in bots:
        bot = find_bot(text)
        if not bot.build:
            click.echo(f"{bot.name}: nothing to build")
        elif build(bot, level, tell=partial(click.echo, err=True)):
            click.echo(f"{bot.name}: built")
        else:
            click.echo(f"{bot.name}: is built already")
