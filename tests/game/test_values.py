"""Games solved with nothing but `arena.game` have the values that others published.

A wrong payoff, legal bid, wild face or next opener would show in the value.
"""

from __future__ import annotations

import os
from fractions import Fraction

import pytest

from arena.game import Bid, Position, preset
from tests.game.solver import Solver

ONE_EACH = Position((1, 1))


def test_one_die_each_is_worth_minus_7_258_under_nellers_rules() -> None:
    """Neller and Lanctot, An Introduction to Counterfactual Regret Minimization (2013), section 3.5."""
    found = Solver(preset("neller")).value(ONE_EACH)
    assert found.middle == pytest.approx(-7 / 258, abs=1e-9)
    assert found.error < 1e-9


@pytest.mark.parametrize(
    ("start", "published"),
    [((1, 1), Fraction(-7, 327)), ((2, 1), Fraction(7, 27)), ((1, 2), Fraction(-5, 54))],
)
def test_snyd_without_bids_on_the_joker(start: tuple[int, int], published: Fraction) -> None:
    """The column `Joker`, six sides, of the README of github.com/thomasahle/snyd (T. D. Ahle).

    There the ace is wild and cannot be bid; else it is the preset `snyd`: whoever loses the round
    loses. The opener's dice stand first.
    """
    found = Solver(preset("snyd"), faces=(2, 3, 4, 5, 6), error=1e-3).value(Position(start))
    assert found.low - 1e-6 <= published <= found.high + 1e-6
    assert found.error <= 1e-3


def test_snyd_without_a_joker() -> None:
    """The column `Normal` of the same page: -1/9 with one die of six sides each."""
    rules = preset("snyd").with_options({"wild_face": "none"})
    assert Solver(rules).value(ONE_EACH).middle == pytest.approx(-1 / 9, abs=1e-9)


def test_one_die_each_in_a_palifico_round_by_hand() -> None:
    """2/3 where nobody may change the face.

    Who opens 1xd on his die d loses to the same die only: it answers 2xd, every other die doubts in
    vain or overbids. So he wins 5/6. Who answers that way, and doubts else, holds any opening to
    that: a bluff wins 1/6 (the die is his), 2xd as much (only 2xd itself follows, doubted).
    """
    for name in ("standard", "pacos"):
        found = Solver(preset(name)).value(Position((1, 1), palifico="yes"))
        assert found.middle == pytest.approx(5 / 6 - 1 / 6, abs=1e-9)


def test_a_last_bid_and_the_round_after_it_by_hand() -> None:
    """3x6 of three dice can only be doubted.

    It holds if all three show a six or an ace, once in 27. If not, its bidder loses his only die. If
    so, the doubter drops to one die and opens a palifico round, worth 2/3 (above).
    """
    start = Position((2, 1), 0, Bid(3, 6))
    found = Solver(preset("standard")).value(start)
    assert found.middle == pytest.approx(26 / 27 + 1 / 27 * 2 / 3, abs=1e-9)
    mirrored = Solver(preset("standard")).value(Position((1, 2), 1, Bid(3, 6)))
    assert mirrored == found


def test_the_last_but_one_bid_by_hand() -> None:
    """2x5 of two dice, with 2x6 left: doubting is never worse, and wins unless both are 5 or 1."""
    found = Solver(preset("snyd")).value(Position((1, 1), 0, Bid(2, 5)))
    assert found.middle == pytest.approx(1 - 2 / 9, abs=1e-9)


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("ARENA_SOAK"), reason="minutes; set ARENA_SOAK=1")
@pytest.mark.parametrize(
    ("start", "published", "gap"),
    [((2, 1), 0.6189107786524395, 0.00022), ((1, 2), -0.5882679528387005, 0.00014)],
)
def test_neller_with_three_dice(start: tuple[int, int], published: float, gap: float) -> None:
    """The values VAL21 and VAL12 in `defs.h` of M. Lanctot's Bluff solver, and their stated gaps.

    Its order of bids, losses and openers are those of the preset, with the six for the ace.
    """
    found = Solver(preset("neller"), error=5e-4).value(Position(start))
    assert found.low <= published + gap / 2
    assert found.high >= published - gap / 2
    assert found.error <= 5e-4
