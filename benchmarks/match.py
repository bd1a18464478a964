"""Games through the arena's own worker: real bot processes, sockets, rules, clocks, and the log."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from arena.errors import ConfigError
from arena.game import preset
from arena.game.seeds import commitment, deal_seed, game_key, secret_of_seed
from arena.record.log import LogWriter
from arena.record.schema import GameRecord, decode_line
from arena.referee.launch import Program
from arena.referee.task import Entrant, GameSpec, Limits, Task, TaskResult
from arena.referee.worker import play_task
from arena.tournament.bots import load_bot
from benchmarks.measure import Run, Stopwatch

ROOT = Path(__file__).parents[1]
BOTS = ROOT / "sample_bots"
RULES = preset("standard")
SECRET = secret_of_seed(1)
GAMES = 64
"""Most games that a bot of the protocol plays at once."""
SETTLED = 2.0
"""Seconds of play, starts included, after which a worker knows on which cores it is quicker."""
TRIAL = 1000
"""Decisions of a run below which its figures mean nothing."""


def program(language: str = "python") -> Program:
    """The sample bot `random` of a language. Raises `ConfigError` if it is not built."""
    bot = load_bot(BOTS / language / "random")
    if bot.build and not (bot.folder / bot.command[0]).exists():
        raise ConfigError(f"{bot.folder.relative_to(ROOT)} is not built ({' '.join(bot.build)} there)")
    return bot.program


def spec(number: int, seats: tuple[int, ...]) -> GameSpec:
    seed = deal_seed(SECRET, number)
    key, told = game_key(SECRET, number), commitment(SECRET, number, seed)
    return GameSpec(number, number, 0, number, seats, seed, key, told)


@dataclass(frozen=True)
class Shape:
    """What is played: so many bots of one program, so many at a table, so many games at once.

    Who sits at a table changes from game to game in turn, so that every bot is asked alike.
    """

    bots: int = 2
    players: int = 2
    in_flight: int = 1
    program: Program = field(default_factory=program)

    def task(self, games: int) -> Task:
        seats = ((game + seat) % self.bots for game in range(games) for seat in range(self.players))
        return Task(
            number=0,
            ruleset=RULES,
            entrants={bot: Entrant(self.program, games=GAMES) for bot in range(self.bots)},
            games=tuple(
                spec(game, tuple(next(seats) for _ in range(self.players))) for game in range(games)
            ),
            limits=Limits(move=10.0, start=60.0, games_in_flight=self.in_flight),
        )

    def games(self, decisions: int) -> int:
        """About how many games make so many decisions; eight times as many as are in flight at least
        (where more than a trial is wanted), so that the last ones, with ever fewer beside them, weigh
        little.
        """
        least = 8 * self.in_flight if decisions >= TRIAL else 2
        return max(least, round(decisions / (15 * self.players)))


def played(task: Task) -> tuple[TaskResult, list[GameRecord]]:
    """Play a task: what the worker gives back, and the games of its lines."""
    result = play_task(task)
    records = [record for line in result.lines if isinstance(record := decode_line(line), GameRecord)]
    assert not any(record.faults for record in records)
    return result, records


def play(shape: Shape, games: int) -> Run:
    """Play a task and append its lines to a log.

    The time is that from the first question to the last line; the processor time is that of the whole
    worker without what the start costs it, which a task of one game tells.
    """
    task = shape.task(games)
    with Stopwatch() as playing:
        result, records = played(task)
    with tempfile.TemporaryDirectory() as folder, Stopwatch() as writing:
        log = LogWriter(Path(folder, "games.jsonl"))
        log.append(result.lines)
        log.close()
    first = min(record.timing.started for record in records)
    last = max(record.timing.started + record.timing.seconds for record in records)
    start = _of_one_game(shape)
    share = result.decisions / (result.decisions - start.decisions)
    cpu = share * (playing.cpu - start.cpu)
    asks = sum(sum(map(len, record.timing.us)) / record.timing.batch for record in records)
    return Run(
        result.decisions,
        last - first + writing.seconds,
        max(0.0, cpu) + writing.cpu,
        result.decisions / asks,
    )


@cache
def _of_one_game(shape: Shape) -> Run:
    """A task of one game, start and end included."""
    with Stopwatch() as playing:
        result, _ = played(shape.task(1))
    return playing.run(result.decisions)


def contender(shape: Shape, decisions: int) -> partial[Run]:
    """A run of about so many decisions. With one game in flight a worker first tries on which cores it
    is quicker (docs/decisions/11): that is over by then.
    """
    if shape.in_flight == 1 and decisions >= TRIAL:
        begun = time.monotonic()
        while time.monotonic() < begun + SETTLED:
            play_task(shape.task(shape.games(TRIAL)))
    return partial(play, shape, shape.games(decisions))
