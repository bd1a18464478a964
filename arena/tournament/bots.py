"""Bots as a host names them: a folder with `bot.toml`, or NAME=COMMAND, or NAME=FOLDER."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.referee import adapter
from arena.referee.launch import Launcher, Program
from arena.referee.probe import run_to_end
from arena.referee.sandbox import BUILD_BOUNDS, Level, Sandbox, is_below
from arena.tournament.toml import Document

BOT_FILE = "bot.toml"
BUILT = ".arena-built"
"""Where a bot's folder notes what was built last: its fingerprint, then the products' folders."""
TRANSPORTS = ("ipc", "stdio", "tcp")
TEXTS = ("name", "author", "team", "language")
PRODUCTS = {"node_modules", "target", "build", "dist", "obj"}
"""Folders that a build fills: no part of the fingerprint of a bot that has a build command."""
RESULTS = "tournament.toml"
"""A folder below a bot's that holds this is a run's results: no part of the bot either."""
_NETWORK_VARIABLE = re.compile(
    r"(https?|all|no)_proxy|ssl_cert_(file|dir)|node_extra_ca_certs|(curl|requests)_ca_bundle"
    r"|pip_(index_url|extra_index_url|find_links|cert)|npm_config_(registry|cafile)|go(proxy|sumdb)",
    re.IGNORECASE,
)
"""Variables of the host's that a build in a sandbox sees: how to reach the network."""
IGNORED = {"__pycache__", ".git", ".venv", ".mypy_cache", ".ruff_cache"}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,63}", re.ASCII)


@dataclass(frozen=True)
class BotSpec:
    """A bot of the tournament.

    folder   where its command runs; `has_file` if it holds the bot's `bot.toml`
    transport "ipc", or how an adapter lets it speak: "stdio" (JSON lines), "tcp"
    args     words that this tournament adds to the command; `env` variables that it sets
    restart  "task": a fresh process for every task; "game": one for every game
    source   how the host wrote it, for messages
    """

    name: str
    command: tuple[str, ...]
    folder: Path
    has_file: bool = False
    author: str = ""
    team: str = ""
    language: str = ""
    build: tuple[str, ...] = ()
    transport: str = "ipc"
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    restart: str = "task"
    source: str = ""

    @property
    def program(self) -> Program:
        command = self.command + self.args
        if self.transport != "ipc":
            command = (sys.executable, "-I", adapter.__file__, self.transport, *command)
        return Program(self.name, command, str(self.folder), self.env)

    def fingerprint(self) -> str:
        """SHA-256 over the command and every file of the folder; without one, over the files that
        the command names.
        """
        words = [*self.command, *self.args, *map("=".join, self.env), self.transport]
        digest = hashlib.sha256("\0".join(words).encode())
        for path in self.files():
            digest.update(f"\0{os.path.relpath(path, self.folder)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def files(self) -> list[Path]:
        """What the fingerprint covers."""
        if not self.has_file:
            return [path for word in self.command if (path := self.folder / word).is_file()]
        ignored = IGNORED | (PRODUCTS if self.build else set())
        found: list[Path] = []
        for where, folders, files in os.walk(self.folder):
            if RESULTS in files and Path(where) != self.folder:
                folders.clear()
                continue
            folders[:] = sorted(set(folders) - ignored)
            found += [Path(where) / file for file in sorted(files) if file != BUILT]
        return [path for path in found if path.is_file()]


def bot_path() -> str:
    """The PATH on which bots are looked up: the arena's own interpreter first."""
    return os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])


def find_bot(text: str) -> BotSpec:
    """The bot that `text` names. Raises `ConfigError`."""
    name, equals, rest = text.partition("=")
    if equals and not os.path.exists(text):  # Path.exists would raise for a long command
        if not rest.strip():
            raise ConfigError(f"bot {text!r}: there is no command after the =")
        if os.path.isdir(rest):
            return replace(load_bot(Path(rest), name), source=text)
        return checked(BotSpec(name, words(rest, f"bot {text!r}"), Path.cwd(), source=text))
    path = Path(text)
    if path.name == BOT_FILE and os.path.isfile(path):
        path = path.parent
    if not os.path.isdir(path):
        what = "is not a folder" if os.path.exists(path) else "does not exist"
        raise ConfigError(f"bot {text!r} {what}; name a folder with {BOT_FILE}, or NAME=COMMAND")
    return load_bot(path)


def load_bot(folder: Path, name: str = "") -> BotSpec:
    """The bot of a folder, called `name` if given. Raises `ConfigError`."""
    if not (folder / BOT_FILE).exists():
        raise ConfigError(f"{folder} has no {BOT_FILE}")
    file = Document(folder / BOT_FILE)
    table = file.table
    file.known(table, (*TEXTS, "build", "command", "transport"))
    transport = file.value(table, "transport", str, "ipc")
    if transport not in TRANSPORTS:
        message = f"{transport!r} is not one of {', '.join(TRANSPORTS)}"
        raise file.error("transport", message)
    texts = {key: file.value(table, key, str, "") for key in TEXTS}
    for key in ("name", "command"):
        if not table.get(key):
            raise file.error("", f"{key} is missing")
    return checked(
        BotSpec(
            **texts | {"name": name or texts["name"]},
            command=words(table["command"], f"{file.path}: command"),
            folder=folder.resolve(),
            has_file=True,
            build=words(table["build"], f"{file.path}: build") if table.get("build") else (),
            transport=transport,
            source=str(folder),
        )
    )


