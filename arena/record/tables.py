"""The log as five pandas tables: games, seats, rounds, hands, calls.

`COLUMNS` says what every column holds; the tables are checked against it when they are built. Names
of bots are categories in the order of the header, so that all tables of a log agree on them.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from arena.record.flat import ENDINGS, KINDS, Columns, Flattener
from arena.record.log import LogError, log_of, read_games, read_header
from arena.record.outline import Outline, lineup_of, outline_of
from arena.record.schema import GameRecord, Header

_FORFEIT = KINDS.index("forfeit")
_BATCH = 2000
"""Games that are turned into arrays at once: their texts become lists of words for a moment."""


class Column(NamedTuple):
    """`dtype` is the pandas dtype in words; a capital letter means that the column has gaps."""

    name: str
    dtype: str
    unit: str
    meaning: str


_GAME = Column("game", "int32", "", "number of the game in the run")
_ROUND = Column("round", "int16", "", "number of the round in its game, from 1, void rounds too")
_PALIFICO = Column("palifico", "bool", "", "whether the round is palifico (for calls before that, too)")
_DICE = Column("dice", "int16", "dice", "dice in play in the round")

COLUMNS: dict[str, tuple[Column, ...]] = {
    "games": (
        _GAME,
        Column("block", "int32", "", "games of one line-up, once for each rotation of its seats"),
        Column("rotation", "int8", "seats", "by how many seats the line-up is rotated"),
        Column("deal", "int32", "", "number of the deal, which fixes all dice"),
        Column("lineup", "int32", "", "set of bots, numbered in order of first appearance"),
        Column("players", "int8", "seats", "number of seats"),
        Column("rounds", "int16", "rounds", "rounds played, void ones too"),
        Column("calls", "int32", "calls", "calls made, passes and forfeits too"),
        Column("winner", "category", "", "bot in first place; if shared, the one in the lowest seat"),
        Column("forfeits", "int8", "seats", "seats that forfeited: the void rounds"),
        Column("faults", "int8", "faults", "faults in the log"),
        Column(
            "complete",
            "bool",
            "",
            "whether its block has all rotations in the log, none of them with a fault of the host",
        ),
        Column("started", "datetime64[ns, UTC]", "UTC", "when the first question was asked"),
        Column("seconds", "float64", "s", "from the first question to the end"),
        Column("batch", "float64", "questions", "mean number of questions per message"),
        Column("lag_ms", "float64", "ms", "longest delay of the referee's own loop meanwhile"),
    ),
    "seats": (
        _GAME,
        Column("seat", "int8", "", "seat in turn order, from 0"),
        Column("bot", "category", "", "bot in the seat"),
        Column("place", "int8", "", "place at the end, 1 is best; ties share the better number"),
        Column("score", "float64", "", "share of opponents left behind, half for a tie: 0 to 1"),
        Column("won", "bool", "", "whether the place is 1, alone or shared"),
        Column("dice_left", "int8", "dice", "dice held at the end"),
        Column("fault", "category", "", 'cause of the seat\'s first fault, "" without one'),
        Column("questions", "int32", "calls", "calls made, passes too, a forfeit not"),
        Column("think_mean_ms", "float64", "ms", "mean time per call, a forfeit not; NaN without calls"),
        Column("think_max_ms", "float64", "ms", "longest time of a call, likewise"),
        Column("rounds_alive", "int16", "rounds", "rounds in which the seat held dice"),
    ),
    "rounds": (
        _GAME,
        _ROUND,
        Column("opener", "int8", "", "seat that opened"),
        Column("opener_bot", "category", "", "bot in that seat"),
        Column("palifico", "bool", "", "whether the round is palifico"),
        _DICE,
        Column("bids", "int16", "bids", "bids made"),
        Column("quantity", "int16", "dice", "quantity of the last bid, 0 without one"),
        Column("face", "int8", "", "face of the last bid, 0 without one"),
        Column("bidder", "int8", "", "seat that made it, -1 without one"),
        Column("caller", "int8", "", "seat whose call ended the round, -1 if it has no end"),
        Column("ended_by", "category", "", "dudo, calza, tabba or forfeit"),
        Column("count", "Int16", "dice", "dice that counted for the bid, where they were counted"),
        Column("loser", "int8", "", "first seat that lost dice, -1 if nobody did"),
        Column("losers", "int8", "seats", "seats that lost dice"),
        Column("right", "boolean", "", "whether the bid was right: count >= quantity"),
        Column("exact", "boolean", "", "whether count = quantity"),
    ),
    "hands": (
        _GAME,
        _ROUND,
        Column("seat", "int8", "", "seat that held dice in the round"),
        Column("bot", "category", "", "bot in that seat"),
        Column("held", "int8", "dice", "dice held"),
        *(Column(f"face_{face}", "int8", "dice", f"dice that showed {face}") for face in range(1, 7)),
        Column("change", "int8", "dice", "dice gained at the end of the round, negative if lost"),
    ),
    "calls": (
        _GAME,
        _ROUND,
        Column("call", "int16", "", "number of the call in its round, from 0"),
        Column("seat", "int8", "", "seat that spoke"),
        Column("bot", "category", "", "bot in that seat"),
        Column("kind", "category", "", "bid, dudo, calza, palifico, tabba, pass or forfeit"),
        Column("quantity", "int16", "dice", "quantity of the bid, 0 for other calls"),
        Column("face", "int8", "", "face of the bid, 0 for other calls"),
        Column("standing_quantity", "int16", "dice", "quantity of the bid before the call, 0 = none"),
        Column("standing_face", "int8", "", "face of the bid before the call, 0 = none"),
        _DICE,
        Column("held", "int8", "dice", "dice of the seat"),
        Column(
            "own",
            "int8",
            "dice",
            "dice of the seat that count for the bid made; for other calls for the standing bid",
        ),
        Column("total", "int16", "dice", "dice of all seats that count, likewise"),
        Column(
            "standing_own", "int8", "dice", "dice of the seat that count for the bid before the call"
        ),
        _PALIFICO,
        Column("default_call", "bool", "", "whether the referee made the call, for a seat at fault"),
        Column("us", "int32", "µs", "time from question to answer, at most 2147 s"),
    ),
}


@dataclass(frozen=True)
class Tables:
    """A log's tables, in the order of game, seat or round, call; the index only counts rows."""

    header: Header
    games: pd.DataFrame
    seats: pd.DataFrame
    rounds: pd.DataFrame
    hands: pd.DataFrame
    calls: pd.DataFrame


