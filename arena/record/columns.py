"""How a round is written in the log's parallel lists, and read back (see `schema`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from arena.game import Bid, Hand, Round, parse_call
from arena.record.schema import GameRecord


def write_hands(hands: Sequence[Hand]) -> str:
    return " ".join([_write_hand(hand) for hand in hands])


@lru_cache(maxsize=4096)
def _write_hand(hand: Hand) -> str:
    return "".join(map(str, hand)) or "-"


@lru_cache(maxsize=4096)
def write_change(change: tuple[int, ...]) -> str:
    return " ".join([f"{seat}{gain:+d}" for seat, gain in enumerate(change) if gain])


def write_calls(r: Round) -> str:
    """The calls of a round; a call of the seat on turn needs no seat before it."""
    turn = r.opener
    words: list[str] = []
    for seat, call in r.calls:
        if call is None:
            words.append(f"{seat}:forfeit")
            continue
        words.append(str(call) if seat == turn else f"{seat}:{call}")
        if isinstance(call, Bid):
            turn = _next_live(seat, [bool(hand) for hand in r.hands])
    return " ".join(words)


def read_callers(opener: int, hands: str, calls: str) -> list[tuple[int, str]]:
    """(seat, call) of every call of a round, the call as text; `forfeit` for a forfeit.

    Raises ValueError for a call that is not written so.
    """
    live = [hand != "-" for hand in hands.split()]
    if not any(live):
        raise ValueError(f"nobody holds dice in {hands!r}")
    turn = opener
    found = []
    for written in calls.split():
        prefix, colon, word = written.rpartition(":")
        seat = int(prefix) if colon else turn
        found.append((seat, word))
        if "x" in word:
            turn = _next_live(seat, live)
    return found


def times_by_seat(record: GameRecord) -> list[list[int]]:
    """Per seat the microseconds of its calls, in order; a forfeit is no call.

    Where nobody speaks out of turn or calls palifico the turn just goes round, and no call need be read.
    Raises ValueError where a round is not written as it should be.
    """
    times: list[list[int]] = [[] for _ in record.seats]
    rounds = zip(record.openers, record.hands, record.calls, record.timing.us, strict=True)
    for opener, hands, calls, us in rounds:
        if ":" in calls or "palifico" in calls:
            for (seat, word), spent in zip(read_callers(opener, hands, calls), us, strict=True):
                if word != "forfeit":
                    times[seat].append(spent)
            continue
        if len(us) != calls.count(" ") + 1:
            raise ValueError(f"game {record.game}: {len(us)} times for the calls {calls!r}")
        live = (True,) * len(times)
        if "-" in hands:
            live = tuple([hand != "-" for hand in hands.split()])
        order = _order(opener, live)
        for at, seat in enumerate(order):
            times[seat] += us[at :: len(order)]
    return times


@lru_cache(maxsize=1024)
def _order(opener: int, live: tuple[bool, ...]) -> tuple[int, ...]:
    """The live seats clockwise from the opener."""
    seats = len(live)
    return tuple(seat % seats for seat in range(opener, opener + seats) if live[seat % seats])


def _next_live(seat: int, live: Sequence[bool]) -> int:
    seat = (seat + 1) % len(live)
    while not live[seat]:
        seat = (seat + 1) % len(live)
    return seat


@dataclass(frozen=True)
class RoundText:
    """A round of a record, read back. `calls` are (seat, call as text, microseconds)."""

    number: int
    opener: int
    palifico: bool
    hands: tuple[Hand, ...]
    calls: tuple[tuple[int, str, int], ...]
    count: int | None
    change: dict[int, int]

    @property
    def standing(self) -> tuple[int, Bid] | None:
        """The last bid and the seat that made it; None where nobody bid."""
        for seat, word, _ in reversed(self.calls):
            call = None if word == "forfeit" else parse_call(word)
            if isinstance(call, Bid):
                return seat, call
        return None


def read_rounds(record: GameRecord) -> list[RoundText]:
    """Every round of a record. Raises ValueError where one is not written as it should be."""
    return [
        RoundText(
            number=number,
            opener=opener,
            palifico=bool(palifico),
            hands=tuple(() if hand == "-" else tuple(map(int, hand)) for hand in hands.split()),
            calls=tuple(
                (seat, word, us)
                for (seat, word), us in zip(read_callers(opener, hands, calls), spent, strict=True)
            ),
            count=count,
            change={int(word[0]): int(word[1:]) for word in change.split()},
        )
        for number, (opener, palifico, hands, calls, spent, count, change) in enumerate(
            zip(
                record.openers,
                record.palifico,
                record.hands,
                record.calls,
                record.timing.us,
                record.counts,
                record.changes,
                strict=True,
            ),
            1,
        )
    ]
