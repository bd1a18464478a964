"""What a seat is worth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from arena.rating import Results, from_orders, rate, seat_worth
from arena.rating.plackett_luce import ELO
from arena.rating.results import Floats
from tests.rating.tables import make, simulated


def seated(
    theta: Floats, worth: Floats, lineups: list[tuple[int, ...]], blocks: int, seed: int
) -> Results:
    """As `simulated`, with seats that matter."""
    rng = np.random.default_rng(seed)
    tables = np.repeat(np.array(lineups), blocks, axis=0)
    seats = np.stack([np.roll(tables, turn, axis=1) for turn in range(tables.shape[1])], axis=1)
    stays = rng.exponential(np.exp(theta[seats] + worth))
    places = (-stays).argsort(axis=2).argsort(axis=2) + 1
    flat = -1, tables.shape[1]
    block = np.repeat(np.arange(len(tables)), tables.shape[1])
    names = tuple(f"bot{i}" for i in range(len(theta)))
    return make(names, seats.reshape(flat), places.reshape(flat), block)


def test_two_equal_bots_by_hand() -> None:
    # The first seat won 30 of 40, whoever sat there: odds of three.
    games = [["a", "b"], ["b", "a"]] * 15 + [["b", "a"], ["a", "b"]] * 5
    results = from_orders(games)
    seats = np.array([[0, 1], [1, 0]] * 20)
    places = np.array([[1, 2]] * 30 + [[2, 1]] * 10)
    found = seat_worth(make(("a", "b"), seats, places, np.arange(40) // 2), 2)
    assert found.worth[0] - found.worth[1] == pytest.approx(400 * np.log10(3))
    assert found.worth.sum() == pytest.approx(0)
    assert found.bots == pytest.approx([0, 0], abs=1e-6)
    assert found.blocks == 20
    assert rate(results, replicates=0)["a"].rating == pytest.approx(1500)


def test_one_pair_has_the_standard_error_of_its_blocks() -> None:
    # Two bots, alike: half the log-odds of the seat is the worth, and its error by the delta
    # method that of the mean block share, s / (p (1 - p)) / 2 in natural units.
    rng = np.random.default_rng(4)
    first_won = rng.random((60, 2)) < 0.6
    seats = np.tile([[0, 1], [1, 0]], (60, 1))
    places = np.where(first_won.reshape(-1, 1), [1, 2], [2, 1])
    found = seat_worth(make(("a", "b"), seats, places, np.repeat(np.arange(60), 2)), 2)
    share = first_won.mean(axis=1)
    p = share.mean()
    rough = ELO * stats.sem(share) / (p * (1 - p)) / 2 * stats.t.ppf(0.975, 59)
    half = (found.high[0] - found.low[0]) / 2
    assert half == pytest.approx(rough, rel=0.03)  # the bots are not quite alike
    assert found.worth[0] == pytest.approx(ELO * np.log(p / (1 - p)) / 2, abs=3)


def test_tables_of_four_recover_the_truth() -> None:
    worth = np.array([0.3, 0.1, -0.1, -0.3])
    theta = np.array([0.5, 0.2, -0.1, -0.6])
    results = seated(theta, worth, [(0, 1, 2, 3)], 1500, seed=1)
    found = seat_worth(results, 4)
    assert found.worth == pytest.approx(ELO * worth, abs=12)
    assert found.bots == pytest.approx(ELO * theta, abs=12)


def test_intervals_hold_the_truth() -> None:
    worth = np.array([0.2, 0.0, -0.2])
    theta = np.array([0.4, 0.0, -0.2, -0.2])
    inside = []
    for seed in range(100):
        found = seat_worth(seated(theta, worth, [(0, 1, 2), (1, 2, 3), (0, 1, 3)], 10, seed), 3)
        inside.append((found.low <= ELO * worth) & (ELO * worth <= found.high))
    assert 0.90 <= np.mean(inside) <= 0.99


def test_bots_outside_the_main_group_change_nothing() -> None:
    results = seated(np.array([0.3, 0.0, -0.3]), np.array([0.2, -0.2]), [(0, 1), (0, 2), (1, 2)], 20, 0)
    alone = seat_worth(results, 2)
    seats = np.vstack([results.seats, [[3, 0], [0, 3]]])
    places = np.vstack([results.places, [[1, 2], [2, 1]]])
    more = make((*results.bots, "d"), seats, places, np.append(results.block, [900, 900]))
    found = seat_worth(more, 2)
    assert found.worth == pytest.approx(alone.worth)
    assert np.isnan(found.bots[3])


def test_only_tables_of_the_size_count_and_few_blocks_have_no_interval() -> None:
    results = simulated(np.array([0.3, 0.0, -0.3]), [(0, 1, 2), (0, 1)], 12, seed=0)
    pairs, threes, fours = (seat_worth(results, size) for size in (2, 3, 4))
    assert (pairs.blocks, threes.blocks, fours.blocks) == (12, 12, 0)
    assert np.isfinite(threes.worth).all()
    assert np.isnan(threes.low).all()
    assert np.isnan(fours.worth).all()


def test_a_seat_that_always_wins_has_no_number() -> None:
    seats = np.array([[0, 1], [1, 0]] * 30)
    places = np.array([[1, 2]] * 60)
    found = seat_worth(make(("a", "b"), seats, places, np.arange(60) // 2), 2)
    assert np.isnan(found.worth).all()
