"""The compressed log: a gzip file for everybody, readable while it grows, whole after any kill."""

from __future__ import annotations

import gzip
import os
import subprocess
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.record import packing
from arena.record.log import (
    LogError,
    LogWriter,
    lines_of,
    log_of,
    read_end,
    read_game,
    read_games,
    read_header,
    recover,
    write_header,
)
from arena.record.packing import MEMBER, Packer, Unpacker
from arena.record.schema import End, encode_line
from tests.record.test_log import SECRET, error_of, line, make_header, numbers, recovered

APPENDS = [[0, 2], [1], [3, 4, 5]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl.gz"


def write(path: Path, appends: Sequence[Sequence[int]], close: bool = True) -> list[int]:
    """A log with these games; its size after the header and after each append."""
    write_header(path, make_header())
    writer = LogWriter(path)
    sizes = [path.stat().st_size]
    for append in appends:
        writer.append(line(number) for number in append)
        sizes.append(path.stat().st_size)
    if close:
        writer.close()
    return sizes


def append(path: Path, *games: int) -> None:
    writer = LogWriter(path)
    writer.append(line(number) for number in games)
    writer.close()


# -- a gzip file -------------------------------------------------------------------------------------


def test_it_is_what_a_plain_log_would_be(path: Path) -> None:
    write(path, APPENDS)
    append(path, 6)
    plain = encode_line(make_header()) + b"".join(line(number) for number in (0, 2, 1, 3, 4, 5, 6))
    assert gzip.decompress(path.read_bytes()) == plain
    zcat = subprocess.run(["zcat", path], capture_output=True, check=True)
    assert zcat.stdout == plain
    assert b"".join(text for _, text in lines_of(path)) == plain


def test_every_reader_reads_it(path: Path) -> None:
    write(path, APPENDS)
    assert read_header(path) == make_header()
    assert numbers(path) == [0, 2, 1, 3, 4, 5]
    found = read_game(path, 4)
    assert found is not None
    assert encode_line(found) == line(4)
    assert read_game(path, 7) is None
    assert read_end(path) is None
    writer = LogWriter(path)
    writer.append([encode_line(End("now", SECRET))])
    assert read_end(path) == End("now", SECRET)  # before it is closed, too
    writer.close()
    assert read_end(path) == End("now", SECRET)
    assert recovered(path) == ([0, 1, 2, 3, 4, 5], "")


def test_one_that_others_compressed_is_read_too(path: Path) -> None:
    end = encode_line(End("now", SECRET))
    text = encode_line(make_header()) + line(0) + line(1) + end
    (path.parent / "games.jsonl").write_bytes(text)
    subprocess.run(["gzip", path.parent / "games.jsonl"], check=True)  # with a name in its header
    assert numbers(path) == [0, 1]
    assert read_end(path) == End("now", SECRET)
    assert recovered(path) == ([0, 1], "")
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    assert "it does not begin with a whole header" in error_of(recover, path)
    assert path.read_bytes() == whole[:-30]


def test_games_are_in_the_file_as_soon_as_they_are_appended(path: Path) -> None:
    write_header(path, make_header())
    writer = LogWriter(path)
    for number in range(5):
        writer.append([line(number)])
        assert numbers(path) == list(range(number + 1))
    writer.append([])
    assert numbers(path) == [0, 1, 2, 3, 4]
    writer.close()


def test_small_appends_are_compressed_together(path: Path) -> None:
    write(path, [[number] for number in range(200)])
    alone = sum(len(gzip.compress(line(number))) for number in range(200))
    assert path.stat().st_size < alone / 3


def test_a_member_is_closed_when_it_is_full(path: Path) -> None:
    per_append = 500
    size = len(line(10_000))
    appends = [
        range(at, at + per_append) for at in range(10_000, 10_000 + 3 * MEMBER // size, per_append)
    ]
    write(path, appends, close=False)
    assert path.read_bytes().count(packing._PLAIN_HEADER) >= 4  # the header's and three or more
    assert len(numbers(path)) == per_append * len(appends)


# -- writes that fail --------------------------------------------------------------------------------


def test_a_write_that_fails_is_taken_back_and_the_next_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_header(path, make_header())
    writer = LogWriter(path)
    writer.append([line(0)])
    before = path.read_bytes()
    real = os.write
    for written in (0, 1, 20):

        def failing(file: int, data: memoryview, written: int = written) -> int:
            if len(data) > written:
                real(file, data[:written])
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", failing)
        with pytest.raises(LogError, match="No space left on device"):
            writer.append([line(8)])
        assert path.read_bytes() == before
    monkeypatch.undo()
    writer.append([line(1)])
    monkeypatch.setattr(os, "write", failing)
    writer.close()  # not closed for want of room: no loss
    monkeypatch.undo()
    assert numbers(path) == [0, 1]
    assert recovered(path) == ([0, 1], "")
    assert gzip.decompress(path.read_bytes()).count(b"\n") == 3


# -- recovery ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("zeros", [0, 1, 5000])
def test_a_torn_end_costs_no_append_that_was_whole_wherever_it_is_torn(path: Path, zeros: int) -> None:
    sizes = write(path, APPENDS, close=False)
    whole = path.read_bytes()
    for kept in range(sizes[0], sizes[-1] + 1):
        path.write_bytes(whole[:kept] + b"\0" * zeros)
        appends = sum(size <= kept for size in sizes) - 1
        expected = [number for append in APPENDS[:appends] for number in append]
        readable = numbers(path)  # perhaps some of the append that is torn, too
        assert readable[: len(expected)] == expected
        done, told = recovered(path)
        assert done == sorted(expected)
        torn = kept + zeros - sizes[appends]
        assert told == (f"cut {torn} bytes of games that were being written" if torn else "")
        gzip.decompress(path.read_bytes())  # whole for everybody
        append(path, 7)
        assert numbers(path) == [*expected, 7]
        assert recovered(path) == (sorted([*expected, 7]), "")


def test_killed_while_it_mends(path: Path) -> None:
    """Its own closing can be torn at any byte as well."""
    sizes = write(path, APPENDS, close=False)
    recover(path)
    closed = path.read_bytes()
    for kept in range(sizes[-1], len(closed) + 1):
        path.write_bytes(closed[:kept])
        assert recovered(path)[0] == [0, 1, 2, 3, 4, 5]
        assert path.read_bytes() == closed


def test_zeros_after_a_closed_member_are_cut(path: Path) -> None:
    write(path, APPENDS)
    whole = path.read_bytes()
    for zeros in (1, 2, 3, 4, 5000):
        path.write_bytes(whole + b"\0" * zeros)
        assert numbers(path) == [0, 2, 1, 3, 4, 5]
        done, told = recovered(path)
        assert done == [0, 1, 2, 3, 4, 5]
        assert told == f"cut {zeros} bytes of games that were being written"
        assert path.read_bytes() == whole


def test_a_torn_header_is_not_cut(path: Path) -> None:
    """No kill can tear it, so something else happened."""
    write_header(path, make_header())
    whole = path.read_bytes()
    for kept in (1, 5, 40, len(whole) - 20):
        path.write_bytes(whole[:kept])
        told = error_of(recover, path)
        assert told == f"{path} is damaged after byte 0 (line 1): it does not begin with a whole header"
        assert error_of(read_header, path).startswith(str(path))
        assert path.read_bytes() == whole[:kept]


@pytest.mark.parametrize("bit", [0, 4])
@pytest.mark.parametrize("more", [(), (7,)])
def test_a_changed_bit_is_refused_and_left_alone_or_means_nothing(
    path: Path, bit: int, more: tuple[int, ...]
) -> None:
    """Never is it taken for a torn end, nor read over."""
    sizes = write(path, APPENDS)
    append(path, 6)
    append(path, *more)
    whole = path.read_bytes()
    text = gzip.decompress(whole)
    ignored = 0
    for at in range(sizes[0], len(whole)):
        damaged = whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
        path.write_bytes(damaged)
        try:
            same = b"".join(line for _, line in lines_of(path)) == text
        except LogError:
            same = False
        if same:  # the time in a header, the padding of a sync flush
            assert recovered(path)[0] == list(range(7 + len(more)))
            ignored += 1
        else:
            assert error_of(recover, path).startswith(str(path))
            assert path.read_bytes() == damaged
            assert error_of(read_games, path).startswith(str(path))
    assert ignored < (len(whole) - sizes[0]) / 20


def test_a_hole_in_the_middle_is_damage(path: Path) -> None:
    sizes = write(path, APPENDS)
    whole = path.read_bytes()
    path.write_bytes(whole[: sizes[1]] + b"\0" * (sizes[2] - sizes[1]) + whole[sizes[2] :])
    told = error_of(recover, path)
    assert told.startswith(f"{path} is damaged after byte {sizes[0]} (line 2): ")


def test_a_game_that_is_there_twice_is_refused(path: Path) -> None:
    write(path, APPENDS)
    append(path, 2)
    assert error_of(recover, path) == f"{path} line 8: game 2 is there twice"


# -- laws --------------------------------------------------------------------------------------------

TEXTS = st.lists(st.binary(max_size=60).map(lambda data: data.replace(b"\0", b"0") + b"\n"), max_size=8)


@given(TEXTS, st.data())
def test_any_text_survives_any_cut_to_its_last_whole_append(
    tmp_path_factory: pytest.TempPathFactory, texts: list[bytes], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("packed") / "log.gz"
    packer, file = Packer(True), gzip.compress(b"the header\n")
    ends = [len(file)]
    for text in texts:
        packed, packer = packer.pack(text)
        file += packed
        ends.append(len(file))
    kept = data.draw(st.integers(ends[0], len(file)))
    path.write_bytes(file[:kept] + b"\0" * data.draw(st.integers(0, 5)))
    appends = sum(end <= kept for end in ends) - 1
    expected = b"the header\n" + b"".join(texts[:appends])
    with path.open("rb") as stream:
        unpacker = Unpacker(stream)
        assert b"".join(unpacker.pieces()).startswith(expected)
    if unpacker.tear is not None:
        packing.mend(path, unpacker.tear)
    assert gzip.decompress(path.read_bytes()) == expected


def test_a_stream_is_read_in_small_memory(path: Path) -> None:
    """Even of a file that others made, of one member."""
    with gzip.open(path, "wb") as file:
        file.write(encode_line(make_header()))
        for at in range(0, 100_000, 1000):
            file.write(b"".join(line(number) for number in range(at, at + 1000)))
    tracemalloc.start()
    assert sum(1 for _ in lines_of(path)) == 100_001
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 << 20


# -- which file it is --------------------------------------------------------------------------------


def test_the_log_of_a_folder(tmp_path: Path) -> None:
    plain, zipped = tmp_path / "games.jsonl", tmp_path / "games.jsonl.gz"
    assert log_of(tmp_path) == plain
    assert log_of(tmp_path, compress=True) == zipped
    zipped.touch()
    assert log_of(tmp_path) == log_of(tmp_path, compress=True) == zipped
    plain.touch()
    assert "holds both games.jsonl and games.jsonl.gz" in error_of(log_of, tmp_path)
    zipped.unlink()
    assert log_of(tmp_path) == log_of(tmp_path, compress=True) == plain
