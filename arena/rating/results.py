"""What the games ended with: the only input of this package.

One row per game, one column per seat. Everything else here (ratings, head-to-head) is computed
from these arrays and from nothing else, so the package needs no log, no rules and no files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

NO_SEAT = -1


@dataclass(frozen=True, eq=False)
class Results:
    """The finishing orders of G games at tables of at most P seats.

    Arrays are copied, checked and made read-only; lists are accepted.

    Attributes:
        bots: names, all different; every other index points into it.
        seats: int (G, P), the bot in each seat, -1 where the table has no such seat.
        places: int (G, P), 1 = winner; ties share a place and the next place is skipped
            (competition ranking: 1, 2, 2, 4); 0 where there is no seat.
        lineup: int (G,), which set of bots sat down; one id always means the same set.
        block: int (G,), the unit of evidence: the games of one line-up on one deal, one per
            rotation of the seats.
        complete: bool (G,), whether the game's block has all its games; the same throughout a block.
        forfeited: bool (G,), whether a bot forfeited this game.

    Raises:
        ValueError: anything above does not hold; the message names the first bad game.
    """

    bots: tuple[str, ...]
    seats: Ints
    places: Ints
    lineup: Ints
    block: Ints
    complete: Bools
    forfeited: Bools

    def __post_init__(self) -> None:
        object.__setattr__(self, "bots", tuple(self.bots))
        for name in ("seats", "places", "lineup", "block"):
            object.__setattr__(self, name, _array(name, getattr(self, name), "iu", np.int64))
        for name in ("complete", "forfeited"):
            object.__setattr__(self, name, _array(name, getattr(self, name), "b", np.bool_))
        self._check_shapes()
        self._check_tables()
        self._check_blocks()

    def __len__(self) -> int:
        """Number of games."""
        return len(self.seats)

    def without_forfeits(self) -> Results:
        """The games nobody forfeited. The rest of a forfeited game's block is no longer complete:
        its rotations no longer cancel the advantage of a seat."""
        broken = np.isin(self.block, self.block[self.forfeited])
        return self._take(~self.forfeited, complete=self.complete & ~broken)

    def without(self, bot: str) -> Results:
        """The tournament as if `bot` had not been there: every game it sat in is dropped, because
        the others played it against that bot.

        Raises:
            ValueError: no bot of that name.
        """
        gone = self.index(bot)
        kept = self._take(~(self.seats == gone).any(axis=1))
        return Results(
            self.bots[:gone] + self.bots[gone + 1 :],
            kept.seats - (kept.seats > gone),
            kept.places,
            kept.lineup,
            kept.block,
            kept.complete,
            kept.forfeited,
        )

    def only_complete(self) -> Results:
        """The games that belong to complete blocks: the ones that count as evidence."""
        return self._take(self.complete)

    def index(self, bot: str) -> int:
        """The index of `bot`; ValueError where there is none of that name."""
        if bot not in self.bots:
            raise ValueError(f"no bot is called {bot!r}")
        return self.bots.index(bot)

    def _take(self, games: Bools, complete: Bools | None = None) -> Results:
        complete = self.complete if complete is None else complete
        return Results(
            self.bots,
            self.seats[games],
            self.places[games],
            self.lineup[games],
            self.block[games],
            complete[games],
            self.forfeited[games],
        )

    def _check_shapes(self) -> None:
        if len(set(self.bots)) != len(self.bots):
            raise ValueError("bots: two bots have the same name")
        if self.seats.ndim != 2:
            raise ValueError(f"seats: expected shape (games, seats), got {self.seats.shape}")
        if self.places.shape != self.seats.shape:
            raise ValueError(
                f"places: expected shape {self.seats.shape} like seats, got {self.places.shape}"
            )
        for name in ("lineup", "block", "complete", "forfeited"):
            shape = getattr(self, name).shape
            if shape != (len(self.seats),):
                raise ValueError(f"{name}: expected shape ({len(self.seats)},), got {shape}")

    def _check_tables(self) -> None:
        seats, places = self.seats, self.places
        present = seats != NO_SEAT
        bad = (seats < NO_SEAT) | (seats >= len(self.bots))
        _refuse("seats", "a bot index out of range", bad.any(axis=1))
        _refuse("seats", "fewer than two seats are taken", present.sum(axis=1) < 2)
        ordered = np.sort(seats, axis=1)
        twice = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NO_SEAT)
        _refuse("seats", "a bot sits at the table twice", twice.any(axis=1))
        _refuse("places", "not 0 where there is no seat", (places[~present] != 0), ~present)
        above = np.zeros_like(places)
        for column in places.T[:, :, None]:
            above += (column > 0) & (column < places)
        wrong = present & (places != above + 1)
        _refuse("places", "not a competition ranking (as 1, 2, 2, 4)", wrong.any(axis=1))

    def _check_blocks(self) -> None:
        if not len(self):
            return
        tables = np.sort(self.seats, axis=1)
        _, first, lineup = np.unique(self.lineup, return_index=True, return_inverse=True)
        other = (tables != tables[first[lineup]]).any(axis=1)
        _refuse("lineup", "one id stands for two sets of bots", other)
        _, first, block = np.unique(self.block, return_index=True, return_inverse=True)
        first = first[block]
        _refuse("block", "a block has games of two line-ups", self.lineup != self.lineup[first])
        _refuse("complete", "differs within a block", self.complete != self.complete[first])


def number_rows(rows: Ints) -> tuple[Ints, Ints]:
    """Number the distinct rows of an int array (N, C) in lexicographic order.

    Returns:
        first (K,): an index at which each distinct row stands; number (N,): each row's number.
        Many times faster than `numpy.unique(axis=0)`, which sorts byte strings.
    """
    key = np.zeros(len(rows), np.int64)
    size = 1
    for column in rows.T if len(rows) else ():
        low = int(column.min())
        span = int(column.max()) - low + 1
        if size * span > 2**62:
            values, key = np.unique(key, return_inverse=True)
            size = len(values)
        key = key * span + (column - low)
        size *= span
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return first, number


def _array(name: str, value: Any, kinds: str, dtype: type) -> npt.NDArray[Any]:
    given = np.asarray(value)
    if given.size and given.dtype.kind not in kinds:
        what = "booleans" if kinds == "b" else "integers"
        raise ValueError(f"{name}: expected {what}, got {given.dtype}")
    array: npt.NDArray[Any] = given.astype(dtype)  # a copy
    array.flags.writeable = False
    return array


def _refuse(name: str, what: str, bad: Any, where: Bools | None = None) -> None:
    """Raise with the first bad game. `where`: the cells of (G, P) that `bad` speaks of."""
    if bad.any():
        games = np.flatnonzero(bad) if where is None else np.nonzero(where)[0][bad]
        raise ValueError(f"{name}: {what} (game {games[0]})")
