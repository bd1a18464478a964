"""The difference that a sequential test saw, allowing for when the test stopped.

A run that stops because its LLR has crossed a bound has a mean that leans to that side. What is unbiased
is the outcome itself: whether it failed or passed, and how soon. Order the outcomes from a fast failure
over slow ones and slow passes to a fast pass. The estimate is the difference under which a worse outcome
has probability 1/2; at the ends of the interval it has (1 ± confidence) / 2 (Siegmund 1985, "Sequential
Analysis", chapter 3; fishtest does the same).

The LLR of N blocks is taken for a Brownian motion, which holds for small differences; for large ones,
which decide after a dozen blocks, the interval is rough.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy import optimize, special

from arena.rating.results import Floats
from arena.rating.score import Tally

IMAGES = np.arange(0.0, 30.0)


def worse_outcome(
    time: float, at: float, lower: float, upper: float, drift: float, sigma: float
) -> float:
    """P(a Brownian motion from 0 has a worse outcome than to be `at` at this time, never having left
    lower < x < upper before; `at` = lower or upper: leaving there).

    It has left at the lower bound before, or is still inside and below `at`. Method of images: every
    term is a probability times the exponential of a drift, multiplied as logarithms so that none
    overflows.
    """
    width, spread, pull = upper - lower, sigma * sqrt(time), drift / sigma**2

    def within(image: Floats) -> Floats:
        """exp(pull image) P(motion from `image` is between `lower` and `at`, if nothing stops it)."""
        low, high = ((level - image - drift * time) / spread for level in (lower, at))
        low, high = np.where(low > 0, -high, low), np.where(low > 0, -low, high)  # the smaller tail
        return np.asarray(
            np.exp(pull * image + special.log_ndtr(high)) - np.exp(pull * image + special.log_ndtr(low))
        )

    def reached(distance: Floats, image: Floats) -> Floats:
        """exp(pull image) P(motion falls by `distance` at some time, if nothing else stops it)."""
        straight = special.log_ndtr((-distance - drift * time) / spread)
        turned = special.log_ndtr((-distance + drift * time) / spread) - 2 * pull * distance
        return np.asarray(np.exp(pull * image + straight) + np.exp(pull * image + turned))

    here = 2 * width * IMAGES
    left = reached(here - lower, here).sum()
    left -= reached(here[1:] + lower, 2 * lower + here[1:]).sum()
    both = 2 * width * np.concatenate([-IMAGES[:0:-1], IMAGES])
    inside = within(both).sum() - within(2 * lower + both).sum()
    return float(np.clip(left + inside, 0.0, 1.0))


def score_when_stopped(
    tally: Tally, scores: tuple[float, float], bounds: tuple[float, float], confidence: float = 0.95
) -> tuple[float, float, float] | None:
    """(score, low, high) of a test of two scores that ended, or stands, with these blocks; None if the
    blocks tell too little (no spread).
    """
    n, mean, variance = tally.blocks, tally.moment(1), tally.moment(2)
    if not n or variance < 1e-12:
        return None
    step = scores[1] - scores[0]
    sigma = step / sqrt(variance)
    middle = sum(scores) / 2
    slope = step * (mean - middle) / variance
    at = min(max(slope * n, bounds[0]), bounds[1])
    time = n if at == slope * n else at / slope  # when it crossed, not where it is after that

    centre = middle + at / time * variance / step  # as if it had not stopped itself
    error = sigma / sqrt(time) * variance / step

    def found(chance: float) -> float:
        def off(score: float) -> float:
            drift = step * (score - middle) / variance
            return worse_outcome(time, at, *bounds, drift, sigma) - chance

        reach = error
        while reach < 1 and not off(centre - reach) > 0 > off(centre + reach):
            reach *= 1.5
        if reach >= 1:
            return centre if chance == 0.5 else float(chance < 0.5)
        return float(optimize.brentq(off, centre - reach, centre + reach, xtol=1e-9))

    tail = (1 - confidence) / 2
    score, low, high = (min(max(found(chance), 0.0), 1.0) for chance in (0.5, 1 - tail, tail))
    return score, low, high
