"""The files of `arena export` hold what the log holds, whatever the order of its lines."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import pandas as pd
import pytest

from arena.errors import ArenaError, ConfigError
from arena.game import Bid, Call, Dice, Game, preset
from arena.record import chunks
from arena.record.chunks import in_order, read_chunks, read_outline
from arena.record.export import export, read_csv
from arena.record.log import GAMES, LogError, read_games, read_header
from arena.record.notation import parse
from arena.record.schema import Fault, GameRecord, Header, encode_line
from arena.record.tables import COLUMNS, read_tables
from arena.record.told import of_record
from tests.report.logs import logged

NAMES = ["NA", 'a "quoted", name', "null", "ünï"]


def any_call(rng: random.Random, game: Game) -> Call:
    assert game.ask is not None
    bids: list[Call] = []
    for face in range(1, 7):
        for minimums in filter(None, (game.ask.minimums, game.ask.tabba_minimums)):
            if minimums[face - 1] <= game.ask.maximum:
                bids.append(Bid(minimums[face - 1], face))
    return rng.choice([*game.ask.words, *bids])


def played(rng: random.Random, number: int) -> tuple[Header, GameRecord]:
    game = Game(preset("santaba"), 3, Dice(number.to_bytes(8, "big")), listeners=range(3))
    faults = []
    while game.ask is not None:
        if rng.random() < 0.005:
            faults.append(Fault(game.ask.seat, rng.choice(["crash", "host"]), len(game.rounds), "why"))
            game.forfeit(game.ask.seat)
        else:
            game.answer(any_call(rng, game))
    header, record = logged(game, faults, NAMES)
    record.game, record.block, record.rotation = number, number // 3, number % 3
    record.seats = [(seat + number // 7) % 4 for seat in range(3)]
    record.timing.started = 1_700_000_000 + number / 7
    return header, record


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of 40 games, shuffled, with one missing, passes, calzas, tabbas and forfeits."""
    rng = random.Random(5)
    games = [played(rng, number) for number in range(40) if number != 11]
    header = games[0][0]
    lines = [encode_line(record) for _, record in games]
    rng.shuffle(lines)
    folder = tmp_path_factory.mktemp("log")
    (folder / GAMES).write_bytes(encode_line(header) + b"".join(lines))
    return folder


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks.read_chunks, "__defaults__", (7,))


def test_the_log_has_something_of_everything(folder: Path) -> None:
    tables = read_tables(folder)
    assert set(tables.calls["kind"]) == set(tables.calls["kind"].cat.categories)
    assert set(tables.seats["fault"]) == {"", "crash", "host"}
    assert 0 < tables.games["complete"].sum() < 39


def test_parts_joined_are_the_whole(folder: Path) -> None:
    whole = read_tables(folder)
    parts = list(read_chunks(folder, 7))
    assert len(parts) == 6
    for table in COLUMNS:
        joined = pd.concat([getattr(part, table) for part in parts], ignore_index=True)
        pd.testing.assert_frame_equal(joined, getattr(whole, table), check_exact=True)


def test_a_run_that_goes_on_meanwhile(folder: Path, tmp_path: Path) -> None:
    """The log is read twice; what came in between is left out, wherever its number belongs."""
    lines = (folder / GAMES).read_bytes().splitlines(keepends=True)
    (tmp_path / GAMES).write_bytes(b"".join(lines[:20]))
    outline = read_outline(tmp_path)
    with (tmp_path / GAMES).open("ab") as log:
        log.writelines(lines[20:])
    numbers = [record.game for record in in_order(tmp_path, outline)]
    assert len(numbers) == 19
    assert numbers == outline.numbers.tolist()


def test_parquet_reads_back_as_it_was(folder: Path, tmp_path: Path) -> None:
    files = export(folder, "parquet", tmp_path / "out")
    assert [file.name for file in files] == [f"{table}.parquet" for table in COLUMNS]
    whole = read_tables(folder)
    for table, file in zip(COLUMNS, files, strict=True):
        pd.testing.assert_frame_equal(pd.read_parquet(file), getattr(whole, table), check_exact=True)


def test_csv_reads_back_as_it_was(folder: Path, tmp_path: Path) -> None:
    files = export(folder, "csv", tmp_path)
    assert [file.name for file in files] == [*(f"{table}.csv" for table in COLUMNS), "schema.json"]
    whole = read_tables(folder)
    for table, file in zip(COLUMNS, files[:-1], strict=True):
        pd.testing.assert_frame_equal(read_csv(file), getattr(whole, table), check_exact=True)


def test_notation_tells_every_game_in_order(folder: Path, tmp_path: Path) -> None:
    (file,) = export(folder, "notation", tmp_path)
    texts = re.split(r"(?m)^(?=rules )", file.read_text())[1:]
    told = [parse(text) for text in texts]
    assert [game.game for game in told] == [number for number in range(40) if number != 11]
    header = read_header(folder / GAMES)
    records = {record.game: record for record in read_games(folder / GAMES)}
    assert told == [of_record(header, records[number]) for number in sorted(records)]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_log_without_games(folder: Path, tmp_path: Path, form: str) -> None:
    header = (folder / GAMES).read_bytes().partition(b"\n")[0]
    (tmp_path / GAMES).write_bytes(header + b"\n")
    empty = read_tables(tmp_path)
    read = read_csv if form == "csv" else pd.read_parquet
    for table, file in zip(COLUMNS, export(tmp_path, form, tmp_path / "tables"), strict=False):
        again = read(file)
        assert again.empty
        assert [str(dtype) for dtype in again.dtypes] == [
            str(dtype) for dtype in getattr(empty, table).dtypes
        ]
    (text,) = export(tmp_path, "notation", tmp_path / "tables")
    assert text.read_text() == ""


def test_nothing_is_overwritten_unasked(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "rounds.csv").write_text("mine")
    with pytest.raises(ConfigError, match=r"rounds\.csv is there already; --replace"):
        export(folder, "csv", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["rounds.csv"]
    assert (tmp_path / "rounds.csv").read_text() == "mine"
    export(folder, "csv", tmp_path, replace=True)
    assert (tmp_path / "rounds.csv").read_text().startswith("game,")


def test_a_damaged_log_leaves_no_half_files(folder: Path, tmp_path: Path) -> None:
    whole = (folder / GAMES).read_bytes().splitlines(keepends=True)
    for last, told in (
        (b'{"type":"game"}\n', "line 40: "),
        (whole[5].replace(b"dudo", b"doubt"), "'doubt' is not a call"),
    ):
        (tmp_path / GAMES).write_bytes(b"".join([*whole[:5], *whole[6:], last, b"\n"][:-1]))
        with pytest.raises(LogError, match=told):
            export(tmp_path, "csv", tmp_path / "tables", replace=True)
        assert list((tmp_path / "tables").iterdir()) == []


def test_where_it_cannot_write(folder: Path) -> None:
    with pytest.raises(ArenaError, match="cannot write to /dev/null/tables: Not a directory"):
        export(folder, "csv", Path("/dev/null/tables"))


def test_without_pyarrow(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"pip install 'perudo-arena\[parquet\]'"):
        export(folder, "parquet", tmp_path)
    assert list(tmp_path.iterdir()) == []
