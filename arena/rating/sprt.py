"""The generalised sequential probability ratio test on block scores: log-likelihood ratios and bounds.

H0: the difference is `elo0`; H1: it is `elo1`. The likelihood of a hypothesis is the largest that any
distribution of block scores with that score (`logistic`) or that ratio of score to standard deviation
(`normalized`) gives to the blocks seen. Nothing is assumed of the distribution, so the games of a block
may depend on each other as they like.

    Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a
    multinomial distribution" (Proposition 1.1: logistic), and "Comments on normalized Elo" (4.1)
    Wald 1945, "Sequential tests of statistical hypotheses" (the bounds)
"""

from __future__ import annotations

from math import ceil, log, sqrt
from typing import Any

import numpy as np

from arena.rating.results import Floats
from arena.rating.score import NELO, score_of

NONE_SEEN = 1e-3
"""A score that no block has counts as so many blocks, as in fishtest and fastchess: without it blocks
that all ended alike would decide nothing, or everything."""


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """(lower, upper): H0 is accepted at or below the lower, H1 at or above the upper."""
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def log_likelihood_ratio(
    counts: Any, games: int, elo0: float, elo1: float, model: str = "logistic"
) -> Floats:
    """ln(likelihood of H1 / likelihood of H0).

    Args:
        counts: (..., S) of S >= 2; how many blocks scored j / (S - 1). Any number of tallies at once.
        games: in a block.
        elo0, elo1: in Elo points, logistic or normalised.
        model: "logistic" or "normalized".

    Returns:
        (...)
    """
    seen = np.asarray(counts, np.float64)
    seen = np.where(seen > 0, seen, NONE_SEEN)
    blocks = seen.sum(axis=-1)
    share = seen / blocks[..., None]
    scores = np.linspace(0.0, 1.0, seen.shape[-1])
    if model == "logistic":
        tilts = [_tilt(share, np.broadcast_to(scores - score_of(e), share.shape)) for e in (elo0, elo1)]
    else:
        tilts = [_tilt_to_ratio(share, scores, sqrt(games) * e / NELO) for e in (elo0, elo1)]
    # The most likely distribution is share / tilt.
    return np.asarray(blocks * (share * (np.log(tilts[0]) - np.log(tilts[1]))).sum(axis=-1))


def _tilt(share: Floats, x: Floats) -> Floats:
    """1 + theta x, where theta makes the mean of x zero: sum of share x / (1 + theta x) = 0.

    Both (..., S); every row of x has values on both sides of 0. The sum falls with theta from +inf to
    -inf between its poles, so Newton's method is kept inside a bracket and halves it where it would
    leave.
    """
    low, high = -1 / x.max(axis=-1), -1 / x.min(axis=-1)
    near = 1e-12 * (high - low)
    theta = np.zeros(share.shape[:-1])
    done = np.zeros(theta.shape, np.bool_)
    for _ in range(100):
        parts = x / (1 + theta[..., None] * x)
        value = (share * parts).sum(axis=-1)
        slope = -(share * parts * parts).sum(axis=-1)
        low, high = np.where(value > 0, theta, low), np.where(value < 0, theta, high)
        step = theta - value / slope
        step = np.where((low < step) & (step < high), step, (low + high) / 2)
        step = np.where(done, theta, step)  # a row must not depend on those beside it
        done |= np.abs(step - theta) <= near
        theta = step
        if done.all():
            break
    return np.asarray(1 + theta[..., None] * x)


def _tilt_to_ratio(share: Floats, scores: Floats, ratio: float) -> Floats:
    """The tilt of the most likely distribution whose (mean - 1/2) / sigma is `ratio`: the condition is
    made linear around the last distribution found, again and again, beginning with equal shares. A
    large ratio is approached in steps, for none of which the linear condition is out of reach.
    """
    found = np.full(share.shape, 1 / share.shape[-1])
    tilt = np.ones(share.shape)
    steps = max(1, ceil(abs(ratio) / 0.25))
    for step in range(1, steps + 1):
        near = 1e-9 if step == steps else 1e-3
        done = np.zeros((*share.shape[:-1], 1), np.bool_)
        for _ in range(100):
            mean = (found * scores).sum(axis=-1, keepdims=True)
            sigma = np.sqrt((found * (scores - mean) ** 2).sum(axis=-1, keepdims=True))
            away = (scores - mean) / sigma
            x = scores - 0.5 - 0.5 * ratio * step / steps * sigma * (1 + away**2)
            tilt = np.where(done, tilt, _tilt(share, x))
            better = share / tilt
            done |= np.abs(better - found).max(axis=-1, keepdims=True) < near
            found = better
            if done.all():
                break
    return tilt
