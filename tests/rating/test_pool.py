"""Results of several tournaments together, and results written down by hand."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating import from_crosstable, from_orders, pool, rate
from tests.rating.tables import make, played, simulated


def test_orders_are_what_they_say() -> None:
    results = from_orders([["b", "a"], [["a", "c"], "b"]], blocks=[4, 9])
    assert results.bots == ("a", "b", "c")
    assert results.seats.tolist() == [[1, 0, -1], [0, 2, 1]]
    assert results.places.tolist() == [[1, 2, 0], [1, 1, 3]]
    assert results.block.tolist() == [4, 9]
    assert results.lineup.tolist() == [0, 1]
    assert results.complete.all()
    assert not results.forfeited.any()


def test_orders_of_one_block_need_the_same_bots() -> None:
    with pytest.raises(ValueError, match=r"two line-ups \(game 1\)"):
        from_orders([["a", "b"], ["a", "c"]], blocks=[0, 0])
    with pytest.raises(ValueError, match="twice"):
        from_orders([["a", "a"]])
    assert len(from_orders([])) == 0


def test_a_crosstable_is_its_games() -> None:
    wins = [[0, 2, 0], [1, 0, 1], [1, 0, 0]]
    table = from_crosstable(["a", "b", "c"], np.array(wins), np.array([[0, 0, 3], [0, 0, 0], [9, 0, 0]]))
    games = ["a b"] * 2 + ["b a", "b c", "c a"] + ["a=c"] * 3
    expected = rate(played(*games), replicates=0)
    assert len(table) == len(games)
    for row in rate(table, replicates=0).rows:
        assert row.rating == pytest.approx(expected[row.bot].rating)


def test_pooling_halves_gives_the_whole() -> None:
    whole = simulated(np.array([0.5, 0.0, -0.4]), [(0, 1, 2), (0, 1)], 20, seed=3)
    half = whole.block % 2 == 0
    parts = [
        make(whole.bots, whole.seats[some], whole.places[some], whole.block[some] * 7)
        for some in (half, ~half)
    ]
    together = pool(parts)
    assert len(np.unique(together.block)) == len(np.unique(whole.block))
    for one, other in zip(rate(together).rows, rate(whole).rows, strict=True):
        assert one.rating == pytest.approx(other.rating, abs=1e-6)
        assert (one.games, one.blocks) == (other.games, other.blocks)


def test_pooling_tables_of_different_sizes_and_bots() -> None:
    together = pool([played("c a"), played("a b d=c")])
    assert together.bots == ("a", "c", "b", "d")
    assert together.seats.tolist() == [[1, 0, -1, -1], [0, 2, 3, 1]]
    assert together.places.tolist() == [[1, 2, 0, 0], [1, 2, 3, 3]]
    assert together.block.tolist() == [0, 1]
    assert len(pool([])) == 0
