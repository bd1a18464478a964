"""Ratings: one joint fit, intervals from the blocks, and a word where there is no number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.rating.blocks import FEW, Blocks, aggregate
from arena.rating.bootstrap import Fit, draw, interval
from arena.rating.bounds import one_sided
from arena.rating.groups import groups, standing
from arena.rating.plackett_luce import ELO, fit
from arena.rating.results import NO_SEAT, Bools, Floats, Ints, Results

NO_GAMES = "no games"
NO_COMPLETE_BLOCK = "no complete block"
ONLY_BOT = "only bot"
WON_ALL = "won every game"
LOST_ALL = "lost every game"
LAST_IN_ALL = "last in every game"
ABOVE = "above the main group"
BELOW = "below the main group"
NEVER_MET = "never met the main group"
NO_SCALE = "no common scale"
ANCHOR = "anchor"
ALL_ALIKE = "every block ended alike"
NO_LOW = "no lower bound"
NO_HIGH = "no upper bound"
NO_BOUNDS = "no bounds"

# Where a bot without a rating goes in a table: 0 above the rated ones, 1 among, 2 below, 3 last.
_SHELF = {WON_ALL: 0, ABOVE: 0, BELOW: 2, LOST_ALL: 2, LAST_IN_ALL: 2}


@dataclass(frozen=True)
class Rating:
    """One bot's line in the table.

    Attributes:
        bot: name.
        rating: Elo points, or None where the data do not give one.
        low, high: bounds of the interval, Elo points, or None where there is no such bound. A bot
            above or below the main group may have one of them without a rating, or with one that
            comes from the prior: a one-sided bound at the same confidence (see `bounds`).
        games, blocks: rated ones (of complete blocks) in which the bot sat.
        word: what to print in the place of whatever is None; "" where nothing is missing.
            Of a bot that only the prior ties to the others: what it would be without.
    """

    bot: str
    rating: float | None
    low: float | None
    high: float | None
    games: int
    blocks: int
    word: str


@dataclass(frozen=True, eq=False)
class Ratings:
    """The rating table of a tournament.

    Attributes:
        rows: one per bot, in the order of `Results.bots`.
        notes: sentences that belong under the table.
        draws: (replicates, B), bootstrap draws of the ratings, Elo points; may hold +-inf (in that
            resample the bot is above or below all scale) and nan (the resample does not say);
            a column of nan where the bot has no rating, or none that draws could measure
            (fewer than `min_blocks` blocks, all blocks alike).
        anchor: the bot held at `anchor_value`, or None where the mean of the rated bots is.
        anchor_value: Elo points.
        confidence: of the intervals.
        left_out: games not rated, because their block is not complete.
        prior: virtual draws of each bot against one ghost; 0: none.
    """

    rows: tuple[Rating, ...]
    notes: tuple[str, ...]
    draws: Floats
    anchor: str | None
    anchor_value: float
    confidence: float
    left_out: int
    prior: float = 0.0

    def __getitem__(self, bot: str) -> Rating:
        """The row of a bot; KeyError where there is none of that name."""
        for row in self.rows:
            if row.bot == bot:
                return row
        raise KeyError(bot)

    def ranked(self) -> tuple[Rating, ...]:
        """The rows from best to worst: bots above the main group, rated ones by rating, bots below
        it, then those nothing is known of; by name where that does not decide."""

        def key(row: Rating) -> tuple[int, float, str]:
            if row.rating is not None:
                return 1, -row.rating, row.bot
            return _SHELF.get(row.word, 3), 0.0, row.bot

        return tuple(sorted(self.rows, key=key))


def rate(
    results: Results,
    *,
    anchor: str | None = None,
    anchor_value: float = 1500.0,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    min_blocks: int = 20,
    prior: float = 0.0,
) -> Ratings:
    """Rate all bots together: Plackett-Luce of who leaves next (see `plackett_luce`).

    Only games of complete blocks count, because only there the rotations cancel the seats; others
    are counted in `left_out`. Ratings are on the Elo scale, 400 points for odds of ten to one.

    Intervals are expanded percentile intervals of a bootstrap over blocks within each line-up (see
    `blocks` and `bootstrap`), of the ratings *as anchored*: with the mean anchored they say how far
    a bot is from the average of this field, with a bot anchored how far from that bot, which itself
    has none. To compare two bots use `superiority`, not the overlap of their intervals. Where more
    than (1 - confidence) / 2 of the resamples give a bot no finite rating, that bound is missing.

    With a `prior` every bot that played has a finite rating: each has, beside its games, so many
    draws against one and the same ghost, whose rating is fitted too (R's PlackettLuce does the same
    with npseudo = prior / 2; Turner et al. 2020, "Modelling rankings in R", 2.3). For one bot that
    is a prior density proportional to (p (1 - p))^(prior / 2), p its chance against the ghost: with
    2 a logistic distribution, whose standard deviation is 315 points. It draws the ratings together
    a little, and the bootstrap does not measure it: a bot that only the prior ties to the others
    has no interval but at most a one-sided bound.

    Args:
        results: the games.
        anchor: a bot to hold at `anchor_value`; None: the mean of the rated bots is held. If that
            bot has no rating the mean is held, and a note says so.
        anchor_value: Elo points.
        confidence: of the intervals, in (0, 1).
        replicates: bootstrap resamples; 0: no intervals, which needs no word.
        seed: of the resampling; the same results and seed give the same numbers.
        min_blocks: a bot with fewer blocks has a rating but no interval.
        prior: draws against the ghost, 0 or more, not necessarily whole.

    Raises:
        ValueError: an unknown anchor, or a number out of range.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence: expected a number between 0 and 1, got {confidence}")
    if replicates < 0:
        raise ValueError(f"replicates: expected 0 or more, got {replicates}")
    if not 0 <= prior < np.inf:
        raise ValueError(f"prior: expected 0 or more draws, got {prior}")
    hold = None if anchor is None else results.index(anchor)
    rated_results = results.only_complete()
    blocks = aggregate(rated_results)
    games, block_count = _played(rated_results)
    beats = blocks.exits.beats
    where = standing(beats)
    main = where == 0
    rated = (games > 0) if prior else main
    notes = _notes(results, rated_results, blocks, main, games, prior)
    if hold is not None and not rated[hold]:
        notes.append(f"{anchor} has no rating, so the mean is anchored at {anchor_value:g} instead.")
        anchor = hold = None

    count = blocks.count[:, None].astype(np.float64)
    theta = fit(
        blocks.exits.sets,
        blocks.exits.leavers.T @ count,
        blocks.exits.stages.T @ count,
        np.where(rated, 0.0, np.nan if prior else where)[:, None],
        np.zeros(len(where)),
        prior=prior,
    )[:, 0]
    origin = theta[hold] if hold is not None else theta[rated].mean() if rated.any() else 0.0
    resamples = replicates if rated.any() else 0
    thetas = draw(blocks, Fit(theta, rated, hold, prior), resamples, seed)
    draws = anchor_value + ELO * (thetas - origin)
    draws[:, ~main | (block_count < min_blocks)] = np.nan
    for column, known in enumerate(main):
        if known and column != hold and resamples and _constant(draws[:, column]):
            draws[:, column] = np.nan
    lows, highs = interval(draws, confidence, blocks.freedom) if resamples else (draws, draws)

    words = _words_for_ratings(results, rated_results, where, beats, games)
    rows = []
    for i, bot in enumerate(results.bots):
        rating = low = high = None
        word = words[i]
        few = block_count[i] < min_blocks
        if rated[i]:
            rating = float(anchor_value + ELO * (theta[i] - origin))
        if i == hold:
            word = ANCHOR
        elif main[i] and few:
            word = f"fewer than {min_blocks} blocks"
        elif main[i] and resamples and np.isnan(draws[:, i]).all():
            word = ALL_ALIKE
        elif main[i] and resamples:
            low, high, word = _bounds(lows[i], highs[i])
        elif resamples and main.any() and not few and np.isinf(where[i]):
            above = bool(where[i] > 0)
            bound = one_sided(rated_results, i, above, main, thetas, confidence)
            if bound is not None:
                bound = float(anchor_value + ELO * (bound - origin))
                low, high = (bound, None) if above else (None, bound)
        rows.append(Rating(bot, rating, low, high, int(games[i]), int(block_count[i]), word))
    if resamples == 0 < replicates and len(results.bots) == 2 and WON_ALL in words:
        notes += _whitewash(rated_results, words.index(WON_ALL), confidence, min_blocks)
    bounded = [row for row, inside in zip(rows, main, strict=True) if not inside]
    if any(row.low is not None or row.high is not None for row in bounded):
        notes.append(
            f"A bot that no finite rating fits has a one-sided {100 * confidence:g} % bound, from the "
            "exact test of a whitewash; a block counts as one game."
        )
    left_out = len(results) - len(rated_results)
    return Ratings(tuple(rows), tuple(notes), draws, anchor, anchor_value, confidence, left_out, prior)


