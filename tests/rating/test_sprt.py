"""The sequential test: against other programs, against a general optimiser, and by its symmetries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, NonlinearConstraint, minimize

from arena.rating.results import Floats
from arena.rating.score import NELO, score_of
from arena.rating.sprt import bounds, log_likelihood_ratio
from tests.rating.published import FASTCHESS_SPRT, FISHTEST_SPRT, OPENBENCH_SPRT, STOCKFISH_SPRT

COUNTS = st.lists(st.integers(0, 300), min_size=2, max_size=9).filter(any)


def games_of(counts: tuple[int, ...]) -> int:
    return {3: 1, 5: 2}[len(counts)]


@pytest.mark.parametrize(("counts", "model", "elo0", "elo1", "expected"), FASTCHESS_SPRT)
def test_fastchess(
    counts: tuple[int, ...], model: str, elo0: float, elo1: float, expected: float
) -> None:
    found = log_likelihood_ratio(counts, games_of(counts), elo0, elo1, model)
    assert found == pytest.approx(expected, rel=0.01, abs=0.005)


@pytest.mark.parametrize(("counts", "model", "elo0", "elo1", "expected"), FISHTEST_SPRT)
def test_fishtest(
    counts: tuple[int, ...], model: str, elo0: float, elo1: float, expected: float
) -> None:
    found = log_likelihood_ratio(counts, 2, elo0, elo1, model)
    assert found == pytest.approx(expected, rel=1e-6)


def test_openbench() -> None:
    counts, elo0, elo1, expected = OPENBENCH_SPRT
    assert log_likelihood_ratio(counts, 2, elo0, elo1, "normalized") == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("_", "counts", "model", "elo0", "elo1", "expected"), STOCKFISH_SPRT)
def test_stockfish(
    _: str, counts: tuple[int, ...], model: str, elo0: float, elo1: float, expected: float
) -> None:
    found = log_likelihood_ratio(counts, 2, elo0, elo1, model)
    assert found == pytest.approx(expected, abs=0.0051)  # two digits are printed


@pytest.mark.parametrize(
    ("alpha", "beta", "lower", "upper"),
    [(0.05, 0.05, -2.9444, 2.9444), (0.05, 0.1, -2.2513, 2.8904), (0.01, 0.01, -4.5951, 4.5951)],
)
def test_bounds(alpha: float, beta: float, lower: float, upper: float) -> None:
    assert bounds(alpha, beta) == pytest.approx((lower, upper), abs=5e-5)


def likeliest(counts: Floats, elo: float, games: int, model: str) -> float:
    """The largest log-likelihood of a distribution that H allows, found by a general optimiser."""
    scores = np.linspace(0, 1, len(counts))
    share = counts / counts.sum()
    whole = LinearConstraint(np.ones(len(counts)), 1, 1)
    if model == "logistic":
        target = score_of(elo)
        hypothesis = LinearConstraint(scores, target, target)
    else:

        def ratio(p: Floats) -> float:
            mean = p @ scores
            return float((mean - 0.5) / np.sqrt(p @ (scores - mean) ** 2))

        target = np.sqrt(games) * elo / NELO
        hypothesis = NonlinearConstraint(ratio, target, target)
    found = minimize(
        lambda p: -share @ np.log(p),
        np.full(len(counts), 1 / len(counts)),
        bounds=[(1e-9, 1)] * len(counts),
        constraints=[whole, hypothesis],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return float(-found.fun * counts.sum())


@pytest.mark.parametrize("model", ["logistic", "normalized"])
@pytest.mark.parametrize(
    ("counts", "games", "elo0", "elo1"),
    [
        ((10, 30, 25), 1, 0, 30),
        ((4, 9, 30, 12, 6), 2, -10, 40),
        ((3, 1, 8, 2, 11, 4, 9), 3, 0, 100),
        ((1, 5, 3, 9, 20), 4, -50, 150),
    ],
)
def test_a_general_optimiser_agrees(
    counts: tuple[int, ...], games: int, elo0: float, elo1: float, model: str
) -> None:
    seen = np.array(counts, float)
    expected = likeliest(seen, elo1, games, model) - likeliest(seen, elo0, games, model)
    assert log_likelihood_ratio(counts, games, elo0, elo1, model) == pytest.approx(expected, abs=2e-4)


@given(COUNTS, st.sampled_from(["logistic", "normalized"]), st.floats(1, 300), st.integers(1, 6))
def test_exchanging_sides_and_hypotheses_changes_nothing(
    counts: list[int], model: str, elo: float, games: int
) -> None:
    there = log_likelihood_ratio(counts, games, -elo / 2, elo, model)
    back = log_likelihood_ratio(counts[::-1], games, -elo, elo / 2, model)
    assert np.isfinite(there)
    assert there == pytest.approx(-back, abs=1e-5)


@given(COUNTS)
def test_a_score_beyond_a_hypothesis_speaks_for_it(counts: list[int]) -> None:
    """The nearer of two scores on the same side is the likelier one."""
    seen = np.maximum(counts, 1e-3)
    score = np.average(np.linspace(0, 1, len(counts)), weights=seen)
    ratio = log_likelihood_ratio(counts, 2, 0, 10, "logistic")
    if score >= 1 / (1 + 10 ** (-10 / 400)):
        assert ratio > -1e-9
    if score <= 1 / 2:
        assert ratio < 1e-9


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_many_tallies_at_once_are_as_one_by_one(model: str) -> None:
    counts = np.random.default_rng(0).integers(0, 40, (50, 5))
    counts[0], counts[1] = (0, 0, 9, 0, 0), (0, 0, 0, 0, 9)
    at_once = log_likelihood_ratio(counts, 2, 0, 20, model)
    one_by_one = [float(log_likelihood_ratio(each, 2, 0, 20, model)) for each in counts]
    assert at_once.tolist() == one_by_one, "to the last bit: no verdict may depend on what came at once"


def test_near_the_middle_the_usual_approximation_holds() -> None:
    counts = np.array([120, 300, 600, 320, 130])
    scores, share = np.linspace(0, 1, 5), counts / counts.sum()
    mean = share @ scores
    s0, s1 = score_of(0), score_of(10)
    close = counts.sum() * (s1 - s0) * (2 * mean - s0 - s1) / (2 * (share @ (scores - mean) ** 2))
    assert log_likelihood_ratio(counts, 2, 0, 10) == pytest.approx(close, abs=0.1)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_blocks_that_all_ended_alike_decide_something(model: str) -> None:
    """Bots that always split their blocks are equal: H0 has to be accepted at some time."""
    lower, upper = bounds(0.05, 0.05)
    assert log_likelihood_ratio((0, 0, 500, 0, 0), 2, 0, 20, model) < lower
    assert log_likelihood_ratio((0, 0, 0, 0, 500), 2, 0, 20, model) > upper
    assert log_likelihood_ratio((500, 0, 0, 0, 0), 2, 0, 20, model) < lower
