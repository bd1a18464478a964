"""Who finishes above whom."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from arena.rating import head_to_head
from arena.rating.score import Tally, estimate
from tests.rating.tables import make, played, simulated


def test_shares_ties_and_never_met() -> None:
    found = head_to_head(played("a b=c", "b a c", "c d"))
    expected = [
        [np.nan, 0.5, 1.0, np.nan],
        [0.5, np.nan, 0.75, np.nan],
        [0.0, 0.25, np.nan, 1.0],
        [np.nan, np.nan, 0.0, np.nan],
    ]
    np.testing.assert_array_equal(found.score, expected)
    assert found.blocks.tolist() == [[0, 2, 2, 0], [2, 0, 2, 0], [2, 2, 0, 1], [0, 0, 1, 0]]
    assert np.isnan(found.low).all()  # too few blocks
    assert not found.significant.any()


def test_interval_is_students_t_on_block_means() -> None:
    games = played(*["a b", "a b"] * 14, *["a b", "b a"] * 8, *["b a", "b a"] * 3)
    results = make(games.bots, games.seats, games.places, games.block // 2)
    means = np.array([1.0] * 14 + [0.5] * 8 + [0.0] * 3)
    low, high = stats.t.interval(0.95, 24, means.mean(), stats.sem(means))
    found = head_to_head(results)
    assert found.blocks[0, 1] == 25
    assert (found.low[0, 1], found.high[0, 1]) == pytest.approx((low, high))
    assert (found.low[1, 0], found.high[1, 0]) == pytest.approx((1 - high, 1 - low))
    assert found.significant[0, 1]
    assert found.significant[1, 0]


def test_whitewash_has_the_exact_bound() -> None:
    found = head_to_head(played(*["a b"] * 20))
    expected = stats.binomtest(20, 20).proportion_ci(0.95, "exact")
    assert (found.low[0, 1], found.high[0, 1]) == pytest.approx((expected.low, 1))
    assert (found.low[1, 0], found.high[1, 0]) == pytest.approx((0, 1 - expected.low))
    assert found.significant[0, 1]


@pytest.mark.parametrize(("swept", "split", "lost"), [(40, 0, 1), (40, 4, 0), (20, 3, 3), (2, 1, 30)])
def test_interval_is_that_of_a_duel(swept: int, split: int, lost: int) -> None:
    games = played(*["a b", "a b"] * swept, *["a b", "b a"] * split, *["b a", "b a"] * lost)
    found = head_to_head(make(games.bots, games.seats, games.places, games.block // 2))
    duel = estimate(Tally((lost, split, swept), 2))
    assert duel is not None
    assert (found.low[0, 1], found.high[0, 1]) == pytest.approx((duel.low, duel.high))
    assert (found.low[1, 0], found.high[1, 0]) == pytest.approx(
        (1 - found.high[0, 1], 1 - found.low[0, 1])
    )


def test_blocks_all_split_have_no_interval() -> None:
    games = played("a b", "b a", repeat=30)
    found = head_to_head(make(games.bots, games.seats, games.places, games.block // 2))
    assert found.score[0, 1] == 0.5
    assert np.isnan(found.low[0, 1])
    assert not found.significant[0, 1]


def test_incomplete_blocks_do_not_count() -> None:
    results = played("a b", "b a")
    found = head_to_head(replace(results, complete=np.array([True, False])))
    assert found.score[0, 1] == 1


def test_shares_agree_with_the_model() -> None:
    # Luce's axiom: the order of two bots does not depend on who else is at the table.
    results = simulated(np.array([0.5, 0.0, -1.0]), [(0, 1, 2), (0, 1)], 400, seed=0)
    assert head_to_head(results).score[0, 1] == pytest.approx(1 / (1 + np.exp(-0.5)), abs=0.03)


def test_no_games() -> None:
    assert np.isnan(head_to_head(played(bots="ab")).score).all()


@pytest.mark.parametrize("change", [{"confidence": 0.0}, {"min_blocks": 1}])
def test_bad_arguments(change: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        head_to_head(played("a b"), **change)  # type: ignore[arg-type]
