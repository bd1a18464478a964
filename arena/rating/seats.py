"""What a seat is worth: one joint fit of bots and seats.

The model is that of `plackett_luce` with theta = the bot's rating + the worth of its seat, the same
for all bots; with two players it is Bradley-Terry with a home advantage (Agresti 1990, "Categorical
Data Analysis", 10.6.3), as Ordo and BayesElo fit White's. Mirrored or not, every complete block seats
every bot everywhere, so seats and bots do not get in each other's way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse, special

from arena.rating.blocks import FEW
from arena.rating.groups import standing
from arena.rating.plackett_luce import ELO, Exits, exits
from arena.rating.results import Bools, Floats, Ints, Results, number_rows


@dataclass(frozen=True, eq=False)
class SeatWorth:
    """The worth of each of P seats, Elo points with mean 0; all arrays are (P,).

    Attributes:
        worth: how much better a bot plays in the seat than in the mean of them; nan where no finite
            number fits (a seat that won or lost everything, no two bots to compare).
        low, high: interval, nan where there is none.
        blocks: complete blocks of tables of this size.
        bots: (B,), the bots' ratings in the same fit, Elo points with mean 0 over the main group;
            nan for bots outside it.
    """

    worth: Floats
    low: Floats
    high: Floats
    blocks: int
    bots: Floats


def seat_worth(
    results: Results, players: int, confidence: float = 0.95, min_blocks: int = 20
) -> SeatWorth:
    """Fit bots and seats together to the tables of `players` seats.

    The intervals come from the spread of the blocks' scores within each line-up (the sandwich
    estimator with blocks as clusters; Binder 1983, "On the variances of asymptotically normal
    estimators from complex surveys") and Student's t with blocks less line-ups degrees of freedom.

    Args:
        results: incomplete blocks are ignored; a table's seats are its first `players` columns.
        min_blocks: fewer blocks than this: no interval.
    """
    full = (results.seats[:, :players] >= 0).all(axis=1) & (results.seats[:, players:] < 0).all(axis=1)
    used = full & results.complete if results.seats.shape[1] >= players else results.complete & False
    seats, places = results.seats[used, :players], results.places[used, :players]
    bots = len(results.bots)
    names, block = np.unique(results.block[used], return_inverse=True)
    first, order = number_rows(np.hstack([seats, places]))
    seats, places = seats[first], places[first]
    times = np.bincount(order, minlength=len(first))
    main = standing(exits(seats, places, times, bots).beats) == 0
    nothing = np.full(players, np.nan)
    none = SeatWorth(nothing, nothing, nothing, len(names), np.full(bots, np.nan))
    if not main.any():
        return none

    # A bot in a seat is a contestant of its own, whose theta is that of its bot and of its seat.
    # Bots outside the main group leave their games: under the model the others do not mind.
    inside = np.where(main[seats], seats * players + np.arange(players), -1)
    parts = exits(inside, _ranked(places, inside >= 0), times, bots * players)
    design = _design(main, players)
    of_block = sparse.csr_array((np.ones(len(order)), (block, order)), shape=(len(names), len(first)))
    found = _climb(parts.summed(of_block), design)
    if found is None:
        return none
    beta, hessian, scores = found
    lineup = results.lineup[used][np.unique(block, return_index=True)[1]]
    variance, freedom = _variance(scores, np.unique(lineup, return_inverse=True)[1])
    inverse = np.linalg.inv(hessian)
    covariance = inverse @ variance @ inverse

    free = int(main.sum()) - 1
    centre = np.vstack([np.zeros(players - 1), np.eye(players - 1)]) - 1 / players
    worth = -ELO * centre @ beta[free:]
    error = ELO * np.sqrt(np.maximum(np.diag(centre @ covariance[free:, free:] @ centre.T), 0))
    half = special.stdtrit(max(freedom, 1), (1 + confidence) / 2) * error
    if len(names) < min_blocks or freedom < 1:
        half = nothing
    ratings = np.full(bots, np.nan)
    ratings[main] = -ELO * (np.append(0.0, beta[:free]) - beta[:free].sum() / (free + 1))
    return SeatWorth(worth, worth - half, worth + half, len(names), ratings)


def _ranked(places: Ints, there: Bools) -> Ints:
    """Competition ranks among those that are there, 0 for the others."""
    above = ((places[:, None, :] < places[:, :, None]) & there[:, None, :]).sum(axis=2)
    return np.where(there, above + 1, 0)


def _design(main: Bools, players: int) -> Floats:
    """(B * P, K): what contestant i * P + s has of the free numbers: the bots of the main group but
    the first, then the seats but the first."""
    bot = np.eye(len(main))[:, main][:, 1:]
    seat = np.eye(players)[:, 1:]
    return np.hstack([np.repeat(bot, players, axis=0), np.tile(seat, (len(main), 1))])


_CELLS = 2**22  # numbers per array that are worked on at once


def _climb(blocks: Exits, design: Floats) -> tuple[Floats, Floats, Floats] | None:
    """Newton's method: the free numbers (K,) of beta = -theta, the negative Hessian (K, K), and the
    score of each block (N, K); None where there is no maximum."""
    leavers, stages = blocks.leavers.sum(axis=0), blocks.stages.sum(axis=0)
    members, by_set = blocks.sets.members, blocks.stages.tocsc()
    sets, free = members.shape[0], design.shape[1]
    chunk = max(_CELLS // max(free, 1), 1)
    parts = [slice(start, start + chunk) for start in range(0, sets, chunk)]
    beta = np.zeros(free)
    for _ in range(60):
        rate = np.exp(design @ beta)
        total = members @ rate

        def mean(part: slice, rate: Floats = rate, total: Floats = total) -> Floats:
            """Of the design among those who leave from each risk set."""
            return np.asarray((members[part] @ (rate[:, None] * design)) / total[part, None])

        second = members.T @ (stages / total) * rate
        gradient = design.T @ leavers
        hessian = design.T @ (second[:, None] * design)
        for part in parts:
            of_part = mean(part)
            gradient -= of_part.T @ stages[part]
            hessian -= of_part.T @ (stages[part, None] * of_part)
        try:
            step = np.linalg.solve(hessian, gradient)
        except np.linalg.LinAlgError:
            return None
        reach = float(np.ptp(design @ step)) if design.size else 0.0
        if not np.isfinite(reach) or np.abs(beta).max(initial=0) > 30:
            return None
        if reach < 1e-9:
            expected = sum((by_set[:, part] @ mean(part) for part in parts), np.zeros(free))
            return beta, hessian, blocks.leavers @ design - expected
        beta = beta + step * (np.log1p(reach) / reach)
    return None


def _variance(scores: Floats, stratum: Ints) -> tuple[Floats, int]:
    """The variance (K, K) of the sum of the blocks' scores (N, K), drawn within strata; and its
    degrees of freedom. Strata of few blocks are taken together, as in `blocks`."""
    size = np.bincount(stratum)
    stratum = np.where(size[stratum] < FEW, len(size), stratum)
    stratum = np.unique(stratum, return_inverse=True)[1]
    size = np.bincount(stratum)
    mean = np.zeros((len(size), scores.shape[1]))
    np.add.at(mean, stratum, scores)
    apart = scores - (mean / size[:, None])[stratum]
    scale = size / np.maximum(size - 1, 1)
    return apart.T @ (scale[stratum][:, None] * apart), len(scores) - len(size)
