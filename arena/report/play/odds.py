"""How likely a bid is, as the seat sees it that knows its own hand and nothing else.

Of the hidden dice each counts with chance 1/6, or 1/3 where the wild face counts too, independently
of the others: their number is binomial. What earlier calls may tell is left out on purpose; whoever
reads them well does better than these numbers, and that is what one wants to see.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from arena.rating.results import Bools, Floats, Ints


def chance_per_die(face: Ints, palifico: Bools, wild: int) -> Floats:
    """Chance that a hidden die counts for a bid on `face`; `wild`: the ruleset's wild face, 0 = none."""
    third = (wild > 0) & (face != wild) & ~palifico
    return np.where(third, 1 / 3, 1 / 6)


def at_least(need: Ints, hidden: Ints, per_die: Floats) -> Floats:
    """P(X >= need) for X binomial (hidden, per_die), `per_die` being 1/6 or 1/3; 1 for need <= 0."""
    most = 5 * (-(-int(hidden.max(initial=0)) // 5))  # few different sizes, so that one table serves
    tails = _tails(most)
    return np.asarray(tails[(per_die > 0.25).astype(np.int64), hidden, np.clip(need, 0, most + 1)])


def exactly(need: Ints, hidden: Ints, per_die: Floats) -> Floats:
    """P(X = need), likewise; 0 for need < 0."""
    both = at_least(need, hidden, per_die) - at_least(need + 1, hidden, per_die)
    return np.where(need < 0, 0.0, both)


@lru_cache(maxsize=8)
def _tails(most: int) -> Floats:
    """(2, most + 1, most + 2): P(X >= need) for each chance, number of hidden dice, and need.

    One die after the other joins the distribution; the tail is summed from its small end.
    """
    tails = np.zeros((2, most + 1, most + 2))
    for row, chance in enumerate((1 / 6, 1 / 3)):
        exact = np.zeros(most + 2)
        exact[0] = 1.0
        for hidden in range(most + 1):
            tails[row, hidden] = np.cumsum(exact[::-1])[::-1]
            exact[1:] = exact[1:] * (1 - chance) + exact[:-1] * chance
            exact[0] *= 1 - chance
    tails[:, :, 0] = 1.0
    return tails


def entropy(chance: Floats) -> Floats:
    """Of a yes or no with this chance, in bits: 0 where it is certain, 1 at one half (Shannon 1948)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -chance * np.log2(chance) - (1 - chance) * np.log2(1 - chance)
    return np.where((chance <= 0) | (chance >= 1), 0.0, bits)
