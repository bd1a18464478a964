"""The order in which things are written down does not matter."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rating import Results, head_to_head, rate
from tests.rating.tables import make, simulated

LINEUPS = [(0, 1, 2, 3), (0, 1), (1, 2, 4), (3, 4), (0, 4)]
BASE = simulated(np.linspace(-0.8, 0.8, 5), LINEUPS, 12, seed=2)
BEFORE = rate(BASE, replicates=100)
PAIRS_BEFORE = head_to_head(BASE)


def close(one: float | None, other: float | None) -> bool:
    return one is other if one is None or other is None else abs(one - other) < 1e-6


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_games_blocks_and_seats_in_any_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    games = rng.permutation(len(BASE))
    seats = rng.permuted(np.tile(np.arange(4), (len(BASE), 1)), axis=1)
    names = rng.permutation(1000)
    shuffled = Results(
        BASE.bots,
        np.take_along_axis(BASE.seats, seats, axis=1)[games],
        np.take_along_axis(BASE.places, seats, axis=1)[games],
        BASE.lineup[games],
        names[BASE.block[games]],
        BASE.complete[games],
        BASE.forfeited[games],
    )
    after = rate(shuffled, replicates=100)
    for one, other in zip(BEFORE.rows, after.rows, strict=True):
        assert (one.games, one.blocks, one.word) == (other.games, other.blocks, other.word)
        assert close(one.rating, other.rating)
        assert close(one.low, other.low)
        assert close(one.high, other.high)
    np.testing.assert_allclose(head_to_head(shuffled).low, PAIRS_BEFORE.low, atol=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(5)))
def test_bots_in_any_order(order: list[int]) -> None:
    place = np.argsort(order)
    bots = tuple(BASE.bots[i] for i in order)
    seats = np.where(BASE.seats < 0, -1, place[BASE.seats])
    after = rate(make(bots, seats, BASE.places, BASE.block), replicates=0)
    for row in BEFORE.rows:
        assert close(row.rating, after[row.bot].rating)
