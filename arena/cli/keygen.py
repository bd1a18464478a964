"""`arena keygen`: a key pair, for an arena with remote bots or for one such bot."""

from __future__ import annotations

from pathlib import Path

import click

from arena.errors import ConfigError


@click.command()
@click.argument("path", default="arena.key", metavar="[FILE]", type=click.Path(path_type=Path))
def keygen(path: Path) -> None:
    """Make a key pair for remote bots, print the public key, keep both in FILE (default: arena.key).

    A host names the arena's file as server_key in tournament.toml and gives its public key to the
    authors. An author gives his bot's public key to the host and reads FILE with a shell: it sets
    ARENA_PUBLIC_KEY and ARENA_SECRET_KEY. Whoever holds FILE is the arena, or the bot.
    """
    from arena.tournament.keys import write_key_file

    try:
        public = write_key_file(path)
    except FileExistsError:
        raise ConfigError(f"{path} exists already; name another file") from None
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None
    click.echo(public)
    click.echo(f"wrote {path}; keep it secret, and give only the public key above to others", err=True)
