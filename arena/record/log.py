"""The log as a file: appended whole lines, recovered after a kill, read back in any order of lines.

A log whose name ends in .gz is compressed (see `packing`); nobody else needs to know.
"""

from __future__ import annotations

import os
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from arena.errors import ArenaError
from arena.record.numbers import Numbers
from arena.record.packing import SUFFIX, Packer, Unpacker, last_text, mend
from arena.record.schema import FORMAT, End, GameRecord, Header, Line, decode_line, encode_line

GAMES = "games.jsonl"
"""Name of the log in a results folder; a compressed one has `.gz` after it."""


class LogError(ArenaError):
    """A log that cannot be read or written; the text says where and why."""


def log_of(folder: Path, compress: bool = False) -> Path:
    """The log of a results folder: the one that is there, else the one to be made, which may be
    compressed. Raises `LogError` if there are two.
    """
    plain, zipped = folder / GAMES, folder / (GAMES + SUFFIX)
    if plain.exists() and zipped.exists():
        raise LogError(f"{folder} holds both {plain.name} and {zipped.name}; keep one of them")
    return zipped if zipped.exists() or (compress and not plain.exists()) else plain


class _Numbered(msgspec.Struct):
    """What recovery needs of a line."""

    type: str
    game: int = -1


_numbered = msgspec.json.Decoder(_Numbered)


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
        self._packer = _packer(path)
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise LogError(f"cannot write {path}: {error.strerror}") from None
        self._size = os.fstat(self._file).st_size

    def append(self, lines: Iterable[bytes]) -> None:
        """Add lines (each with its newline). Raises `LogError`; then the log is as before."""
        data, packer = self._packer.pack(b"".join(lines))
        try:
            self._write(data)
            if self._clock() - self._synced >= self._sync_every:
                self.sync()
        except BaseException as error:  # a signal's too: half a line must not stay
            os.ftruncate(self._file, self._size)
            if isinstance(error, OSError):
                raise LogError(f"cannot write {self._path}: {error.strerror}") from None
            raise
        self._size += len(data)
        self._packer = packer

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._file, view) :]

    def sync(self) -> None:
        os.fsync(self._file)
        self._synced = self._clock()

    def close(self) -> None:
        try:
            self._write(self._packer.end())
        except OSError:  # no room: the log is whole without it, as after a kill
            os.ftruncate(self._file, self._size)
        self.sync()
        os.close(self._file)


def _packer(path: Path) -> Packer:
    return Packer(path.suffix == SUFFIX)


def lines_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Line numbers from 1 and whole lines with their newline; the last may lack it.

    Raises `LogError`.
    """
    try:
        with path.open("rb") as file:
            if path.suffix == SUFFIX:
                yield from _unpacked(path, Unpacker(file))
            else:
                yield from enumerate(file, 1)
    except FileNotFoundError:
        raise LogError(f"there is no log {path}") from None
    except OSError as error:
        raise LogError(f"cannot read {path}: {error.strerror}") from None


def _unpacked(path: Path, unpacker: Unpacker) -> Iterator[tuple[int, bytes]]:
    number, rest = 0, b""
    try:
        for piece in unpacker.pieces():
            *whole, rest = (rest + piece).split(b"\n")
            for number, line in enumerate(whole, number + 1):  # noqa: B020
                yield number, line + b"\n"
    except zlib.error as error:
        place = f"{path} is damaged after byte {unpacker.member} (line {number + 1})"
        raise LogError(f"{place}: {error}") from None
    if rest:
        yield number + 1, rest


def _decode(path: Path, number: int, line: bytes) -> Line:
    try:
        return decode_line(line)
    except (ValueError, RecursionError) as error:
        raise LogError(f"{path} line {number}: {error}") from None


def read_header(path: Path) -> Header:
    """The first line. Raises `LogError`."""
    for number, line in lines_of(path):
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
    for number, line in lines_of(path):
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
    for at, line in lines_of(path):
        if line.startswith(begins) and line.endswith(b"\n"):
            record = _decode(path, at, line)
            return record if isinstance(record, GameRecord) else None
    return None


def read_end(path: Path) -> End | None:
    """The closing line of a finished run, or None."""
    if path.suffix == SUFFIX:
        text = last_text(path) or b"".join(deque((line for _, line in lines_of(path)), 1))
    else:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 4096))
            text = file.read()
    try:
        line = decode_line(text.rstrip(b"\n").rpartition(b"\n")[2])
    except ValueError:
        return None
    return line if isinstance(line, End) else None


def recover(path: Path) -> tuple[Numbers, str]:
    """The numbers of the games that are in the log, after cutting what a kill left half written: of a
    plain log a last line, of a compressed one a last append.

    Returns what was cut in words, "" if nothing. Raises `LogError` for damage anywhere else: a kill
    can only tear the end, so nothing is repaired that may hide a loss. Every line is looked at: that
    it is JSON from end to end, which game it is, and that it is there once.
    """
    if path.suffix == SUFFIX:
        return _recover_packed(path)
    done = Numbers()
    good = 0
    for number, line in lines_of(path):
        if not line.endswith(b"\n"):
            if number == 1:
                raise LogError(f"{path} does not begin with a header")
            os.truncate(path, good)
            return done, f"cut {len(line)} bytes of a game that was being written (line {number})"
        _note(path, number, line, done)
        good += len(line)
    return done, ""


def _recover_packed(path: Path, told: str = "") -> tuple[Numbers, str]:
    done = Numbers()
    with path.open("rb") as file:
        unpacker = Unpacker(file)
        for number, line in _unpacked(path, unpacker):
            if line.endswith(b"\n"):
                _note(path, number, line, done)
    tear = unpacker.tear
    if tear is None:
        return done, told
    try:
        mend(path, tear)
    except OSError as error:
        raise LogError(f"cannot write {path}: {error.strerror}") from None
    if not tear.lost:
        return done, told
    # Once more: whole lines may have gone with the append that was torn.
    return _recover_packed(path, f"cut {tear.lost} bytes of games that were being written")


def _note(path: Path, number: int, line: bytes, done: Numbers) -> None:
    """Look at a line, and add its game."""
    try:
        found = _numbered.decode(line)
    except ValueError as error:
        raise LogError(f"{path} line {number} is damaged: {error}") from None
    if found.type != "game":
        return
    if found.game < 0:
        raise LogError(f"{path} line {number} is damaged: the game has no number")
    if not done.add(found.game):
        raise LogError(f"{path} line {number}: game {found.game} is there twice")


def write_header(path: Path, header: Header) -> None:
    """Begin a log, whole or not at all: written beside it, then renamed."""
    beside = path.with_name(path.name + ".new")
    data, packer = _packer(path).pack(encode_line(header))
    try:
        with beside.open("wb") as file:
            file.write(data + packer.end())
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise LogError(f"cannot write {path}: {error.strerror}") from None