def superiority(ratings: Ratings) -> Floats:
    """(B, B): the share of bootstrap draws in which the row bot is rated above the column bot.

    Draws that do not decide (equal, or one of them unknown) count one half. nan on the diagonal and
    where a bot has no draws. 0 and 1 mean "in all draws", not certainty.
    """
    draws = ratings.draws
    bots = draws.shape[1]
    share = np.full((bots, bots), np.nan)
    known = np.flatnonzero(~np.isnan(draws).all(axis=0))
    for i in known:
        mine, theirs = draws[:, i, None], draws[:, known]
        share[i, known] = ((mine > theirs).mean(axis=0) - (mine < theirs).mean(axis=0) + 1) / 2
        share[i, i] = np.nan
    return share


def _constant(draws: Floats) -> bool:
    return bool(np.isfinite(draws).all() and np.ptp(draws) < 1e-6)


def _bounds(lower: float, higher: float) -> tuple[float | None, float | None, str]:
    low = float(lower) if np.isfinite(lower) else None
    high = float(higher) if np.isfinite(higher) else None
    missing = {(True, True): NO_BOUNDS, (True, False): NO_LOW, (False, True): NO_HIGH}
    return low, high, missing.get((low is None, high is None), "")


def _played(results: Results) -> tuple[Ints, Ints]:
    """Games and blocks of each bot, (B,) each."""
    bots = len(results.bots)

    def count(seats: Ints) -> Ints:
        return np.bincount(seats[seats != NO_SEAT], minlength=bots)

    first = np.unique(results.block, return_index=True)[1]
    return count(results.seats), count(results.seats[first])


