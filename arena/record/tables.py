"""The log as four pandas tables: games, seats, rounds, calls, each with the keys of the one before.

`COLUMNS` says what every column holds; the tables are checked against it when they are built. Names
of bots are categories in the order of the header, so that all tables of a log agree on them.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from arena.game.calls import Bid, parse_call
from arena.record.log import GAMES, read_games, read_header
from arena.record.schema import HOST_CAUSES, GameRecord, Header

KINDS = ("bid", "dudo", "calza", "palifico", "tabba", "pass", "forfeit")
ENDINGS = ("dudo", "calza", "tabba", "forfeit")

_BID = KINDS.index("bid")
_FORFEIT = KINDS.index("forfeit")
_ENDING_OF_KIND = {KINDS.index(ending): code for code, ending in enumerate(ENDINGS)}


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
        _PALIFICO,
        Column("us", "int32", "µs", "time from question to answer"),
    ),
}


@dataclass(frozen=True)
class Tables:
    """A log's tables, in the order of game, seat or round, call; the index only counts rows."""

    header: Header
    games: pd.DataFrame
    seats: pd.DataFrame
    rounds: pd.DataFrame
    calls: pd.DataFrame


def read_tables(folder: str | Path) -> Tables:
    """The tables of a results folder. Raises `LogError`."""
    log = Path(folder) / GAMES
    return make_tables(read_header(log), read_games(log))


def make_tables(header: Header, games: Iterable[GameRecord]) -> Tables:
    """The tables of any part of a log; the games may come in any order.

    Raises ValueError if a record contradicts its own format.
    """
    records = sorted(games, key=lambda record: record.game)
    walk = _Walk(header.ruleset.get("wild_face", 1))
    for record in records:
        walk.game(record)

    bots = pd.CategoricalDtype([bot.name for bot in header.bots])
    in_game = np.array([len(record.seats) for record in records], np.int64)
    number = np.array([record.game for record in records], np.int32)
    seat_bot = np.array([bot for record in records for bot in record.seats], np.int16)
    rounds = _rounds(walk, records, seat_bot, bots)
    calls = _calls(walk, rounds, seat_bot, bots)
    return Tables(
        header=header,
        games=_games(header, records, bots),
        seats=_seats(walk, records, calls, np.repeat(number, in_game), _names(seat_bot, bots)),
        rounds=rounds,
        calls=calls,
    )


# --- reading rounds --------------------------------------------------------------------------------


class _Notation(dict[str, tuple[int, int, int, int]]):
    """Seat (-1: the one on turn), kind, quantity and face per text of a call; it fills itself."""

    def __missing__(self, written: str) -> tuple[int, int, int, int]:
        prefix, colon, text = written.rpartition(":")
        seat = int(prefix) if colon else -1
        if text == "forfeit":
            entry = (seat, _FORFEIT, 0, 0)
        else:
            call = parse_call(text)
            if isinstance(call, Bid):
                entry = (seat, _BID, call.quantity, call.face)
            else:
                entry = (seat, KINDS.index(call.value), 0, 0)
        self[written] = entry
        return entry


class _Support(dict[str, tuple[int, ...]]):
    """Dice that count for each face per text of a hand: at [0] none, at [7] all of the hand."""

    def __init__(self, wild: int | None) -> None:
        super().__init__()
        self.wild = wild

    def __missing__(self, text: str) -> tuple[int, ...]:
        dice = [0 if text == "-" else text.count(str(face)) for face in range(1, 7)]
        wilds = dice[self.wild - 1] if self.wild else 0
        counted = [own + (wilds if face != self.wild else 0) for face, own in enumerate(dice, 1)]
        entry = (0, *counted, sum(dice))
        self[text] = entry
        return entry


@cache
def _change(text: str) -> tuple[int, int]:
    """Seat and number of dice, negative if lost."""
    sign = "-" if "-" in text else "+"
    seat, _, number = text.partition(sign)
    return int(seat), int(sign + number)


