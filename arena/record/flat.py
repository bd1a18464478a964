"""The texts of many games as flat arrays: hands, rounds and calls, one array per column.

The only reading of calls for the tables, made for speed: a million calls are a list of words, each
word is looked up once, and all else is numpy. What is the same for all calls of a round is kept per
round and repeated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from arena.game.calls import Bid, parse_call
from arena.record.schema import GameRecord

KINDS = ("bid", "dudo", "calza", "palifico", "tabba", "pass", "forfeit")
ENDINGS = ("dudo", "calza", "tabba", "forfeit")

_BID = KINDS.index("bid")
_FORFEIT = KINDS.index("forfeit")
_ENDING = np.array([ENDINGS.index(kind) if kind in ENDINGS else -1 for kind in KINDS], np.int8)
_SEATS = 6

Columns = dict[str, Any]
"""Arrays of equal length by name."""


class Flat(NamedTuple):
    """Columns as the tables have them. `row` is the row of a seat among `seats`; for a round that of
    seat 0."""

    seats: Columns
    hands: Columns
    rounds: Columns
    calls: Columns


class Flattener:
    """Turns records into arrays; what a text means is worked out once for all its games."""

    def __init__(self, wild: int | None) -> None:
        """`wild`: the face that counts as any other outside palifico rounds; 0 or None: none."""
        self._words = _Words()
        self._hands = _Hands(wild or 0)
        self._changes = _Changes()

    def flatten(self, records: Sequence[GameRecord]) -> Flat:
        """The records in their order. Raises ValueError if one contradicts its own format."""
        played = np.array([_rounds_of(record) for record in records], np.int64)
        seats = np.array([len(record.seats) for record in records], np.int64)
        rounds: Columns = {
            "row": np.repeat(np.cumsum(seats) - seats, played),
            "game": np.repeat(np.array([record.game for record in records], np.int32), played),
            "round": (_counted(played) + 1).astype(np.int16),
            "opener": _all((record.openers for record in records), np.int8),
            "palifico": _all((record.palifico for record in records), np.int8) != 0,
        }
        hands = self._dealt(records, rounds, np.repeat(seats, played))
        calls = self._said(records, rounds, hands)
        self._settled(records, rounds)

        count, row, held = int(seats.sum()), hands["row"], hands["held"] > 0
        left = np.zeros(count, np.int8)
        left[row] = hands["held"] + hands["change"]  # the last round of a game comes last
        return Flat(
            {"dice_left": left, "rounds_alive": np.bincount(row, held, count).astype(np.int16)},
            {name: column[held] for name, column in hands.items()},
            rounds,
            calls,
        )

    def _dealt(self, records: Sequence[GameRecord], rounds: Columns, seats: Any) -> Columns:
        """A row per round and seat (`seats` in each round), with or without dice.

        `counted` (rows, 8): by face, what counts for a bid; [0] is 0, [7] all dice. The rounds get
        `first`, the row of seat 0, and the sum of `counted`.
        """
        texts = [text for record in records for text in record.hands]
        told = np.array([text.count(" ") + 1 for text in texts], np.int64)
        _refuse(told != seats, rounds, "as many hands as seats are needed")
        code = self._hands.codes(" ".join(texts).split(" ") if texts else [])
        at, seat = np.repeat(np.arange(len(seats)), seats), _counted(seats)
        rounds["first"] = np.cumsum(seats) - seats
        rounds["change"] = self._changes.codes([text for record in records for text in record.changes])
        counted = self._hands.counted()[rounds["palifico"][at].astype(np.int8), code]
        rounds["counted"] = np.add.reduceat(counted, rounds["first"], axis=0, dtype=np.int16)
        rounds["dice"] = rounds["counted"][:, 7]
        return {
            "row": rounds["row"][at] + seat,
            "game": rounds["game"][at],
            "round": rounds["round"][at],
            "seat": seat.astype(np.int8),
            "held": counted[:, 7],
            "change": self._changes.by_seat()[rounds["change"][at], seat],
            "counted": counted,
            **{f"face_{face}": of for face, of in enumerate(self._hands.shown()[code].T, 1)},
        }

    def _said(self, records: Sequence[GameRecord], rounds: Columns, hands: Columns) -> Columns:
        """A row per call; the rounds get what their calls tell."""
        texts = [text for record in records for text in record.calls]
        us = [times for record in records for times in record.timing.us]
        length = np.array([text.count(" ") + 1 if text else 0 for text in texts], np.int64)
        timed = np.array([len(times) for times in us], np.int64)
        _refuse(length != timed, rounds, "lists of unequal length: calls and their times")
        words = " ".join(filter(None, texts)).split(" ") if length.any() else []
        code = self._words.codes(words)
        named, kind, quantity, face = self._words.meanings()[code].T
        at = np.repeat(np.arange(len(length)), length)
        start = np.cumsum(length) - length
        bid = kind == _BID
        made = np.concatenate([[0], np.cumsum(bid)])  # bids before a call

        # On turn is the opener, then always the next live seat after the last bidder: so many live
        # seats after the opener as bids were made in the round.
        opener = rounds["opener"]
        bits = np.where(hands["held"] > 0, 1 << hands["seat"].astype(np.int64), 0)
        live = np.bitwise_or.reduceat(bits, rounds["first"])
        _refuse(live >> opener & 1 == 0, rounds, "the opener holds no dice")
        turns = _RANK[live, opener][at] + made[:-1] - made[start][at]
        turn = _LIVE[live[at], turns % _COUNT[live][at]]
        seat = np.where(named >= 0, named, turn)
        wrong = (live[at] >> seat & 1 == 0) | (bid & (seat != turn))
        _refuse(np.bincount(at, wrong, len(length)) > 0, rounds, "a call by a seat that has no turn")

        # The standing bid of a call is the last one before it in its round.
        last = np.maximum.accumulate(np.where(bid, np.arange(len(bid)), -1))
        before = np.concatenate([[-1], last])[:-1]
        stood = before >= start[at]
        standing_face = np.where(stood, face[before], 0)
        about = np.where(bid, face, standing_face)

        end = start + length - 1
        bids = made[end + 1] - made[start]
        some, bidden = length > 0, bids > 0
        ending = np.full(len(length), -1, np.int8)
        ending[some] = _ENDING[kind[end[some]]]
        for name, column, given, rows, otherwise in (
            ("quantity", quantity, bidden, last, 0),
            ("face", face, bidden, last, 0),
            ("bidder", seat, bidden, last, -1),
            ("caller", seat, ending >= 0, np.arange(len(bid)), -1),
        ):
            rounds[name] = np.full(len(length), otherwise, np.int16 if name == "quantity" else np.int8)
            rounds[name][given] = column[rows[end[given]]]
        rounds |= {"length": length, "bids": bids.astype(np.int16), "ending": ending}
        return {
            **{name: rounds[name][at] for name in ("game", "round", "dice", "palifico")},
            "row": rounds["row"][at] + seat,
            "call": (np.arange(len(at)) - start[at]).astype(np.int16),
            "seat": seat.astype(np.int8),
            "kind": kind.astype(np.int8),
            "quantity": quantity.astype(np.int16),
            "face": face.astype(np.int8),
            "standing_quantity": np.where(stood, quantity[before], 0).astype(np.int16),
            "standing_face": standing_face.astype(np.int8),
            "held": hands["held"][rounds["first"][at] + seat],
            "own": hands["counted"][rounds["first"][at] + seat, about],
            "total": rounds["counted"][at, about],
            "standing_own": hands["counted"][rounds["first"][at] + seat, standing_face],
            "default_call": _default_calls(records, start, length),
            "us": np.minimum(_all(us, np.int64), np.iinfo(np.int32).max).astype(np.int32),
        }

    def _settled(self, records: Sequence[GameRecord], rounds: Columns) -> None:
        """What the rounds ended with."""
        counts = [count for record in records for count in record.counts]
        rounds["uncounted"] = np.array([count is None for count in counts], np.bool_)
        rounds["count"] = np.array([count or 0 for count in counts], np.int16)
        lost = self._changes.by_seat()[rounds["change"]] < 0
        rounds["losers"] = lost.sum(axis=1).astype(np.int8)
        rounds["loser"] = np.where(lost.any(axis=1), lost.argmax(axis=1), -1).astype(np.int8)


# --- what the texts mean -----------------------------------------------------------------------------


class _Texts(dict[str, int], ABC):
    """A number per text, in order of first appearance, and its meaning; it fills itself."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[Any] = []

    def codes(self, texts: Sequence[str]) -> Any:
        return np.fromiter(map(self.__getitem__, texts), np.int64, len(texts))

    def __missing__(self, text: str) -> int:
        self.read.append(self.meaning(text))
        self[text] = len(self.read) - 1
        return self[text]

    @abstractmethod
    def meaning(self, text: str) -> Any:
        """What a text says."""


