"""Small ways to write and to simulate results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.rating import Results
from arena.rating.results import Floats, Ints


def played(*games: str, bots: str = "", repeat: int = 1) -> Results:
    """Blocks of one game each: "a b=c" is a first, b and c tied for second. Bots are single
    letters: those of `bots`, or those that play, in alphabetical order."""
    names = bots or "".join(sorted({letter for game in games for letter in game} - set(" =")))
    orders = [game.split() for game in games] * repeat
    width = max((len(game.split("=")) + game.count(" ") for game in games), default=2)
    seats = np.full((len(orders), width), -1)
    places = np.zeros_like(seats)
    for g, order in enumerate(orders):
        seat = 0
        for level in order:
            above = seat
            for letter in level.split("="):
                seats[g, seat], places[g, seat] = names.index(letter), above + 1
                seat += 1
    return make(tuple(names), seats, places, np.arange(len(orders)))


def make(bots: tuple[str, ...], seats: Ints, places: Ints, block: Ints) -> Results:
    """Complete blocks; the line-up is who sits at the table."""
    games = len(seats)
    tables = np.sort(seats, axis=1)
    lineup = np.unique(tables, axis=0, return_inverse=True)[1].ravel()
    return Results(bots, seats, places, lineup, block, np.ones(games, bool), np.zeros(games, bool))


def simulated(theta: Floats, lineups: Sequence[Sequence[int]], blocks: int, seed: int) -> Results:
    """Plackett-Luce games: bot i stays for an exponential time of mean exp(theta_i), which makes
    it the next to leave with probability proportional to exp(-theta_i). All seat rotations."""
    rng = np.random.default_rng(seed)
    width = max(map(len, lineups))
    seats, places, block = [], [], []
    for number, table in enumerate(table for table in lineups for _ in range(blocks)):
        n = len(table)
        for turn in range(n):
            sitting = np.roll(table, turn)
            stays = rng.exponential(np.exp(theta[sitting]))
            pad = [0] * (width - n)
            seats.append([*sitting.tolist(), *(-1 for _ in pad)])
            places.append([*((-stays).argsort().argsort() + 1).tolist(), *pad])
            block.append(number)
    names = tuple(f"bot{i}" for i in range(len(theta)))
    return make(names, np.array(seats), np.array(places), np.array(block))
