"""Pairs against the order of the ratings, and the test of one scale."""

from __future__ import annotations

import os
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from arena.rating import from_orders, one_scale, rate, upsets
from arena.rating.upsets import _holm
from tests.rating.tables import played, simulated

CIRCLE = from_orders(
    [["a", "b"]] * 40
    + [["b", "a"]] * 20
    + [["b", "c"]] * 40
    + [["c", "b"]] * 20
    + [["c", "a"]] * 38
    + [["a", "c"]] * 22
)


def test_a_circle_has_an_upset_and_no_scale() -> None:
    (found,) = upsets(CIRCLE, rate(CIRCLE))
    assert (found.winner, found.loser, found.blocks) == ("c", "a", 60)
    assert found.score == pytest.approx(38 / 60)
    wins = np.repeat([1.0, 0.0], [38, 22])
    assert found.p == pytest.approx(stats.ttest_1samp(wins, 0.5).pvalue)
    # of three pairs this one is the least sure, so Holm leaves it as it is
    assert found.p_holm == pytest.approx(found.p)
    assert found.rated_below > 0
    assert found.low > 0.5
    p = one_scale(CIRCLE)
    assert p is not None
    assert p < 0.005


def test_holm_agrees_with_its_steps() -> None:
    assert _holm(np.array([0.01, 0.04, 0.03, 0.005])).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert _holm(np.array([0.9, 0.6])).tolist() == [1, 1]


def test_a_whitewash_against_the_order_is_tested_exactly() -> None:
    games = ["a b", "b a"] * 5 + ["b c"] * 25 + ["c a"] * 20 + ["a d", "d c"] * 40 + ["d a", "c d"] * 4
    results = played(*games)
    found = {(upset.winner, upset.loser): upset for upset in upsets(results, rate(results))}
    upset = found["c", "a"]
    assert (upset.score, upset.high) == (1, 1)
    assert upset.p == pytest.approx(stats.binomtest(20, 20).pvalue)
    assert upset.p_holm >= upset.p


def test_few_blocks_have_a_score_but_no_test() -> None:
    results = played(*["a b", "b a", "a b"] * 10, *["b c", "c b", "b c"] * 10, "c a", "c a", "a c")
    (upset,) = upsets(results, rate(results))
    assert (upset.winner, upset.loser, upset.blocks) == ("c", "a", 3)
    assert np.isnan([upset.low, upset.high, upset.p, upset.p_holm]).all()


def test_nothing_can_contradict_a_chain() -> None:
    results = played(*["a b", "b a", "a b"] * 10, *["b c", "c b", "b c"] * 10)
    assert one_scale(results) is None
    assert upsets(results, rate(results)) == []
    assert one_scale(played("a b")) is None


@pytest.mark.soak
@pytest.mark.parametrize(
    ("theta", "lineups", "blocks"),
    [
        pytest.param(np.array([0.5, 0.2, -0.1, -0.6]), list(combinations(range(4), 2)), 20, id="pairs"),
        pytest.param(np.array([0.5, 0.2, -0.1, -0.6]), [(0, 1, 2, 3)], 40, id="table of four"),
        pytest.param(np.linspace(-0.7, 0.7, 6), list(combinations(range(6), 3)), 5, id="threes"),
    ],
)
def test_one_scale_is_rejected_by_chance_in_5_of_100(
    theta: np.ndarray[tuple[int], np.dtype[np.float64]], lineups: list[tuple[int, ...]], blocks: int
) -> None:
    runs = 600 if os.environ.get("ARENA_SOAK") else 40
    p = np.array([one_scale(simulated(theta, lineups, blocks, s), 200, s) for s in range(runs)], float)
    for level in (0.05, 0.2):
        assert abs((p <= level).mean() - level) < 3 * np.sqrt(level * (1 - level) / runs) + 0.02
