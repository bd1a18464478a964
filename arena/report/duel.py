"""One bot against another, from a log: in every block that both played, who finished above whom."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from arena.errors import ConfigError
from arena.rating import Results
from arena.rating.results import Ints, number_rows
from arena.rating.score import Estimate, Tally, estimate, tally
from arena.record.log import GAMES, log_of, read_games, read_header
from arena.record.schema import Header
from arena.report.results import results_of
from arena.report.sequential import PAIR, Sequential, Verdict


@dataclass(frozen=True)
class Duel:
    """`first` against `second`; `tally` holds the block scores of `first`.

    incomplete   blocks in which both sit but which do not count: not finished, or spoilt by the host
    left_out     games of those
    forfeits     games that count and in which somebody forfeited
    verdict      of the run's sequential test, if these two are its pair; always its first bot against
                 its second
    """

    header: Header
    first: str
    second: str
    tally: Tally
    estimate: Estimate | None
    incomplete: int
    left_out: int
    forfeits: int
    verdict: Verdict | None


def read_duel(folder: Path, names: tuple[str, str] | None = None, confidence: float = 0.95) -> Duel:
    """Two bots of a results folder; without names the only two that it has.

    Raises `ConfigError` for a folder without a log or a name that is not there, `LogError` for a log
    that cannot be read.
    """
    header = read_log_header(folder)
    one, two = find_pair(header, names)
    pair = {one, two} == set(PAIR)
    test = Sequential(header.sprt, header.players) if header.sprt and pair else None
    games = read_games(log_of(folder))
    results = results_of(header, test.watch(games) if test else games)
    both = (results.seats == one).any(axis=1) & (results.seats == two).any(axis=1)
    left_out = both & ~results.complete
    counts = tally(pair_blocks(results, one, two).points.sum(axis=1), header.players)
    return Duel(
        header=header,
        first=results.bots[one],
        second=results.bots[two],
        tally=counts,
        estimate=estimate(counts, confidence),
        incomplete=len(np.unique(results.block[left_out])),
        left_out=int(left_out.sum()),
        forfeits=int((both & results.complete & results.forfeited).sum()),
        verdict=test.verdict if test else None,
    )


def read_log_header(folder: Path) -> Header:
    """The header of a results folder. Raises `ConfigError` for a folder that holds no log."""
    log = log_of(folder)
    if not log.is_file():
        raise ConfigError(f"{folder} holds no tournament: there is no {GAMES}")
    return read_header(log)


def find_pair(header: Header, names: tuple[str, str] | None) -> tuple[int, int]:
    """The indexes of two bots. Raises `ConfigError`."""
    bots = [bot.name for bot in header.bots]
    listed = ", ".join(bots)
    if names is None:
        if len(bots) > 2:
            raise ConfigError(f"name two bots of {header.name}: {listed}")
        return PAIR
    for name in names:
        if name not in bots:
            raise ConfigError(f"there is no bot {name!r} in {header.name}; bots: {listed}")
    if names[0] == names[1]:
        raise ConfigError(f"{names[0]} does not play against itself; bots: {listed}")
    return bots.index(names[0]), bots.index(names[1])


class PairBlocks(NamedTuple):
    """The N complete blocks in which two bots sit, each of k games.

    points  (N, k), half points of the first against the second, by rotation: 2 for a finish above, 1 for
            a shared place
    table   (N,), a number for who sits there in which circular order
    """

    points: Ints
    table: Ints


def pair_blocks(results: Results, one: int, two: int) -> PairBlocks:
    """All that two bots (indexes) did to each other."""
    rated = results.only_complete()
    there = (rated.seats == one).any(axis=1) & (rated.seats == two).any(axis=1)
    seats, places = rated.seats[there], rated.places[there]
    mine = np.take_along_axis(places, (seats == one).argmax(axis=1)[:, None], axis=1)[:, 0]
    theirs = np.take_along_axis(places, (seats == two).argmax(axis=1)[:, None], axis=1)[:, 0]
    games = rated.seats.shape[1]
    points = np.asarray(1 + np.sign(theirs - mine)).reshape(-1, games)
    return PairBlocks(points, number_rows(seats[::games])[1])
