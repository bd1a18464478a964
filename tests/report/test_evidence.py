"""The numbers behind the charts, against hand counts and the pandas tables."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from arena.rating.results import Floats
from arena.record.tables import make_tables
from arena.report.blocks import by_seat, estimate, scores
from arena.report.evidence import evidence_of
from tests.report.logs import fault, made_up, make_header, make_record

# Palifico, passes, a calza and a forfeit, in seats 0, 1, 2; seat 1 opens.
MIXED = make_record(
    [
        (1, "11 22 3", "2x2 0:pass 2x3 3x3 2:calza", "2-1"),
        (0, "11 22 -", "palifico 1x5 dudo", "1-1"),
        (0, "11 2 -", "2x5 1:forfeit", "1-1"),
    ],
    places=[1, 2, 3],
    us=[[1000, 2000, 3000, 4000, 5000], [600, 700, 800], [90, 99_000]],
    seats=[2, 0, 1],
    faults=[fault(1, "timeout")],
)


def test_thinking_goes_to_who_made_the_call() -> None:
    evidence = evidence_of(make_header("ABCD", 3, 1), [MIXED])
    a, b, c, nobody = evidence.thinking
    assert nobody is None
    assert a is not None
    assert b is not None
    assert c is not None
    # A is in seat 1: 2x2, dudo; its forfeit is no answer. B is in seat 2: 2x3, calza. C: the rest.
    assert (a.questions, a.longest, a.timeouts) == (2, 1.0, 1)
    assert (b.questions, b.longest) == (2, 5.0)
    assert (c.questions, c.longest) == (5, 4.0)
    assert c.median == pytest.approx(0.7, rel=0.01)
    assert c.most == pytest.approx(4.0, rel=0.01)


def test_thinking_against_the_tables() -> None:
    header, games = made_up("ABCDE", 3, 40)
    calls = make_tables(header, games).calls
    for bot, times in zip("ABCDE", evidence_of(header, games).thinking, strict=True):
        ms = calls.loc[calls["bot"] == bot, "us"].to_numpy() / 1000
        assert times is not None
        assert times.questions == len(ms)
        assert times.longest == ms.max()
        shares = (0.25, times.lower), (0.5, times.median), (0.75, times.upper), (0.99, times.most)
        for share, value in shares:
            assert value == pytest.approx(np.quantile(ms, share, method="inverted_cdf"), rel=0.011)


def test_dice_over_the_rounds() -> None:
    header = make_header("AB", 2, 2)
    first = make_record(
        [(0, "11 22", "1x1 dudo", "0-1"), (0, "1 22", "1x1 dudo", "0-1")], [2, 1], game=1, rotation=1
    )
    second = make_record(
        [
            (0, "11 22", "1x1 dudo", "0+1"),
            (0, "111 22", "1x1 dudo", "1-1"),
            (0, "111 2", "1x1 dudo", "1-1"),
        ],
        [1, 2],
        seats=[1, 0],
    )
    evidence = evidence_of(header, [first, second])
    assert evidence.rounds.tolist() == [0, 1, 2, 3]
    # A: 2 1 0, and 2 2 1 0; B: 2 2 2, and 2 3 3 3. What has ended stays as it was.
    assert evidence.dice.mean[:, 0].tolist() == [2, 1.5, 0.5, 0]
    assert evidence.dice.mean[:, 1].tolist() == [2, 2.5, 2.5, 2.5]
    assert np.isnan(evidence.dice.half).all()


def test_dice_do_not_depend_on_the_order_of_lines() -> None:
    header, games = made_up("ABCDE", 3, 40)
    there = evidence_of(header, games).dice
    back = evidence_of(header, reversed(games)).dice
    np.testing.assert_array_equal(there.mean, back.mean)
    assert all((high >= low).all() for high, low in pairwise(there.mean))  # nobody gains in these
    assert np.isfinite(there.half[1:]).all()


def test_estimate_is_students_t() -> None:
    values = np.random.default_rng(1).random(30)
    found = estimate(np.zeros(30, np.int64), values, 2)
    low, high = stats.t.interval(0.95, 29, values.mean(), stats.sem(values))
    assert found.mean[0] - found.half[0] == pytest.approx(low)
    assert found.mean[0] + found.half[0] == pytest.approx(high)
    assert np.isnan([found.mean[1], found.half[1]]).all()
    assert np.isnan(estimate(np.zeros(19, np.int64), values[:19], 1).half[0])
    assert np.isnan(estimate(np.zeros(30, np.int64), np.ones(30), 1).half[0])


def test_scores_are_shares_of_opponents() -> None:
    header = make_header("ABCD", 4, 1)
    game = make_record([], [1, 2, 2, 4])
    found: Floats = scores(evidence_of(header, [game]).results)
    assert found[0] == pytest.approx([1, 0.5, 0.5, 0])


def test_the_worth_of_a_seat() -> None:
    """Seat 0 always wins: it scores all, the other nothing, whoever sits there."""
    header = make_header("AB", 2, 60)
    games = [
        make_record([], [1, 2], game=n, block=n // 2, rotation=n % 2, seats=[n % 2, 1 - n % 2])
        for n in range(60)
    ]
    overall, each = by_seat(evidence_of(header, games).rated)
    assert overall.mean.tolist() == [0.5, -0.5]
    assert each.mean.tolist() == [[0.5, -0.5], [0.5, -0.5]]
    assert overall.blocks.tolist() == [30, 30]
    assert np.isnan(overall.half).all()  # all blocks alike
