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
from functools import cached_property
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
        rows: int (U, P), the bots in ascending order, padded in front with -1.
        members: sparse (U, B), 1 where the bot is in the set.
    """

    rows: Ints
    members: Sparse

    @cached_property
    def pairs(self) -> Sparse:
        """Sparse (B (B - 1) / 2, U), 1 where both bots of the pair (in the order of
        `numpy.triu_indices(B, 1)`) are in the set. Made when needed: it is the largest of all."""
        bots = self.members.shape[1]
        numbers, pairs = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
        for left, right in zip(*np.triu_indices(self.rows.shape[1], 1), strict=True):
            number = np.flatnonzero(self.rows[:, left] != NO_SEAT)
            low, high = (self.rows[number, side].astype(np.int64) for side in (left, right))
            numbers.append(number.astype(np.int32))
            pairs.append((low * bots - low * (low + 1) // 2 + (high - low - 1)).astype(np.int32))
        pair = np.concatenate(pairs)
        shape = bots * (bots - 1) // 2, len(self.rows)
        return sparse.csr_array((np.ones(len(pair)), (pair, np.concatenate(numbers))), shape=shape)


@dataclass(frozen=True, eq=False)
class Exits:
    """What O finishing orders of B bots add to the likelihood, one row each.

    Attributes:
        sets: the U risk sets that occur.
        leavers: sparse (O, B), exits of each bot.
        stages: sparse (O, U), exits from each risk set.
        beats: bool (B, B), whether i finished above j or level with it in any game.
        upsets: sparse (O, B * B), cell i * B + j: whether i finished above j or level with it; only
            of the pairs that did so rarely. A resample that misses all games of the others is too
            improbable to be looked for (below exp(-40)).
    """

    sets: RiskSets
    leavers: Sparse
    stages: Sparse
    beats: Bools
    upsets: Sparse

    def summed(self, weights: Sparse) -> Exits:
        """The exits of weighted sums of the rows; `weights` is sparse (Q, O)."""
        return Exits(
            self.sets,
            weights @ self.leavers,
            weights @ self.stages,
            self.beats,
            weights @ self.upsets,
        )


_CHUNK = 1 << 15  # orders that are taken apart at once
_RARE = 256  # games; in blocks of six or fewer these are more than 40 blocks


def exits(seats: Ints, places: Ints, times: Ints, bots: int) -> Exits:
    """Take finishing orders apart, stage by stage.

    Args:
        seats, places: int (O, P), as in `Results`.
        times: int (O,), how many games ended in each order.
        bots: B.
    """
    orders = len(seats)
    starts = range(0, max(orders, 1), _CHUNK)
    chunks = [_leaving(seats, places, start, bots) for start in starts]
    order, leaver, weight, there = (np.concatenate(part) for part in zip(*chunks, strict=True))
    del chunks
    first, number = number_rows(there)
    sets = _risk_sets(there[first], bots)
    del there

    total = np.zeros(bots * bots)
    for start in starts:
        row, pair = _beating(seats, places, start, bots)
        total += np.bincount(pair, times[row], minlength=bots * bots)
    rare = (total > 0) & (total <= _RARE)
    found = [_beating(seats, places, start, bots, rare) for start in starts if rare.any()]
    row, pair = (np.concatenate([part[k] for part in found] or [order[:0]]) for k in (0, 1))
    return Exits(
        sets=sets,
        leavers=sparse.csr_array((weight, (order, leaver)), shape=(orders, bots)),
        stages=sparse.csr_array((weight, (order, number.astype(np.int32))), shape=(orders, len(first))),
        beats=np.asarray(total.reshape(bots, bots) > 0),
        upsets=sparse.csr_array((np.ones(len(row)), (row, pair)), shape=(orders, bots * bots)),
    )


def _leaving(seats: Ints, places: Ints, start: int, bots: int) -> tuple[Any, Any, Floats, Any]:
    """The exits of one chunk of orders: the order, the bot, its weight, and who was there (in
    ascending order, padded in front with -1); in small integers, as there may be millions."""
    seats, places = seats[start : start + _CHUNK], places[start : start + _CHUNK]
    stays, level, present = _relations(seats, places)
    together = np.maximum(level.sum(axis=2), 1)
    weight = np.where(places == 1, (together - 1) / together, 1.0)
    order, seat = np.nonzero(present & (weight > 0))
    small = np.int16 if bots < 2**15 else np.int32
    there = np.sort(np.where(stays[order, seat], seats[order].astype(small), small(NO_SEAT)), axis=1)
    leaver = seats[order, seat].astype(np.int32)
    return (order + start).astype(np.int32), leaver, np.asarray(weight[order, seat]), there


def _beating(
    seats: Ints, places: Ints, start: int, bots: int, wanted: Bools | None = None
) -> tuple[Ints, Ints]:
    """For one chunk: the order and i * B + j of each i that finished above j or level with it."""
    seats, places = seats[start : start + _CHUNK], places[start : start + _CHUNK]
    above = np.swapaxes(_relations(seats, places)[0], 1, 2) & ~np.eye(seats.shape[1], dtype=bool)
    order, winner, loser = np.nonzero(above)
    pair = seats[order, winner] * bots + seats[order, loser]
    if wanted is not None:
        order, pair = order[wanted[pair]], pair[wanted[pair]]
    return order + start, pair


def _relations(seats: Ints, places: Ints) -> tuple[Bools, Bools, Bools]:
    """[o, k, l]: whether l was still there when k left or left with it; whether they left together;
    and [o, k]: whether the seat is taken."""
    present = seats != NO_SEAT
    both = present[:, :, None] & present[:, None, :]
    stays = both & (places[:, None, :] <= places[:, :, None])
    level = both & (places[:, None, :] == places[:, :, None])
    return stays, level, present


def _risk_sets(rows: Ints, bots: int) -> RiskSets:
    """Rows as in `RiskSets`."""
    number, seat = np.nonzero(rows != NO_SEAT)
    bot = rows[number, seat]
    shape = len(rows), bots
    members = sparse.csr_array((np.ones(len(bot)), (number.astype(np.int32), bot)), shape=shape)
    return RiskSets(rows, members)


def fit(
    sets: RiskSets,
    leavers: Floats,
    stages: Floats,
    standing: Floats,
    start: Floats,
    *,
    prior: float = 0.0,
    near: float = 1e-9,
) -> Floats:
    """Maximum likelihood for R data sets at once, by damped Newton steps.

    Args:
        sets: the U risk sets.
        leavers: (B, R), exits of each bot.
        stages: (U, R), exits from each risk set.
        standing: (B, R), from `groups.standing`: 0 for the bots to rate, which must be strongly
            connected (unless there is a prior); +inf for bots above them, which count as never
            leaving before them; -inf and nan for bots whose exits say nothing about them.
        start: (B,) or (B, R), where to begin; any finite numbers.
        prior: how many draws each bot has beside its games against one ghost, whose theta is 0.
        near: it is found once a step moves no bot by more than this against another. The error is
            then about the square of it.

    Returns:
        theta (B, R), natural units, 0 for the bots not rated; without a prior the mean over the
        rated bots is 0, with one the ghost has 0.

    The likelihood is concave in theta and along a step of range r its third derivative is at most
    r times its second, so the step ln(1 + r) / r of Newton's never fails to climb (Sun and
    Tran-Dinh 2019, "Generalized self-concordant functions"), and turns into Newton's near the top.
    A finite maximum exists exactly if the bots are strongly connected (Hunter 2004, "MM
    algorithms for generalized Bradley-Terry models", Assumption 1); the ghost connects them all.
    """
    data = _Data(sets, leavers, stages, standing, prior)
    start = start if start.ndim == 2 else np.broadcast_to(start[:, None], standing.shape)
    beta = np.where(data.rated, -start, 0.0)  # the log-rate of leaving
    active = np.flatnonzero(data.rated.any(axis=0))
    for _ in range(100):
        if not active.size:
            break
        some = data.take(active)
        gradient, weights, rate = some.slope(beta[:, active])
        hessian = some.curvature(weights, rate, beta[:, active])
        solved = np.linalg.solve(hessian, gradient.T[:, :, None])[:, :, 0].T
        step = np.where(some.rated, np.asarray(solved, np.float64), 0.0)
        reach = _reach(step, prior)
        beta[:, active] += step * (np.log1p(reach) / np.maximum(reach, 1e-300))
        active = active[reach > near]
    return data.theta(beta)


def refit(
    sets: RiskSets,
    leavers: Floats,
    stages: Floats,
    standing: Floats,
    whole: tuple[Floats, Floats, Floats],
    theta: Floats,
    *,
    prior: float = 0.0,
) -> Floats:
    """The same as `fit` for R resamples of data whose fit is known, to within 1e-5 or better.

    Args:
        whole: leavers (B,), stages (U,) and standing (B,) of all the data.
        theta: (B,), the fit of all the data.

    Near its maximum every resample climbs by the curvature of all the data, which saves nearly all
    work where there are many risk sets (the chord method; Ortega and Rheinboldt 1970, "Iterative
    solution of nonlinear equations", 7.1). A resample that does not close in by half with each
    step, or that rates other bots, is left to `fit`.
    """
    all_leavers, all_stages, shape = (array[:, None] for array in whole)
    alike = ((standing == shape) | (np.isnan(standing) & np.isnan(shape))).all(axis=0)
    beta: Floats = np.where(standing == 0, -theta[:, None], 0.0)
    found = np.zeros(standing.shape[1], dtype=bool)
    active = np.flatnonzero(alike)
    data = _Data(sets, leavers, stages, standing, prior)
    if active.size and (shape == 0).any():
        whole_data = _Data(sets, all_leavers, all_stages, shape, prior)
        at = beta[:, active[:1]]
        _, weights, rate = whole_data.slope(at)
        inverse = np.linalg.inv(whole_data.curvature(weights, rate, at)[0])
        before = np.full(len(found), 2.0)
        while active.size:
            step = np.asarray(inverse @ data.take(active).slope(beta[:, active])[0], np.float64)
            reach = _reach(step, prior)
            closing = reach < before[active] / 2
            beta[:, active[closing]] += step[:, closing]
            before[active] = reach
            found[active] = closing & (reach < 1e-5)
            active = active[closing & ~found[active]]
    fitted = data.theta(beta)
    if not found.all():
        rest = leavers[:, ~found], stages[:, ~found], standing[:, ~found]
        fitted[:, ~found] = fit(sets, *rest, theta, prior=prior, near=1e-4)
    return fitted


def _reach(step: Floats, prior: float) -> Floats:
    """How far a step moves two bots apart; the ghost of a prior does not move."""
    ghost = 0.0 if prior else np.nan
    high, low = step.max(axis=0), step.min(axis=0)
    return np.asarray(np.fmax(high, ghost) - np.fmin(low, ghost))


class _Data:
    """The log-likelihood of R data sets as a function of beta = -theta, (B, R)."""

    def __init__(
        self, sets: RiskSets, leavers: Floats, stages: Floats, standing: Floats, prior: float
    ) -> None:
        self.sets, self.prior = sets, prior
        self.rated = standing == 0
        outside = (np.isneginf(standing) | np.isnan(standing)).astype(np.float64)
        self.stages = stages
        if outside.any():
            self.stages = np.where(sets.members @ outside > 0, 0.0, stages)
        self.leavers = np.where(self.rated, leavers, 0.0)

    def take(self, which: Ints) -> _Data:
        """The data sets of these numbers."""
        if len(which) == self.rated.shape[1]:
            return self
        some = object.__new__(_Data)
        some.sets, some.prior = self.sets, self.prior
        some.rated, some.stages = self.rated[:, which], self.stages[:, which]
        some.leavers = self.leavers[:, which]
        return some

    def slope(self, beta: Floats) -> tuple[Floats, Floats, Floats]:
        """The gradient (B, R); and what `curvature` needs: (U, R), and rates of leaving (B, R)."""
        top = np.where(self.rated, beta, -np.inf).max(axis=0)
        rate = np.where(self.rated, np.exp(np.minimum(beta - top, 0.0)), 0.0)
        total = self.sets.members @ rate
        total[total == 0] = np.inf  # only bots outside are left in it
        share = self.stages / total
        gradient = self.leavers - rate * (self.sets.members.T @ share)
        if self.prior:
            gradient -= np.where(self.rated, self.prior / 2 * np.tanh(beta / 2), 0.0)
        share /= total
        return gradient, share, rate

    def curvature(self, weights: Floats, rate: Floats, beta: Floats) -> Floats:
        """The negative Hessian (R, B, B): the Laplacian of a graph with these weights between bots,
        and what the prior adds. Not singular: see below."""
        bots, fits = beta.shape
        diagonal = np.arange(bots)
        left, right = np.triu_indices(bots, 1)
        if fits == 1:
            members = self.sets.members
            each = np.repeat(weights[:, 0], np.diff(members.indptr))
            weighted = sparse.csr_array((each, members.indices, members.indptr), members.shape)
            edges = (members.T @ weighted).toarray()[left, right][:, None]
        else:
            edges = self.sets.pairs @ weights
        edges *= rate[left] * rate[right]
        hessian = np.zeros((fits, bots, bots))
        hessian[:, left, right] = -edges.T
        hessian[:, right, left] = -edges.T
        degree = -hessian.sum(axis=2)
        inside = self.rated.T.astype(np.float64)
        if self.prior:
            chance = 1 / (1 + np.exp(-beta.T))
            degree += inside * self.prior * chance * (1 - chance)
        # Without a prior it is singular in the direction "all bots alike", where the gradient is
        # nought, and always for the bots outside. Filling in those directions, and a trace of ridge
        # against underflow, changes the way to the maximum at most, never the maximum.
        scale = degree.sum(axis=1) / max(bots, 1)
        scale[scale == 0] = 1.0  # a bot alone
        if not self.prior:
            hessian += (scale / bots)[:, None, None] * inside[:, :, None] * inside[:, None, :]
        hessian[:, diagonal, diagonal] += degree + scale[:, None] * (1e-12 + 1 - inside)
        return hessian

    def theta(self, beta: Floats) -> Floats:
        """Back from beta to theta, as `fit` returns it."""
        mean = beta.sum(axis=0, where=self.rated) / np.maximum(self.rated.sum(axis=0), 1)
        return np.where(self.rated, (0.0 if self.prior else mean) - beta, 0.0)