def words(value: Any, where: str) -> tuple[str, ...]:
    """A command as a list of words, or as one text split as a shell would."""
    if isinstance(value, str):
        try:
            split = shlex.split(value)
        except ValueError as error:
            raise ConfigError(f"{where}: {error}") from None
        if split:
            return tuple(split)
    elif isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        return tuple(value)
    raise ConfigError(f"{where} must be a command: a text, or a list of words")


def checked(bot: BotSpec) -> BotSpec:
    """The bot, if its name will do and its program is there. Raises `ConfigError`."""
    if not valid_name(bot.name):
        raise ConfigError(
            f"bot {bot.source!r}: the name {bot.name!r} must be 1 to 64 letters, digits, spaces or ._+- "
            "and begin with a letter or digit"
        )
    first = bot.command[0]
    found = (bot.folder / first).is_file() if "/" in first else shutil.which(first, path=bot_path())
    if not found and not bot.build:
        raise ConfigError(f"bot {bot.name}: there is no program {first!r} to run")
    return bot


def valid_name(name: str) -> bool:
    """Whether a bot may be called so: its name is a file name too."""
    return _NAME.fullmatch(name) is not None


def programs(bots: Sequence[BotSpec], results: Path) -> list[Program]:
    """What is run as each bot. In a room it sees neither the folders of the other bots nor these
    results, nor those of another run beside them, even where they lie in a folder that it does see.
    """
    results = results.resolve()
    secret = [str(results), *(str(path.parent) for path in results.parent.glob("*/secret"))]
    found = []
    for bot in bots:
        named = [str(bot.folder / word) for word in bot.command]
        hidden = [str(other.folder) for other in bots if other.has_file and other.folder != bot.folder]
        hidden = [path for path in hidden if not any(is_below(word, path) for word in named)]
        found.append(replace(bot.program, hidden=(*secret, *hidden)))
    return found


def check_names(bots: list[BotSpec]) -> None:
    """Raises `ConfigError` if two bots share a name (capitals apart, for file systems without them)."""
    seen: dict[str, BotSpec] = {}
    for bot in bots:
        other = seen.setdefault(bot.name.lower(), bot)
        if other is not bot:
            raise ConfigError(
                f"two bots are called {bot.name}: {other.source} and {bot.source}; "
                f"rename one by writing NAME={bot.source.removeprefix(bot.name + '=')}"
            )


def build(
    bot: BotSpec,
    level: Level = Level.NONE,
    timeout: float = 900.0,
    tell: Callable[[str], None] = lambda _: None,
) -> bool:
    """Run the bot's build command where its folder has changed since the last build.

    Without a sandbox it runs like any command of the host's. Else it is held like a bot, but may use
    more, write to its folder, and reach the network; its home is a scratch folder.

    `tell` hears when it begins. Returns whether it ran. Raises `ConfigError` with the end of what the
    build printed.
    """
    stamp = bot.folder / BUILT
    if not bot.build:
        return False
    if stamp.is_file():
        built, *products = stamp.read_text().splitlines()
        if built == bot.fingerprint() and all((bot.folder / name).is_dir() for name in products):
            return False
    if shutil.which(bot.build[0], path=bot_path()) is None:
        raise ConfigError(f"bot {bot.name}: building it needs {bot.build[0]!r}, which is not installed")
    tell(f"building {bot.name}: {shlex.join(bot.build)}")
    how, output = _run_build(bot, level, timeout)
    if how:
        raise ConfigError(f"bot {bot.name}: {shlex.join(bot.build)} {how}:\n{output}".rstrip(":\n"))
    products = [name for name in sorted(PRODUCTS) if (bot.folder / name).is_dir()]
    # The fingerprint as it is now: with what the build put beside the sources.
    stamp.write_text("\n".join([bot.fingerprint(), *products]) + "\n")
    return True


def _run_build(bot: BotSpec, level: Level, timeout: float) -> tuple[str, str]:
    """How the build failed, "" if it did not; and the end of what it printed."""
    env = {
        name: value
        for name, value in os.environ.items()
        if level is Level.NONE or _NETWORK_VARIABLE.fullmatch(name)
    }
    env["PATH"] = bot_path()
    if level is not Level.NONE and (rustup := Path.home() / ".rustup").is_dir():
        env.setdefault("RUSTUP_HOME", str(rustup))  # its toolchains; the build's home is another
    program = Program(bot.name, bot.build, str(bot.folder), tuple(env.items()), builds=True)
    with Launcher(Sandbox(level, BUILD_BOUNDS)) as launcher:
        process = run_to_end(launcher, program, timeout)
        output = process.output(2000).rstrip()
        if process.status is None:
            return f"timed out after {timeout:g} s", output
        if process.status > 0:
            return f"failed with code {process.status}", output
        return f"failed: it {process.how_it_ended()}" if process.status else "", output
