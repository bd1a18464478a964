"""Tests of the BayesElo model, as other programs have them."""

from __future__ import annotations

from math import erf, sqrt

import pytest

from arena.rating.bayeselo import (
    log_likelihood_ratio_bayesian,
    log_likelihood_ratio_cutechess,
    los_without_draws,
)
from tests.rating.published import (
    CUTECHESS_SPRT,
    FASTCHESS_BAYESIAN,
    FISHTEST_BAYESELO,
    OPENBENCH_TRINOMIAL,
    STOCKFISH_BAYESELO,
)

Counts = tuple[int, int, int]


@pytest.mark.parametrize(("counts", "expected"), CUTECHESS_SPRT)
def test_cutechess(counts: Counts, expected: float) -> None:
    assert log_likelihood_ratio_cutechess(counts, 0, 10) == pytest.approx(expected, abs=0.01)


def test_openbench() -> None:
    counts, elo0, elo1, expected = OPENBENCH_TRINOMIAL
    assert log_likelihood_ratio_bayesian(counts, elo0, elo1) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "expected"), FASTCHESS_BAYESIAN)
def test_fastchess(counts: Counts, elo0: float, elo1: float, expected: float) -> None:
    assert log_likelihood_ratio_bayesian(counts, elo0, elo1) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "expected"), FISHTEST_BAYESELO)
def test_fishtest(counts: Counts, elo0: float, elo1: float, expected: float) -> None:
    assert log_likelihood_ratio_bayesian(counts, elo0, elo1) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(("_", "counts", "elo0", "elo1", "expected"), STOCKFISH_BAYESELO)
def test_stockfish(_: str, counts: Counts, elo0: float, elo1: float, expected: float) -> None:
    found = log_likelihood_ratio_bayesian(counts, elo0, elo1)
    assert found == pytest.approx(expected, abs=0.0051)  # two digits are printed


def test_los_without_draws() -> None:
    assert los_without_draws((5, 100, 5)) == 0.5
    assert los_without_draws((96, 111, 136)) == pytest.approx(0.5 + erf(40 / sqrt(464)) / 2)
    assert los_without_draws((0, 3, 0)) is None


@pytest.mark.parametrize("counts", [(0, 0, 9), (0, 9, 0), (9, 0, 0), (0, 0, 0)])
def test_counts_of_zero_are_no_error(counts: Counts) -> None:
    assert abs(log_likelihood_ratio_bayesian(counts, 0, 10)) < 10
    assert abs(log_likelihood_ratio_cutechess(counts, 0, 10)) < 10
