"""Bootstrap draws of the ratings: resample blocks, refit, align."""

from __future__ import annotations

import numpy as np

from arena.rating.blocks import Blocks
from arena.rating.groups import standing
from arena.rating.plackett_luce import fit
from arena.rating.results import Bools, Floats

_CELLS = 2**22  # numbers per array that are worked on at once (32 MiB)


def draw(
    blocks: Blocks,
    theta: Floats,
    *,
    beats: Bools,
    rated: Bools,
    hold: int | None,
    replicates: int,
    seed: int,
) -> Floats:
    """Refit `replicates` resamples of the blocks (Efron and Tibshirani 1993, chapters 6 and 8).

    Args:
        blocks: the evidence.
        theta: (B,), the fit of all of it, mean 0 over the rated bots.
        beats: (B, B), who beats whom in all of it.
        rated: (B,), the bots that have a theta.
        hold: the bot whose theta is held in every resample; None: the mean.
        seed: of the pseudo-random resampling; the same seed and results give the same draws.

    Returns:
        (replicates, B) in units of theta, nan for bots not rated.

    A resample may tear the rated bots apart, so that some have no finite rating in it. They are
    then at +inf or -inf, or nan where the resample does not say, and the others are fitted without
    them, with their mean where the full fit has it.
    """
    bots = len(theta)
    parts = blocks.exits
    widest = max(len(blocks.count), parts.stages.shape[1], bots * bots, 1)
    chunk = min(max(_CELLS // widest, 1), max(replicates, 1))
    rng = np.random.default_rng(seed)
    held = np.arange(bots)[:, None] == (-1 if hold is None else hold)

    draws = np.full((replicates, bots), np.nan)
    for start in range(0, replicates, chunk):
        weights = blocks.resample(rng, min(chunk, replicates - start))
        won = (parts.beats.T @ (weights > 0)).T.reshape(-1, bots, bots) > 0
        where = np.tile(standing(beats, rated, hold)[:, None], len(won))
        for r in np.flatnonzero((won != beats).any(axis=(1, 2))):
            where[:, r] = standing(won[r], rated, hold)
        fitted = fit(parts.sets, parts.leavers.T @ weights, parts.stages.T @ weights, where, theta)
        fixed = (where == 0) if hold is None else np.broadcast_to(held, where.shape)
        drift = np.where(fixed, theta[:, None] - fitted, 0.0).sum(axis=0)
        fitted += drift / np.maximum(fixed.sum(axis=0), 1)
        draws[start : start + len(won)] = np.where(rated[:, None], fitted + where, np.nan).T
    return draws


def percentile_interval(draws: Floats, confidence: float) -> tuple[Floats, Floats]:
    """The two bounds (B,) of each column of draws (R, B), -inf or +inf where there is none.

    The outer of the two neighbouring order statistics; a draw that is not known (nan) counts
    against both bounds.
    """
    last = len(draws) - 1
    tail = (1 - confidence) / 2
    low = np.sort(np.where(np.isnan(draws), -np.inf, draws), axis=0)
    high = np.sort(np.where(np.isnan(draws), np.inf, draws), axis=0)
    # rounded first: 0.025 * 1000 must not become 24.999...
    return (
        low[int(np.floor(round(tail * last, 9)))],
        high[int(np.ceil(round((1 - tail) * last, 9)))],
    )
