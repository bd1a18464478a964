"""The prior: finite ratings for everybody, with its strength stated."""

from __future__ import annotations

import math

import choix
import numpy as np
import pytest

from arena.rating import rate
from arena.rating.plackett_luce import ELO
from tests.rating.tables import make, played, simulated


def test_two_bots_by_hand() -> None:
    # a won n games; each bot drew N against the ghost, which lies half-way by symmetry. With the
    # chance p of a against b and q of a against the ghost: n (1 - p) = N (q - 1/2), and the odds
    # of p are the square of those of q.
    a, b = rate(played(*["a b"] * 12), prior=3.0, replicates=0).rows
    assert a.rating is not None
    assert b.rating is not None
    x = (a.rating - b.rating) / 2 / ELO
    q, p = 1 / (1 + math.exp(-x)), 1 / (1 + math.exp(-2 * x))
    assert 12 * (1 - p) == pytest.approx(3 * (q - 0.5), abs=1e-9)
    assert a.rating + b.rating == pytest.approx(3000)


@pytest.mark.parametrize("draws", [0.5, 2.0, 7.0])
def test_it_is_a_bot_that_everybody_drew_against(draws: float) -> None:
    # 2 draws are a win and a loss: written out as games against a ghost, many times over so that
    # a share of a game becomes whole games. Only the ghost itself then counts for the mean.
    games = ["a b", "b c", "a c d", "a b d", "c d"]
    times = 4
    ghosts = [f"{bot} g" for bot in "abcd"] + [f"g {bot}" for bot in "abcd"]
    written = played(*games * times, *ghosts * int(draws / 2 * times))
    expected = np.array([row.rating for row in rate(written, replicates=0).rows[:4]])
    with_prior = rate(played(*games), prior=draws, replicates=0)
    found = np.array([row.rating for row in with_prior.rows])
    assert found - found.mean() == pytest.approx(expected - expected.mean(), abs=1e-6)
    assert found.mean() == pytest.approx(1500)


def test_two_player_ghost_agrees_with_choix() -> None:
    results = simulated(np.linspace(-1, 1, 4), [(0, 1), (1, 2), (2, 3)], 5, seed=0)
    wins = np.take_along_axis(results.seats, results.places.argsort(axis=1), axis=1).tolist()
    wins += [pair for bot in range(4) for pair in ([bot, 4], [4, bot])]  # 4 is the ghost
    expected = choix.opt_pairwise(5, wins, alpha=0, tol=1e-12)[:4]
    found = np.array([row.rating for row in rate(results, prior=2, replicates=0).rows]) / ELO
    assert found - found.mean() == pytest.approx(expected - expected.mean(), abs=1e-6)


def test_everybody_that_played_has_a_number_and_the_notes_say_why() -> None:
    results = played("a b", "a b", "c d", "d c", bots="abcde")
    ratings = rate(results, prior=2)
    assert [row.bot for row in ratings.rows if row.rating is None] == ["e"]
    assert ratings["e"].word == "no games"
    assert (ratings["a"].word, ratings["c"].word) == (
        "won every game",
        "fewer than 20 blocks",
    )
    prior, groups = ratings.notes[:2]
    assert "each bot has 2 virtual draws against one common ghost" in prior
    assert groups.startswith("Only the prior puts these groups on one scale")
    assert groups.endswith("c, d; a; b.")
    assert ratings.prior == 2
    assert "1 virtual draw " in rate(results, prior=1).notes[0]


def test_bots_that_only_the_prior_ties_have_no_two_sided_interval() -> None:
    results = played(*["a b", "b a", "a b"] * 15, *["c a", "c b"] * 15)
    ratings = rate(results, prior=2)
    a, c = ratings["a"], ratings["c"]
    assert a.rating is not None
    assert a.low is not None
    assert a.high is not None
    assert (c.word, c.high) == ("won every game", None)
    assert c.rating is not None
    assert c.low is not None
    assert a.rating < c.low < c.rating


def test_a_prior_pulls_together_and_a_weak_one_changes_little() -> None:
    results = simulated(np.linspace(-1, 1, 4), [(0, 1, 2, 3)], 30, seed=1)

    def spread(prior: float) -> float:
        return float(
            np.ptp([row.rating or 0.0 for row in rate(results, prior=prior, replicates=0).rows])
        )

    assert spread(50) < spread(2) < spread(0)
    assert spread(1e-9) == pytest.approx(spread(0), abs=1e-3)


def test_an_anchor_is_held_with_a_prior_too() -> None:
    results = played(*["a b", "b a", "a b"] * 15, *["c a"] * 25)
    ratings = rate(results, anchor="c", anchor_value=2000, prior=2, replicates=50)
    assert (ratings["c"].rating, ratings["c"].word) == (2000, "anchor")
    assert ratings["a"].high is not None


def test_the_same_bootstrap_with_a_prior() -> None:
    results = simulated(np.zeros(3), [(0, 1), (1, 2)], 25, seed=3)
    plain, weak = rate(results), rate(results, prior=1e-6)
    for one, other in zip(plain.rows, weak.rows, strict=True):
        assert one.low == pytest.approx(other.low, abs=0.5)
        assert one.high == pytest.approx(other.high, abs=0.5)


@pytest.mark.parametrize("prior", [-1.0, math.nan, math.inf])
def test_no_such_prior(prior: float) -> None:
    with pytest.raises(ValueError, match="prior: expected 0 or more draws"):
        rate(make(("a", "b"), np.array([[0, 1]]), np.array([[1, 2]]), np.array([0])), prior=prior)
