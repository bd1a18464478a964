"""Who beats whom against the order of the ratings, and whether one scale fits at all.

One number per bot says that who beats a bot by much beats those below it by more. Three bots that
beat each other in a circle have no such numbers. Two looks at that: each pair by itself, and all
pairs together.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import sparse, special

from arena.rating.blocks import Blocks, aggregate
from arena.rating.bootstrap import Fit, resamples
from arena.rating.groups import standing
from arena.rating.head_to_head import HeadToHead, head_to_head
from arena.rating.plackett_luce import ELO
from arena.rating.ratings import Ratings, rate
from arena.rating.results import NO_SEAT, Bools, Floats, Results, number_rows


@dataclass(frozen=True)
class Upset:
    """A pair of bots of which the one that is rated lower finishes above the other more often.

    Attributes:
        winner, loser: names; the winner is the one rated lower.
        score: share of their shared games in which the winner finished above, as in `HeadToHead`.
        low, high: its interval, nan where there is none.
        blocks: complete blocks in which both sat.
        rated_below: Elo points by which the winner is rated lower.
        p: of the two-sided test that the score is 1/2, nan where there is no interval.
        p_holm: the same, corrected for looking at all pairs (Holm 1979, "A simple sequentially
            rejective multiple test procedure").
    """

    winner: str
    loser: str
    score: float
    low: float
    high: float
    blocks: int
    rated_below: float
    p: float
    p_holm: float


def upsets(results: Results, ratings: Ratings, min_blocks: int = 20) -> list[Upset]:
    """The pairs that go against the ratings, the surest first.

    A test is Student's t on the block means, or where all blocks are whitewashes the binomial one.
    Holm's correction counts all pairs with enough blocks, those that follow the ratings too, because
    the data chose which ones are shown.

    Args:
        results: what the ratings were computed from.
        min_blocks: a pair with fewer shared blocks has a score but no test.
    """
    pairs = head_to_head(results, ratings.confidence, min_blocks)
    p = _p_values(pairs)
    upper = np.triu_indices(len(pairs.bots), 1)
    tested = ~np.isnan(p[upper])
    holm = np.full(len(tested), np.nan)
    holm[tested] = _holm(p[upper][tested])
    found = []
    for i, j, corrected in zip(*upper, holm, strict=True):
        one, other = ratings[pairs.bots[i]].rating, ratings[pairs.bots[j]].rating
        if one is None or other is None or not pairs.blocks[i, j] or pairs.score[i, j] == 0.5:
            continue
        winner, loser, ahead = (i, j, one - other) if pairs.score[i, j] > 0.5 else (j, i, other - one)
        if ahead < 0:
            found.append(
                Upset(
                    pairs.bots[winner],
                    pairs.bots[loser],
                    float(pairs.score[winner, loser]),
                    float(pairs.low[winner, loser]),
                    float(pairs.high[winner, loser]),
                    int(pairs.blocks[winner, loser]),
                    -float(ahead),
                    float(p[winner, loser]),
                    float(corrected),
                )
            )
    return sorted(found, key=lambda u: (np.isnan(u.p), u.p, -u.score, u.winner, u.loser))


def one_scale(results: Results, replicates: int = 1000, seed: int = 0) -> float | None:
    """The p-value of "one rating per bot fits all pairs", or None where nothing could contradict it.

    The statistic is the sum over pairs of (score - expected)^2, weighted with the number of blocks:
    score as in `head_to_head`, expected from the ratings (who else sits at the table does not
    matter under Plackett-Luce). Its distribution is that of the same sum in resamples of the blocks,
    each refitted, of the difference of their deviations to those observed (resampling under the null
    hypothesis by centring; Hall and Wilson 1991, "Two guidelines for bootstrap hypothesis testing").
    So neither the independence of the games of a block nor that of the pairs of a table is assumed.
    Only bots of the main group count, and only pairs of them that met.
    """
    rated = results.only_complete()
    blocks = aggregate(rated)
    main = standing(blocks.exits.beats) == 0
    pairs = _Pairs(rated, blocks, main)
    if len(pairs.first) < max(main.sum(), 1):  # as many numbers as there are to fit
        return None
    rows = rate(results, replicates=0, anchor_value=0.0).rows
    theta = np.array([0.0 if row.rating is None else row.rating / ELO for row in rows])
    observed = pairs.deviations(blocks.count[:, None].astype(np.float64), theta[None])
    size = (pairs.blocks[:, None] * observed**2).sum()
    as_large = drawn = 1  # the observed one is one of them
    for weights, resampled in resamples(blocks, Fit(theta, main), replicates, seed):
        finite = np.isfinite(resampled[:, main]).all(axis=1)
        drift = pairs.deviations(weights[:, finite], resampled[finite]) - observed
        as_large += int(((pairs.blocks[:, None] * drift**2).sum(axis=0) >= size).sum())
        drawn += int(finite.sum())
    return as_large / drawn


class _Pairs:
    """The K pairs of bots of the main group that met.

    first, second: int (K,), the two bots; blocks: (K,), in how many blocks they met.
    """

    def __init__(self, rated: Results, blocks: Blocks, main: Bools) -> None:
        bots = len(main)
        games = np.isin(rated.block, blocks.sample)  # one block of each kind
        seats, places = rated.seats[games], rated.places[games]
        order = np.argsort(blocks.sample)
        kind = order[np.searchsorted(blocks.sample, rated.block[games], sorter=order)]
        cells, scores = [np.zeros((0, 2), np.int64)], [np.zeros(0)]
        for a, b in combinations(range(seats.shape[1]), 2):
            i, j = seats[:, a], seats[:, b]
            met = (i != NO_SEAT) & (j != NO_SEAT) & main[i] & main[j]
            score = (np.sign(places[:, b] - places[:, a]) + 1) / 2
            low, high = np.minimum(i, j), np.maximum(i, j)
            cells.append(np.column_stack([kind, low * bots + high])[met])
            scores.append(np.where(i < j, score, 1 - score)[met])
        cell = np.concatenate(cells)
        at, number = number_rows(cell)  # a pair in a kind of block
        games_of = np.bincount(number, minlength=len(at))
        mean = np.bincount(number, np.concatenate(scores), minlength=len(at)) / games_of
        kinds, pair = cell[at].T
        pairs, column = np.unique(pair, return_inverse=True)
        shape = len(blocks.count), len(pairs)
        self._scores = sparse.csr_array((mean, (kinds, column)), shape=shape)
        self._met = sparse.csr_array((np.ones(len(at)), (kinds, column)), shape=shape)
        self.first, self.second = np.divmod(pairs, bots)
        self.blocks = self._met.T @ blocks.count.astype(np.float64)

    def deviations(self, weights: Floats, theta: Floats) -> Floats:
        """Score less expectation (K, R), of weighted blocks (Q, R) and ratings (R, B); 0 for a pair
        that never met in a resample."""
        met = self._met.T @ weights
        score = (self._scores.T @ weights) / np.where(met > 0, met, 1)
        expected = special.expit(theta[:, self.first] - theta[:, self.second]).T
        return np.asarray(np.where(met > 0, score - expected, 0.0))


def _p_values(pairs: HeadToHead) -> Floats:
    """(B, B), two-sided, of the hypothesis that the score is 1/2; nan where there is no interval."""
    freedom = np.maximum(pairs.blocks - 1, 1)
    whitewash = (pairs.score == 0) | (pairs.score == 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * special.stdtr(freedom, -np.abs(pairs.score - 0.5) / pairs.error)
    p = np.where(whitewash, np.minimum(2 * 0.5**pairs.blocks, 1), p)
    return np.asarray(np.where(np.isnan(pairs.low), np.nan, p))


def _holm(p: Floats) -> Floats:
    order = np.argsort(p)
    steps = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order])
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(steps, 1)
    return corrected
