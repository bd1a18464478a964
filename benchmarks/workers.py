"""Whether a second worker does as much as the first.

Where referees and bots share the cores, a second worker cannot double the pace of bots that compute. So
it is asked three times, each time with something else out of the way: through the whole of `arena run`
with bots that think in their sleep, which leaves the cores to the referees; with referees that play
recorded answers back, which leaves nothing but them; and with bots in C, where all that is left shares
the cores.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from arena.errors import ConfigError
from arena.referee.task import Task
from benchmarks.commands import tournament
from benchmarks.match import BOTS, GAMES, Shape, program
from benchmarks.measure import Effort, Run, Section, Target, in_turn, ratios, spread
from benchmarks.recorded import Said, record, replay

THINKER = Path(__file__).with_name("thinker.py")
WANTED = 1.7
START = 3.0
"""Seconds that worker processes have to start, where they begin together."""
PLAYED_BACK = 1.0
"""Seconds for which they then play."""


def measure(effort: Effort) -> list[Section]:
    cores = len(os.sched_getaffinity(0))
    counts = sorted({1, 2, cores})
    section = Section(
        "Workers",
        f"{cores} cores. Thinking bots sleep a millisecond over each call, with one game in flight. "
        "Referees alone play recorded answers back. Bots in C share the cores with their referees, with "
        f"{GAMES} games in flight in each worker: four workers have {4 * GAMES}.",
        ("", "decisions/s", "over 1 worker"),
    )
    thinkers = [f"{name}=python3 {THINKER}" for name in ("a", "b")]
    few = max(4, effort.decisions // 36)
    found = _rows(
        section,
        "thinking bots",
        {n: partial(_tournament, thinkers, few, n, 1) for n in counts},
        effort,
    )
    section.targets.append(
        Target("two workers over one, thinking bots", ratios(found[2], found[1]), WANTED)
    )
    task = Shape().task(Shape().games(min(effort.decisions, 5000)))
    said, _ = record(task)
    _rows(section, "referees alone", {n: partial(_referees, task, said, n) for n in counts}, effort)
    if effort.least:
        return [section]
    try:
        program("c")
        in_c = [f"{name}={BOTS / 'c' / 'random'}" for name in ("a", "b", "c", "d")]
        many = max(4, effort.decisions // 4)
        runs = {n: partial(_tournament, in_c, many, n, GAMES) for n in (*counts, 4)}
        _rows(section, "bots in C", runs, effort)
    except ConfigError as error:
        section.words += f" Left out: bots in C ({error})."
    return [section]


def _rows(
    section: Section, name: str, runs: dict[int, partial[Run]], effort: Effort
) -> dict[int, list[Run]]:
    contenders: dict[str, Callable[[], Run]] = {str(count): run for count, run in runs.items()}
    found = {int(count): each for count, each in in_turn(contenders, min(3, effort.repeats)).items()}
    for count, each in found.items():
        section.rows.append(
            (
                f"{name}, {count} worker{'s' if count > 1 else ''}",
                f"{spread([run.pace for run in each]).usual:,.0f}",
                str(ratios(each, found[1])) if count > 1 else "",
            )
        )
    return found


def _tournament(bots: list[str], games: int, workers: int, in_flight: int) -> Run:
    """As many launches as workers, or two: both seatings of two bots are launches of their own."""
    with tempfile.TemporaryDirectory() as folder:
        launch = max(1, games // max(2, workers))
        return tournament(Path(folder, "out"), bots, games, workers, in_flight, launch)[0]


def _referees(task: Task, said: Said, workers: int) -> Run:
    """Workers that begin together and play the recorded task again and again, each by itself."""
    at = time.monotonic() + START
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(_play_back, task, said, at) for _ in range(workers)]
        played = [future.result() for future in futures]
    first, last = min(begun for begun, _, _ in played), max(ended for _, ended, _ in played)
    return Run(sum(decisions for _, _, decisions in played), last - first)


def _play_back(task: Task, said: Said, at: float) -> tuple[float, float, int]:
    """When it began and ended, and the decisions. It begins `at` that time, warmed up."""
    replay(task, said)
    time.sleep(max(0.0, at - time.monotonic()))
    begun = time.monotonic()
    decisions = 0
    while time.monotonic() < begun + PLAYED_BACK:
        decisions += replay(task, said)
    return begun, time.monotonic(), decisions