class _Words(_Texts):
    """A call: seat (-1: the one on turn), kind, quantity and face."""

    def meaning(self, text: str) -> tuple[int, int, int, int]:
        prefix, colon, word = text.rpartition(":")
        seat = int(prefix) if colon else -1
        if word == "forfeit":
            return seat, _FORFEIT, 0, 0
        call = parse_call(word)
        if not isinstance(call, Bid):
            return seat, KINDS.index(call.value), 0, 0
        if not 1 <= call.face <= _SEATS:
            raise ValueError(f"{text!r}: dice have faces 1 to 6")
        return seat, _BID, call.quantity, call.face

    def meanings(self) -> Any:
        """(texts, 4)"""
        return np.array(self.read, np.int64).reshape(-1, 4)


class _Hands(_Texts):
    """A hand: how many dice show each face."""

    def __init__(self, wild: int) -> None:
        super().__init__()
        self._wild = wild

    def meaning(self, text: str) -> tuple[int, ...]:
        return tuple(0 if text == "-" else text.count(str(face)) for face in range(1, 7))

    def shown(self) -> Any:
        """(texts, 6)"""
        return np.array(self.read, np.int8).reshape(-1, 6)

    def counted(self) -> Any:
        """(2, texts, 8): by palifico, dice that count for each face; [0] is 0, [7] the whole hand."""
        shown = self.shown()
        counted = np.zeros((2, len(shown), 8), np.int8)
        counted[:, :, 1:7] = shown
        counted[:, :, 7] = shown.sum(axis=1)
        if self._wild:
            others = [face for face in range(1, 7) if face != self._wild]
            counted[0][:, others] += shown[:, [self._wild - 1]]
        return counted


