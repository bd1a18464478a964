"""From how blocks ended to score, Elo, normalised Elo and likelihood of superiority, with intervals.

The input is a tally: how many blocks of k games ended with each possible score of one side. It is all
that these numbers depend on, so a million blocks cost no more than ten. A game alone is a block of
k = 1 (losses, draws, wins), a pair of games with the sides exchanged one of k = 2.

Formulas: Elo of a score s is -400 log10(1/s - 1); normalised Elo (Van den Bergh, "Comments on
normalized Elo") is C (s - 1/2) / sigma with C = 800 / ln 10 and sigma the standard deviation of a game,
taken from blocks as sqrt(k) times that of a block's score, so that it is comparable for every k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt
from typing import Any

import numpy as np
from scipy import special

from arena.rating.results import Floats

MIN_BLOCKS = 20
"""Fewer blocks than this: a score and its Elo, but no interval."""
NELO = 800 / log(10)
"""Normalised Elo per standard deviation of a game."""
FEW_UNLIKE = 5
"""With fewer blocks than this that were not won entirely, their spread is too little known for Student's
t: 99 wins of 100 would have a higher lower bound than 100 of 100."""

FEW = "fewer than {} blocks"
ALL_ALIKE = "every block ended alike"
WON_ALL = "won every game"
LOST_ALL = "lost every game"


def elo_of(score: float) -> float:
    """The Elo difference at which `score` in [0, 1] is expected; -inf or +inf at the ends."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


def score_of(elo: float) -> float:
    """The score expected at an Elo difference."""
    return float(1 / (1 + 10 ** (-elo / 400)))


@dataclass(frozen=True)
class Tally:
    """`counts[j]` blocks of `games` games each in which one side scored j / (len(counts) - 1).

    Raises `ValueError` for fewer than two counts, a negative one, or no games.
    """

    counts: tuple[int, ...]
    games: int

    def __post_init__(self) -> None:
        if len(self.counts) < 2:
            raise ValueError(f"counts: expected at least two, got {len(self.counts)}")
        if min(self.counts) < 0:
            raise ValueError(f"counts: expected 0 or more each, got {min(self.counts)}")
        if self.games < 1:
            raise ValueError(f"games: expected 1 or more in a block, got {self.games}")

    @property
    def blocks(self) -> int:
        return sum(self.counts)

    @property
    def scores(self) -> Floats:
        """The possible scores of a block, ascending from 0 to 1."""
        return np.linspace(0.0, 1.0, len(self.counts))

    def moment(self, power: int) -> float:
        """Mean of (block score - mean)^power; power 1: the mean itself. nan without blocks."""
        if not self.blocks:
            return np.nan
        share = np.asarray(self.counts) / self.blocks
        mean = float(share @ self.scores)
        return mean if power == 1 else float(share @ (self.scores - mean) ** power)


def tally(half_points: Sequence[int] | np.ndarray[tuple[int], np.dtype[np.int64]], games: int) -> Tally:
    """The tally of blocks of `games` games with these sums of half points (a win is two)."""
    counts = np.bincount(np.asarray(half_points, np.int64), minlength=2 * games + 1)
    return Tally(tuple(counts.tolist()), games)


@dataclass(frozen=True)
class Estimate:
    """What a tally says about the side whose scores it holds. None: there is no such number.

    Attributes:
        score, low, high: in [0, 1].
        elo, elo_low, elo_high: Elo points.
        nelo, nelo_low, nelo_high: normalised Elo points.
        los: likelihood of superiority in [0, 1], the confidence that the score is above 1/2. Where
            every game was won or lost, its bound: 1 - 2^-N or 2^-N.
        confidence: of the intervals.
        word: why an interval or a number is missing; "" where nothing is.
    """

    score: float
    low: float | None
    high: float | None
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    nelo: float | None
    nelo_low: float | None
    nelo_high: float | None
    los: float | None
    confidence: float
    word: str = ""


