"""The sequential test of a run: blocks in the order of their numbers, until one decides.

The verdict must not depend on which worker was faster. So a block counts only when every block before it
is finished, and the test looks after each block in turn: what it says is a function of the games alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np

from arena.rating.bayeselo import log_likelihood_ratio_bayesian, log_likelihood_ratio_cutechess
from arena.rating.results import Floats, Ints
from arena.rating.score import MIN_BLOCKS, NELO, Tally, score_of
from arena.rating.sprt import bounds, log_likelihood_ratio
from arena.rating.stopped import score_when_stopped
from arena.record.log import read_end, read_games, read_header
from arena.record.schema import GAME_MODELS, HOST_CAUSES, GameRecord, Sprt

PAIR = (0, 1)
"""The bots that are compared: the first against the second."""
MANY = 4096
"""Blocks that are looked at together."""


@dataclass(frozen=True)
class Verdict:
    """Where the test stands after the blocks of `tally`.

    Attributes:
        test: what is tested.
        tally: the block scores of the first bot against the second, that were looked at.
        ratio: the log-likelihood ratio of H1 against H0.
        lower, upper: the bounds at which H0 and H1 are accepted.
        block: number of the block that decided; None: no decision.
    """

    test: Sprt
    tally: Tally
    ratio: float
    lower: float
    upper: float
    block: int | None = None

    @property
    def accepted(self) -> str:
        """ "H0", "H1" or ""."""
        if self.ratio <= self.lower:
            return "H0"
        return "H1" if self.ratio >= self.upper else ""


def verdict_of(test: Sprt, tally: Tally) -> Verdict:
    """The verdict on a tally. Raises `ValueError` for a model of single games where it has others."""
    elo = test.elo0, test.elo1
    if test.model in GAME_MODELS:
        if (len(tally.counts), tally.games) != (3, 1):
            raise ValueError(f"model: {test.model} needs losses, draws and wins of single games")
        losses, draws, wins = tally.counts
        of = {"bayesian": log_likelihood_ratio_bayesian, "cutechess": log_likelihood_ratio_cutechess}
        ratio = of[test.model]((losses, draws, wins), *elo)
    else:
        ratio = float(log_likelihood_ratio(tally.counts, tally.games, *elo, test.model))
    return Verdict(test, tally, ratio, *bounds(test.alpha, test.beta))


def score_allowing_for_stop(
    verdict: Verdict, confidence: float = 0.95
) -> tuple[float, float, float] | None:
    """(score, low, high), allowing for that the test ended because it looked good, or bad; None for few
    blocks, and for models of single games.
    """
    test, tally = verdict.test, verdict.tally
    if tally.blocks < MIN_BLOCKS or test.model in GAME_MODELS:
        return None
    if test.model == "logistic":
        scores = score_of(test.elo0), score_of(test.elo1)
    else:
        per_elo = sqrt(tally.games * tally.moment(2)) / NELO
        scores = 0.5 + test.elo0 * per_elo, 0.5 + test.elo1 * per_elo
    return score_when_stopped(tally, scores, (verdict.lower, verdict.upper), confidence)


class Sequential:
    """The test of a run, as its games come in: a `StoppingRule`.

    A block that holds a fault of the host is left out, as it is from the ratings; one in which not both
    bots sit is passed over. Once decided, it takes no more blocks.
    """

    def __init__(self, test: Sprt, players: int) -> None:
        self._test = test
        self._players = players
        self._next = 0
        """The block that is waited for."""
        self._waiting: dict[int, dict[int, int | None]] = {}
        """Per block and rotation that are in: half points of the first bot, or None for none."""
        self._look_at = MANY
        """So many waiting blocks are a reason to look."""
        self._spoilt: set[int] = set()
        self._counts: Ints = np.zeros(2 * players + 1, np.int64)
        self._ratio = 0.0
        self._decided: int | None = None
        self._bounds = bounds(test.alpha, test.beta)

    @property
    def decided(self) -> int | None:
        """The number of the block that decided."""
        return self._decided

    @property
    def verdict(self) -> Verdict:
        tally = Tally(tuple(self._counts.tolist()), self._players)
        return Verdict(self._test, tally, self._ratio, *self._bounds, self._decided)

    def add(self, games: Iterable[GameRecord]) -> None:
        """These games are finished, in any order, each once."""
        for _ in self.watch(games):
            pass

    def watch(self, games: Iterable[GameRecord]) -> Iterator[GameRecord]:
        """The same games, each added as it passes; looked at many at a time, which is much faster."""
        for game in games:
            if self._decided is None and game.block >= self._next:
                self._waiting.setdefault(game.block, {})[game.rotation] = half_points(game)
                if any(fault.cause in HOST_CAUSES for fault in game.faults):
                    self._spoilt.add(game.block)
                if len(self._waiting) >= self._look_at:
                    self._look()
                    self._look_at = len(self._waiting) + MANY
            yield game
        if self._decided is None:
            self._look()

    def _look(self) -> None:
        """Take the blocks that are finished up to the first that is not, or up to the decision."""
        numbers, points = [], []
        while len(self._waiting.get(self._next, ())) == self._players:
            block = list(self._waiting.pop(self._next).values())
            if self._next not in self._spoilt and None not in block:
                numbers.append(self._next)
                points.append(sum(each or 0 for each in block))
            self._next += 1
        if not numbers:
            return
        each = np.zeros((len(points), len(self._counts)), np.int64)
        each[np.arange(len(points)), points] = 1
        counts = self._counts + each.cumsum(axis=0)
        test = self._test
        ratios: Floats = log_likelihood_ratio(counts, self._players, test.elo0, test.elo1, test.model)
        lower, upper = self._bounds
        crossed = np.flatnonzero((ratios <= lower) | (ratios >= upper))
        last = int(crossed[0]) if len(crossed) else len(numbers) - 1
        self._counts, self._ratio = counts[last], float(ratios[last])
        if len(crossed):
            self._decided = numbers[last]
            self._waiting.clear()


def half_points(game: GameRecord) -> int | None:
    """2 if the first bot of the pair finished above the second, 1 level with it, 0 below; None if not
    both sit there.
    """
    first, second = PAIR
    if first not in game.seats or second not in game.seats:
        return None
    mine, theirs = (game.places[game.seats.index(bot)] for bot in PAIR)
    return 2 if mine < theirs else 1 if mine == theirs else 0


def check_decision(log: Path) -> str:
    """What is wrong with the decision that a finished log tells, "" if nothing: the test is made again.
    Raises `LogError`.
    """
    header, end = read_header(log), read_end(log)
    if header.sprt is None or end is None:
        return ""
    test = Sequential(header.sprt, header.players)
    test.add(read_games(log))
    if test.decided == end.decided:
        return ""
    told, found = (
        "no block" if block is None else f"block {block}" for block in (end.decided, test.decided)
    )
    return f"{told} in the log, {found} by the games"
