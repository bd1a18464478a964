"""Rates and means with their intervals, from sums that can be added up part by part of a log."""

from __future__ import annotations

import numpy as np
from scipy import special

from arena.rating.results import Floats
from arena.report.blocks import MIN_BLOCKS, Estimate


class Ratios:
    """Ratios of sums, such as bluffs / bids, of many bots at once; memory does not grow with the log.

    Blocks are independent, the calls in them are not, and some blocks hold more calls than others:
    the ratio estimator for clusters of unequal sizes (Cochran, Sampling Techniques, 1977, ch. 6 and
    9A). With A and N the sums of block b and r = sum A / sum N, the variance of r over B blocks is
    B / (B - 1) * sum (A - r N)^2 / (sum N)^2; Student's t with B - 1 degrees of freedom.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.blocks = np.zeros(shape, np.int64)
        """Blocks in which there was anything to count."""
        self.below = np.zeros(shape)
        self._above, self._aa, self._an, self._nn = (np.zeros(shape) for _ in range(4))

    def add(self, above: Floats, below: Floats) -> None:
        """Sums of whole blocks, (blocks, *shape)."""
        self.blocks += (below > 0).sum(axis=0)
        self.below += below.sum(axis=0)
        self._above += above.sum(axis=0)
        self._aa += (above * above).sum(axis=0)
        self._an += (above * below).sum(axis=0)
        self._nn += (below * below).sum(axis=0)

    def estimate(self) -> Estimate:
        """The ratios; nan where nothing was counted, no interval as in `arena.report.blocks`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = self._above / self.below
            spread = np.maximum(self._aa - 2 * ratio * self._an + ratio**2 * self._nn, 0)
            variance = self.blocks / (self.blocks - 1) * spread / self.below**2
            half = special.stdtrit(np.maximum(self.blocks - 1, 1), 0.975) * np.sqrt(variance)
            level = spread <= 1e-9 * np.maximum(self._aa, 1e-9)
        half[(self.blocks < MIN_BLOCKS) | level] = np.nan
        return Estimate(ratio, half, self.blocks)
