"""Bots on their way to another machine: what their fingerprint covers, as an archive."""

from __future__ import annotations

import fcntl
import io
import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from arena.errors import ConfigError
from arena.tournament.bots import BUILT, BotSpec


@dataclass(frozen=True)
class Parcel:
    """A bot and the files of its folder, a gzipped tar. Its products are not among them: it is built
    where it plays.
    """

    bot: BotSpec
    fingerprint: str
    archive: bytes


def pack(bot: BotSpec) -> Parcel:
    """Raises `ConfigError` for a bot whose command would not find its files on another machine."""
    files = io.BytesIO()
    for word in bot.command:
        path = bot.folder / word
        name = os.path.relpath(path, bot.folder)
        if path.is_file() and (os.path.isabs(word) or name.startswith(os.pardir)):
            raise ConfigError(
                f"bot {bot.name}: its command names {word}; on other machines it finds only what lies "
                "in its folder and is named from there"
            )
    with tarfile.open(fileobj=files, mode="w:gz", dereference=True) as tar:
        for path in bot.files():
            tar.add(path, os.path.relpath(path, bot.folder), recursive=False)
    return Parcel(bot, bot.fingerprint(), files.getvalue())


def unpack(parcel: Parcel, cache: Path) -> BotSpec:
    """The bot in a folder of its own below `cache`, which is filled once for each fingerprint.

    Raises `ConfigError` where the files do not come to the fingerprint, or cannot be written.
    """
    place = cache / parcel.fingerprint
    bot = replace(parcel.bot, folder=place)
    if not (place.is_dir() and _fits(bot, parcel.fingerprint)):
        shutil.rmtree(place, ignore_errors=True)
        fresh = cache / f"{parcel.fingerprint}.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        with tarfile.open(fileobj=io.BytesIO(parcel.archive)) as tar:
            tar.extractall(fresh, filter="data")
        found = replace(bot, folder=fresh).fingerprint()
        if found != parcel.fingerprint:
            raise ConfigError(
                f"bot {bot.name} did not arrive as it was sent: {found} is its fingerprint"
            )
        fresh.rename(place)
    return bot


def _fits(bot: BotSpec, fingerprint: str) -> bool:
    """Whether the folder is as it was sent, or as its build left it: a bot that is hardly held can
    write there.
    """
    now, stamp = bot.fingerprint(), bot.folder / BUILT
    return now == fingerprint or (stamp.is_file() and stamp.read_text().partition("\n")[0] == now)


@contextmanager
def cache() -> Iterator[Path]:
    """The private folder of this user's bots on this machine, while nobody else fills it. Raises
    `ConfigError`.
    """
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    place = Path(home, "perudo-arena", "bots")
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise ConfigError(f"cannot keep bots in {place}: {error.strerror}; set XDG_CACHE_HOME") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield place
    except OSError as error:
        raise ConfigError(f"cannot keep bots in {place}: {error.strerror}; set XDG_CACHE_HOME") from None
    finally:
        os.close(lock)