def _whitewash(results: Results, winner: int, confidence: float, min_blocks: int) -> list[str]:
    """Two bots of which one won everything have no scale, but a bound of what lies between them."""
    if len(np.unique(results.block)) < min_blocks:
        return []
    loser = np.arange(2) != winner
    bound = one_sided(results, winner, True, loser, np.zeros((1, 2)), confidence)
    assert bound is not None
    one, other = results.bots[winner], results.bots[1 - winner]
    return [
        f"{one} is at least {ELO * bound:.0f} points above {other}: one-sided {100 * confidence:g} % "
        "bound, from the exact test of a whitewash; a block counts as one game."
    ]


def _words_for_ratings(
    results: Results, rated_results: Results, where: Floats, beats: Bools, games: Ints
) -> list[str]:
    """A word for each bot that has no rating, "" for the others."""
    seated = set(results.seats[results.seats != NO_SEAT].tolist())
    larger = (rated_results.seats != NO_SEAT).sum(axis=1) > 2
    at_larger = set(rated_results.seats[larger].ravel().tolist())
    main = (where == 0).any()
    words = []
    for i, place in enumerate(where):
        if len(where) == 1:
            word = ONLY_BOT
        elif place == 0:
            word = ""
        elif not games[i]:
            word = NO_COMPLETE_BLOCK if i in seated else NO_GAMES
        elif not beats[:, i].any():
            word = WON_ALL
        elif not beats[i].any():
            word = LAST_IN_ALL if i in at_larger else LOST_ALL
        elif not main:
            word = NO_SCALE
        else:
            word = NEVER_MET if np.isnan(place) else ABOVE if place > 0 else BELOW
        words.append(word)
    return words


def _notes(
    results: Results,
    rated_results: Results,
    blocks: Blocks,
    main: Bools,
    games: Ints,
    prior: float,
) -> list[str]:
    notes = []
    left_out = len(results) - len(rated_results)
    if left_out:
        those = "1 game is" if left_out == 1 else f"{left_out} games are"
        notes.append(f"{those} not rated: the block is not complete.")
    if prior:
        draws = "1 virtual draw" if prior == 1 else f"{prior:g} virtual draws"
        notes.append(
            f"Prior: each bot has {draws} against one common ghost beside its games, which pulls the "
            "ratings together a little; intervals do not measure that."
        )
    apart = [group for group in groups(blocks.exits.beats) if games[group[0]]]
    if len(apart) > 1:
        names = "; ".join(", ".join(results.bots[i] for i in group) for group in apart)
        if prior:
            whose = "Only the prior puts these groups on one scale"
        elif main.any():
            whose = f"Ratings compare the {int(main.sum())} bots of the main group with each other"
        else:
            whose = "No ratings"
        notes.append(f"{whose}: no results both ways join these groups: {names}.")
    if len(np.unique(rated_results.lineup)) > len(np.unique(blocks.stratum)):
        notes.append(f"Line-ups with fewer than {FEW} blocks are resampled together, as one.")
    return notes
