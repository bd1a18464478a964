"""The model: Plackett-Luce of who leaves next.

At each stage of a game one of the bots still present leaves; bot i with probability

    exp(-theta_i) / sum over all present j of exp(-theta_j)

(Plackett 1975, "The analysis of permutations", read from the last place to the first, which is
how the game happens; the model is not symmetric under reversal, so the direction matters). With
two players it is Bradley-Terry: P(i beats j) = 1 / (1 + exp(theta_j - theta_i)).

Ties. Bots that leave together leave from one risk set: each contributes one factor with the same
denominator, over all present including themselves (Breslow 1974, "Covariance analysis of censored
survival data"). The last group of m bots, tied for first place, makes m - 1 exits between them,
so each factor has the power (m - 1) / m: a game of n bots always has n - 1 exits, a lone winner
contributes nothing, and a draw between two counts as half a win for each.

The log-likelihood is  sum_i x_i (-theta_i) - sum_S n_S log sum_{j in S} exp(-theta_j)  with x_i
the number of exits of bot i and n_S that of exits from the risk set S. These counts are all
the fit ever sees, and they add up over games: a bootstrap refit is a new weighted sum of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from arena.rating.results import NO_SEAT, Bools, Floats, Ints, number_rows

ELO = 400 / math.log(10)
"""Elo points per unit of theta: 400 points are odds of ten to one (Elo 1978)."""

Sparse = Any  # scipy.sparse.csr_array, which has no published types


@dataclass(frozen=True, eq=False)
class RiskSets:
    """The U distinct sets of bots somebody left from.

    Attributes:
        members: sparse (U, B), 1 where the bot is in the set.
        pairs: sparse (B (B - 1) / 2, U), 1 where both bots of the pair (in the order of
            `numpy.triu_indices(B, 1)`) are in the set.
    """

    members: Sparse
    pairs: Sparse


@dataclass(frozen=True, eq=False)
class Exits:
    """What O finishing orders of B bots add to the likelihood, one row each.

    Attributes:
        sets: the U risk sets that occur.
        leavers: sparse (O, B), exits of each bot.
        stages: sparse (O, U), exits from each risk set.
        beats: sparse (O, B * B), cell i * B + j counts that i finished above j or level with it.
    """

    sets: RiskSets
    leavers: Sparse
    stages: Sparse
    beats: Sparse

    def summed(self, weights: Sparse) -> Exits:
        """The exits of weighted sums of the rows; `weights` is sparse (Q, O)."""
        return Exits(self.sets, weights @ self.leavers, weights @ self.stages, weights @ self.beats)


def exits(seats: Ints, places: Ints, bots: int) -> Exits:
    """Take finishing orders apart, stage by stage.

    Args:
        seats, places: int (O, P), as in `Results`.
        bots: B.
    """
    orders = len(seats)
    present = seats != NO_SEAT
    both = present[:, :, None] & present[:, None, :]
    # [o, k, l]: l was still there when k left, or left together with it
    stays = both & (places[:, None, :] <= places[:, :, None])
    level = both & (places[:, None, :] == places[:, :, None])
    together = np.maximum(level.sum(axis=2), 1)
    weight = np.where(places == 1, (together - 1) / together, 1.0)

    order, seat = np.nonzero(present & (weight > 0))
    weight = weight[order, seat]
    there = np.sort(np.where(stays[order, seat], seats[order], NO_SEAT), axis=1)
    first, number = number_rows(there)
    leaver = seats[order, seat]

    above, winner, loser = np.nonzero(np.swapaxes(stays, 1, 2) & ~np.eye(seats.shape[1], dtype=bool))
    pair = seats[above, winner] * bots + seats[above, loser]
    return Exits(
        sets=_risk_sets(there[first], bots),
        leavers=sparse.csr_array((weight, (order, leaver)), shape=(orders, bots)),
        stages=sparse.csr_array((weight, (order, number)), shape=(orders, len(first))),
        beats=sparse.csr_array((np.ones(len(pair)), (above, pair)), shape=(orders, bots * bots)),
    )


def _risk_sets(rows: Ints, bots: int) -> RiskSets:
    """Rows (U, P) of bots in ascending order, padded in front with -1."""
    number, seat = np.nonzero(rows != NO_SEAT)
    members = sparse.csr_array(
        (np.ones(len(number)), (number, rows[number, seat])), shape=(len(rows), bots)
    )
    left, right = np.triu_indices(rows.shape[1], 1)
    low, high = rows[:, left], rows[:, right]
    number, column = np.nonzero(low != NO_SEAT)
    low, high = low[number, column], high[number, column]
    pair = low * bots - low * (low + 1) // 2 + (high - low - 1)
    pairs = sparse.csr_array(
        (np.ones(len(pair)), (pair, number)), shape=(bots * (bots - 1) // 2, len(rows))
    )
    return RiskSets(members, pairs)


def fit(sets: RiskSets, leavers: Floats, stages: Floats, standing: Floats, start: Floats) -> Floats:
    """Maximum likelihood for R data sets at once, by damped Newton steps.

    Args:
        sets: the U risk sets.
        leavers: (B, R), exits of each bot.
        stages: (U, R), exits from each risk set.
        standing: (B, R), from `groups.standing`: 0 for the bots to rate, which must be strongly
            connected; +inf for bots above them, which count as never leaving before them; -inf and
            nan for bots whose exits say nothing about them.
        start: (B,), where to begin; any finite numbers.

    Returns:
        theta (B, R), natural units, mean 0 over the rated bots and 0 for the others.

    The likelihood is concave in theta and along a step of range r its third derivative is at most
    r times its second, so the step ln(1 + r) / r of Newton's never fails to climb (Sun and
    Tran-Dinh 2019, "Generalized self-concordant functions"), and turns into Newton's near the top.
    A finite maximum exists exactly if the bots are strongly connected (Hunter 2004, "MM
    algorithms for generalized Bradley-Terry models", Assumption 1).
    """
    rated = standing == 0
    outside = (np.isneginf(standing) | np.isnan(standing)).astype(np.float64)
    stages = np.where(sets.members @ outside > 0, 0.0, stages)
    leavers = np.where(rated, leavers, 0.0)
    beta = np.where(rated, -start[:, None], 0.0)  # the log-rate of leaving
    active = np.flatnonzero(rated.any(axis=0))
    for _ in range(100):
        if not active.size:
            break
        step = _newton_step(
            sets, leavers[:, active], stages[:, active], rated[:, active], beta[:, active]
        )
        reach = step.max(axis=0) - step.min(axis=0)
        beta[:, active] += step * (np.log1p(reach) / np.maximum(reach, 1e-300))
        active = active[reach > 1e-9]
    mean = beta.sum(axis=0) / np.maximum(rated.sum(axis=0), 1)
    return np.where(rated, mean - beta, 0.0)


def _newton_step(sets: RiskSets, leavers: Floats, stages: Floats, rated: Bools, beta: Floats) -> Floats:
    bots, fits = beta.shape
    top = np.where(rated, beta, -np.inf).max(axis=0)
    rate = np.where(rated, np.exp(np.minimum(beta - top, 0.0)), 0.0)
    total = sets.members @ rate
    total[total == 0] = np.inf  # only bots outside are left in it
    share = stages / total
    gradient = leavers - rate * (sets.members.T @ share)

    # The negative Hessian is the Laplacian of a graph with these weights between bots.
    left, right = np.triu_indices(bots, 1)
    weights = (sets.pairs @ (share / total)) * rate[left] * rate[right]
    hessian = np.zeros((fits, bots, bots))
    hessian[:, left, right] = -weights.T
    hessian[:, right, left] = -weights.T
    degree = -hessian.sum(axis=2)
    # It is singular in the direction "all bots alike", where the gradient is nought, and for the
    # bots outside. Filling in those directions, and a trace of ridge against underflow, changes
    # the way to the maximum at most, never the maximum.
    scale = degree.sum(axis=1) / bots
    scale[scale == 0] = 1.0  # a bot alone
    inside = rated.T.astype(np.float64)
    diagonal = np.arange(bots)
    hessian += (scale / bots)[:, None, None] * inside[:, :, None] * inside[:, None, :]
    hessian[:, diagonal, diagonal] += degree + scale[:, None] * (1e-12 + 1 - inside)
    step: Floats = np.linalg.solve(hessian, gradient.T[:, :, None])[:, :, 0].T
    return np.where(rated, step, 0.0)
