"""`arena init`: write a tournament.toml to start from."""

from __future__ import annotations

from pathlib import Path

import click

from arena.errors import ConfigError


@click.command()
@click.argument("path", default="tournament.toml", metavar="[FILE]", type=click.Path(path_type=Path))
def init(path: Path) -> None:
    """Write a commented tournament file (default: tournament.toml)."""
    from arena.tournament.file import TEMPLATE

    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE)
    except FileExistsError:
        raise ConfigError(f"{path} exists already; name another file") from None
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None
    click.echo(f"wrote {path}; put your bots into it, then: arena run {path}")