def read_tables(folder: str | Path) -> Tables:
    """The tables of a results folder. Raises `LogError`."""
    log = log_of(Path(folder))
    with _no_collector():
        try:
            return make_tables(read_header(log), list(read_games(log)))
        except ValueError as error:
            raise LogError(f"{log}: {error}") from None


@contextmanager
def _no_collector() -> Iterator[None]:
    """Python's search for cycles waits: records have none, and it would visit each again and again."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def make_tables(header: Header, games: Iterable[GameRecord], outline: Outline | None = None) -> Tables:
    """The tables of any part of a log; the games may come in any order.

    `outline`: of the whole log, so that numbers of line-ups, complete blocks and causes of faults are
    those of the whole; without it they are of these games alone. Raises ValueError if a record
    contradicts its own format.
    """
    records = sorted(games, key=lambda record: record.game)
    outline = outline or outline_of(header.players, records)
    flattener = Flattener(header.ruleset.get("wild_face", 1))
    parts = [
        flattener.flatten(records[at : at + _BATCH]) for at in range(0, max(1, len(records)), _BATCH)
    ]
    for at, part in enumerate(parts):
        before = sum(len(record.seats) for record in records[: at * _BATCH])
        for columns in part[1:]:
            columns["row"] += before
    flat_seats, flat_hands, flat_rounds, flat_calls = map(_joined, zip(*parts, strict=True))

    bots = pd.CategoricalDtype([bot.name for bot in header.bots])
    seat_bot = np.array([bot for record in records for bot in record.seats], np.int16)
    return Tables(
        header=header,
        games=_games(records, outline, flat_rounds, bots),
        seats=_seats(records, outline, flat_seats, flat_calls, _names(seat_bot, bots)),
        rounds=_rounds(flat_rounds, seat_bot, bots),
        hands=_frame("hands", {**flat_hands, "bot": _names(seat_bot[flat_hands["row"]], bots)}),
        calls=_calls(flat_calls, seat_bot, bots),
    )


# --- building tables -------------------------------------------------------------------------------


def _frame(table: str, data: Mapping[str, Any]) -> pd.DataFrame:
    """A table with the columns of `COLUMNS`, in their order and with their dtypes."""
    frame = pd.DataFrame({column.name: data[column.name] for column in COLUMNS[table]})
    for column in COLUMNS[table]:
        if str(frame[column.name].dtype) != column.dtype:
            frame[column.name] = frame[column.name].astype(column.dtype)  # type: ignore[call-overload]
    return frame


def _names(codes: Any, names: pd.CategoricalDtype) -> pd.Categorical:
    return pd.Categorical.from_codes(codes, dtype=names)


def _joined(parts: Sequence[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part.pop(name) for part in parts]) for name in list(parts[0])}


def _rounds(flat: Columns, seat_bot: Any, bots: pd.CategoricalDtype) -> pd.DataFrame:
    count, uncounted, quantity = flat["count"], flat["uncounted"], flat["quantity"]
    return _frame(
        "rounds",
        {
            **flat,
            "opener_bot": _names(seat_bot[flat["row"] + flat["opener"]], bots),
            "ended_by": _names(flat["ending"], pd.CategoricalDtype(list(ENDINGS))),
            "count": pd.arrays.IntegerArray(count, uncounted),
            "right": pd.arrays.BooleanArray(count >= quantity, uncounted),
            "exact": pd.arrays.BooleanArray(count == quantity, uncounted.copy()),
        },
    )


def _calls(flat: Columns, seat_bot: Any, bots: pd.CategoricalDtype) -> pd.DataFrame:
    return _frame(
        "calls",
        {
            **flat,
            "bot": _names(seat_bot[flat["row"]], bots),
            "kind": _names(flat["kind"], pd.CategoricalDtype(list(KINDS))),
        },
    )


def _seats(
    records: Sequence[GameRecord], outline: Outline, flat: Columns, calls: Columns, bot: pd.Categorical
) -> pd.DataFrame:
    seats = np.array([len(record.seats) for record in records], np.int64)
    of_game = np.repeat(np.arange(len(seats)), seats)
    place = np.array([place for record in records for place in record.places], np.int64)
    opponents = np.repeat(seats, seats) - 1
    better = place - 1  # ties share the better place
    ties = np.bincount(of_game * 8 + place, minlength=8 * len(seats))[of_game * 8 + place] - 1
    fault = [""] * len(place)
    for record, first in zip(records, (np.cumsum(seats) - seats).tolist(), strict=True):
        for found in reversed(record.faults):
            fault[first + found.seat] = found.cause

    rows = len(place)
    asked = calls["kind"] != _FORFEIT
    row = calls["row"][asked]
    spent = calls["us"][asked] / 1000
    questions = np.bincount(row, minlength=rows)
    longest = np.full(rows, np.nan)
    np.fmax.at(longest, row, spent)
    return _frame(
        "seats",
        {
            **flat,
            "game": np.array([record.game for record in records], np.int32)[of_game],
            "seat": np.array([seat for record in records for seat in range(len(record.seats))], np.int8),
            "bot": bot,
            "place": place,
            "score": (opponents - better - ties / 2) / np.maximum(opponents, 1),
            "won": place == 1,
            "fault": pd.Categorical(fault, categories=["", *outline.causes]),
            "questions": questions,
            "think_mean_ms": np.bincount(row, spent, rows) / np.where(questions, questions, np.nan),
            "think_max_ms": longest,
        },
    )


def _games(
    records: Sequence[GameRecord], outline: Outline, rounds: Columns, bots: pd.CategoricalDtype
) -> pd.DataFrame:
    played = np.array([len(record.calls) for record in records], np.int64)
    of_game = np.repeat(np.arange(len(played)), played)
    forfeits = rounds["ending"] == ENDINGS.index("forfeit")
    # Through integers: a float of today's nanoseconds is off by some hundred and looks like noise.
    started = [round(record.timing.started * 1_000_000) * 1000 for record in records]
    winner = [record.seats[record.places.index(1)] if 1 in record.places else -1 for record in records]
    return _frame(
        "games",
        {
            **{
                name: [getattr(record, name) for record in records]
                for name in ("game", "block", "rotation", "deal")
            },
            "lineup": [outline.lineups[lineup_of(record)] for record in records],
            "players": [len(record.seats) for record in records],
            "rounds": played,
            "calls": np.bincount(of_game, rounds["length"], len(records)),
            "winner": _names(np.array(winner, np.int16), bots),
            "forfeits": np.bincount(of_game, forfeits, len(records)),
            "faults": [len(record.faults) for record in records],
            "complete": [record.block in outline.complete for record in records],
            "started": pd.to_datetime(np.array(started, np.int64), unit="ns", utc=True),
            **{
                name: [getattr(record.timing, name) for record in records]
                for name in ("seconds", "batch", "lag_ms")
            },
        },
    )
