"""The log as a file: whole lines or none, recovered after a kill, nothing repaired that hides a loss."""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import PRESETS, Bid, Call, Dice, Game
from arena.record.columns import read_callers, write_calls, write_change, write_hands
from arena.record.log import (
    LogError,
    LogWriter,
    read_end,
    read_games,
    read_header,
    recover,
    write_header,
)
from arena.record.schema import Bot, End, GameRecord, Header, Settings, Timing, decode_line, encode_line

SECRET = "00" * 32


def make_header(log_format: int = 1) -> Header:
    return Header(
        format=log_format,
        arena="0",
        name="test",
        created="",
        ruleset={"name": "standard"},
        players=2,
        bots=[Bot(name, "", "", "", "", "", 1, True, False, "") for name in "ab"],
        deals="mirrored",
        dice="secret",
        secret_hash="",
        public_salt="",
        schedule={"blocks": 1},
        games=2,
        settings=Settings(100, 10000, 20, 1, 50, 1, "none", False),
        host={},
    )


def make_game(number: int) -> GameRecord:
    return GameRecord(
        game=number,
        block=number // 2,
        rotation=number % 2,
        deal=number // 2,
        seats=[0, 1],
        commitment="ab" * 32,
        openers=[0],
        palifico=[0],
        hands=["1 2"],
        calls=["1x2 dudo"],
        counts=[2],
        changes=["1-1"],
        places=[1, 2],
        faults=[],
        timing=Timing(1.5, 0.25, [[10, 20]], 1.0, 0.0),
    )


