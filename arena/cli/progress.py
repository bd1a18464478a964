"""What `arena run` shows while it plays: a live bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Column

from arena.referee.task import TaskResult
from arena.report.duel_text import say_ratio
from arena.report.sequential import Sequential
from arena.report.standings import score_of
from arena.tournament.plan import say_duration

LINE_EVERY = 30.0
"""Seconds between lines where there is no terminal."""


class Progress:
    """A run's `Watcher`: games done, games per second, time left and the running score.

    `caution` is said once there are games to play: a run that is refused says only why. Where a `test`
    may end the run, it says how far that is.
    """

    def __init__(self, bots: Sequence[str], caution: str = "", test: Sequential | None = None) -> None:
        self._bots = bots
        self._test = test
        self._caution = caution
        self._console = Console(stderr=True, highlight=False)
        self._bar = Bar(
            BarColumn(12),
            MofNCompleteColumn(table_column=Column(no_wrap=True)),
            TextColumn(
                "{task.fields[pace]}",
                table_column=Column(ratio=1, no_wrap=True, overflow="ellipsis"),
            ),
            expand=True,
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("games", total=None, pace="starting the bots")
        self._score = [0.0] * len(bots)
        self._games = [0] * len(bots)
        self._faults = 0
        self._added = self._done = self._total = 0
        self._begun = self._told = time.monotonic()

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def note(self, text: str) -> None:
        self._console.print(text, markup=False, soft_wrap=True)

    def begin(self, total: int, done: int) -> None:
        self._total, self._done = total, done
        self._begun = time.monotonic()
        self._bar.update(self._task, total=total, completed=done, pace="")
        if self._caution and done < total:
            self.note(self._caution)
        if done:
            self.note(f"going on after {done} of {total} games")

    def played(self, result: TaskResult) -> None:
        for seats, places, faults in result.scores:
            self._faults += len(faults)
            for seat, bot in enumerate(seats):
                self._games[bot] += 1
                self._score[bot] += score_of(places, seat)
        self._added += len(result.lines)
        pace = self._pace()
        self._bar.update(self._task, completed=self._done + self._added, pace=pace)
        now = time.monotonic()
        if not self._console.is_terminal and now - self._told > LINE_EVERY:
            self._told = now
            self.note(f"{self._done + self._added} of {self._total} games, {pace}")

    def _pace(self) -> str:
        seconds = time.monotonic() - self._begun
        rate = self._added / seconds if seconds else 0.0
        left = self._total - self._done - self._added
        parts = [f"{rate:.0f} games/s"]
        if self._test:
            parts.append(say_ratio(self._test.verdict))
        elif rate and left:
            parts.append(f"{say_duration(left / rate)} left")
        best = sorted(
            (bot for bot in range(len(self._bots)) if self._games[bot]),
            key=lambda bot: -self._score[bot] / self._games[bot],
        )
        parts.append(
            " ".join(
                f"{self._bots[bot]} {100 * self._score[bot] / self._games[bot]:.0f}%" for bot in best[:4]
            )
        )
        if self._faults:
            parts.append(f"{self._faults} faults")
        return ", ".join(part for part in parts if part)
