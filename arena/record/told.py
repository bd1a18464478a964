"""A game as somebody told it: what `notation` reads and writes, and what a game of the log is in it.

A telling may leave out what follows from the rules, and it may be wrong: `arena.report.judge` says
whether it is right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arena.game import (
    DEFAULT,
    OPTIONS,
    PRESETS,
    Bid,
    Call,
    Hand,
    Ruleset,
    parse_call,
)
from arena.record.columns import RoundText, read_rounds
from arena.record.schema import GameRecord, Header

FORFEIT = "forfeit"


@dataclass(frozen=True)
class Said:
    """A call as told. `seat` None = the seat on turn; `call` None = a forfeit."""

    seat: int | None
    call: Call | None
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        word = FORFEIT if self.call is None else str(self.call)
        return word if self.seat is None else f"{self.seat}:{word}"


class ToldFault(NamedTuple):
    """Why a seat forfeited, as the log says."""

    seat: int
    cause: str
    detail: str


@dataclass(frozen=True)
class ToldRound:
    """A round as told; None = not told.

    hands     dice as shown, 0 for a die nobody saw, () for a seat that is out
    palifico  "no", "yes", or "may": the opener may call it
    standing  a bid that stands already: the round is told from its middle, `opener` is on turn
    count     dice that counted at the end
    change    seat -> dice lost or gained; {} = not told, or nobody
    """

    number: int = 1
    palifico: str | None = None
    opener: int | None = None
    former: frozenset[int] | None = None
    dice: tuple[int, ...] | None = None
    hands: tuple[Hand, ...] | None = None
    standing: Bid | None = None
    calls: tuple[Said, ...] = ()
    count: int | None = None
    change: dict[int, int] = field(default_factory=dict)
    faults: tuple[ToldFault, ...] = ()
    line: int = field(default=0, compare=False)

    @property
    def held(self) -> tuple[int, ...] | None:
        """Dice per seat, if told in either way."""
        return tuple(map(len, self.hands)) if self.hands is not None else self.dice


@dataclass(frozen=True)
class Notation:
    """A game, or some rounds in a row, as told. Seats without a name are called "0", "1", ..."""

    ruleset: Ruleset
    seats: tuple[str, ...]
    rounds: tuple[ToldRound, ...] = ()
    game: int | None = None
    places: tuple[int, ...] | None = None


def named(name: str, options: Mapping[str, Any]) -> Ruleset:
    """The ruleset of these options as a preset and changes, in the order of the options.

    The preset is the one that `name` begins with; options that are not known are left out.
    """
    base = PRESETS.get(name.partition(" ")[0], PRESETS[DEFAULT])
    known = {option: options[option] for option in OPTIONS if option in options}
    if known.get("wild_face", 1) is None:
        known["wild_face"] = "none"
    return base.with_options(known)


def of_record(header: Header, record: GameRecord) -> Notation:
    """A game of the log. Left out: all times, and what a fault's bot sent and printed."""
    names = [header.bots[index].name for index in record.seats]
    faults = {
        number: tuple(ToldFault(f.seat, f.cause, f.detail) for f in record.faults if f.round == number)
        for number in {fault.round for fault in record.faults}
    }
    return Notation(
        named(str(header.ruleset["name"]), header.ruleset),
        tuple(re.sub(r'[:#"\n\\]', "_", name) for name in names),
        tuple(
            _of_round(played, written, faults.get(played.number, ()))
            for played, written in zip(read_rounds(record), record.calls, strict=True)
        ),
        record.game,
        tuple(record.places),
    )


def _of_round(played: RoundText, written: str, faults: tuple[ToldFault, ...]) -> ToldRound:
    calls = []
    for word in written.split():
        seat, colon, call = word.rpartition(":")
        calls.append(Said(int(seat) if colon else None, None if call == FORFEIT else parse_call(call)))
    called = any(word == "palifico" for _, word, _ in played.calls)
    return ToldRound(
        number=played.number,
        palifico="yes" if played.palifico and not called else None,
        opener=played.opener,
        hands=played.hands,
        calls=tuple(calls),
        count=played.count,
        change=played.change,
        faults=faults,
    )
