"""Bootstrap draws of the ratings: resample blocks, refit, align."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special

from arena.rating.blocks import Blocks
from arena.rating.groups import standing
from arena.rating.plackett_luce import refit
from arena.rating.results import Bools, Floats, Ints

_CELLS = 2**22  # numbers per array that are worked on at once (32 MiB)


@dataclass(frozen=True, eq=False)
class Fit:
    """The fit of all the blocks, from which the resamples start.

    Attributes:
        theta: (B,), natural units.
        rated: (B,), the bots that have a theta.
        hold: the bot whose theta is held in every resample; None: the mean over the rated bots.
        prior: as in `plackett_luce.fit`.
    """

    theta: Floats
    rated: Bools
    hold: int | None = None
    prior: float = 0.0


def resamples(blocks: Blocks, whole: Fit, replicates: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Refit resamples of the blocks (Efron and Tibshirani 1993, chapters 6 and 8), some at a time.

    Args:
        seed: of the pseudo-random resampling; the same seed and results give the same resamples.

    Yields:
        weights (Q, R) of the blocks, and theta (R, B) in natural units, nan for bots not rated.

    A resample may tear the rated bots apart, so that some have no finite rating in it. They are
    then at +inf or -inf, or nan where the resample does not say, and the others are fitted without
    them, with their mean where the full fit has it.
    """
    theta, rated, hold = whole.theta, whole.rated, whole.hold
    bots = len(theta)
    parts = blocks.exits
    count = blocks.count.astype(np.float64)
    widest = max(len(count), parts.stages.shape[1], bots * bots, 1)
    chunk = min(max(_CELLS // widest, 1), max(replicates, 1))
    rng = np.random.default_rng(seed)
    held = np.arange(bots)[:, None] == (-1 if hold is None else hold)
    base = np.where(rated, 0.0, np.nan) if whole.prior else standing(parts.beats, rated, hold)
    sums = parts.leavers.T @ count, parts.stages.T @ count, base
    often = parts.beats & ~(parts.upsets.sum(axis=0) > 0).reshape(bots, bots)

    for start in range(0, replicates, chunk):
        weights = blocks.resample(rng, min(chunk, replicates - start))
        where = np.tile(base[:, None], weights.shape[1])
        if not whole.prior:
            rare = (parts.upsets.T @ (weights > 0)).T.reshape(-1, bots, bots) > 0
            won = rare | often
            for r in np.flatnonzero((won != parts.beats).any(axis=(1, 2))):
                where[:, r] = standing(won[r], rated, hold)
        fitted = refit(
            parts.sets,
            parts.leavers.T @ weights,
            parts.stages.T @ weights,
            where,
            sums,
            theta,
            prior=whole.prior,
        )
        fixed = (where == 0) if hold is None else np.broadcast_to(held, where.shape)
        drift = np.where(fixed, theta[:, None] - fitted, 0.0).sum(axis=0)
        fitted += drift / np.maximum(fixed.sum(axis=0), 1)
        yield weights, np.where(rated[:, None], fitted + where, np.nan).T


def draw(blocks: Blocks, whole: Fit, replicates: int, seed: int) -> Floats:
    """The thetas of all `resamples` (replicates, B)."""
    thetas = [theta for _, theta in resamples(blocks, whole, replicates, seed)]
    return np.concatenate(thetas) if thetas else np.zeros((0, len(whole.theta)))


def interval(draws: Floats, confidence: float, freedom: Ints | Floats) -> tuple[Floats, Floats]:
    """The two bounds (B,) of each column of draws (R, B), -inf or +inf where there is none.

    The expanded percentile interval (Hesterberg 2015, "What teachers should know about the
    bootstrap", 5.3): the percentiles are taken further out, by as much as Student's t with
    `freedom` (B,) degrees is wider than the normal distribution, for with few blocks the spread of
    the resamples is itself an estimate. The outer of the two neighbouring order statistics; a draw
    that is not known (nan) counts against both bounds.
    """
    last = len(draws) - 1
    tail = special.ndtr(-special.stdtrit(np.maximum(freedom, 1), (1 + confidence) / 2))
    low = np.sort(np.where(np.isnan(draws), -np.inf, draws), axis=0)
    high = np.sort(np.where(np.isnan(draws), np.inf, draws), axis=0)
    column = np.arange(draws.shape[1])
    # rounded first: 0.025 * 1000 must not become 24.999...
    return (
        low[np.floor(np.round(tail * last, 9)).astype(np.int64), column],
        high[np.ceil(np.round((1 - tail) * last, 9)).astype(np.int64), column],
    )
