"""A tournament of any size in no time: `python -m benchmarks.playback FOLDER GAMES`.

The coordinator is the real one, with its schedule, tasks and log, but its executor plays nothing: a
game is a recorded one under the number of the game that is due, won more often by the bot that is
listed first. Such a log is as large as a real one and reads like one, but its dice are not those of its
secret.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from arena.record.schema import GameRecord, encode_line
from arena.referee.task import Limits, Task, TaskResult
from arena.referee.worker import play_task
from arena.tournament.bots import find_bot
from arena.tournament.config import Config
from arena.tournament.run import run
from benchmarks.match import BOTS, RULES, Shape
from benchmarks.recorded import record

NAMES = ("a", "b", "c", "d")
BETTER = 0.6
"""Chance of the bot that is listed earlier."""
RECORDED = 200
US = 100
"""Microseconds per call, about, in the log: so that its lines are as long as those of a real one."""


class Playback(Executor):
    """Answers tasks with recorded games of two seats, and does all else itself."""

    def __init__(self) -> None:
        _, games = record(Shape().task(RECORDED))
        self._won = [[game for game in games if game.places[seat] == 1] for seat in (0, 1)]
        self._chance = random.Random(1)
        for game in games:
            game.timing.us = [[US + us for us in spent] for spent in game.timing.us]
            game.timing.started = 1_700_000_000.0

    def submit(self, work: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(self._play(args[0]) if work is play_task else work(*args))
        return future

    def _play(self, task: Task) -> TaskResult:
        result = TaskResult(task.number)
        for spec in task.games:
            better = 0 if spec.seats[0] < spec.seats[1] else 1
            winner = better if self._chance.random() < BETTER else 1 - better
            game: GameRecord = self._chance.choice(self._won[winner])
            game.game, game.block, game.rotation, game.deal = (
                spec.number,
                spec.block,
                spec.rotation,
                spec.deal,
            )
            game.seats, game.commitment = list(spec.seats), spec.commitment
            result.lines.append(encode_line(game))
            result.scores.append((spec.seats, game.places, []))
            result.decisions += sum(map(len, game.timing.us))
        return result


class _Silent:
    """Nobody watches."""

    def note(self, text: str) -> None:
        pass

    def begin(self, total: int, done: int) -> None:
        pass

    def played(self, result: TaskResult) -> None:
        pass


def main(out: Path, games: int) -> None:
    config = Config(
        bots=tuple(find_bot(f"{name}={BOTS / 'python' / 'random'}") for name in NAMES),
        ruleset=RULES,
        players=2,
        budget=games,
        seed=1,
        limits=Limits(start=60.0),
        sandbox="none",
    )
    run(config, out, 1, _Silent(), lambda _workers: Playback())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
