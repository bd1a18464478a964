"""Which bids are legal: for each face the smallest quantity; every larger one up to the cap is too.

All rules fit this form. ``minimums[face - 1]`` is a quantity, ``cap + 1`` where no bid on that face
is legal; the cap is the number of dice in play. Nothing here depends on hidden dice, so the answers
are computed once per ruleset and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

from arena.game.calls import Bid
from arena.game.ruleset import Ruleset

Minimums = tuple[int, ...]
"""Six quantities, one per face 1..6."""


class Freedom(IntEnum):
    """How a seat may bid: an ordinary round, or a palifico round bound to the face or not."""

    ORDINARY = 0
    BOUND = 1
    FREE = 2

    __hash__ = int.__hash__


class Bidding:
    """The legal bids of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._rules = ruleset
        self._known: dict[tuple[Bid | None, int, Freedom], Minimums] = {}

    def minimums(self, standing: Bid | None, cap: int, freedom: Freedom) -> Minimums:
        """The smallest legal quantity per face over `standing` (None = the opening bid)."""
        key = (standing, cap, freedom)
        known = self._known.get(key)
        if known is None:
            raw = self._opening(freedom) if standing is None else self._raise(standing, cap, freedom)
            known = self._known[key] = tuple(
                cap + 1 if least is None or least > cap else least for least in raw
            )
        return known

    def _opening(self, freedom: Freedom) -> list[int | None]:
        aces = freedom is not Freedom.ORDINARY or self._rules.ace_bids != "halve"
        return [1 if aces else None, 1, 1, 1, 1, 1]

    def _raise(self, bid: Bid, cap: int, freedom: Freedom) -> Sequence[int | None]:
        if freedom is Freedom.BOUND:
            return [bid.quantity + 1 if face == bid.face else None for face in range(1, 7)]
        if freedom is Freedom.FREE:
            if self._rules.palifico_change == "ex-palifico":
                return [bid.quantity + 1] * 6
            return self._plain(bid)  # aces are not wild in this round: a plain, lowest face
        if self._rules.ace_bids == "halve":
            return self._halve(bid)
        if self._rules.ace_bids == "double":
            return self._double(bid, cap)
        return self._plain(bid)

    def _plain(self, bid: Bid) -> list[int | None]:
        """Any face alike, ace the lowest: the three ways to raise of `bidding_rule`."""
        quantity, standing = bid
        rule = self._rules.bidding_rule
        higher = 1 if rule == "reset-quantity" else quantity
        lower = quantity + 1 if rule == "reset-face" else None
        return [
            higher if face > standing else quantity + 1 if face == standing else lower
            for face in range(1, 7)
        ]

    def _halve(self, bid: Bid) -> Sequence[int | None]:
        """Into aces at half, rounded up; out of them at twice and one more."""
        quantity, standing = bid
        if standing == 1:
            return [quantity + 1] + [2 * quantity + 1] * 5
        return [(quantity + 1) // 2, *self._plain(bid)[1:]]

    def _double(self, bid: Bid, cap: int) -> list[int | None]:
        """Neller's total order of claims: the next claims up on each face."""
        rank = _neller_rank(bid.quantity, bid.face, cap)
        return [
            next((q for q in range(1, cap + 1) if _neller_rank(q, face, cap) > rank), None)
            for face in range(1, 7)
        ]


def _neller_rank(quantity: int, face: int, cap: int) -> int:
    """Place of a claim in the order of Neller and Lanctot's Dudo tutorial, from 0.

    1x6 < one ace < 2x2, 3x6 < two aces < 4x2; aces above half the dice come after all else.
    """
    if face != 1:
        return 5 * quantity + quantity // 2 + face - 7
    if quantity <= cap // 2:
        return 11 * quantity - 6
    return 5 * cap + quantity - 1


@lru_cache(maxsize=64)
def bidding_of(ruleset: Ruleset) -> Bidding:
    """The `Bidding` of a ruleset, shared by all its games."""
    return Bidding(ruleset)
