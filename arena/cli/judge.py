"""`arena judge`: a game typed as text, judged call by call."""

from __future__ import annotations

from typing import IO

import click


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--json", "form", flag_value="json", help="As JSON.")
@click.pass_context
def judge(ctx: click.Context, file: IO[bytes], form: str | None) -> None:
    """Judge the game in FILE (- for standard input): what is legal, who loses a die, who wins.

    How to write it down: docs/6-notation.md, or print one with `arena show DIR GAME --notation`.
    The exit code is 1 if a call is illegal or a stated result is wrong, 2 if FILE cannot be read.
    """
    from arena.errors import ConfigError
    from arena.record.notation import NotationError, parse
    from arena.report.judge import judge as judge_game
    from arena.report.verdicts import as_json, as_text

    name = getattr(file, "name", "<stdin>")
    try:
        told = parse(file.read().decode())
    except UnicodeDecodeError:
        raise ConfigError(f"{name} is not text in UTF-8") from None
    except NotationError as error:
        raise ConfigError(f"{name} {error}") from None
    judgement = judge_game(told)
    click.echo(as_json(judgement) if form else "\n".join(as_text(judgement)))
    ctx.exit(1 if judgement.wrong else 0)
