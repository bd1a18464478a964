"""Runs that take turns, and ratios between them.

A machine is never idle, and its pace changes by the minute. So nothing here compares a figure with one
of another day: contenders run in turn, each repeat gives one ratio, and what is reported is the median
of the ratios with the lowest and the highest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True)
class Effort:
    """How much is played: about so many `decisions` in a run, `repeats` runs of each contender, so many
    `games` in the largest log. With `least` a part shows that it works; its figures mean nothing.
    """

    decisions: int
    repeats: int
    games: int
    least: bool = False


FULL = Effort(decisions=10_000, repeats=9, games=1_000_000)
QUICK = Effort(decisions=3_000, repeats=3, games=50_000)
LEAST = Effort(decisions=80, repeats=1, games=400, least=True)


@dataclass(frozen=True)
class Run:
    """`decisions` made in `seconds`; `cpu` seconds of all threads of the referee's process; questions in
    a message, on average.
    """

    decisions: int
    seconds: float
    cpu: float = 0.0
    batch: float = 1.0

    @property
    def pace(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds

    @property
    def us(self) -> float:
        """Microseconds per decision."""
        return 1e6 * self.seconds / self.decisions

    @property
    def cpu_us(self) -> float:
        """Microseconds of the referee's processor time per decision."""
        return 1e6 * self.cpu / self.decisions


@dataclass(frozen=True)
class Spread:
    """The median of some figures, the lowest and the highest."""

    usual: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.usual:.2f} ({self.low:.2f}-{self.high:.2f})"


def spread(figures: Sequence[float]) -> Spread:
    return Spread(median(figures), min(figures), max(figures))


def ratios(these: Sequence[Run], those: Sequence[Run]) -> Spread:
    """How many times as fast these are as those, repeat by repeat."""
    return spread([one.pace / other.pace for one, other in zip(these, those, strict=True)])


FIGURES = ("decisions/s", "us", "at best", "referee CPU us")


def figures(runs: Sequence[Run]) -> tuple[str, ...]:
    """Medians, and the microseconds of the run that was disturbed least, as text under `FIGURES`."""
    us = spread([run.us for run in runs])
    pace, cpu = median([run.pace for run in runs]), median([run.cpu_us for run in runs])
    return f"{pace:,.0f}", f"{us.usual:,.1f}", f"{us.low:,.1f}", f"{cpu:.1f}"


def in_turn(contenders: Mapping[str, Callable[[], Run]], repeats: int) -> dict[str, list[Run]]:
    """Every contender `repeats` times, there and back, so that what else the machine does, and what it
    does more and more of, meets them alike.
    """
    found: dict[str, list[Run]] = {name: [] for name in contenders}
    names = list(contenders)
    for repeat in range(repeats):
        for name in names if repeat % 2 == 0 else reversed(names):
            found[name].append(contenders[name]())
    return found


class Stopwatch:
    """Wall and processor time of a block: `cpu` of all threads of this process, those that ended too."""

    seconds: float
    cpu: float

    def __enter__(self) -> Stopwatch:
        self._begun = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        ended = time.perf_counter(), time.process_time()
        self.seconds, self.cpu = (one - other for one, other in zip(ended, self._begun, strict=True))

    def run(self, decisions: int) -> Run:
        """The block, in which so many decisions were made."""
        return Run(decisions, self.seconds, self.cpu)


@dataclass(frozen=True)
class Target:
    """What a ratio or a figure is wanted to be: at least `wanted`, or at most."""

    text: str
    found: Spread
    wanted: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        usual = self.found.usual
        return usual <= self.wanted if self.at_most else usual >= self.wanted


@dataclass
class Section:
    """What one part found: a table, the words above it, and what was wanted."""

    title: str
    words: str
    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