def estimate(
    tally: Tally, confidence: float = 0.95, *, normal: bool = False, min_blocks: int = MIN_BLOCKS
) -> Estimate | None:
    """Score, Elo, normalised Elo and LOS of a tally; None without any block.

    The interval of the score is Student's t on block scores, cut to [0, 1], and near the edge no
    narrower than `swept_bound`; that of Elo has the same ends on the Elo scale; that of normalised Elo
    takes into account that the standard deviation is estimated too (delta method, as fishtest). Where
    every game was won or lost no spread is seen, and the bound is the exact one.

    Args:
        tally: the blocks.
        confidence: of the intervals, in (0, 1).
        normal: as fastchess computes it: normal quantiles, the variance divided by N, and the
            standard deviation in normalised Elo taken as known. Score, Elo and LOS are then those of
            cutechess and fishtest too.
        min_blocks: fewer blocks than this have no interval and no LOS; at least 2.

    Raises:
        ValueError: confidence or min_blocks out of range.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: expected a number between 0 and 1, got {confidence}")
    if min_blocks < 2:
        raise ValueError(f"min_blocks: expected at least 2, got {min_blocks}")
    n = tally.blocks
    if not n:
        return None
    score, variance = tally.moment(1), tally.moment(2)
    if variance < 1e-18:
        return _constant(score, n, confidence, min_blocks)
    if not normal and n > 1:
        variance *= n / (n - 1)
    sigma = sqrt(variance)
    elo = finite(elo_of(score))
    nelo = NELO / sqrt(tally.games) * (score - 0.5) / sigma
    if n < min_blocks:
        none = (None, None)
        return Estimate(score, *none, elo, *none, nelo, *none, None, confidence, FEW.format(min_blocks))
    tail, error = (1 + confidence) / 2, sigma / sqrt(n)
    t = (score - 0.5) / error
    z = float(special.ndtri(tail) if normal else special.stdtrit(n - 1, tail))
    low, high = max(score - z * error, 0.0), min(score + z * error, 1.0)
    if not normal:
        low = min(low, float(swept_bound(tally.counts[-1], n, confidence)))
        high = max(high, 1 - float(swept_bound(tally.counts[0], n, confidence)))
    half = z * NELO / sqrt(tally.games * n) * (1.0 if normal else _widening(tally))
    return Estimate(
        score,
        low,
        high,
        elo,
        finite(elo_of(low)),
        finite(elo_of(high)),
        nelo,
        nelo - half,
        nelo + half,
        float(special.ndtr(t) if normal else special.stdtr(n - 1, t)),
        confidence,
    )


def swept_bound(swept: Any, blocks: Any, confidence: float) -> Floats:
    """The lower end of an interval for the mean score, of blocks nearly all of which were won entirely:
    Clopper and Pearson's (1934) for the share of these, `swept` of `blocks`, which the mean is never
    below. With all of them won it is (alpha / 2)^(1 / N). 1, that is no bound, where `FEW_UNLIKE` or
    more, or half of all, were not won entirely.
    """
    few = blocks - swept < np.minimum(FEW_UNLIKE, swept)
    bound = special.betaincinv(np.maximum(swept, 1), blocks - swept + 1, (1 - confidence) / 2)
    return np.where(few, bound, 1.0)


def finite(value: float) -> float | None:
    """None for what is infinite."""
    return value if abs(value) < inf else None


def _widening(tally: Tally) -> float:
    """Standard deviation of sqrt(N) (mean - 1/2) / sigma when sigma is estimated: near 1 where the score
    is near 1/2, and sqrt(1 - t skewness + t^2 (kurtosis - 1) / 4) by the delta method.
    """
    sigma = sqrt(tally.moment(2))
    t = (tally.moment(1) - 0.5) / sigma
    skewness, kurtosis = tally.moment(3) / sigma**3, tally.moment(4) / sigma**4
    return sqrt(max(1 - t * skewness + t * t * (kurtosis - 1) / 4, 0.0))


def _constant(score: float, n: int, confidence: float, min_blocks: int) -> Estimate:
    """Every block ended alike."""
    low = high = los = None
    whitewash = score in (0.0, 1.0)
    word = (WON_ALL if score else LOST_ALL) if whitewash else ALL_ALIKE
    if n < min_blocks:
        word = f"{word}, {FEW.format(min_blocks)}" if whitewash else FEW.format(min_blocks)
    elif whitewash:
        bound = float(swept_bound(n, n, confidence))
        low, high = (bound, 1.0) if score else (0.0, 1 - bound)
        los = 1 - 0.5**n if score else 0.5**n
    return Estimate(
        score,
        low,
        high,
        finite(elo_of(score)),
        None if low is None else finite(elo_of(low)),
        None if high is None else finite(elo_of(high)),
        None,
        None,
        None,
        los,
        confidence,
        word,
    )
