"""How many blocks are enough, and what mirrored deals are worth.

Everything follows from one number, the standard deviation of a block's score. At a score near 1/2 an
interval of half width w needs N = (t sd / w)^2 blocks, and a difference d of the score is found with
power p by a two-sided test if N = ((z + z_p) sd / d)^2 (any textbook; for sequential tests Wald 1945).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, sqrt

import numpy as np
from scipy import special

from arena.rating.results import Floats, Ints
from arena.rating.score import MIN_BLOCKS, score_of
from arena.rating.sprt import bounds


def blocks_for_interval(sd: float, elo: float, confidence: float = 0.95) -> int:
    """Blocks after which the interval of an Elo difference near 0 reaches `elo` to both sides."""
    width = score_of(elo) - 0.5
    blocks = MIN_BLOCKS
    for _ in range(20):  # the quantile depends a little on the number it gives
        t = special.stdtrit(blocks - 1, (1 + confidence) / 2)
        needed = max(ceil((t * sd / width) ** 2), MIN_BLOCKS)
        if needed == blocks:
            break
        blocks = needed
    return blocks


def blocks_to_find(sd: float, elo: float, confidence: float = 0.95, power: float = 0.8) -> int:
    """Blocks of which the interval excludes 0 with probability `power` if the difference is `elo`."""
    z = special.ndtri((1 + confidence) / 2) + special.ndtri(power)
    return max(ceil(float(z * sd / (score_of(elo) - 0.5)) ** 2), MIN_BLOCKS)


@dataclass(frozen=True)
class Expected:
    """Mean number of blocks of a sequential test where H0 or H1 is true, and where the truth lies in the
    middle, which takes longest."""

    under0: int
    under1: int
    middle: int


def blocks_of_test(sd: float, elo0: float, elo1: float, alpha: float, beta: float) -> Expected:
    """Wald's approximations for a test of Elo differences, with the block score's deviation as known."""
    lower, upper = bounds(alpha, beta)
    step = (score_of(elo1) - score_of(elo0)) / sd
    per_block = step * step / 2
    return Expected(
        ceil(-((1 - alpha) * lower + alpha * upper) / per_block),
        ceil((beta * lower + (1 - beta) * upper) / per_block),
        ceil(-lower * upper / (2 * per_block)),
    )


def mirrored_gain(
    scores: Floats, table: Ints | None = None, confidence: float = 0.95
) -> tuple[float, float, float]:
    """Variance of a block's mean score relative to what it would be with new dice for every game.

    It can be told from mirrored games alone: at one table (who sits there, in which circular order) the
    game of one rotation is distributed alike with either kind of deals, and only with mirrored ones do
    the games of a block depend on each other. So with independent deals the variance of the mean would
    be the sum of the variances of the rotations, divided by k^2.

    Args:
        scores: (N, k), one row per block, one column per rotation.
        table: int (N,), a number for the table of each block; None: all have the same.
        confidence: of the interval.

    Returns:
        The ratio and its interval (delta method on its logarithm); nan where it cannot be told.
    """
    blocks, games = scores.shape
    if blocks < MIN_BLOCKS:
        return np.nan, np.nan, np.nan
    _, at = np.unique(np.zeros(blocks) if table is None else table, return_inverse=True)
    played = np.bincount(at)
    means = np.stack([np.bincount(at, column) / played for column in scores.T], axis=1)
    away = scores - means[at]
    together = away.mean(axis=1) ** 2
    apart = (away**2).sum(axis=1) / games**2
    if together.mean() < 1e-18 or apart.mean() < 1e-18:
        return np.nan, np.nan, np.nan
    ratio = float(together.mean() / apart.mean())
    influence = together / together.mean() - apart / apart.mean()
    half = float(special.ndtri((1 + confidence) / 2)) * sqrt(float(influence.var()) / blocks)
    return ratio, ratio * exp(-half), ratio * exp(half)
