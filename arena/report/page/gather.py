"""What the page shows, read from the log in three passes, none of which keeps the games."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from arena.errors import ConfigError
from arena.game import Ruleset
from arena.rating.results import Ints
from arena.record.log import GAMES, LogError, log_of, read_end, read_games, read_header
from arena.record.schema import End, Fault, GameRecord, encode_line
from arena.record.verify import ruleset_of, starting_dice
from arena.report.evidence import Evidence, evidence_of
from arena.report.sequential import Sequential, Verdict
from arena.report.standings import Standings, standings

FAULTS_SHOWN = 20
"""Faults of one bot and cause that are listed; all are counted."""


@dataclass
class Faults:
    """How often each bot failed by which cause, and the first of each kind in the order of the log.

    counts   (bot, cause) -> how often
    shown    (game, number of the bot, fault), ordered by game
    in_game  game -> causes, separated by spaces
    """

    counts: Counter[tuple[int, str]] = field(default_factory=Counter)
    shown: list[tuple[int, int, Fault]] = field(default_factory=list)
    in_game: dict[int, str] = field(default_factory=dict)

    def add(self, game: GameRecord) -> None:
        for fault in game.faults:
            bot = game.seats[fault.seat]
            self.counts[bot, fault.cause] += 1
            if self.counts[bot, fault.cause] <= FAULTS_SHOWN:
                self.shown.append((game.game, bot, fault))
        if game.faults:
            self.in_game[game.game] = " ".join(sorted({fault.cause for fault in game.faults}))

    def finish(self) -> None:
        self.shown.sort(key=lambda found: (found[0], found[2].round, found[2].call))
        self.in_game = dict(sorted(self.in_game.items()))


@dataclass(frozen=True, eq=False)
class Gathered:
    """Everything but the games themselves, which `games` reads again.

    numbers  of the games, ascending; `rounds` of each of them likewise
    size     bytes of their lines
    verdict  of the run's sequential test, if it has one
    """

    log: Path
    ruleset: Ruleset
    numbers: Ints
    rounds: Ints
    size: int
    evidence: Evidence
    table: Standings
    verdict: Verdict | None
    faults: Faults
    end: End | None

    def games(self) -> Iterator[GameRecord]:
        """The same games as before, in the order of the log, which may have grown. Raises `LogError`."""
        return islice(read_games(self.log), len(self.numbers))


def gather(folder: Path, by: str = "rating") -> Gathered:
    """Read the log of a results folder, ordered by `by`, a key of `arena.report.standings.TIE_BREAKS`.

    What a running tournament adds meanwhile is not in the page. Raises `ConfigError` for a folder that
    holds no log, `LogError` for one that cannot be read.
    """
    log = log_of(folder)
    if not log.is_file():
        raise ConfigError(f"{folder} holds no tournament: there is no {GAMES}")
    header = read_header(log)
    end = read_end(log)
    numbers, rounds, sizes = array("q"), array("q"), array("q")
    faults = Faults()
    test = Sequential(header.sprt, header.players) if header.sprt else None

    def watched() -> Iterator[GameRecord]:
        for game in read_games(log):
            numbers.append(game.game)
            rounds.append(len(game.calls))
            sizes.append(len(encode_line(game)))
            faults.add(game)
            yield game

    try:
        evidence = evidence_of(header, test.watch(watched()) if test else watched())
    except ValueError as error:
        raise LogError(f"{log}: {error}") from None
    faults.finish()
    order = np.argsort(np.asarray(numbers), kind="stable")
    return Gathered(
        log=log,
        ruleset=starting_dice(log, ruleset_of(header), header.players),
        numbers=np.asarray(numbers)[order],
        rounds=np.asarray(rounds)[order],
        size=sum(sizes),
        evidence=evidence,
        table=standings(header, islice(read_games(log), len(order)), by=by),
        verdict=test.verdict if test else None,
        faults=faults,
        end=end,
    )
