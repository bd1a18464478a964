"""The difference that a stopped test saw: against fishtest, against limits, and by simulation."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.score import NELO, Tally, elo_of, estimate, score_of
from arena.rating.sprt import bounds
from arena.rating.stopped import score_when_stopped, worse_outcome
from benchmarks.stopped_elo import stopped
from tests.rating.published import FISHTEST_STOPPED

BOUNDS = bounds(0.05, 0.05)


@pytest.mark.parametrize(("counts", "model", "elo0", "elo1", "expected"), FISHTEST_STOPPED)
def test_fishtest(
    counts: tuple[int, ...], model: str, elo0: float, elo1: float, expected: tuple[float, float, float]
) -> None:
    blocks = Tally(counts, 2)
    scores = score_of(elo0), score_of(elo1)
    if model == "normalized":
        per_elo = sqrt(2 * blocks.moment(2)) / NELO
        scores = 0.5 + elo0 * per_elo, 0.5 + elo1 * per_elo
    found = score_when_stopped(blocks, scores, BOUNDS)
    assert found is not None
    assert [elo_of(score) for score in found] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("drift", [-0.05, -0.001, 0.02])
def test_in_the_end_it_has_left_at_one_of_the_bounds(drift: float) -> None:
    """The chance to leave at the lower bound (gambler's ruin); all that is worse than the upper one."""
    lower, upper, sigma = -2.0, 3.0, 0.3
    turn = -2 * drift / sigma**2
    ruin = (exp(turn * upper) - 1) / (exp(turn * upper) - exp(turn * lower))
    assert worse_outcome(5000, lower, lower, upper, drift, sigma) == pytest.approx(ruin, abs=1e-9)
    assert worse_outcome(5000, upper, lower, upper, drift, sigma) == pytest.approx(ruin, abs=1e-9)


def test_far_from_the_bounds_it_is_the_normal_law() -> None:
    assert worse_outcome(4, 0.5, -50, 50, 0.0, 0.25) == pytest.approx(0.8413447, abs=1e-6)


def test_it_is_the_share_of_simulated_paths() -> None:
    lower, upper, drift, sigma, time, at = -1.0, 1.5, 0.02, 0.5, 4.0, 0.4
    rng = np.random.default_rng(2)
    steps, paths = 1600, 4000
    path = rng.normal(drift * time / steps, sigma * sqrt(time / steps), (paths, steps)).cumsum(axis=1)
    out = (path <= lower) | (path >= upper)
    first = out.argmax(axis=1)
    left = out.any(axis=1)
    ended = path[np.arange(paths), np.where(left, first, steps - 1)]
    share = np.mean(np.where(left, ended <= lower, ended <= at))
    assert worse_outcome(time, at, lower, upper, drift, sigma) == pytest.approx(share, abs=0.03)


@given(
    st.floats(0.5, 3000),
    st.floats(0, 1),
    st.floats(-0.5, 0.5),
    st.floats(0.001, 0.2),
    st.floats(0.03, 1),
)
def test_it_falls_with_the_drift(
    time: float, where: float, drift: float, more: float, sigma: float
) -> None:
    lower, upper = BOUNDS
    at = lower + where * (upper - lower)
    less, greater = (worse_outcome(time, at, lower, upper, d, sigma) for d in (drift, drift + more))
    assert 0 <= greater <= less + 1e-9 <= 1 + 1e-9


def test_too_little_to_tell() -> None:
    assert score_when_stopped(Tally((0, 0, 0), 1), (0.5, 0.6), BOUNDS) is None
    assert score_when_stopped(Tally((0, 9, 0), 1), (0.5, 0.6), BOUNDS) is None


@pytest.mark.parametrize("true", [0.0, 50.0, 120.0])
def test_half_of_all_estimates_are_too_high_and_the_interval_covers(true: float) -> None:
    """Of tests of 0 against 80 Elo. The plain estimate is too high in a third of the cases where H0
    holds, and in two thirds where the difference is above H1."""
    above = plain = inside = 0
    tallies = stopped(true, 80, 300, np.random.default_rng(11))
    for blocks in tallies:
        naive = estimate(blocks)
        found = score_when_stopped(blocks, (0.5, score_of(80)), BOUNDS)
        assert naive is not None
        assert found is not None
        above += int(found[0] > score_of(true))
        plain += int(naive.score > score_of(true))
        inside += int(found[1] <= score_of(true) <= found[2])
    tests = len(tallies)
    assert above / tests == pytest.approx(0.5, abs=0.09)
    assert abs(above / tests - 0.5) <= abs(plain / tests - 0.5) + 0.03
    assert inside / tests >= 0.92