class _Walk:
    """Goes once through all calls and collects what the tables need, in arrays: one per column.

    It is the only loop over calls, so what is the same for all calls of a round is kept per round
    and repeated by numpy afterwards.
    """

    def __init__(self, wild: int | None) -> None:
        self.notation = _Notation()
        self.support = (_Support(wild), _Support(None))  # by palifico
        self.rows = 0  # seats of the games so far
        # per call
        self.seat = array("b")
        self.kind = array("b")
        self.quantity = array("h")
        self.face = array("b")
        self.standing_quantity = array("h")
        self.standing_face = array("b")
        self.held = array("b")
        self.own = array("b")
        self.total = array("h")
        self.us = array("i")
        # per round
        self.game_number = array("i")
        self.round_number = array("h")
        self.first_row = array("i")  # row of seat 0 in the table of seats
        self.length = array("i")
        self.dice = array("h")
        self.bids = array("h")
        self.last_quantity = array("h")
        self.last_face = array("b")
        self.bidder = array("b")
        self.caller = array("b")
        self.ending = array("b")
        self.loser = array("b")
        self.losers = array("b")
        # per seat of a game
        self.rounds_alive = array("h")
        self.dice_left = array("b")

    def game(self, record: GameRecord) -> None:
        seats = len(record.seats)
        alive = [0] * seats
        left = [0] * seats
        entries = zip(
            record.openers,
            record.palifico,
            record.hands,
            record.calls,
            record.changes,
            record.timing.us,
            record.counts,  # read elsewhere, but its length is to be checked
            strict=True,
        )
        for number, (opener, palifico, hands, calls, changes, us, _) in enumerate(entries, 1):
            support = self.support[1 if palifico else 0]
            own = [support[hand] for hand in hands.split(" ")]
            written = calls.split()
            if len(own) != seats or len(us) != len(written):
                raise ValueError(f"game {record.game}, round {number}: lists of unequal length")
            self.game_number.append(record.game)
            self.round_number.append(number)
            self._round(opener, own, written)
            self.us.extend(us)

            left = [entry[7] for entry in own]
            for seat, held in enumerate(left):
                alive[seat] += held > 0
            lost = []
            for seat, change in map(_change, changes.split()):
                left[seat] += change
                if change < 0:
                    lost.append(seat)
            self.loser.append(min(lost, default=-1))
            self.losers.append(len(lost))
        self.rounds_alive.extend(alive)
        self.dice_left.extend(left)
        self.rows += seats

    def _round(self, opener: int, own: list[tuple[int, ...]], calls: list[str]) -> None:
        # For speed each method is looked up once per round, not once per call.
        notation = self.notation
        add_seat, add_kind = self.seat.append, self.kind.append
        add_quantity, add_face = self.quantity.append, self.face.append
        add_standing, add_standing_face = self.standing_quantity.append, self.standing_face.append
        add_held, add_own, add_total = self.held.append, self.own.append, self.total.append

        seats = len(own)
        total = [sum(column) for column in zip(*own, strict=True)]
        turn = seat = opener
        bidder = kind = -1
        standing = standing_face = bids = 0
        for written in calls:
            seat, kind, quantity, face = notation[written]
            if seat < 0:
                seat = turn
            add_seat(seat)
            add_kind(kind)
            add_quantity(quantity)
            add_face(face)
            add_standing(standing)
            add_standing_face(standing_face)
            if kind == _BID:
                standing, standing_face = quantity, face
                bids += 1
                bidder = seat
                turn = (seat + 1) % seats
                while not own[turn][7] and turn != seat:
                    turn = (turn + 1) % seats
            mine = own[seat]
            add_held(mine[7])
            add_own(mine[standing_face])
            add_total(total[standing_face])

        ending = _ENDING_OF_KIND.get(kind, -1)
        self.first_row.append(self.rows)
        self.length.append(len(calls))
        self.dice.append(total[7])
        self.bids.append(bids)
        self.last_quantity.append(standing)
        self.last_face.append(standing_face)
        self.bidder.append(bidder)
        self.caller.append(seat if ending >= 0 else -1)
        self.ending.append(ending)


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


def _rounds(
    walk: _Walk, records: list[GameRecord], seat_bot: Any, bots: pd.CategoricalDtype
) -> pd.DataFrame:
    opener = np.array([seat for record in records for seat in record.openers], np.int8)
    counts = [count for record in records for count in record.counts]
    uncounted = np.array([count is None for count in counts], np.bool_)
    count = np.array([count or 0 for count in counts], np.int16)
    quantity = np.asarray(walk.last_quantity)
    return _frame(
        "rounds",
        {
            "game": np.asarray(walk.game_number),
            "round": np.asarray(walk.round_number),
            "opener": opener,
            "opener_bot": _names(seat_bot[np.asarray(walk.first_row) + opener], bots),
            "palifico": np.array([flag for record in records for flag in record.palifico], np.bool_),
            "dice": np.asarray(walk.dice),
            "bids": np.asarray(walk.bids),
            "quantity": quantity,
            "face": np.asarray(walk.last_face),
            "bidder": np.asarray(walk.bidder),
            "caller": np.asarray(walk.caller),
            "ended_by": _names(np.asarray(walk.ending), pd.CategoricalDtype(list(ENDINGS))),
            "count": pd.arrays.IntegerArray(count, uncounted),
            "loser": np.asarray(walk.loser),
            "losers": np.asarray(walk.losers),
            "right": pd.arrays.BooleanArray(count >= quantity, uncounted),
            "exact": pd.arrays.BooleanArray(count == quantity, uncounted.copy()),
        },
    )


