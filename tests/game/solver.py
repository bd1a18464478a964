"""Values of two-player games under optimal play, found with nothing but `arena.game`.

A round is laid out as a tree of public histories. Histories after which the same bid stands and the
same question is asked form a `_Moment`: its histories lie in one block of an array, and what follows
them by one call lies in one block of the next moment. Which calls there are and how a round ends is
read off a `Game`: the solver knows no rule of Perudo.

A game of several rounds is solved from its end: what the end of a round is worth is the value of the
position that opens the next one. Small rounds are solved by linear programming over the sequence
form (Koller, Megiddo and von Stengel 1996), exactly but for rounding; larger ones by discounted CFR
(Brown and Sandholm 2019), where the best responses to the two average strategies prove a bound from
either side.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from arena.game import Ask, Bid, Call, Game, Hand, Position, Ruleset, Word

Array = NDArray[np.float64]
Floats = NDArray[np.floating[Any]]
Indices = NDArray[np.int64]

ALL_FACES = (1, 2, 3, 4, 5, 6)
LARGEST_LP = 10_000
"""Public histories up to which a round is solved by linear programming."""


@dataclass(frozen=True)
class Value:
    """What the seat on turn wins on average, from -1 to 1: proven to lie between these."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    @property
    def error(self) -> float:
        return (self.high - self.low) / 2

    def __neg__(self) -> Value:
        return Value(-self.high, -self.low)


def hands_of(dice: int) -> dict[Hand, float]:
    """Every hand of so many dice, with its probability."""
    rolls = Counter(tuple(sorted(roll)) for roll in itertools.product(ALL_FACES, repeat=dice))
    return {hand: ways / 6**dice for hand, ways in rolls.items()}


@dataclass
class _Moment:
    """All public histories with the same standing bid and the same question."""

    game: Game
    calls: list[Call]
    number: int = 0
    size: int = 0
    """Its place in the order of play, and how many histories it holds."""
    next: dict[int, tuple[_Moment, slice]] = field(default_factory=dict)
    """By the index of a call that goes on: where the histories it leads to lie."""
    ends: dict[int, Array] = field(default_factory=dict)
    """By the index of a call that ends the round: what seat 0 wins, per hand of seat 0 and 1."""

    @property
    def seat(self) -> int:
        assert self.game.ask is not None
        return self.game.ask.seat


class Solver:
    """Values under one ruleset.

    `faces` leaves bids out, for published games of that kind; `error` is how far the middle of the
    bounds may be off in a round that is too large for linear programming.
    """

    def __init__(self, rules: Ruleset, *, faces: Sequence[int] = ALL_FACES, error: float = 5e-4) -> None:
        self._rules = rules
        self._faces = faces
        self._error = error
        self._known: dict[Position, Value] = {}

    def value(self, start: Position) -> Value:
        """What the seat on turn at `start` wins on average: 1 a won game, -1 a lost one.

        Both seats play optimally. Raises RecursionError where a lost die can be regained.
        """
        if start.to_act == 1:  # two seats: who sits where does not matter
            start = Position(
                start.dice[::-1],
                0,
                start.standing,
                start.palifico,
                frozenset(1 - seat for seat in start.former),
            )
        if start not in self._known:
            self._known[start] = self._solve(start)
        return self._known[start]

    def _solve(self, start: Position) -> Value:
        chances = [hands_of(held) for held in start.dice]
        moments = self._lay_out(start)
        error = 0.0
        for moment in moments:
            for index in moment.ends:
                matrix = np.zeros((len(chances[0]), len(chances[1])))
                for (i, mine), (j, other) in itertools.product(
                    enumerate(chances[0]), enumerate(chances[1])
                ):
                    end = moment.game.copy()
                    end.round.hands = (mine, other)
                    end.answer(moment.calls[index])
                    worth = self._worth(end)
                    matrix[i, j] = worth.middle
                    error = max(error, worth.error)
                moment.ends[index] = matrix
        weights = [np.array(list(chance.values())) for chance in chances]
        if sum(moment.size for moment in moments) <= LARGEST_LP:
            exact = linear_program(moments, weights)
            found = Value(exact, exact)
        else:
            found = Regrets(moments, weights).solve(self._error)
        return Value(found.low - error, found.high + error)

    def _worth(self, end: Game) -> Value:
        """For seat 0, of the game after the end of a round."""
        if end.over:
            won = float(end.places[1] - end.places[0])
            return Value(won, won)
        ask = _ask(end)
        value = self.value(
            Position(tuple(end.dice), ask.seat, None, end.palifico, frozenset(end.former))
        )
        return value if ask.seat == 0 else -value

    def _lay_out(self, start: Position) -> list[_Moment]:
        """The moments of the round, in order of play."""
        hidden = [(2,) * held for held in start.dice]
        root = self._moment(Game(self._rules, 2, lambda number, dice: hidden, position=start))
        known: dict[tuple[object, ...], _Moment] = {}
        order: list[_Moment] = []

        def explore(moment: _Moment) -> None:
            for index, call in enumerate(moment.calls):
                after = moment.game.copy()
                after.answer(call)
                if after.over or len(after.rounds) > len(moment.game.rounds):
                    moment.ends[index] = np.empty(0)
                    continue
                key = (after.standing, after.palifico, after.ask)
                if key not in known:
                    known[key] = self._moment(after)
                    explore(known[key])
                moment.next[index] = (known[key], slice(0))
            order.append(moment)

        explore(root)
        order.reverse()
        root.size = 1
        for number, moment in enumerate(order):
            moment.number = number
            for index, (after_it, _) in moment.next.items():
                begin = after_it.size
                after_it.size += moment.size
                moment.next[index] = (after_it, slice(begin, after_it.size))
        return order

    def _moment(self, game: Game) -> _Moment:
        ask = _ask(game)
        least = list(ask.minimums)
        if ask.tabba_minimums is not None:
            least = [min(pair) for pair in zip(least, ask.tabba_minimums, strict=True)]
        bids: list[Call] = [Bid(q, f) for f in self._faces for q in range(least[f - 1], ask.maximum + 1)]
        assert Word.PASS not in ask.words
        return _Moment(game, [*bids, *ask.words])


