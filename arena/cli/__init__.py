"""The command `arena`: one file per command; what is heavy is imported inside the command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from arena import __version__
from arena.cli.build import build
from arena.cli.charts import charts
from arena.cli.check import check
from arena.cli.debug import debug
from arena.cli.duel import duel
from arena.cli.export import export
from arena.cli.faults import faults
from arena.cli.init import init
from arena.cli.judge import judge
from arena.cli.keygen import keygen
from arena.cli.new import new
from arena.cli.plan import plan
from arena.cli.replay import replay
from arena.cli.report import report
from arena.cli.rules import rules
from arena.cli.run import run
from arena.cli.show import show
from arena.cli.sprt import sprt
from arena.cli.stats import stats
from arena.cli.table import table
from arena.cli.verify import verify
from arena.errors import ArenaError, ConfigError


class Arena(click.Group):
    """Shows what is wrong as one line: exit code 2 for usage, 1 for failure, never a traceback."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        plain: Any = super().main
        if not extra.pop("standalone_mode", True):
            return plain(args, *rest, standalone_mode=False, **extra)
        try:
            _all_text(sys.argv[1:] if args is None else args)
            code = plain(args, *rest, standalone_mode=False, **extra)
        except ArenaError as error:
            click.echo(f"arena: {error}", err=True)
            code = error.exit_code
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            code = 0
        except click.UsageError as error:
            where = error.ctx.command_path if error.ctx else "arena"
            click.echo(f"{where}: {error.format_message()} (see {where} --help)", err=True)
            code = error.exit_code
        except click.ClickException as error:
            click.echo(f"arena: {error.format_message()}", err=True)
            code = error.exit_code
        except click.Abort:
            click.echo("arena: stopped by SIGINT", err=True)
            code = 130
        except BrokenPipeError:
            sys.stderr.close()  # the reader of our output has gone; nobody is left to tell
            code = 1
        sys.exit(code if isinstance(code, int) else 0)


def _all_text(words: Sequence[str]) -> None:
    """Refuse bytes that are no UTF-8, which no log or message could hold."""
    for word in words:
        if any("\ud800" <= letter <= "\udfff" for letter in word):
            raise ConfigError(f"{word!r} is not a text in UTF-8; write or rename it in UTF-8")


@click.group("arena", cls=Arena, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arena")
def main() -> None:
    """Pit Perudo (Dudo, liar's dice) bots against each other, in any language."""


for command in (
    build,
    charts,
    check,
    debug,
    export,
    duel,
    faults,
    init,
    judge,
    keygen,
    new,
    plan,
    replay,
    report,
    rules,
    run,
    show,
    stats,
    sprt,
    table,
    verify,
):
    main.add_command(command)
