"""What the charts show, gathered in one pass over the log."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from arena.rating import HeadToHead, Ratings, Results, head_to_head, rate
from arena.rating.results import Floats, Ints
from arena.record.columns import times_by_seat
from arena.record.log import LogError, log_of, read_games, read_header
from arena.record.schema import GameRecord, Header
from arena.report.blocks import Estimate, PerBot
from arena.report.play import Play, PlayReader
from arena.report.results import results_of


class Thinking(NamedTuple):
    """How long one bot thought, per question, in milliseconds; the quantiles within 1 %.

    A forfeit is no answer: its time is not in here, but `timeouts` counts those for that cause.
    """

    questions: int
    timeouts: int
    lower: float
    median: float
    upper: float
    most: float
    longest: float


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything the charts show.

    rated     the games of complete blocks
    thinking  one per bot, None for a bot that answered no question
    rounds    (R,) rounds played, from 0
    dice      (R, bots): dice held then; after the end of a game what was left
    play      bluffs, doubts and the rest
    """

    header: Header
    results: Results
    rated: Results
    ratings: Ratings
    pairs: HeadToHead
    thinking: tuple[Thinking | None, ...]
    rounds: Ints
    dice: Estimate
    play: Play

    @property
    def ranked(self) -> list[int]:
        """Bots from best to worst."""
        return [self.results.index(row.bot) for row in self.ratings.ranked()]

    @property
    def blocks(self) -> int:
        """Complete blocks."""
        return len(np.unique(self.rated.block))


def read_evidence(folder: Path) -> Evidence:
    """The evidence of a results folder. Raises `LogError`."""
    log = log_of(folder)
    try:
        return evidence_of(read_header(log), read_games(log))
    except ValueError as error:
        raise LogError(f"{log}: {error}") from None


def evidence_of(header: Header, games: Iterable[GameRecord]) -> Evidence:
    """Raises ValueError if a record contradicts its own format."""
    thinking = _Clock(len(header.bots))
    dice = _DiceHeld(header.players)
    play = PlayReader(header)

    def watched() -> Iterator[GameRecord]:
        for game in games:
            thinking.add(game)
            dice.add(game)
            play.add(game)
            yield game

    results = results_of(header, watched())
    rated = results.only_complete()
    return Evidence(
        header=header,
        results=results,
        rated=rated,
        ratings=rate(results),
        pairs=head_to_head(results),
        thinking=thinking.all(),
        play=play.done(),
        **dice.curves(results, rated)._asdict(),
    )


# --- thinking ----------------------------------------------------------------------------------------

# Whole microseconds up to 100 or so, then bins of 1 %: a million games fit into some kilobytes.
_EDGES: Ints = np.unique(np.geomspace(1, 2**31, 2200).astype(np.int64))
_WAITING = 1 << 18


class _Clock:
    """Sorts the time of every call to the bot that made it."""

    def __init__(self, bots: int) -> None:
        self._times: list[list[int]] = [[] for _ in range(bots)]
        self._waiting = 0
        self._counts = np.zeros((bots, len(_EDGES)), np.int64)
        self._longest = [0] * bots
        self._timeouts = [0] * bots

    def add(self, game: GameRecord) -> None:
        for bot, spent in zip(game.seats, times_by_seat(game), strict=True):
            self._times[bot] += spent
            self._waiting += len(spent)
        for fault in game.faults:
            if fault.cause == "timeout":
                self._timeouts[game.seats[fault.seat]] += 1
        if self._waiting > _WAITING:
            self._sort()

    def _sort(self) -> None:
        for bot, times in enumerate(self._times):
            if times:
                at = np.searchsorted(_EDGES, np.maximum(times, 1), side="right") - 1
                self._counts[bot] += np.bincount(at, minlength=len(_EDGES))
                self._longest[bot] = max(self._longest[bot], int(np.max(times)))
                times.clear()
        self._waiting = 0

    def all(self) -> tuple[Thinking | None, ...]:
        self._sort()
        return tuple(self._summary(bot) for bot in range(len(self._times)))

    def _summary(self, bot: int) -> Thinking | None:
        below = np.cumsum(self._counts[bot])
        questions = int(below[-1])
        if not questions:
            return None
        wanted = np.ceil(np.array([0.25, 0.5, 0.75, 0.99]) * questions)
        times = np.minimum(_EDGES[np.searchsorted(below, wanted)], self._longest[bot]) / 1000
        lower, median, upper, most = times.tolist()
        longest = self._longest[bot] / 1000
        return Thinking(questions, self._timeouts[bot], lower, median, upper, most, longest)


# --- dice --------------------------------------------------------------------------------------------

MOST_POINTS = 60


class _Curves(NamedTuple):
    rounds: Ints
    dice: Estimate


class _DiceHeld:
    """Keeps the dice of every seat before every round, a byte each, and at the end."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._number = array("q")
        self._rounds = array("i")
        self._dice = bytearray()

    def add(self, game: GameRecord) -> None:
        held: list[tuple[int, ...]] = []
        now = [0 if hand == "-" else len(hand) for hand in game.hands[0].split()] if game.hands else []
        for changes in game.changes:
            held.append(tuple(now))
            for seat, change in _changes(changes):
                now[seat] += change
        self._number.append(game.game)
        self._rounds.append(len(held))
        for dice in held:
            self._dice += bytes(dice)
        self._dice += bytes(now or [0] * self._players)

    def curves(self, results: Results, rated: Results) -> _Curves:
        """The mean dice of each bot in complete blocks, up to where 99 % of the games have ended."""
        rounds = np.asarray(self._rounds, np.int64)
        start = np.cumsum(rounds + 1) - rounds - 1
        kept = np.argsort(np.asarray(self._number), kind="stable")[results.complete]
        rounds, start = rounds[kept], start[kept]
        if not len(kept):
            bots = len(results.bots)
            none = Estimate(np.zeros((0, bots)), np.zeros((0, bots)), np.zeros((0, bots), np.int64))
            return _Curves(np.zeros(0, np.int64), none)
        last = int(np.quantile(rounds, 0.99, method="inverted_cdf"))
        shown = np.unique(np.linspace(0, last, min(last + 1, MOST_POINTS)).round().astype(np.int64))
        dice = np.frombuffer(self._dice, np.uint8).reshape(-1, self._players)
        per_bot = PerBot(rated)
        points = [per_bot.mean(_floats(dice[start + np.minimum(rounds, at)])) for at in shown]
        return _Curves(
            shown,
            Estimate(
                np.array([point.mean for point in points]),
                np.array([point.half for point in points]),
                np.array([point.blocks for point in points]),
            ),
        )


def _floats(dice: object) -> Floats:
    return np.asarray(dice, np.float64)


@cache
def _changes(text: str) -> tuple[tuple[int, int], ...]:
    """(seat, dice gained) of a round's changes, as `arena.record.schema` describes them."""
    return tuple((int(part[0]), int(part[1:])) for part in text.split())  # at most six seats