def _ask(game: Game) -> Ask:
    assert game.ask is not None
    return game.ask


def linear_program(moments: Sequence[_Moment], weights: Sequence[Array]) -> float:
    """The value for seat 0, by the sequence form.

    Columns: the plan of seat 0 (per sequence and hand, how likely he plays his part of it), of which
    column 0 stands for the empty sequence; and per information set of seat 1 what seat 1 concedes
    from there. Rows: per sequence and hand of seat 1, that he concedes at his information set no
    more than any of his calls yields there; row 0, his empty sequence, is what seat 0 maximises.
    """
    hands = [len(weight) for weight in weights]
    chance = np.outer(weights[0], weights[1])
    columns, rows = 1, 1
    column_of: dict[int, Indices] = {0: np.zeros((1, hands[0]), np.int64)}
    row_of: dict[int, Indices] = {0: np.zeros((1, hands[1]), np.int64)}
    for moment in moments[1:]:
        column_of[moment.number] = np.zeros((moment.size, hands[0]), np.int64)
        row_of[moment.number] = np.zeros((moment.size, hands[1]), np.int64)
    payoff: list[tuple[Indices, Indices, Array]] = []
    flow: list[tuple[Indices, Indices, Array]] = []
    flows = 0
    conceded: list[Indices] = [np.zeros(0, np.int64)]

    def entry(
        into: list[tuple[Indices, Indices, Array]], row: Indices, column: Indices, x: Array
    ) -> None:
        shape = np.broadcast_shapes(row.shape, column.shape, x.shape)
        into.append(
            (
                np.broadcast_to(row, shape).ravel(),
                np.broadcast_to(column, shape).ravel(),
                np.broadcast_to(x, shape).ravel(),
            )
        )

    one = np.ones(1)
    for moment in moments:
        column, row = column_of[moment.number], row_of[moment.number]
        mine = hands[moment.seat]
        if moment.seat == 0:
            here = flows + np.arange(moment.size * mine, dtype=np.int64).reshape(moment.size, mine)
            flows += here.size
            entry(flow, here, column, -one)
        else:
            here = columns + np.arange(moment.size * mine, dtype=np.int64).reshape(moment.size, mine)
            columns += here.size
            conceded.append(here.ravel())
            entry(payoff, row, here, one)
        for index in range(len(moment.calls)):
            ahead_column, ahead_row = column, row
            if moment.seat == 0:
                ahead_column = columns + np.arange(here.size, dtype=np.int64).reshape(here.shape)
                columns += here.size
                entry(flow, here, ahead_column, one)
            else:
                ahead_row = rows + np.arange(here.size, dtype=np.int64).reshape(here.shape)
                rows += here.size
                entry(payoff, ahead_row, here, -one)
            if index in moment.ends:
                won = chance * moment.ends[index]
                entry(payoff, ahead_row[:, None, :], ahead_column[:, :, None], won[None])
            else:
                after, block = moment.next[index]
                column_of[after.number][block] = ahead_column
                row_of[after.number][block] = ahead_row

    def matrix(entries: list[tuple[Indices, Indices, Array]], height: int) -> coo_array:
        row, column, x = (np.concatenate(part) for part in zip(*entries, strict=True))
        return coo_array((x, (row, column)), shape=(height, columns))

    yields = matrix(payoff, rows).tocsr()
    free = np.zeros(columns, bool)
    free[np.concatenate(conceded)] = True
    low = np.where(free, -np.inf, 0.0)
    high = np.full(columns, np.inf)
    low[0] = high[0] = 1.0
    found = linprog(
        -yields[[0]].toarray()[0],
        A_ub=-yields[1:],
        b_ub=np.zeros(rows - 1),
        A_eq=matrix(flow, flows).tocsr(),
        b_eq=np.zeros(flows),
        bounds=np.column_stack([low, high]),
        method="highs-ipm",
    )
    assert found.status == 0, found.message
    return -float(found.fun)


