"""On which cores a worker and its bots run: on all that they may, or together on one.

With one game in flight the referee and its bots take turns. On several cores each message then wakes a
core that has gone to sleep, which can take longer than all the rest of a decision; on one it is a mere
switch. But a bot that computes while others are asked, or with several threads, needs more than one
core, and so does a worker beside which other programs run. So it is tried out: the games go on either
way for a while, and then the quicker way.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from arena.record.schema import Timing
from arena.referee.launch import Program

LAP = 0.2
"""Seconds of play, at least, before the way is looked at; a short task is only a part of them."""
TRIAL = (False, True, False, True)
"""The laps of a trial: whether each is gone together."""
TRY_AGAIN = 50
"""Laps from one trial to the next."""
GAIN = 0.8
"""The games stay together where both laps took at most so much a decision as the quicker one apart."""
ASIDE = 0.4
"""Share of the time that bots may compute beyond what their answers take; their libraries do a little.
More is thinking out of turn or on several cores, and then they are not put together.
"""
QUICK = 0.001
"""Seconds a decision. Slower bots think; they are not put together, waking is not what takes long."""

LOOKS = 5
"""Most looks at the threads of a process: one that is not yet moved may begin another meanwhile."""


class Habit:
    """What a worker has found out about a line-up of bots. `together` is how to go on."""

    def __init__(self) -> None:
        self.together = False
        self._took: list[float] = []
        """Seconds a decision took in the laps of the trial that is going on."""
        self._rest = 0
        """Laps until the next trial."""
        self._seconds = self._aside = 0.0
        self._decisions = 0

    def played(self, seconds: float, timing: Timing) -> None:
        """A game went the way of `together`, and so long after the one before it was over."""
        self._seconds += seconds
        self._decisions += sum(map(len, timing.us))
        self._aside += sum(timing.cpu_ms) / 1e3 - sum(map(sum, timing.us)) / 1e6
        if self._seconds >= LAP and self._decisions:
            self.lap(self._seconds / self._decisions, self._aside / self._seconds)
            self._seconds = self._aside = 0.0
            self._decisions = 0

    def lap(self, took: float, aside: float = 0.0) -> None:
        """Learn how many seconds a decision took on average, the way it was gone last, and the share of
        the time that the bots computed `aside` of their answers.
        """
        if took > QUICK or aside > ASIDE:
            self.together = False
            self._took, self._rest = [], TRY_AGAIN
        elif self._rest:
            self._rest -= 1
            self.together = self.together and self._rest > 0  # a trial begins apart
        else:
            self._took.append(took)
            if len(self._took) < len(TRIAL):
                self.together = TRIAL[len(self._took)]
            else:
                ways = {
                    way: [t for t, w in zip(self._took, TRIAL, strict=True) if w is way]
                    for way in (False, True)
                }
                self.together = max(ways[True]) <= GAIN * min(ways[False])
                self._took, self._rest = [], TRY_AGAIN


@lru_cache(maxsize=1000)
def habit_of(_line_up: frozenset[Program]) -> Habit:
    """The habit of a line-up, from task to task, as long as this worker lives."""
    return Habit()


class Cores:
    """Moves the worker and its bots while a task is played. `bots` gives the bots' processes."""

    def __init__(
        self,
        habit: Habit,
        bots: Callable[[], Iterable[int]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._habit = habit
        self._bots = bots
        self._clock = clock
        self._all = os.sched_getaffinity(0)
        self._together = False
        self._launches = 0
        self._before: float | None = None
        """When the last game ended."""

    def played(self, timing: Timing, launches: int) -> None:
        """A game is over; so many launches there were in the task so far."""
        habit, now = self._habit, self._clock()
        if self._before is not None:  # the first game has the start of the bots in it
            habit.played(now - self._before, timing)
        self._before = now
        if habit.together != self._together or (habit.together and launches != self._launches):
            self._together, self._launches = habit.together, launches
            self._move({current_core()} if habit.together else self._all)

    def restore(self) -> None:
        """Put the worker itself back where it may run."""
        if self._together:
            bind_this(self._all)

    def _move(self, cores: Collection[int]) -> None:
        bind_this(cores)
        for pid in self._bots():
            bind(pid, cores)


def current_core() -> int:
    """The core on which this thread runs now (field 39 of `man proc_pid_stat`)."""
    with open("/proc/thread-self/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[36])


def bind_this(cores: Collection[int]) -> None:
    """Let this thread run on these cores only. If they were taken from us meanwhile, it stays as it is:
    where a worker runs must not cost a task.
    """
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, cores)


def bind(pid: int, cores: Collection[int]) -> None:
    """Let a process with all its threads run on these cores only. What is gone, or may not be moved, is
    left out.
    """
    moved = set[str]()
    with contextlib.suppress(OSError):
        for _ in range(LOOKS):
            found = set(os.listdir(f"/proc/{pid}/task")) - moved
            if not found:
                return
            for thread in found:
                with contextlib.suppress(OSError):
                    os.sched_setaffinity(int(thread), cores)
            moved |= found