def line(number: int) -> bytes:
    return encode_line(make_game(number))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with a header and the games 0, 2 and 1."""
    path = tmp_path / "games.jsonl"
    write_header(path, make_header())
    writer = LogWriter(path)
    writer.append([line(0), line(2)])
    writer.append([line(1)])
    writer.close()
    return path


def numbers(path: Path) -> list[int]:
    return [record.game for record in read_games(path)]


def recovered(path: Path) -> tuple[list[int], str]:
    done, told = recover(path)
    return list(done), told


def error_of(call: object, *args: object) -> str:
    assert callable(call)
    with pytest.raises(LogError) as error:
        list(call(*args) or ())
    told = str(error.value)
    assert "\n" not in told
    assert error.value.exit_code == 1
    return told


# -- lines -------------------------------------------------------------------------------------------


def test_a_line_is_read_back_as_it_was() -> None:
    for record in (make_header(), make_game(3), End("now", SECRET)):
        written = encode_line(record)
        assert written.endswith(b"\n")
        assert written.count(b"\n") == 1
        assert decode_line(written) == record


def test_lines_are_kept_in_the_order_in_which_they_came(log: Path) -> None:
    assert read_header(log) == make_header()
    assert numbers(log) == [0, 2, 1]
    assert list(read_games(log))[1] == make_game(2)
    assert recovered(log) == ([0, 1, 2], "")
    assert read_end(log) is None


def test_the_end(log: Path) -> None:
    writer = LogWriter(log)
    writer.append([encode_line(End("now", SECRET))])
    writer.close()
    assert read_end(log) == End("now", SECRET)
    assert numbers(log) == [0, 2, 1]
    assert recovered(log) == ([0, 1, 2], "")


# -- writing -----------------------------------------------------------------------------------------


def test_lines_are_with_the_system_as_soon_as_they_are_appended(log: Path) -> None:
    writer = LogWriter(log)
    writer.append([line(3)])
    assert log.read_bytes().endswith(line(3))
    writer.append([])
    writer.append([line(4), line(5)])
    assert numbers(log) == [0, 2, 1, 3, 4, 5]
    writer.close()


def test_the_disk_gets_them_once_a_second(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    synced: list[float] = []
    monkeypatch.setattr(os, "fsync", lambda _file: synced.append(now))
    writer = LogWriter(log, sync_every=1.0, clock=lambda: now)
    for number, moment in enumerate([100.2, 100.9, 101.0, 101.5, 102.1, 102.2]):
        now = moment
        writer.append([line(10 + number)])
    assert synced == [101.0, 102.1]
    writer.close()
    assert synced == [101.0, 102.1, 102.2]


@pytest.mark.parametrize("written", [0, 1, 300, -1])
@pytest.mark.parametrize(
    "failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_a_write_that_fails_is_taken_back(
    log: Path, monkeypatch: pytest.MonkeyPatch, written: int, failure: BaseException
) -> None:
    before = log.read_bytes()
    writer = LogWriter(log)
    real = os.write
    calls = 0

    def failing(file: int, data: memoryview) -> int:
        """The first write is a short one, the second fails."""
        nonlocal calls
        calls += 1
        if calls == 1 and written:
            return real(file, data[:written])
        raise failure

    monkeypatch.setattr(os, "write", failing)
    if isinstance(failure, OSError):
        with pytest.raises(LogError, match=r"cannot write .*games\.jsonl: No space left on device"):
            writer.append([line(3), line(4)])
    else:
        with pytest.raises(KeyboardInterrupt):
            writer.append([line(3), line(4)])
    assert log.read_bytes() == before
    monkeypatch.undo()
    writer.append([line(5)])
    writer.close()
    assert log.read_bytes() == before + line(5)


def test_a_sync_that_fails_is_an_error_and_the_lines_are_taken_back(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = log.read_bytes()
    writer = LogWriter(log, sync_every=0.0)

    def failing(_file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(LogError, match="Input/output error"):
        writer.append([line(3)])
    assert log.read_bytes() == before


def test_short_writes_are_gone_on_with(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:7]))
    writer = LogWriter(log)
    writer.append([line(3), line(4)])
    writer.close()
    assert numbers(log) == [0, 2, 1, 3, 4]


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    assert "cannot write" in error_of(LogWriter, tmp_path)
    assert "cannot write" in error_of(LogWriter, tmp_path / "no" / "games.jsonl")
    assert "cannot write" in error_of(write_header, tmp_path / "no" / "games.jsonl", make_header())


def test_a_header_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.jsonl"

    def failing(_file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(LogError, match="No space left"):
        write_header(path, make_header())
    assert not path.exists()
    monkeypatch.undo()
    write_header(path, make_header())
    assert [file.name for file in tmp_path.iterdir()] == ["games.jsonl"]


# -- recovery ----------------------------------------------------------------------------------------


def test_a_torn_last_line_is_cut_with_a_word_wherever_it_is_torn(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = encode_line(make_header()) + line(0) + line(1)
    for kept in range(1, len(line(2))):
        path.write_bytes(whole + line(2)[:kept])
        assert numbers(path) == [0, 1]  # readers leave it out, and do not touch it
        told = f"cut {kept} bytes of a game that was being written (line 4)"
        assert recovered(path) == ([0, 1], told)
        assert path.read_bytes() == whole
        assert recovered(path) == ([0, 1], "")


def test_zeros_after_a_power_cut_are_a_torn_line(log: Path) -> None:
    whole = log.read_bytes()
    log.write_bytes(whole + b"\0" * 5000)
    done, told = recovered(log)
    assert done == [0, 1, 2]
    assert told.startswith("cut 5000 bytes")
    assert log.read_bytes() == whole


@pytest.mark.parametrize(
    "damage",
    [
        b"\n",
        b"{}\n",
        b"garbage\n",
        b'{"type":"game","game":"x"}\n',
        b'{"type":"game"}\n',
        b"\0\0\0\n",
        line(3)[:50] + b"\n",
        b"[]\n",
    ],
)
@pytest.mark.parametrize("number", [2, 3, 4])
def test_damage_in_the_middle_is_refused_with_its_line(log: Path, number: int, damage: bytes) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[: number - 1], damage, *lines[number - 1 :]]) + line(9)[:20])
    before = log.read_bytes()
    assert error_of(recover, log).startswith(f"{log} line {number} is damaged: ")
    assert log.read_bytes() == before
    assert error_of(read_games, log).startswith(f"{log} line {number}: ")


def test_two_torn_lines_in_one_are_damage(log: Path) -> None:
    """A torn line to which a later run appended."""
    log.write_bytes(log.read_bytes() + line(3)[:100] + line(4))
    assert error_of(recover, log).startswith(f"{log} line 5 is damaged: ")


def test_a_game_that_is_there_twice_is_refused(log: Path) -> None:
    log.write_bytes(log.read_bytes() + line(4) + line(2))
    assert error_of(recover, log) == f"{log} line 6: game 2 is there twice"


# -- headers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", line(0), encode_line(End("", "")), b"\n"])
def test_a_log_without_a_header(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    told = error_of(read_header, path)
    assert told.startswith(str(path))
    if content != b"\n":
        assert told == f"{path} does not begin with a header"


def test_a_torn_header_is_not_cut(tmp_path: Path) -> None:
    """No kill can tear it, so something else happened."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(encode_line(make_header())[:100])
    assert str(path) in error_of(recover, path)
    assert path.stat().st_size == 100