class Regrets:
    """Discounted CFR on a laid-out round; arrays are (call, history, hand of the seat asked).

    It learns in single precision, which is twice as fast; the bounds are found in double.
    """

    def __init__(self, moments: Sequence[_Moment], weights: Sequence[Array]) -> None:
        self._moments = moments
        self._weights = weights
        shapes = [(len(m.calls), m.size, len(weights[m.seat])) for m in moments]
        self._regret = [np.zeros(shape, np.float32) for shape in shapes]
        self._total = [np.zeros(shape, np.float32) for shape in shapes]
        self._payoff = [
            {index: (won.T.copy(), -won) for index, won in moment.ends.items()} for moment in moments
        ]

    def solve(self, error: float) -> Value:
        """Bounds for seat 0, not more than twice `error` apart."""
        plan = [_normal(regret) for regret in self._regret]
        for number in itertools.count(1):
            for seat in (0, 1):
                self._learn(seat, plan, number)
            if number % 25 == 0:
                average = [_normal(total.astype(np.float64)) for total in self._total]
                found = Value(-self._best(1, average), self._best(0, average))
                if found.error <= error:
                    return found
        raise AssertionError

    def _learn(self, seat: int, plan: list[Floats], number: int) -> None:
        """Change the plan of `seat`. Discounts: alpha 3/2, beta 0, gamma 2, as the paper advises."""
        worth, _ = self._values(seat, plan)
        kept = np.float32(number**1.5 / (number**1.5 + 1))
        reach: list[Floats] = [
            np.ones((m.size, len(self._weights[seat])), np.float32) for m in self._moments
        ]
        for moment in self._moments:
            here = moment.number
            ahead = reach[here]
            if moment.seat == seat:
                regret = self._regret[here]
                regret *= np.where(regret > 0, kept, np.float32(0.5))
                regret += worth[here]
                plan[here] = _normal(np.maximum(regret, 0))
                ahead = plan[here] * reach[here]
                self._total[here] *= np.float32((number / (number + 1)) ** 2)
                self._total[here] += ahead
            for index, (after, block) in moment.next.items():
                reach[after.number][block] = ahead[index] if moment.seat == seat else ahead

    def _reach(self, seat: int, plan: list[Floats]) -> list[Floats]:
        """How likely `seat` holds what he holds and plays his part of each history, per moment."""
        kind = plan[0].dtype
        reach: list[Floats] = [np.empty((m.size, len(self._weights[seat])), kind) for m in self._moments]
        reach[0][:] = self._weights[seat]
        for moment in self._moments:
            ahead = reach[moment.number]
            if moment.seat == seat:
                ahead = ahead * plan[moment.number]
            for index, (after, block) in moment.next.items():
                reach[after.number][block] = ahead[index] if moment.seat == seat else ahead
        return reach

    def _values(
        self, seat: int, plan: list[Floats], best: bool = False
    ) -> tuple[dict[int, Floats], Floats]:
        """What each call of `seat` yields more than his plan, and what the round yields him.

        Both against the other's plan, and times the other's reach. `best`: if he follows the best
        calls instead of his plan.
        """
        reach = self._reach(1 - seat, plan)
        gains: dict[int, Floats] = {}
        worth: dict[int, Floats] = {}
        for moment in reversed(self._moments):
            here = moment.number
            kind = reach[here].dtype
            mine = moment.seat == seat
            calls: list[Floats] = []
            for index in range(len(moment.calls)):
                if index in moment.ends:
                    ahead = reach[here] if mine else reach[here] * plan[here][index]
                    calls.append(ahead @ self._payoff[here][index][seat].astype(kind, copy=False))
                else:
                    after, block = moment.next[index]
                    calls.append(worth[after.number][block])
            if not mine:
                worth[here] = calls[0].copy()
                for call in calls[1:]:
                    worth[here] += call
                continue
            yields = np.stack(calls)
            worth[here] = yields.max(0) if best else (yields * plan[here]).sum(0)
            yields -= worth[here]
            gains[here] = yields
        return gains, worth[0]

    def _best(self, seat: int, plan: list[Floats]) -> float:
        """What `seat` wins at most against the other's plan."""
        _, worth = self._values(seat, plan, best=True)
        return float((worth * self._weights[seat]).sum())


def _normal(positive: Floats) -> Floats:
    """As probabilities over the first axis: in proportion, or uniform where all are 0."""
    total = positive.sum(0)
    chances = np.full_like(positive, 1 / len(positive))
    np.divide(positive, total, out=chances, where=total > 0)
    return chances
