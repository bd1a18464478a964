"""Remote bots: how a tournament file names them, and what they ask of the tournament."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.referee import adapter
from arena.referee.launch import Program
from arena.referee.sandbox import is_below
from arena.tournament.bots import TEXTS, BotSpec, checked
from arena.tournament.toml import Document

GATEWAY = Path(adapter.__file__).with_name("gateway.py")
KEYS = (*TEXTS, "public_key", "listen")
"""What a file may say about a remote bot."""
NOTE = "remote bots play: every game has dice of its own (deals = independent), one worker"
_KEY = re.compile(r"[0-9A-Za-z.:+=^!/*?&<>()\[\]{}@%$#-]{40}", re.ASCII)
_LISTEN = re.compile(r"tcp://(\*|[0-9.]+|\[[0-9A-Fa-f:.]+\]):([1-9][0-9]{0,4})", re.ASCII)


@dataclass(frozen=True)
class RemoteBot(BotSpec):
    """A bot that its author runs elsewhere. What is launched here is a gateway that waits for it.

    public_key  whose holder is the bot
    listen      the tcp:// address at which the gateway waits
    server_key  the file of the arena's own keys
    """

    public_key: str = ""
    listen: str = ""
    server_key: Path = Path()

    @property
    def program(self) -> Program:
        return Program(self.name, self.command, str(self.folder), trusted=True)

    def fingerprint(self) -> str:
        """SHA-256 of its public key: of its program nothing is known."""
        return hashlib.sha256(self.public_key.encode()).hexdigest()

    @property
    def port(self) -> int:
        return int(self.listen.rpartition(":")[2])

    def as_table(self) -> dict[str, Any]:
        """What a file says about it, apart from author and team."""
        table = {"name": self.name, "public_key": self.public_key, "listen": self.listen}
        return table | ({"language": self.language} if self.language else {})


def remotes(bots: Sequence[BotSpec]) -> list[RemoteBot]:
    return [bot for bot in bots if isinstance(bot, RemoteBot)]


def remote_bot(file: Document, entry: dict[str, Any], at: str) -> RemoteBot:
    """The bot of a table with `public_key` or `listen`. Raises `ConfigError`."""
    for key in entry:
        if key not in KEYS:
            raise file.error(key, "not for a remote bot: its author starts it, elsewhere", at)
    texts = {key: file.value(entry, key, str, "", at) for key in KEYS}
    for key in ("name", "public_key", "listen"):
        if not texts[key]:
            raise file.error("public_key" if key != "public_key" else "listen", f"needs {key} too", at)
    if not _KEY.fullmatch(texts["public_key"]):
        raise file.error("public_key", "must be the 40 characters that arena keygen prints", at)
    listen = _LISTEN.fullmatch(texts["listen"])
    if listen is None or int(listen[2]) > 65535:
        raise file.error("listen", 'must be an address such as "tcp://0.0.0.0:5670"', at)
    server_key = _server_key(file, texts["public_key"], at)
    command = (sys.executable, "-I", str(GATEWAY), texts["listen"], texts["public_key"], str(server_key))
    bot = RemoteBot(
        **texts, command=command, folder=GATEWAY.parent, server_key=server_key, source=texts["listen"]
    )
    checked(bot)
    return bot


def _server_key(file: Document, bot_key: str, at: str) -> Path:
    """The arena's key file, if it will do. Raises `ConfigError`."""
    from arena.referee.gateway import read_key_file

    name: str = file.value(file.table, "server_key", str, "")
    if not name:
        message = (
            'remote bots need server_key = "arena.key" above all tables; arena keygen makes that file'
        )
        raise file.error("public_key", message, at)
    path = (file.path.parent / name).resolve()
    try:
        public, _ = read_key_file(path)
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise file.error("server_key", f"{path}: {getattr(error, 'strerror', '') or error}") from None
    if mode & 0o077:
        raise file.error("server_key", f"others can read {path}; chmod 600 it, or make a new one")
    if public.decode() == bot_key:
        raise file.error("public_key", "that is the arena's own key; the bot needs one of its own", at)
    return path


def check_remotes(bots: Sequence[BotSpec], deals: str, pondering: bool) -> None:
    """Raises `ConfigError` where remote bots cannot play under these settings."""
    found = remotes(bots)
    if not found:
        return
    if deals != "independent":
        raise ConfigError(
            f'deals: {deals}, but {found[0].name} is remote and may remember a deal; "independent" it is'
        )
    if not pondering:
        raise ConfigError(f"pondering: false, but {found[0].name} is remote and cannot be stopped")
    for what in ("port", "public_key"):
        seen: dict[Any, RemoteBot] = {}
        for bot in found:
            other = seen.setdefault(getattr(bot, what), bot)
            if other is not bot:
                word = what.replace("_", " ")
                raise ConfigError(
                    f"{other.name} and {bot.name} have the same {word}; each needs its own"
                )
    key = str(found[0].server_key)
    for local in bots:
        if not isinstance(local, RemoteBot) and is_below(key, str(local.folder)):
            raise ConfigError(
                f"server_key: {key} lies in the folder where {local.name} runs, which could read it; "
                "move it to a folder of its own"
            )


def check_start(bots: Sequence[BotSpec], workers: int) -> None:
    """Raises `ConfigError` where a run could not begin: remote bots wait at a port, at one at a time."""
    found = remotes(bots)
    if found and workers > 1:
        raise ConfigError(
            f"workers: {workers}, but {found[0].name} is remote and plays at one port, "
            "one task after the other; workers must be 1"
        )
    for bot in found:
        host = bot.listen.removeprefix("tcp://").rpartition(":")[0]
        address = "" if host == "*" else host.strip("[]")
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        try:
            socket.create_server((address, bot.port), family=family).close()
        except OSError as error:
            why = os.strerror(error.errno) if error.errno and error.errno > 0 else error
            raise ConfigError(f"bot {bot.name}: cannot listen at {bot.listen}: {why}") from None
