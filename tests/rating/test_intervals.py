"""The bootstrap: strata, seeds, anchors, coverage."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from arena.rating import Ratings, rate, superiority
from arena.rating.blocks import aggregate
from arena.rating.bootstrap import interval
from arena.rating.plackett_luce import ELO
from tests.rating.tables import make, played, simulated

PAIRS = list(combinations(range(4), 2))
THETA = np.array([0.5, 0.2, -0.1, -0.6])
FOUR = simulated(THETA, PAIRS, 20, seed=5)


def numbers(ratings: Ratings) -> list[tuple[float | None, float | None, float | None]]:
    return [(row.rating, row.low, row.high) for row in ratings.rows]


def test_same_seed_same_numbers() -> None:
    assert numbers(rate(FOUR, seed=3)) == numbers(rate(FOUR, seed=3))
    assert numbers(rate(FOUR, seed=3)) != numbers(rate(FOUR, seed=4))


def test_blocks_are_resampled_within_their_line_up() -> None:
    blocks = aggregate(played(*["a b", "b a", "a b"] * 2, *["b c", "c b"] * 4))
    weights = blocks.resample(np.random.default_rng(0), 500)
    for stratum, size in zip(np.unique(blocks.stratum), (6, 8), strict=True):
        drawn = weights[blocks.stratum == stratum]
        assert drawn.sum(axis=0) == pytest.approx(size)  # n - 1 draws of weight n / (n - 1)
        assert np.unique(np.round(drawn * (size - 1) / size, 9)).tolist() == list(range(size))


def test_blocks_that_ended_alike_tell_little_of_the_variance() -> None:
    def freedom(*games: str) -> list[float]:
        return [float(each) for each in aggregate(played(*games)).freedom]

    orders = ["a b c", "a c b", "b a c", "b c a", "c a b"]
    assert freedom(*orders) == [4.0] * 3  # all different: blocks less line-ups
    assert freedom(*["a b"] * 10, *["b a"] * 10) == [19.0] * 2
    assert freedom(*["a b"] * 16, *["b a"] * 4) == [10.0] * 2  # 2 * 4 * 20 / 16
    assert freedom(*["a b"] * 20) == [0.0] * 2


def test_resampling_has_the_variance_of_a_sum_over_blocks() -> None:
    # 1, 1, 1, 0 of 4: the unbiased estimate of the variance of the sum is 4 * s^2 = 4 * 1/4.
    blocks = aggregate(played("a b", "a b", "a b", "b a"))
    weights = blocks.resample(np.random.default_rng(0), 20_000)
    assert weights[0].var() == pytest.approx(1.0, rel=0.05)


def test_line_ups_with_few_blocks_are_resampled_together() -> None:
    together = aggregate(played("a b", "b c", "c a", *["a d", "d a"] * 3))
    assert np.bincount(together.stratum, together.count).tolist() == [3, 0, 6]
    lone = aggregate(played(*["a b", "b a", "a b"] * 2, *["b c", "c b"] * 4, "c a"))
    assert sorted(np.bincount(lone.stratum, lone.count)) == [0, 7, 8]
    note = "Line-ups with fewer than 5 blocks are resampled together, as one."
    assert note in rate(played("a b", "b c", "c a")).notes


def test_equal_blocks_become_one_row() -> None:
    blocks = aggregate(FOUR)
    assert len(blocks.count) <= 3 * len(PAIRS)
    assert blocks.count.sum() == 20 * len(PAIRS)


def test_playing_each_block_twice_over_is_no_new_evidence() -> None:
    games = ["a b", "b c", "c a", "a c", "a b"] * 12
    once = played(*games)
    twice = played(*games, *games)
    copied = make(twice.bots, twice.seats, twice.places, twice.block % len(once))
    assert np.array(numbers(rate(copied))) == pytest.approx(np.array(numbers(rate(once))))


def test_mean_anchor() -> None:
    ratings = rate(FOUR, anchor_value=1000)
    assert np.mean([row.rating or 0 for row in ratings.rows]) == pytest.approx(1000)
    assert ratings.draws.mean(axis=1) == pytest.approx(1000)


def test_named_anchor_is_exact_and_the_others_relative_to_it() -> None:
    free, held = rate(FOUR), rate(FOUR, anchor="bot1", anchor_value=800)
    assert held.anchor == "bot1"
    assert (held["bot1"].rating, held["bot1"].low, held["bot1"].word) == (800, None, "anchor")
    for bot in ("bot0", "bot2", "bot3"):
        difference = (free[bot].rating or 0) - (free["bot1"].rating or 0)
        assert held[bot].rating == pytest.approx(800 + difference)
    assert held.draws - 800 == pytest.approx(free.draws - free.draws[:, [1]])


def test_more_blocks_narrow_the_interval() -> None:
    def width(blocks: int) -> float:
        row = rate(simulated(THETA, PAIRS, blocks, seed=1))["bot0"]
        assert row.low is not None
        assert row.high is not None
        return row.high - row.low

    assert width(160) == pytest.approx(width(40) / 2, rel=0.2)


def test_percentiles_are_outer_and_infinity_is_a_bound() -> None:
    draws = np.arange(41.0)[:, None]
    many = np.array([np.inf])
    assert np.concatenate(interval(draws, 0.95, many)).tolist() == [1, 39]
    draws[:2] = -np.inf
    low, high = interval(draws, 0.95, many)
    assert (low[0], high[0]) == (-np.inf, 39)


def test_with_few_blocks_the_percentiles_lie_further_out() -> None:
    draws = np.tile(np.linspace(0, 1, 10_001)[:, None], 2)
    low, high = interval(draws, 0.95, np.array([19, np.inf]))
    expected = stats.norm.cdf(stats.t.ppf(0.025, 19))
    assert low == pytest.approx([expected, 0.025], abs=2e-4)
    assert high == pytest.approx([1 - expected, 0.975], abs=2e-4)


def test_superiority() -> None:
    ratings = rate(FOUR)
    share = superiority(ratings)
    assert share.shape == (4, 4)
    assert np.isnan(np.diag(share)).all()
    off = ~np.eye(4, dtype=bool)
    assert (share + share.T)[off] == pytest.approx(1)
    assert share[0, 3] > 0.99
    above = np.sign(ratings.draws[:, 0] - ratings.draws[:, 1])
    assert share[0, 1] == pytest.approx((above.mean() + 1) / 2)


def test_superiority_is_unknown_without_draws() -> None:
    share = superiority(rate(played(*["a b", "b a", "a b"] * 10, "c a")))
    assert not np.isnan(share[0, 1])
    assert np.isnan(share[2]).all()
    assert np.isnan(superiority(rate(FOUR, replicates=0))).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"confidence": 1.0}, "confidence"),
        ({"replicates": -1}, "replicates"),
        ({"anchor": "nobody"}, "no bot is called 'nobody'"),
    ],
)
def test_bad_arguments(change: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rate(FOUR, **change)  # type: ignore[arg-type]


def test_unknown_bot() -> None:
    with pytest.raises(KeyError):
        rate(FOUR)["nobody"]


@pytest.mark.parametrize(
    ("lineups", "blocks"),
    [
        pytest.param([(0, 1, 2, 3)], 30, id="one table of four"),
        pytest.param(PAIRS, 10, id="six pairs"),
        pytest.param([(0, 1, 2, 3), (0, 1), (1, 2, 3)], 12, id="mixed sizes"),
        pytest.param([*combinations(range(4), 3)] * 6, 1, id="sparse"),
    ],
)
def test_coverage(lineups: list[tuple[int, ...]], blocks: int) -> None:
    """About 95 of 100 intervals hold the truth (more runs measured 92 to 95)."""
    truth = 1500 + ELO * (THETA - THETA.mean())
    covered = []
    for seed in range(100):
        results = simulated(THETA, lineups, blocks, seed)
        rows = rate(results, replicates=200, seed=seed, min_blocks=18).rows
        for row, value in zip(rows, truth, strict=True):
            assert row.low is not None
            assert row.high is not None
            covered.append(row.low <= value <= row.high)
    assert 0.88 <= np.mean(covered) <= 0.99
