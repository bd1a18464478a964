"""What tables need to know of the whole log before they can be made of a part of it."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.record.schema import HOST_CAUSES, GameRecord


@dataclass(frozen=True, eq=False)
class Outline:
    """Of a million games it takes some 50 MB.

    numbers   (games,) int64, ascending
    lineups   number of each set of bots, counted in the order of the games' numbers
    complete  the blocks that have all rotations in the log, none of them with a fault of the host
    causes    of faults that name a seat, in the order of the alphabet
    """

    numbers: Any
    lineups: dict[tuple[int, ...], int]
    complete: frozenset[int]
    causes: tuple[str, ...]


def lineup_of(record: GameRecord) -> tuple[int, ...]:
    return tuple(sorted(record.seats))


def outline_of(players: int, games: Iterable[GameRecord]) -> Outline:
    """The games may come in any order."""
    numbers = array("q")
    first: dict[tuple[int, ...], int] = {}
    rotations: Counter[int] = Counter()
    spoilt: set[int] = set()
    causes: set[str] = set()
    for record in games:
        numbers.append(record.game)
        lineup = lineup_of(record)
        first[lineup] = min(record.game, first.get(lineup, record.game))
        rotations[record.block] += 1
        for fault in record.faults:
            causes.add(fault.cause)
            if fault.cause in HOST_CAUSES:
                spoilt.add(record.block)
    complete = {block for block, seen in rotations.items() if seen == players} - spoilt
    return Outline(
        np.sort(np.asarray(numbers, np.int64)),
        {lineup: number for number, lineup in enumerate(sorted(first, key=lambda it: first[it]))},
        frozenset(complete),
        tuple(sorted(causes)),
    )
