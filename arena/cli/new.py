"""`arena new`: a bot to begin with."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from arena.errors import ConfigError


@click.command()
@click.argument("language", required=False)
@click.argument("name", required=False)
@click.option("--list", "show_list", is_flag=True, help="List the languages.")
@click.option(
    "--in", "where", default=".", type=click.Path(path_type=Path), help="Where to put the folder."
)
def new(language: str | None, name: str | None, show_list: bool, where: Path) -> None:
    """Make a folder NAME with a bot in LANGUAGE that is ready to play: fill in one function."""
    from arena.tournament.templates import copy_template, languages

    if show_list:
        for each in languages():
            click.echo(each)
        return
    if language is None or name is None:
        raise ConfigError("name a language and the bot: arena new LANGUAGE NAME; see arena new --list")
    folder = copy_template(language, name, where)
    click.echo(f"made {folder}; its README.md says which function to fill in. Then:")
    quoted = shlex.quote(str(folder))
    click.echo(f"  arena check {quoted}")
    click.echo(f"  arena run {quoted} OTHER_BOT --blocks 50")
