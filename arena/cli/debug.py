"""`arena debug`: a game put to your bot again, with the clock stopped."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from arena.cli.common import Whole, logged_game, results_folder
from arena.errors import ArenaError


@click.command()
@click.argument("bot", metavar="BOT")
@results_folder
@click.argument("game", type=Whole(0))
@click.option("--seat", type=int, help="Which seat it takes, from 0. Default: that of its name.")
@click.option("--attach", is_flag=True, help="Start the bot yourself, under a debugger.")
def debug(bot: str, folder: Path, game: int, seat: int | None, attach: bool) -> None:
    """Put every question of game GAME of DIR to BOT again, without any time limit.

    The game goes as it went, whatever the bot calls now; the lines show both calls.
    """
    from arena.check.debug import Debugger
    from arena.check.problem import Problem
    from arena.record.log import log_of
    from arena.tournament.bots import build, find_bot

    header, record = logged_game(log_of(folder), game)
    spec = find_bot(bot)
    if not attach:
        build(spec, tell=partial(click.echo, err=True))
    others = 0
    with Debugger(spec, folder, header, record, seat, attach) as debugger:
        if attach:
            click.echo("start your bot with these in its environment, for instance under a debugger:")
            click.echo(f"ARENA_ENDPOINT={debugger.endpoint} ARENA_TOKEN={debugger.token}")
        try:
            for moment in debugger.moments():
                hand = "".join(map(str, moment.hand))
                same = "" if moment.now == moment.then else f"   then {moment.then}"
                others += bool(same)
                click.echo(f"{moment.question}; hand {hand}: {moment.now}{same}")
        except Problem as problem:
            raise ArenaError(f"{problem.words}\n{problem.printed}".rstrip()) from None
    differ = "1 call differs" if others == 1 else f"{others} calls differ"
    click.echo(f"{differ} from those of the log" if others else "the same calls as then")
