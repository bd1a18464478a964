"""The fit against hand calculation, another library, and its own likelihood."""

from __future__ import annotations

import math

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

from arena.rating import Results, plackett_luce, rate
from arena.rating.blocks import aggregate
from arena.rating.plackett_luce import ELO, fit, refit
from arena.rating.results import Floats
from tests.rating.tables import played, simulated


def theta(results: Results) -> Floats:
    """Point estimates in natural units, mean 0."""
    rows = rate(results, replicates=0).rows
    assert all(row.rating is not None for row in rows)
    return np.array([(row.rating or 0.0) - 1500 for row in rows]) / ELO


def log_likelihood(results: Results, strength: Floats) -> float:
    """The definition, game by game and stage by stage."""
    total = 0.0
    for seats, places in zip(results.seats, results.places, strict=True):
        table = {int(b): int(p) for b, p in zip(seats, places, strict=True) if b >= 0}
        for bot, place in table.items():
            level = sum(p == place for p in table.values())
            weight = (level - 1) / level if place == 1 else 1.0
            present = sum(math.exp(-strength[b]) for b, p in table.items() if p <= place)
            total += weight * (-strength[bot] - math.log(present))
    return total


def test_two_players_three_to_one_is_191_points() -> None:
    rows = rate(played("a b", "a b", "b a", "a b"), replicates=0).rows
    assert rows[0].rating is not None
    assert rows[1].rating is not None
    assert rows[0].rating - rows[1].rating == pytest.approx(400 * math.log10(3), abs=1e-9)
    assert rows[0].rating + rows[1].rating == pytest.approx(3000, abs=1e-9)


def test_three_players_by_hand() -> None:
    # a and b are alike by symmetry, so let exp(-theta) be 1, 1, r. Four first exits are from all
    # three, 2 + r; two second exits from c and one other, 1 + r; c makes four exits. The
    # likelihood r^4 / (2 + r)^4 / (1 + r)^2 is highest where 4 / r = 4 / (2 + r) + 2 / (1 + r),
    # that is r^2 - 2 r - 4 = 0.
    results = played("a b c", "b a c", "a c b", "b c a")
    r = 1 + math.sqrt(5)
    found = theta(results)
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    assert found[0] - found[2] == pytest.approx(math.log(r), abs=1e-9)


def test_a_draw_is_half_a_win_each() -> None:
    drawn = theta(played("a b", "a=b", "a b"))
    assert drawn == pytest.approx(theta(played(*["a b"] * 5, "b a")), abs=1e-9)


def test_two_that_leave_together_share_one_risk_set() -> None:
    # By symmetry b = c with rate r against a's 1. "a b=c": r^2 / (1 + 2r)^2. "b=c a": a leaves
    # first, 1 / (1 + 2r), then b and c are level. Score: 2 / r = 3 * 2 / (1 + 2r), so r = 1.
    assert theta(played("a b=c", "b=c a")) == pytest.approx([0, 0, 0], abs=1e-9)
    # Two of the first kind: 4 / r = 5 * 2 / (1 + 2r), r = 2.
    found = theta(played("a b=c", "a b=c", "b=c a"))
    assert found[0] - found[1] == pytest.approx(math.log(2), abs=1e-9)


def test_the_direction_is_who_leaves_next() -> None:
    games = ["a b c", "b c a", "a c b", "c a b"]
    forward = theta(played(*games))
    backward = -theta(played(*(game[::-1] for game in games)))
    assert np.abs(forward - backward).max() > 0.01


