"""Means with intervals from blocks, which are the independent units: games of a block share a deal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from arena.rating import Results
from arena.rating.results import Floats, Ints, number_rows

MIN_BLOCKS = 20
"""Fewer blocks than this: a mean but no interval."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Means of any shape; `half` is half the 95 % interval, nan where there is none."""

    mean: Floats
    half: Floats
    blocks: Ints


def estimate(group: Ints, value: Floats, groups: int) -> Estimate:
    """The mean of the values of each group, which are independent of each other, one per block.

    Student's t; no interval for fewer than `MIN_BLOCKS` blocks, nor where all are equal.
    """
    blocks = np.bincount(group, minlength=groups)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.bincount(group, value, minlength=groups) / blocks
        spread = np.bincount(group, (value - mean[group]) ** 2, minlength=groups) / (blocks - 1)
        half = special.stdtrit(np.maximum(blocks - 1, 1), 0.975) * np.sqrt(spread / blocks)
    half[(blocks < MIN_BLOCKS) | ~(spread > 1e-18)] = np.nan
    return Estimate(mean, half, blocks)


class PerBot:
    """Means of each bot over its blocks, of any value that every seat of a game has."""

    def __init__(self, rated: Results) -> None:
        """`rated`: the games of complete blocks, all seats taken."""
        block = np.repeat(rated.block, rated.seats.shape[1])
        rows = np.column_stack([block, rated.seats.ravel()])
        first, self._at = number_rows(rows)
        self._bot: Ints = rows[first, 1]
        self._games = np.bincount(self._at, minlength=len(first))
        self._bots = len(rated.bots)

    def mean(self, value: Floats) -> Estimate:
        """`value` (games, seats); the estimate is (bots,)."""
        total = np.bincount(self._at, value.ravel(), minlength=len(self._bot))
        return estimate(self._bot, total / self._games, self._bots)


def scores(results: Results) -> Floats:
    """(games, seats): the share of opponents left behind, a tie counting half. All seats are taken."""
    places = results.places
    total = np.full(places.shape, -0.5)  # each meets itself below, and ties
    for other in places.T[:, :, None]:
        total += (np.sign(other - places) + 1) / 2
    return np.asarray(total / (places.shape[1] - 1))


def by_seat(rated: Results) -> tuple[Estimate, Estimate]:
    """How much better than its mean a bot scores in each seat: of all bots (seats,) and of each
    (bots, seats). `rated`: the games of complete blocks, in which every bot sits once in each seat.
    """
    score = scores(rated)
    bots, width = len(rated.bots), rated.seats.shape[1]
    first, block = number_rows(rated.block[:, None])
    games = np.bincount(block, minlength=len(first))

    seat = np.tile(np.arange(width), len(first))
    total = np.stack(
        [np.bincount(block, score[:, s], minlength=len(first)) for s in range(width)], axis=1
    )
    overall = estimate(seat, (total / np.maximum(games, 1)[:, None] - 0.5).ravel(), width)

    rows = np.column_stack([np.repeat(block, width), rated.seats.ravel()])
    first, at = number_rows(rows)
    mean = np.bincount(at, score.ravel(), minlength=len(first)) / np.bincount(at, minlength=len(first))
    group = rated.seats.ravel() * width + np.tile(np.arange(width), len(rated))
    each = estimate(group, score.ravel() - mean[at], bots * width)
    shape = bots, width
    return overall, Estimate(
        each.mean.reshape(shape), each.half.reshape(shape), each.blocks.reshape(shape)
    )
