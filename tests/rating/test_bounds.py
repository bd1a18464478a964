"""One-sided bounds: against the binomial distribution, by hand, and in simulation."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy import stats

from arena.rating import rate
from arena.rating.bounds import one_sided
from arena.rating.plackett_luce import ELO
from tests.rating.tables import make, played, simulated

EVEN = ["a b", "b a"]


def test_whitewash_of_one_opponent_is_clopper_and_pearson() -> None:
    # 30 wins over a, whose rating is known: the chance's lower bound is that of 30 of 30.
    results = played(*["c a"] * 30, bots="abc")
    main, draws = np.array([True, True, False]), np.zeros((1, 3))
    bound = one_sided(results, 2, True, main, draws, 0.95)
    assert bound is not None
    chance = stats.binomtest(30, 30, alternative="greater").proportion_ci(0.95, "exact").low
    assert 1 / (1 + np.exp(-bound)) == pytest.approx(chance)
    mirrored = played(*["a c"] * 30, bots="abc")
    assert one_sided(mirrored, 2, False, main, draws, 0.95) == pytest.approx(-bound)


def test_games_of_one_block_count_as_one() -> None:
    games = played(*["c a"] * 60, bots="abc")
    blocks = make(games.bots, games.seats, games.places, games.block // 2)
    half = played(*["c a"] * 30, bots="abc")
    main, draws = np.array([True, True, False]), np.zeros((1, 3))
    assert one_sided(blocks, 2, True, main, draws, 0.95) == pytest.approx(
        one_sided(half, 2, True, main, draws, 0.95)
    )


def test_tables_of_three_by_hand() -> None:
    # Winning against a and b of rate 1, in any order: 2 / (2 + r) * 1 / (1 + r) at each table.
    results = played(*["c a b", "c b a"] * 10)
    main, draws = np.array([True, True, False]), np.zeros((1, 3))
    bound = one_sided(results, 2, True, main, draws, 0.9)
    assert bound is not None
    r = np.exp(-bound)
    assert (2 / (2 + r) / (1 + r)) ** 20 == pytest.approx(0.1)
    # Leaving before both: r / (r + 2).
    bound = one_sided(played(*["a b c", "b a c"] * 10), 2, False, main, draws, 0.9)
    assert bound is not None
    r = np.exp(-bound)
    assert (r / (r + 2)) ** 20 == pytest.approx(0.1)


def test_bots_outside_the_main_group_do_not_matter() -> None:
    main, draws = np.array([True, True, False, False]), np.zeros((1, 4))
    with_d = one_sided(played(*["c a d b"] * 9), 2, True, main, draws, 0.95)
    without = one_sided(played(*["c a b"] * 9, bots="abcd"), 2, True, main, draws, 0.95)
    assert with_d == pytest.approx(without)


def test_nobody_of_the_main_group_met() -> None:
    results = played("c d", "a b", "b a")
    main = np.array([True, True, False, False])
    assert one_sided(results, 2, True, main, np.zeros((1, 4)), 0.95) is None
    unknown = np.full((1, 4), np.inf)
    assert one_sided(played("c a", bots="abcd"), 2, True, main, unknown, 0.95) is None


def test_in_the_table() -> None:
    ratings = rate(played(*EVEN * 20, *["c a", "c b"] * 15, *["a d", "b d"] * 15))
    best, worst = ratings["c"], ratings["d"]
    assert (best.rating, best.high, best.word) == (None, None, "won every game")
    assert (worst.rating, worst.low, worst.word) == (None, None, "lost every game")
    assert best.low is not None
    assert worst.high is not None
    expected = 400 * np.log10(1 / (0.05 ** (-1 / 30) - 1))  # were a and b known to be at 1500
    assert best.low - 1500 == pytest.approx(expected, abs=10)
    assert 1500 - worst.high == pytest.approx(expected, abs=10)


def test_two_bots_have_a_bound_between_them() -> None:
    ratings = rate(played(*["b a"] * 30))
    assert [row.word for row in ratings.rows] == ["lost every game", "won every game"]
    points = 400 * np.log10(1 / (0.05 ** (-1 / 30) - 1))
    assert ratings.notes[-1].startswith(f"b is at least {points:.0f} points above a: one-sided 95 %")
    for other in (rate(played(*["b a"] * 19)), rate(played(*["b a"] * 30), replicates=0)):
        assert not any("at least" in note for note in other.notes)
    assert not any("at least" in note for note in rate(played(*["b a"] * 30), prior=2).notes)


def test_no_bound_without_draws_or_with_few_blocks() -> None:
    results = played(*EVEN * 20, *["c a"] * 19)
    assert rate(results)["c"].low is None
    assert rate(results, min_blocks=19)["c"].low is not None
    assert rate(results, min_blocks=19, replicates=0)["c"].low is None


@pytest.mark.soak
@pytest.mark.parametrize(
    ("strength", "lineups"), [(2.45, [(0, 1), (0, 2), (1, 2)]), (2.15, [(0, 1, 2)])]
)
def test_it_is_wrong_in_at_most_5_of_100(strength: float, lineups: list[tuple[int, ...]]) -> None:
    """A bot a little weaker than the bound of a whitewash: nowhere is the bound wrong more often.

    Every game is a block, which spends all that the bound allows for the games of a block.
    """
    truth = np.array([strength, 0.2, -0.2])
    runs = 2000 if os.environ.get("ARENA_SOAK") else 150
    seats = len(lineups[0])
    wrong = 0
    for seed in range(runs):
        games = simulated(truth, lineups, 20, seed)
        results = make(games.bots, games.seats[::seats], games.places[::seats], games.block[::seats])
        row = rate(results, replicates=40, seed=seed)["bot0"]
        # the mean of the two others is 1500 where bot0 has no rating
        wrong += row.rating is None and row.low is not None and row.low > 1500 + ELO * strength
    assert 0 < wrong / runs <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)
