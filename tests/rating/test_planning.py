"""Numbers of blocks that are enough: checked by playing so many."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating.planning import (
    blocks_for_interval,
    blocks_of_test,
    blocks_to_find,
    mirrored_gain,
)
from arena.rating.results import Floats
from arena.rating.score import MIN_BLOCKS, estimate, score_of, tally

SPLIT, SWEEP = np.array([0.15, 0.7, 0.15]), np.array([0.4, 0.2, 0.4])
"""How often a pair of games gives 0, 1, 2 points, between equal bots."""


def deviation(law: Floats) -> float:
    scores = np.linspace(0, 1, len(law))
    return float(np.sqrt(law @ (scores - law @ scores) ** 2))


def moved(law: Floats, elo: float) -> Floats:
    """The same law for a difference of `elo`: some of the lost pairs are won."""
    more = score_of(elo) - 0.5
    return np.asarray(law + np.array([-more, 0, more]))


@pytest.mark.parametrize("law", [SPLIT, SWEEP])
def test_the_interval_has_the_width_that_was_asked_for(law: Floats) -> None:
    n = blocks_for_interval(deviation(law), 30)
    found = estimate(tally(np.repeat([0, 2, 4], np.rint(n * law).astype(int)), 2))
    assert found is not None
    assert found.elo_high == pytest.approx(30, abs=0.5)
    assert found.elo_low == pytest.approx(-30, abs=0.5)


@pytest.mark.parametrize("law", [SPLIT, SWEEP])
def test_the_difference_is_found_as_often_as_was_asked_for(law: Floats) -> None:
    n = blocks_to_find(deviation(law), 40, power=0.8)
    rng = np.random.default_rng(3)
    found = 0
    for counts in rng.multinomial(n, moved(law, 40), size=600):
        each = estimate(tally(np.repeat([0, 2, 4], counts), 2))
        assert each is not None
        found += (each.low or 0) > 0.5
    assert found / 600 == pytest.approx(0.8, abs=0.06)


def test_a_plan_never_has_fewer_blocks_than_an_interval_needs() -> None:
    assert blocks_for_interval(0.1, 900) == blocks_to_find(0.1, 900) == MIN_BLOCKS


def test_a_sequential_test_takes_longest_in_the_middle_and_saves_games() -> None:
    expected = blocks_of_test(0.25, 0, 20, 0.05, 0.05)
    assert expected.under0 == expected.under1 < expected.middle
    fixed = blocks_to_find(0.25, 20, confidence=0.9, power=0.95)
    assert 0.4 < expected.under1 / fixed < 0.6  # Wald 1945: about half


# -- what mirrored deals are worth -------------------------------------------------------------------


def drawn(correlation: float, games: int, blocks: int, seed: int) -> Floats:
    """Blocks of won and lost games, equally likely, with this correlation between games of a block: each
    copies a common game, or for negative ones pairs copy each other's opposite."""
    rng = np.random.default_rng(seed)
    own = rng.integers(0, 2, (blocks, games))
    common = rng.integers(0, 2, (blocks, 1))
    if correlation < 0:
        common = np.where(np.arange(games) % 2, common, 1 - common)
    copies = rng.random((blocks, games)) < np.sqrt(abs(correlation))
    return np.where(copies, common, own).astype(float)


@pytest.mark.parametrize(
    ("correlation", "games", "expected"), [(-0.4, 2, 0.6), (0.3, 2, 1.3), (0.0, 4, 1.0), (0.2, 3, 1.4)]
)
def test_the_gain_is_the_one_that_independent_games_would_show(
    correlation: float, games: int, expected: float
) -> None:
    ratio, low, high = mirrored_gain(drawn(correlation, games, 20_000, seed=1))
    assert low < expected < high
    assert high - low < 0.1
    assert low < ratio < high


def test_the_interval_of_the_gain_covers() -> None:
    inside = 0
    for seed in range(300):
        _, low, high = mirrored_gain(drawn(-0.4, 2, 150, seed))
        inside += low < 0.6 < high
    assert 0.91 <= inside / 300 <= 0.98


def test_what_a_table_does_is_not_taken_for_what_a_deal_does() -> None:
    """In one circular order the bot wins nearly always, in the other nearly never."""
    rng = np.random.default_rng(0)
    table = np.arange(4000) % 2
    scores = (rng.random((4000, 3)) < np.where(table, 0.9, 0.1)[:, None]).astype(float)
    _, low, high = mirrored_gain(scores, table)
    assert low < 1 < high
    assert mirrored_gain(scores)[0] > 2


def test_a_gain_that_cannot_be_told() -> None:
    assert np.isnan(mirrored_gain(np.ones((100, 2)))).all()
    assert np.isnan(mirrored_gain(drawn(0, 2, 19, seed=0))).all()
    assert np.isnan(mirrored_gain(np.tile([0.0, 1.0], (50, 1)))).all()
