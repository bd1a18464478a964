"""The log as a file: appended whole lines, recovered after a kill, read back in any order of lines."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from arena.errors import ArenaError
from arena.record.schema import FORMAT, End, GameRecord, Header, Line, decode_line, encode_line

GAMES = "games.jsonl"
"""Name of the log in a results folder."""


class LogError(ArenaError):
    """A log that cannot be read or written; the text says where and why."""


class _Numbered(msgspec.Struct):
    """What recovery needs of a line."""

    type: str
    game: int = -1


class LogWriter:
    """Appends lines to a log. Whole lines or none: a write that fails is taken back.

    Data reaches the operating system with each `append`, the disk at most `sync_every` seconds later.
    """

    def __init__(
        self, path: Path, sync_every: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._sync_every = sync_every
        self._clock = clock
        self._synced = clock()
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise LogError(f"cannot write {path}: {error.strerror}") from None
        self._size = os.fstat(self._file).st_size

    def append(self, lines: Iterable[bytes]) -> None:
        """Add lines (each with its newline). Raises `LogError`; then the log is as before."""
        data = b"".join(lines)
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._file, view) :]
            if self._clock() - self._synced >= self._sync_every:
                self.sync()
        except BaseException as error:  # a signal's too: half a line must not stay
            os.ftruncate(self._file, self._size)
            if isinstance(error, OSError):
                raise LogError(f"cannot write {self._path}: {error.strerror}") from None
            raise
        self._size += len(data)

    def sync(self) -> None:
        os.fsync(self._file)
        self._synced = self._clock()

    def close(self) -> None:
        self.sync()
        os.close(self._file)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Line numbers from 1 and whole lines with their newline; the last may lack it."""
    try:
        with path.open("rb") as file:
            yield from enumerate(file, 1)
    except FileNotFoundError:
        raise LogError(f"there is no log {path}") from None
    except OSError as error:
        raise LogError(f"cannot read {path}: {error.strerror}") from None


def _decode(path: Path, number: int, line: bytes) -> Line:
    try:
        return decode_line(line)
    except (ValueError, RecursionError) as error:
        raise LogError(f"{path} line {number}: {error}") from None


def read_header(path: Path) -> Header:
    """The first line. Raises `LogError`."""
    for number, line in _lines(path):
        header = _decode(path, number, line)
        if not isinstance(header, Header):
            break
        if header.format != FORMAT:
            raise LogError(f"{path}: format {header.format}; this version reads format {FORMAT}")
        return header
    raise LogError(f"{path} does not begin with a header")


def read_games(path: Path) -> Iterator[GameRecord]:
    """Every game of the log, in the order of its lines, one at a time. Raises `LogError`.

    A last line without a newline was being written when the run was killed, and is left out.
    """
    for number, line in _lines(path):
        if number > 1 and line.endswith(b"\n"):
            record = _decode(path, number, line)
            if isinstance(record, GameRecord):
                yield record


def games_in(lines: Iterable[bytes]) -> Iterator[GameRecord]:
    """The games of these lines of a log. Raises `MsgspecError` (a ValueError)."""
    for line in lines:
        record = decode_line(line)
        if isinstance(record, GameRecord):
            yield record


def read_game(path: Path, number: int) -> GameRecord | None:
    """The game of this number, or None if it is not in the log. Raises `LogError`."""
    begins = f'{{"type":"game","game":{number},'.encode()
    for at, line in _lines(path):
        if line.startswith(begins) and line.endswith(b"\n"):
            record = _decode(path, at, line)
            return record if isinstance(record, GameRecord) else None
    return None


def read_end(path: Path) -> End | None:
    """The closing line of a finished run, or None."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4096))
        last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
    try:
        line = decode_line(last)
    except ValueError:
        return None
    return line if isinstance(line, End) else None


def recover(path: Path) -> tuple[set[int], str]:
    """The numbers of the games that are in the log, after cutting a torn last line.

    Returns what was cut in words, "" if nothing. Raises `LogError` for damage anywhere else: a kill
    can only tear the end, so nothing is repaired that may hide a loss.
    """
    decoder = msgspec.json.Decoder(_Numbered)
    done: set[int] = set()
    good = 0
    for number, line in _lines(path):
        if not line.endswith(b"\n"):
            if number == 1:
                raise LogError(f"{path} does not begin with a header")
            os.truncate(path, good)
            return done, f"cut {len(line)} bytes of a game that was being written (line {number})"
        try:
            found = decoder.decode(line)
        except ValueError as error:
            raise LogError(f"{path} line {number} is damaged: {error}") from None
        if found.type == "game":
            if found.game in done:
                raise LogError(f"{path} line {number}: game {found.game} is there twice")
            done.add(found.game)
        good += len(line)
    return done, ""


def write_header(path: Path, header: Header) -> None:
    """Begin a log, whole or not at all: written beside it, then renamed."""
    beside = path.with_suffix(".new")
    try:
        with beside.open("wb") as file:
            file.write(encode_line(header))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise LogError(f"cannot write {path}: {error.strerror}") from None
