"""Results from elsewhere: of several tournaments together, or written down as finishing orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from arena.rating.results import NO_SEAT, Floats, Ints, Results, number_rows

Order = Sequence[str | Sequence[str]]
"""A finishing order, the winner first; bots that share a place stand together in a list."""


def pool(parts: Sequence[Results]) -> Results:
    """Several tournaments as one. Bots of one name are the same bot; blocks of different parts are
    different blocks, whatever their numbers. Tables may be of different sizes."""
    bots = tuple(dict.fromkeys(bot for part in parts for bot in part.bots))
    width = max((part.seats.shape[1] for part in parts), default=2)
    seats, places, blocks = [np.zeros((0, width), np.int64)], [np.zeros((0, width), np.int64)], []
    started = 0
    for part in parts:
        number = np.array([*map(bots.index, part.bots), NO_SEAT])  # the last for an empty seat
        pad = (0, 0), (0, width - part.seats.shape[1])
        seats.append(np.pad(number[part.seats], pad, constant_values=NO_SEAT))
        places.append(np.pad(part.places, pad))
        _, block = np.unique(part.block, return_inverse=True)
        blocks.append(block + started)
        started += int(block.max(initial=-1)) + 1
    together = np.concatenate(seats)
    return Results(
        bots,
        together,
        np.concatenate(places),
        lineups(together),
        np.concatenate([np.zeros(0, np.int64), *blocks]),
        np.concatenate([np.zeros(0, np.bool_), *(part.complete for part in parts)]),
        np.concatenate([np.zeros(0, np.bool_), *(part.forfeited for part in parts)]),
    )


def from_orders(
    orders: Iterable[Order], blocks: Sequence[int] | None = None, bots: Sequence[str] | None = None
) -> Results:
    """Results from finishing orders: `from_orders([["ann", "bob"], [["bob", "ann"]]])` is a win of
    ann and a draw.

    Args:
        blocks: the block of each game; None: every game is a block of its own. All are complete.
        bots: names in the order wanted; None: those that play, in alphabetical order.

    Raises:
        ValueError: as `Results`; the games of one block need the same bots.
        KeyError: a bot that is not in `bots`.
    """
    tables = [[[at] if isinstance(at, str) else list(at) for at in order] for order in orders]
    bots = tuple(bots or sorted({bot for table in tables for level in table for bot in level}))
    number = {bot: index for index, bot in enumerate(bots)}
    width = max((sum(map(len, table)) for table in tables), default=2)
    seats = np.full((len(tables), width), NO_SEAT)
    places = np.zeros((len(tables), width), np.int64)
    for game, table in enumerate(tables):
        seat = 0
        for level in table:
            seats[game, seat : seat + len(level)] = [number[bot] for bot in level]
            places[game, seat : seat + len(level)] = seat + 1
            seat += len(level)
    block = np.arange(len(tables)) if blocks is None else np.asarray(blocks, np.int64)
    whole = np.ones(len(tables), np.bool_)
    return Results(bots, seats, places, lineups(seats), block, whole, ~whole)


def from_crosstable(
    bots: Sequence[str], wins: Floats | Ints, draws: Floats | Ints | None = None
) -> Results:
    """Results of two-player games from tables of counts, every game a block of its own.

    Args:
        bots: B names.
        wins: (B, B), how often the row bot beat the column bot; whole numbers.
        draws: (B, B), how often they drew; only the part above the diagonal counts.
    """
    drawn = np.zeros((len(bots), len(bots)), np.int64) if draws is None else np.asarray(draws)
    won = np.asarray(wins)
    pairs = [(i, j) for i in range(len(bots)) for j in range(len(bots)) if i != j]
    orders: list[Order] = []
    for i, j in pairs:
        orders += [[bots[i], bots[j]]] * int(won[i, j])
        if i < j:
            orders += [[[bots[i], bots[j]]]] * int(drawn[i, j])
    return from_orders(orders, bots=bots)


def lineups(seats: Ints) -> Ints:
    """A number per set of bots (G,) of tables (G, P), counted in the order of rows."""
    first, lineup = number_rows(np.sort(seats, axis=1))
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return np.asarray(rank[lineup])
