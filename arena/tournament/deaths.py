"""When a worker dies: which task it was, what is played again, and which bot is to blame.

A pool does not say which of its tasks killed it, so after a death every task that was in flight is
played *alone*: the next death has one suspect. A task that kills twice is split into single games; a
game that kills three times is left out of the log. A bot that was the only one common to three such
deaths is out. Nothing here plays or writes.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import replace

from arena.referee.task import Task

SPLIT_AFTER = 2
GIVE_UP_AFTER = 3


class Deaths:
    """The suspects, to be played one at a time, and the games that were given up."""

    def __init__(self) -> None:
        self.suspects: deque[Task] = deque()
        self.given_up: list[int] = []
        """Numbers of the games that could not be played."""
        self._deaths: Counter[tuple[int, ...]] = Counter()
        self._lineups: list[set[int]] = []

    def died(self, in_flight: Iterable[Task]) -> int | None:
        """A worker died with these tasks in flight. Returns a bot that is out because of it."""
        lost = list(in_flight)
        if len(lost) != 1:
            self.suspects.extend(lost)
            return None
        task = lost[0]
        games = tuple(game.number for game in task.games)
        self._deaths[games] += 1
        self._lineups.append(set(task.entrants))
        if len(games) == 1 and self._deaths[games] >= GIVE_UP_AFTER:
            self.given_up += games
        elif len(games) > 1 and self._deaths[games] >= SPLIT_AFTER:
            self.suspects.extend(replace(task, games=(game,)) for game in task.games)
        else:
            self.suspects.appendleft(task)
        return self._culprit()

    def _culprit(self) -> int | None:
        if len(self._lineups) < GIVE_UP_AFTER:
            return None
        common = set.intersection(*self._lineups[-GIVE_UP_AFTER:])
        return common.pop() if len(common) == 1 else None