class _Changes(_Texts):
    """Dice gained by each seat, negative if lost."""

    def meaning(self, text: str) -> list[int]:
        change = [0] * _SEATS
        for word in text.split():
            seat, gain = int(word[0]), int(word[1:])  # at most six seats
            if seat >= _SEATS:
                raise ValueError(f"{text!r}: there is no seat {seat}")
            change[seat] += gain
        return change

    def by_seat(self) -> Any:
        """(texts, 6)"""
        return np.array(self.read, np.int8).reshape(-1, _SEATS)


# --- arrays ------------------------------------------------------------------------------------------

_LIVE = np.array(  # by set of live seats, as bits: the live seats in order, then zeros
    [
        (live := [s for s in range(_SEATS) if mask >> s & 1]) + [0] * (_SEATS - len(live))
        for mask in range(64)
    ]
)
_RANK = np.array([[(mask & (1 << s) - 1).bit_count() for s in range(_SEATS)] for mask in range(64)])
_COUNT = np.array([mask.bit_count() for mask in range(64)])


def _rounds_of(record: GameRecord) -> int:
    """How many rounds the record has. Raises ValueError if it contradicts itself."""
    lists: tuple[Sequence[object], ...] = (
        record.openers,
        record.palifico,
        record.hands,
        record.counts,
        record.changes,
        record.timing.us,
    )
    seats = len(record.seats)
    if any(len(each) != len(record.calls) for each in lists) or len(record.places) != seats:
        raise ValueError(f"game {record.game}: lists of unequal length")
    if any(not 0 <= fault.seat < seats for fault in record.faults):
        raise ValueError(f"game {record.game}: a fault of a seat that is not there")
    return len(record.calls)


def _default_calls(records: Sequence[GameRecord], start: Any, length: Any) -> Any:
    """Which calls the referee made; `start` and `length` are those of each round's calls."""
    made = np.zeros(int(length.sum()), np.bool_)
    rounds = 0
    for record in records:
        for fault in record.faults:
            if fault.penalty == "default-call":
                at = rounds + fault.round - 1
                if not 0 < fault.round <= len(record.calls) or not 0 <= fault.call < length[at]:
                    raise ValueError(f"game {record.game}: a fault of a call that is not there")
                made[start[at] + fault.call] = True
        rounds += len(record.calls)
    return made


def _all(lists: Iterable[Iterable[int]], dtype: type) -> Any:
    return np.fromiter(chain.from_iterable(lists), dtype)


def _counted(lengths: Any) -> Any:
    """0 .. n-1 for each length n, one after the other."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _refuse(wrong: Any, rounds: Columns, what: str) -> None:
    """Raise ValueError naming the first round that is wrong."""
    if wrong.any():
        first = int(wrong.argmax())
        game, number = rounds["game"][first], rounds["round"][first]
        raise ValueError(f"game {game}, round {number}: {what}")