@pytest.mark.parametrize("seed", range(3))
def test_two_players_agree_with_choix(seed: int) -> None:
    results = simulated(np.linspace(-1, 1, 5), [(i, j) for i in range(5) for j in range(i)], 8, seed)
    wins = np.take_along_axis(results.seats, results.places.argsort(axis=1), axis=1)
    expected = choix.opt_pairwise(5, wins.tolist(), alpha=0, tol=1e-12)
    assert theta(results) == pytest.approx(expected - expected.mean(), abs=1e-6)
    spectral = choix.ilsr_pairwise(5, wins.tolist(), alpha=0, max_iter=1000, tol=1e-12)
    assert theta(results) == pytest.approx(spectral - spectral.mean(), abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_larger_tables_of_mixed_sizes_agree_with_choix(seed: int) -> None:
    lineups = [(0, 1, 2, 3, 4, 5), (1, 3, 5), (0, 2), (2, 3, 4, 5)]
    results = simulated(np.linspace(-1, 1, 6), lineups, 10, seed)
    leaving = [
        tuple(int(seats[k]) for k in (-places).argsort() if seats[k] >= 0)
        for seats, places in zip(results.seats, results.places, strict=True)
    ]
    expected = -choix.opt_rankings(6, leaving, alpha=0, tol=1e-12)
    assert theta(results) == pytest.approx(expected - expected.mean(), abs=1e-6)


def test_ties_at_every_place_maximise_the_likelihood_as_defined() -> None:
    games = "a b=c d", "a=b c=d", "d=c=b a", "b d a=c", "c a", "a=b=c=d", "d a=b=c", "b=d"
    results = played(*games)

    def cost(free: Floats) -> float:
        return -log_likelihood(results, np.append(free, -free.sum()))

    expected = minimize(cost, np.zeros(3), method="BFGS", options={"gtol": 1e-8}).x
    assert theta(results)[:3] == pytest.approx(expected, abs=1e-5)


def test_lopsided_results_converge() -> None:
    games = ["a b"] * 9999 + ["b a"] + ["b c"] * 9999 + ["c b"]
    found = theta(played(*games))
    assert found == pytest.approx([math.log(9999), 0, -math.log(9999)], abs=1e-6)


def test_recovers_the_truth_from_many_games() -> None:
    truth = np.array([0.8, 0.3, 0.0, -0.2, -0.9])
    lineups = [(0, 1, 2, 3, 4), (0, 4), (1, 2, 3)]
    assert theta(simulated(truth, lineups, 1000, seed=1)) == pytest.approx(truth, abs=0.06)


def test_orders_are_taken_apart_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    results = simulated(np.linspace(-1, 1, 6), [(0, 1, 2, 3, 4, 5), (1, 3, 5), (0, 2)], 15, seed=5)
    whole = rate(results, replicates=50)
    monkeypatch.setattr(plackett_luce, "_CHUNK", 7)
    parts = rate(results, replicates=50)
    assert parts.rows == whole.rows
    np.testing.assert_array_equal(parts.draws, whole.draws)


def test_pairs_that_beat_each_other_often_need_not_be_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    results = played(*["a b"] * 400, "b a", "b a", *["b c", "c b"] * 20)
    usual = rate(results, replicates=200)
    assert not np.isfinite(usual.draws).all(), "some resamples tear a from the others"
    monkeypatch.setattr(plackett_luce, "_RARE", 10**9)
    np.testing.assert_array_equal(rate(results, replicates=200).draws, usual.draws)


@pytest.mark.parametrize("prior", [0.0, 2.0])
def test_resamples_are_fitted_as_if_they_were_all_there_is(prior: float) -> None:
    results = simulated(np.linspace(-1.5, 1.5, 5), [(0, 1, 2, 3, 4), (0, 4), (1, 2, 3)], 8, seed=4)
    blocks = aggregate(results)
    parts = blocks.exits
    count = blocks.count[:, None].astype(float)
    sums = parts.leavers.T @ count, parts.stages.T @ count
    none = np.zeros((5, 1))
    theta = fit(parts.sets, *sums, none, none, prior=prior)[:, 0]
    weights = blocks.resample(np.random.default_rng(0), 30)
    drawn = parts.leavers.T @ weights, parts.stages.T @ weights
    rated = np.zeros((5, 30))
    whole = sums[0][:, 0], sums[1][:, 0], none[:, 0]
    near = refit(parts.sets, *drawn, rated, whole, theta, prior=prior)
    exact = np.column_stack(
        [
            fit(parts.sets, drawn[0][:, [r]], drawn[1][:, [r]], none, none, prior=prior)[:, 0]
            for r in range(30)
        ]
    )
    assert near == pytest.approx(exact, abs=2e-5)
