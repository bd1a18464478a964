"""From the log to what the ratings are computed from, one game at a time."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np

from arena.rating import Results
from arena.rating.pool import lineups
from arena.rating.results import Bools, Ints
from arena.record.schema import HOST_CAUSES, GameRecord, Header


def results_of(header: Header, games: Iterable[GameRecord]) -> Results:
    """The finishing orders of a log, ordered by number of game; the games may come in any order.

    A block is complete if each of its rotations is there and none of them has a fault of the host.
    Line-ups are numbered from 0 as they first appear. A game is forfeited if it has any fault.

    Of each game 30 bytes or so are kept, so a million take seconds beyond their decoding.

    Raises ValueError if a record contradicts the header or the others.
    """
    players = header.players
    number, block, rotation, seats, places, faulty, spoilt = (array(code) for code in "qqbhbbb")
    for record in games:
        if len(record.seats) != players or len(record.places) != players:
            raise ValueError(f"game {record.game}: expected {players} seats, as the header says")
        if not 0 <= record.rotation < players:
            raise ValueError(f"game {record.game}: there is no rotation {record.rotation}")
        number.append(record.game)
        block.append(record.block)
        rotation.append(record.rotation)
        seats.extend(record.seats)
        places.extend(record.places)
        if record.faults:
            faulty.append(1)
            spoilt.append(any(fault.cause in HOST_CAUSES for fault in record.faults))
        else:
            faulty.append(0)
            spoilt.append(0)

    order = np.argsort(np.asarray(number), kind="stable")
    table = np.asarray(seats, np.int64).reshape(-1, players)[order]
    block_of = np.asarray(block, np.int64)[order]
    rotation_of = np.asarray(rotation, np.int64)[order]
    return Results(
        tuple(bot.name for bot in header.bots),
        table,
        np.asarray(places, np.int64).reshape(-1, players)[order],
        lineups(table),
        block_of,
        _complete(block_of, rotation_of, np.asarray(spoilt, np.bool_)[order], players),
        np.asarray(faulty, np.bool_)[order],
    )


def _complete(block: Ints, rotation: Ints, spoilt: Bools, players: int) -> Bools:
    """Whether each game's block has all its rotations, and none that is spoilt."""
    names, at = np.unique(block, return_inverse=True)
    seen = np.zeros((len(names), players), np.bool_)
    seen[at, rotation] = True
    whole: Bools = np.asarray(seen.all(axis=1))
    whole[at[spoilt]] = False
    return whole[at]
