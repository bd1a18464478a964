"""The results folder of a run: what is frozen in it, who may write to it, and its master secret."""

from __future__ import annotations

import fcntl
import os
import secrets
import tomllib
from pathlib import Path

from arena.errors import ArenaError, ConfigError
from arena.game.seeds import secret_of_seed
from arena.record.log import LogError, log_of, read_end
from arena.tournament.config import Config, differences

CONFIG = "tournament.toml"
SECRET = "secret"
MARK = "# Kept by `arena run`: what this folder's tournament plays. Do not edit.\n"
OUTPUT_CAP = 1 << 20
"""Bytes of a bot's output that the results keep."""


def is_kept(path: Path) -> bool:
    """Whether a tournament file is the one that a run keeps beside its log."""
    with path.open("rb") as file:
        return file.read(len(MARK)) == MARK.encode()


class Folder:
    """An open results folder: locked against a second run, its configuration frozen.

    Raises `ConfigError` for a folder that cannot be written, is in use, or holds another tournament.
    """

    def __init__(self, path: Path, config: Config) -> None:
        self.path = path
        self.log = log_of(path, config.compress)
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise ConfigError(f"cannot write the results to {path}: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise ConfigError(f"another run is writing to {path}") from None
        try:
            self._freeze(config)
            self.secret = self._find_secret(config)
        except OSError as error:
            self.close()
            raise ConfigError(f"cannot write the results to {path}: {error.strerror}") from None
        except ArenaError:
            self.close()
            raise

    def _freeze(self, config: Config) -> None:
        frozen = self.path / CONFIG
        if not self.log.exists():
            self._check_unused(frozen)
            _write_whole(frozen, (MARK + config.frozen(self.path)).encode(), 0o644)
            return
        if not frozen.exists():
            raise ConfigError(f"{self.path} holds a log without its {CONFIG}; choose another folder")
        try:
            before = tomllib.loads(frozen.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ConfigError(f"{frozen}: {error}; was it edited? It belongs to the log") from None
        changed = differences(before, config.as_table(self.path))
        if changed:
            raise ConfigError(
                f"{self.path} holds another tournament ({'; '.join(changed)}); "
                "give the same settings to go on with it, or another --out"
            )

    def _check_unused(self, frozen: Path) -> None:
        """Results go into a new folder, an empty one, or one in which a run never got to its log."""
        if frozen.exists():
            if not is_kept(frozen):
                raise ConfigError(f"{frozen} is a file of yours; give the results another --out")
        elif any(self.path.iterdir()):
            raise ConfigError(f"{self.path} is not empty and holds no tournament; give another --out")

    def _find_secret(self, config: Config) -> bytes:
        """The master secret of this run: made once, kept until the log publishes it."""
        if config.seed is not None:
            return secret_of_seed(config.seed)
        kept = self.path / SECRET
        if kept.exists():
            return bytes.fromhex(kept.read_text())
        end = read_end(self.log) if self.log.exists() else None
        if end is not None:
            return bytes.fromhex(end.secret)
        if self.log.exists():
            raise LogError(f"{kept} is gone, so the dice of {self.log} cannot be continued")
        secret = secrets.token_bytes(32)
        _write_whole(kept, secret.hex().encode(), 0o600)
        return secret

    def forget_secret(self) -> None:
        """The log has published it."""
        (self.path / SECRET).unlink(missing_ok=True)

    def add_output(self, bot: str, text: str) -> None:
        """Append to what is kept of a bot's output, as far as the cap allows."""
        folder = self.path / "bots"
        folder.mkdir(exist_ok=True)
        with (folder / f"{bot}.stderr").open("ab") as file:
            room = OUTPUT_CAP - file.tell()
            if room > 0:
                file.write(text.encode("utf-8", "replace")[:room])

    def close(self) -> None:
        os.close(self._lock)


def _write_whole(path: Path, data: bytes, mode: int) -> None:
    """A file with all of `data`, or no file."""
    beside = path.with_name(path.name + ".new")
    file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    try:
        os.write(file, data)
        os.fsync(file)
    finally:
        os.close(file)
    beside.replace(path)