def test_a_damaged_header(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"players":2', b'"players":"two"'))
    told = error_of(read_header, log)
    assert told.startswith(f"{log} line 1: ")
    assert "players" in told


def test_another_format(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_header(path, make_header(log_format=2))
    assert error_of(read_header, path) == f"{path}: format 2; this version reads format 1"


def test_no_log(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for read in (read_header, read_games, recover):
        assert error_of(read, path) == f"there is no log {path}"
        assert error_of(read, tmp_path) == f"cannot read {tmp_path}: Is a directory"


# -- columns -----------------------------------------------------------------------------------------


def played(name: str, players: int, seed: int) -> Game:
    """A random game, out-of-turn calls, tabba bids and now and then a forfeit included."""
    rules = PRESETS[name]
    game = Game(rules, max(rules.players[0], min(players, rules.players[1])), Dice(bytes([seed % 256])))
    chance = random.Random(seed)
    while (ask := game.ask) is not None:
        least = ask.tabba_minimums or ask.minimums
        bids: Sequence[Call] = [
            Bid(min(ask.minimums[face - 1], least[face - 1]), face)
            for face in range(1, 7)
            if min(ask.minimums[face - 1], least[face - 1]) <= ask.maximum
        ]
        if chance.random() < 0.01:
            game.forfeit(chance.choice([seat for seat, held in enumerate(game.dice) if held]))
        else:
            game.answer(chance.choice([*bids, *ask.words, *ask.words]))
    return game


@given(st.sampled_from(sorted(PRESETS)), st.integers(2, 6), st.integers(0, 2**32))
def test_calls_are_read_back_with_who_made_them(name: str, players: int, seed: int) -> None:
    for this in played(name, players, seed).rounds:
        told = [(seat, "forfeit" if call is None else str(call)) for seat, call in this.calls]
        assert read_callers(this.opener, write_hands(this.hands), write_calls(this)) == told


@given(st.sampled_from(sorted(PRESETS)), st.integers(2, 6), st.integers(0, 2**32))
def test_hands_and_changes_can_be_read_back(name: str, players: int, seed: int) -> None:
    for this in played(name, players, seed).rounds:
        hands = [hand.replace("-", "") for hand in write_hands(this.hands).split(" ")]
        assert [tuple(map(int, hand)) for hand in hands] == list(this.hands)
        change = [0] * len(this.hands)
        for entry in write_change(this.change).split():
            seat, sign, dice = entry.partition(entry[1])
            change[int(seat)] = int(sign + dice)
        assert tuple(change) == this.change


@given(st.sampled_from(sorted(PRESETS)), st.integers(2, 6), st.integers(0, 2**32))
def test_only_calls_out_of_turn_name_their_seat(name: str, players: int, seed: int) -> None:
    for this in played(name, players, seed).rounds:
        for (_, call), written in zip(this.calls, write_calls(this).split(" "), strict=True):
            if isinstance(call, Bid) or call == "dudo":
                assert ":" not in written
            elif call is None or call == "pass":
                assert ":" in written


def test_what_is_no_call_is_refused() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        read_callers(0, "1 2", "x:dudo")
