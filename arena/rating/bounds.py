"""One-sided bounds for bots that no finite rating fits.

A bot that finished above every bot of the main group, in every game with any of them, has no finite
rating; but the weaker it is, the less likely that was. Its lower bound is the rating at which the
chance of it is 1 - confidence: the exact test of a whitewash turned around, as Clopper and Pearson
(1934, "The use of confidence or fiducial limits") do for N successes of N, where the bound of the
chance is (1 - confidence)^(1/N). Likewise the upper bound of a bot that left before all of them.

Under Plackett-Luce of who leaves next, a bot that leaves at the rate r outlasts the others, given the
order in which they leave, with the chance

    product over their exits of  S / (S + r),   S = the sum of the rates of those of them still present

and leaves before all of them with the chance r / (r + S), S over all of them. Who else sat at the
table does not matter (Luce's axiom).

The block is the unit of evidence. Of the games of one block nothing is assumed but that the chance
of winning them all is at most that of winning any single one, so at most the geometric mean of
these; it is this mean that counts for a block. The bound errs on the safe side where the games of
a block are nearly independent. That the ratings of the main group are estimates is accounted for by
the mean of the chance over their bootstrap draws.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize

from arena.rating.results import NO_SEAT, Bools, Floats, Ints, Results, number_rows

_CELLS = 2**20  # numbers per array
_FAR = 40.0  # natural units beyond the main group: no chance can be told from 0 or 1


def one_sided(
    results: Results, bot: int, above: bool, main: Bools, draws: Floats, confidence: float
) -> float | None:
    """The bound of one bot, in the units of the draws; None where it met nobody of the main group.

    Args:
        results: complete blocks only.
        above: whether the bot is above the main group (a lower bound) or below it (an upper one).
        main: bool (B,), the main group.
        draws: (R, B), theta of the main group, at least one row; rows that are not finite there are
            left out.
        confidence: of the one bound, in (0, 1).
    """
    seats, weight = _games(results, bot, main)
    if not len(seats):
        return None
    draws = draws[np.isfinite(draws[:, main]).all(axis=1)]
    draws = draws[: max(_CELLS // seats.size, 1)]
    if not len(draws):
        return None
    others = seats != NO_SEAT
    rates = np.where(others[:, :, None], np.exp(-draws.T[np.where(others, seats, 0)]), 0.0)
    if above:  # seats stand in the order of leaving, the first to leave first
        present = np.cumsum(rates[:, ::-1], axis=1)[:, ::-1]
        present = np.where(others[:, :, None], present, np.inf)
    else:
        present = rates.sum(axis=1, keepdims=True)

    def log_chance(theta: float) -> float:
        """Of the whitewash, averaged over the draws."""
        rate = np.exp(-theta)
        ratio = rate / present if above else present / rate
        each = -(weight[:, None] * np.log1p(ratio).sum(axis=1)).sum(axis=0)
        return float(np.logaddexp.reduce(each) - np.log(len(each)) - np.log(1 - confidence))

    known = draws[:, main]
    found = optimize.brentq(log_chance, known.min() - _FAR, known.max() + _FAR, xtol=1e-6)
    return float(found)


def _games(results: Results, bot: int, main: Bools) -> tuple[Ints, Floats]:
    """The distinct orders in which bots of the main group left the tables of this bot: (K, P), the
    first to leave first, padded with -1 behind; and how many blocks each makes up."""
    _, block, size = np.unique(results.block, return_inverse=True, return_counts=True)
    there = (results.seats == bot).any(axis=1)
    seats, places = results.seats[there], results.places[there]
    weight: Floats = 1 / size[block][there].astype(np.float64)
    seats = np.where((seats != NO_SEAT) & main[seats], seats, NO_SEAT)
    leaving = np.argsort(np.where(seats == NO_SEAT, 0, -places), axis=1, kind="stable")
    seats = np.take_along_axis(seats, leaving, axis=1)
    met = (seats != NO_SEAT).any(axis=1)
    seats, weight = seats[met], weight[met]
    first, number = number_rows(seats)
    blocks: Floats = np.bincount(number, weight, minlength=len(first)).astype(np.float64)
    return seats[first], blocks
