"""How a told round can have ended: one way, or several where dice were not seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.game import Call, Game, Hand, Word
from arena.report.verdicts import Outcome, State


class End(NamedTuple):
    """One way in which a round can have ended: dice counted and lost, and the game after it."""

    counted: int | None
    change: tuple[int, ...]
    game: Game


def ends_of(game: Game, call: Call | None, seat: int) -> Iterator[End]:
    """Every way in which `call` can end the round: one for each count that unseen dice allow."""
    index = len(game.rounds) - 1
    hands = game.round.hands
    counted = call in (Word.DUDO, Word.CALZA)
    unseen = sum(hand.count(0) for hand in hands) if counted else 0
    for matching in range(unseen + 1):
        twin = game.copy()
        if unseen and game.standing is not None:
            twin.round.hands = _seen(hands, game.standing.face, game.wild, matching)
        if call is None:
            twin.forfeit(seat)
        else:
            twin.answer(call)
        ended = twin.rounds[index]
        yield End(ended.count, ended.change, twin)


def _seen(hands: Sequence[Hand], face: int, wild: int, matching: int) -> tuple[Hand, ...]:
    """The hands, as if `matching` of the unseen dice counted for `face`."""
    other = next(die for die in range(1, 7) if die not in (face, wild))
    rest = iter([face] * matching)
    return tuple(tuple(die or next(rest, other) for die in hand) for hand in hands)


def outcomes_of(ends: Sequence[End]) -> list[tuple[Outcome, Game]]:
    """The different outcomes, each with one of its games."""
    groups: dict[tuple[object, ...], list[End]] = {}
    for end in ends:
        state = None if end.game.over else state_of(end.game)
        groups.setdefault((end.change, state, *end.game.places), []).append(end)
    return [(_outcome(same), same[0].game) for same in groups.values()]


def _outcome(ends: Sequence[End]) -> Outcome:
    _, change, game = ends[0]
    counts = tuple(end.counted for end in ends if end.counted is not None)
    return Outcome(
        counts=counts,
        count=counts[0] if len(counts) == 1 else None,
        losers=tuple(seat for seat, gain in enumerate(change) if gain < 0),
        gainers=tuple(seat for seat, gain in enumerate(change) if gain > 0),
        change=change,
        dice=tuple(game.dice),
        out=tuple(seat for seat, gain in enumerate(change) if gain and not game.dice[seat]),
        opener=None if game.over else game.round.opener,
        palifico="no" if game.over else game.palifico,
        former=tuple(sorted(game.former)),
        winner=game.places.index(1) if game.over else None,
        places=tuple(game.places),
    )


def state_of(game: Game) -> State:
    """How the round begins in which nobody has called yet."""
    return State(tuple(game.dice), game.on_turn, game.palifico, tuple(sorted(game.former)))
