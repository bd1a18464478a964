"""Who finishes above whom, pair by pair, inside the tables they shared.

Needs no model, so it shows what a single rating hides (three bots that beat each other in a
circle). It is descriptive: the pairs of one table are not independent of each other, and with many
pairs some are significant by luck; no correction is made for looking at them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import special

from arena.rating.results import NO_SEAT, Bools, Floats, Ints, Results, number_rows
from arena.rating.score import swept_bound


@dataclass(frozen=True, eq=False)
class HeadToHead:
    """Row bot against column bot; all arrays are (B, B).

    Attributes:
        bots: names.
        score: share in [0, 1] of the shared games in which the row bot finished above the column
            bot, a tie counting one half; the mean of block means. nan where they never met.
        low, high: interval for the score; nan where there is none (too few blocks, or all ended
            with the same score strictly between 0 and 1).
        error: standard error of the score; nan where there is no interval, or no spread was seen.
        blocks: int, complete blocks in which both sat.
        significant: whether the interval excludes 1/2.
    """

    bots: tuple[str, ...]
    score: Floats
    low: Floats
    high: Floats
    error: Floats
    blocks: Ints
    significant: Bools


def head_to_head(results: Results, confidence: float = 0.95, min_blocks: int = 20) -> HeadToHead:
    """Compare every pair of bots over complete blocks.

    The interval is Student's t on the N block means, cut to [0, 1]: games of a block share a deal,
    so blocks are the independent units. Where all or nearly all blocks are whitewashes the variance
    is hardly known, and the bound is the exact one for the share of these (`score.swept_bound`).

    Args:
        results: incomplete blocks are ignored.
        confidence: in (0, 1).
        min_blocks: fewer shared blocks than this: a score but no interval; at least 2.

    Raises:
        ValueError: confidence or min_blocks out of range.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: expected a number between 0 and 1, got {confidence}")
    if min_blocks < 2:
        raise ValueError(f"min_blocks: expected at least 2, got {min_blocks}")
    bots = len(results.bots)
    pair, mean = _block_means(results.only_complete())
    size = bots * bots
    blocks = np.bincount(pair, minlength=size)
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.bincount(pair, mean, minlength=size) / blocks
        spread = np.bincount(pair, (mean - score[pair]) ** 2, minlength=size) / (blocks - 1)
        enough = blocks >= min_blocks
        t = special.stdtrit(np.maximum(blocks - 1, 1), (1 + confidence) / 2)
        error = np.where(enough & (spread > 1e-18), np.sqrt(spread / blocks), np.nan)
        low, high = np.maximum(score - t * error, 0), np.minimum(score + t * error, 1)
        whitewash = enough & ((score == 0) | (score == 1))
    low, high = np.where(whitewash, score, low), np.where(whitewash, score, high)
    swept = np.bincount(pair, mean == 1, minlength=size).astype(np.int64)
    lost = np.bincount(pair, mean == 0, minlength=size).astype(np.int64)
    low = np.minimum(low, swept_bound(swept, blocks, confidence))  # nan stays nan
    high = np.maximum(high, 1 - swept_bound(lost, blocks, confidence))
    significant = (low > 0.5) | (high < 0.5)
    shape = (bots, bots)
    return HeadToHead(
        results.bots,
        score.reshape(shape),
        low.reshape(shape),
        high.reshape(shape),
        error.reshape(shape),
        blocks.reshape(shape),
        significant.reshape(shape),
    )


def _block_means(results: Results) -> tuple[Ints, Floats]:
    """For every block and ordered pair of bots in it: the pair (i * B + j) and i's mean score."""
    bots = len(results.bots)
    pairs, blocks, scores = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    for a, b in combinations(range(results.seats.shape[1]), 2):
        there = (results.seats[:, a] != NO_SEAT) & (results.seats[:, b] != NO_SEAT)
        i, j = results.seats[there, a], results.seats[there, b]
        score = (np.sign(results.places[there, b] - results.places[there, a]) + 1) / 2
        pairs += [i * bots + j, j * bots + i]
        blocks += [results.block[there]] * 2
        scores += [score, 1 - score]
    pair = np.concatenate(pairs)
    first, number = number_rows(np.column_stack([np.concatenate(blocks), pair]))
    games = np.bincount(number, minlength=len(first))
    return pair[first], np.bincount(number, np.concatenate(scores), minlength=len(first)) / games
