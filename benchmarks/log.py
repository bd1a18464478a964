"""What the log costs: microseconds per call, bytes per game."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from arena.record.log import LogWriter
from arena.record.schema import encode_line
from benchmarks.match import Shape, played
from benchmarks.measure import Effort, Run, Section, Stopwatch, Target, in_turn, spread
from benchmarks.stages import Games

CALL_US = 0.5
GAME_BYTES = 3000


def measure(effort: Effort) -> list[Section]:
    section = Section(
        "The log",
        "Games of six `random` at the standard rules, one line each. Making the record is the referee's "
        "own part of it; encoding and appending are the log's. Wall time, with what the disk costs.",
        ("", "us per call", "bytes per game"),
    )
    shape = Shape(6, 6)
    task = shape.task(shape.games(effort.decisions))
    _, records = played(task)
    lines = [encode_line(game) for game in records]
    tables = Games(task).tables
    calls = sum(len(spent) for game in records for spent in game.timing.us)

    def making() -> None:
        for table in tables:
            table.record(0.0, 0.0, 0.0, 0.0, [])

    def encoding() -> None:
        for game in records:
            encode_line(game)

    with tempfile.TemporaryDirectory() as folder:
        log = LogWriter(Path(folder, "games.jsonl"))

        def appending() -> None:
            """A task of fifty games at a time, as the coordinator does it."""
            for at in range(0, len(lines), 50):
                log.append(lines[at : at + 50])

        def all_of_it() -> None:
            making()
            encoding()
            appending()

        stages = {
            "making the record": making,
            "encoding": encoding,
            "appending": appending,
            "all": all_of_it,
        }
        found = in_turn(
            {name: partial(_timed, stage, calls) for name, stage in stages.items()}, 2 * effort.repeats
        )
        log.close()
    size = spread([len(line) for line in lines])
    us = {name: spread([run.us for run in runs]) for name, runs in found.items()}
    section.rows = [(name, str(each), f"{size.usual:,.0f}") for name, each in us.items()]
    section.targets = [
        Target("log, us per call", us["all"], CALL_US, at_most=True),
        Target("log, bytes of a six-player game", size, GAME_BYTES, at_most=True),
    ]
    return [section]


def _timed(stage: Callable[[], None], calls: int) -> Run:
    with Stopwatch() as watch:
        stage()
    return watch.run(calls)
