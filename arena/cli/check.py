"""`arena check`: does a bot keep to the protocol?"""

from __future__ import annotations

from functools import partial

import click


@click.command()
@click.argument("bot", metavar="BOT")
@click.option("--json", "form", flag_value="json", help="As JSON, with every message in full.")
@click.option("--move-time", default="1s", show_default=True, help="Time for one call.")
@click.option("--start-time", default="10s", show_default=True, help="Time for the bot to start.")
@click.pass_context
def check(ctx: click.Context, bot: str, form: str | None, move_time: str, start_time: str) -> None:
    """Check that BOT keeps to the protocol, step by step.

    BOT is a folder with bot.toml, or NAME=COMMAND, as for arena run. The exit code is 1 if a step
    failed. What the steps ask for is protocol/SPEC.md; docs/9-bot-authors.md leads there.
    """
    from dataclasses import replace

    from arena.check import report
    from arena.check.run import LIMITS
    from arena.check.run import check as check_bot
    from arena.errors import ConfigError
    from arena.tournament.bots import find_bot
    from arena.tournament.config import parse_duration

    times = []
    for flag, text in (("--move-time", move_time), ("--start-time", start_time)):
        try:
            times.append(parse_duration(text))
        except ConfigError as error:
            raise ConfigError(f"{flag}: {error}") from None
    limits = replace(LIMITS, move=times[0], start=times[1])
    spec = find_bot(bot)
    say = partial(click.echo, err=True)
    if form:
        found = check_bot(spec, limits, say=say)
        click.echo(report.as_json(found))
    else:
        click.echo(report.heading(spec))
        found = check_bot(
            spec, limits, tell=lambda result: click.echo(report.step_as_text(result)), say=say
        )
        click.echo(report.ending(found))
    ctx.exit(0 if found.ok else 1)