def _calls(walk: _Walk, rounds: pd.DataFrame, seat_bot: Any, bots: pd.CategoricalDtype) -> pd.DataFrame:
    length = np.asarray(walk.length)
    first_call = np.cumsum(length) - length
    seat = np.asarray(walk.seat)
    return _frame(
        "calls",
        {
            **{
                name: np.repeat(rounds[name].to_numpy(), length)
                for name in ("game", "round", "dice", "palifico")
            },
            "call": (np.arange(len(seat)) - np.repeat(first_call, length)).astype(np.int16),
            "seat": seat,
            "bot": _names(seat_bot[np.repeat(np.asarray(walk.first_row), length) + seat], bots),
            "kind": _names(np.asarray(walk.kind), pd.CategoricalDtype(list(KINDS))),
            "quantity": np.asarray(walk.quantity),
            "face": np.asarray(walk.face),
            "standing_quantity": np.asarray(walk.standing_quantity),
            "standing_face": np.asarray(walk.standing_face),
            "held": np.asarray(walk.held),
            "own": np.asarray(walk.own),
            "total": np.asarray(walk.total),
            "us": np.asarray(walk.us),
        },
    )


def _seats(
    walk: _Walk, records: list[GameRecord], calls: pd.DataFrame, game: Any, bot: pd.Categorical
) -> pd.DataFrame:
    score = []
    fault = []
    for record in records:
        for seat, place in enumerate(record.places):
            worse = sum(other > place for other in record.places)
            ties = record.places.count(place) - 1
            score.append((worse + ties / 2) / max(1, len(record.places) - 1))
            fault.append(next((f.cause for f in record.faults if f.seat == seat), ""))

    rows = len(game)
    asked = calls["kind"].cat.codes.to_numpy() != _FORFEIT
    row = (np.repeat(np.asarray(walk.first_row), np.asarray(walk.length)) + np.asarray(walk.seat))[asked]
    spent = calls["us"].to_numpy()[asked] / 1000
    questions = np.bincount(row, minlength=rows)
    longest = np.full(rows, np.nan)
    np.fmax.at(longest, row, spent)
    places = np.array([place for record in records for place in record.places], np.int8)
    return _frame(
        "seats",
        {
            "game": game,
            "seat": np.array([seat for record in records for seat in range(len(record.seats))], np.int8),
            "bot": bot,
            "place": places,
            "score": np.array(score, np.float64),
            "won": places == 1,
            "dice_left": np.asarray(walk.dice_left),
            "fault": pd.Categorical(fault, categories=sorted({"", *fault})),
            "questions": questions,
            "think_mean_ms": np.bincount(row, spent, rows) / np.where(questions, questions, np.nan),
            "think_max_ms": longest,
            "rounds_alive": np.asarray(walk.rounds_alive),
        },
    )


def _games(header: Header, records: list[GameRecord], bots: pd.CategoricalDtype) -> pd.DataFrame:
    lineups: dict[tuple[int, ...], int] = {}
    rotations: defaultdict[int, set[int]] = defaultdict(set)
    spoilt = set()
    for record in records:
        lineups.setdefault(tuple(sorted(record.seats)), len(lineups))
        rotations[record.block].add(record.rotation)
        if any(fault.cause in HOST_CAUSES for fault in record.faults):
            spoilt.add(record.block)
    whole = {block for block, seen in rotations.items() if len(seen) == header.players} - spoilt

    data: dict[str, list[Any]] = defaultdict(list)
    for record in records:
        timing = record.timing
        winner = record.seats[record.places.index(1)] if 1 in record.places else -1
        row = {
            "game": record.game,
            "block": record.block,
            "rotation": record.rotation,
            "deal": record.deal,
            "lineup": lineups[tuple(sorted(record.seats))],
            "players": len(record.seats),
            "rounds": len(record.calls),
            "calls": sum(map(len, timing.us)),
            "winner": winner,
            "forfeits": sum(calls.endswith(":forfeit") for calls in record.calls),
            "faults": len(record.faults),
            "complete": record.block in whole,
            "started": timing.started,
            "seconds": timing.seconds,
            "batch": timing.batch,
            "lag_ms": timing.lag_ms,
        }
        for name, value in row.items():
            data[name].append(value)
    # Through integers: a float of today's nanoseconds is off by some hundred and looks like noise.
    started = [round(seconds * 1_000_000) * 1000 for seconds in data["started"]]
    return _frame(
        "games",
        {
            **{column.name: data[column.name] for column in COLUMNS["games"]},
            "winner": _names(np.array(data["winner"], np.int16), bots),
            "started": pd.to_datetime(np.array(started, np.int64), unit="ns", utc=True),
        },
    )
