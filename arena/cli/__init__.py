"""The command `arena`: one file per command; what is heavy is imported inside the command."""

from __future__ import annotations

import sys

import click

from arena import __version__
from arena.cli.init import init
from arena.cli.rules import rules
from arena.cli.run import run
from arena.cli.show import show
from arena.cli.table import table
from arena.errors import ArenaError


class Arena(click.Group):
    """Shows an `ArenaError` as one line and ends with its exit code."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ArenaError as error:
            click.echo(f"arena: {error}", err=True)
            ctx.exit(error.exit_code)
        except BrokenPipeError:
            sys.stderr.close()  # the reader of our output has gone; nobody is left to tell
            ctx.exit(1)


@click.group(cls=Arena, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arena")
def main() -> None:
    """Pit Perudo (Dudo, liar's dice) bots against each other, in any language."""


for command in (init, rules, run, show, table):
    main.add_command(command)
