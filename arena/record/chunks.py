"""The tables of a log in parts, for logs that are larger than the memory."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import islice
from pathlib import Path

from arena.record.log import LogError, log_of, read_games, read_header
from arena.record.outline import Outline, outline_of
from arena.record.schema import GameRecord, decode_line, encode_line
from arena.record.tables import Tables, make_tables

CHUNK = 2000
"""Games per part: some hundred MB at most."""


def read_outline(folder: Path) -> Outline:
    """One reading of the log. Raises `LogError`."""
    log = log_of(folder)
    return outline_of(read_header(log).players, read_games(log))


def in_order(folder: Path, outline: Outline) -> Iterator[GameRecord]:
    """The games in the order of their numbers, one at a time. Raises `LogError`.

    Games that come too early wait as lines. A run appends its tasks nearly in order, so that few do:
    never more than the tasks that were being played at once, or 10,000 blocks of many line-ups.
    Games that a run has added since the outline was made are left out.
    """
    waiting: list[tuple[int, bytes]] = []
    expected = iter(outline.numbers.tolist())
    wanted = next(expected, None)
    for record in read_games(log_of(folder)):
        if record.game != wanted:
            heappush(waiting, (record.game, encode_line(record)))
            continue
        yield record
        wanted = next(expected, None)
        while waiting and wanted is not None and waiting[0][0] <= wanted:
            number, line = heappop(waiting)
            if number == wanted:
                yield _game(line)
                wanted = next(expected, None)


def _game(line: bytes) -> GameRecord:
    record = decode_line(line)
    assert isinstance(record, GameRecord)
    return record


def read_chunks(folder: str | Path, games: int = CHUNK) -> Iterator[Tables]:
    """What `read_tables` reads, in parts of so many games: joined, they are the same tables.

    The log is read twice: numbers of line-ups and complete blocks are those of the whole log. There
    is always one part, if an empty one. Raises `LogError`.
    """
    folder = Path(folder)
    header = read_header(log_of(folder))
    outline = read_outline(folder)
    ordered = in_order(folder, outline)
    part = list(islice(ordered, games))
    while True:
        try:
            yield make_tables(header, part, outline)
        except ValueError as error:
            raise LogError(f"{log_of(folder)}: {error}") from None
        part = list(islice(ordered, games))
        if not part:
            return
