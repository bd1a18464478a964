"""Bots as a host names them: a folder with `bot.toml`, or NAME=COMMAND, or NAME=FOLDER."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from arena.errors import UsageError
from arena.referee.launch import Program

BOT_FILE = "bot.toml"
BUILT = ".arena-built"
"""Where a bot's folder notes the fingerprint that was built last."""
KEYS = {"name": str, "author": str, "team": str, "language": str}
PRODUCTS = {"node_modules", "target", "build", "dist", "obj"}
"""Folders that a build fills: no part of the fingerprint of a bot that has a build command."""
IGNORED = {"__pycache__", ".git", ".venv", ".mypy_cache", ".ruff_cache"}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,63}", re.ASCII)


class ConfigError(UsageError):
    """Something that the host asked for cannot be; one clear line."""


@dataclass(frozen=True)
class BotSpec:
    """A bot of the tournament. `source` is how the host wrote it, for messages and the frozen file."""

    name: str
    source: str
    command: tuple[str, ...]
    folder: Path
    author: str = ""
    team: str = ""
    language: str = ""
    build: tuple[str, ...] = ()

    @property
    def program(self) -> Program:
        return Program(self.name, self.command, str(self.folder))

    def fingerprint(self) -> str:
        """SHA-256 over the command and every file of the folder; without one, over the files that
        the command names.
        """
        digest = hashlib.sha256("\0".join(self.command).encode())
        for path in self._files():
            digest.update(f"\0{os.path.relpath(path, self.folder)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def _files(self) -> list[Path]:
        if not (self.folder / BOT_FILE).is_file():
            return [path for word in self.command if (path := self.folder / word).is_file()]
        ignored = IGNORED | (PRODUCTS if self.build else set())
        found: list[Path] = []
        for where, folders, files in os.walk(self.folder):
            folders[:] = sorted(set(folders) - ignored)
            found += [Path(where) / file for file in sorted(files) if file != BUILT]
        return [path for path in found if path.is_file()]


def bot_path() -> str:
    """The PATH on which bots are looked up: the arena's own interpreter first."""
    return os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])


def find_bot(text: str) -> BotSpec:
    """The bot that `text` names. Raises `ConfigError`."""
    name, equals, rest = text.partition("=")
    if equals and not Path(text).exists():
        if not rest.strip():
            raise ConfigError(f"bot {text!r}: there is no command after the =")
        if Path(rest).is_dir():
            return load_bot(Path(rest), name)
        return _checked(BotSpec(name, text, _words(rest, text), Path.cwd()))
    path = Path(text)
    if path.name == BOT_FILE and path.is_file():
        path = path.parent
    if not path.is_dir():
        what = "is not a folder" if path.exists() else "does not exist"
        raise ConfigError(f"bot {text!r} {what}; name a folder with {BOT_FILE}, or NAME=COMMAND")
    return load_bot(path)


def load_bot(folder: Path, name: str | None = None) -> BotSpec:
    """The bot of a folder, called `name` if given. Raises `ConfigError`."""
    path = folder / BOT_FILE
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{folder} has no {BOT_FILE}") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from None
    known = [*KEYS, "build", "command"]
    for key, value in table.items():
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"keys: {', '.join(known)}"
            raise ConfigError(f"{path}: unknown key {key!r}; {hint}")
        if key in KEYS and not isinstance(value, str):
            raise ConfigError(f"{path}: {key} must be a text in quotes")
    for key in ("name", "command"):
        if not table.get(key):
            raise ConfigError(f"{path}: {key} is missing")
    return _checked(
        BotSpec(
            name=name or table["name"],
            source=str(folder),
            command=_words(table["command"], f"{path}: command"),
            folder=folder.resolve(),
            author=table.get("author", ""),
            team=table.get("team", ""),
            language=table.get("language", ""),
            build=_words(table["build"], f"{path}: build") if table.get("build") else (),
        )
    )


def _words(value: Any, where: str) -> tuple[str, ...]:
    """A command as a list of words, or as one text split as a shell would."""
    if isinstance(value, str):
        try:
            words = shlex.split(value)
        except ValueError as error:
            raise ConfigError(f"{where}: {error}") from None
        if words:
            return tuple(words)
    elif isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        return tuple(value)
    raise ConfigError(f"{where} must be a command: a text, or a list of words")


def _checked(bot: BotSpec) -> BotSpec:
    if not _NAME.fullmatch(bot.name):
        raise ConfigError(
            f"bot {bot.source!r}: the name {bot.name!r} must be 1 to 64 letters, digits or ._+- "
            "and begin with a letter or digit"
        )
    first = bot.command[0]
    found = (bot.folder / first).is_file() if "/" in first else shutil.which(first, path=bot_path())
    if not found and not bot.build:
        raise ConfigError(f"bot {bot.name}: there is no program {first!r} to run")
    return bot


def check_names(bots: list[BotSpec]) -> None:
    """Raises `ConfigError` if two bots share a name (capitals apart, for file systems without them)."""
    seen: dict[str, BotSpec] = {}
    for bot in bots:
        other = seen.setdefault(bot.name.lower(), bot)
        if other is not bot:
            raise ConfigError(
                f"two bots are called {bot.name}: {other.source} and {bot.source}; "
                f"rename one by writing NAME={bot.source}"
            )


def build(bot: BotSpec, timeout: float = 900.0) -> bool:
    """Run the bot's build command where its folder has changed since the last build.

    Returns whether it ran. Raises `ConfigError` with the end of what the build printed.
    """
    stamp = bot.folder / BUILT
    fingerprint = bot.fingerprint()
    if not bot.build or (stamp.is_file() and stamp.read_text() == fingerprint):
        return False
    if shutil.which(bot.build[0], path=bot_path()) is None:
        raise ConfigError(f"bot {bot.name}: building it needs {bot.build[0]!r}, which is not installed")
    try:
        done = subprocess.run(
            bot.build,
            cwd=bot.folder,
            env=os.environ | {"PATH": bot_path()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigError(f"bot {bot.name}: {shlex.join(bot.build)}: {error}") from None
    if done.returncode != 0:
        tail = done.stdout.decode("utf-8", "replace")[-2000:].rstrip()
        raise ConfigError(
            f"bot {bot.name}: {shlex.join(bot.build)} failed with code {done.returncode}:\n{tail}"
        )
    stamp.write_text(fingerprint)
    return True
