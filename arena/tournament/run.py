"""The coordinator: hands tasks to an executor, appends what comes back, goes on where a run stopped.

Only the coordinator writes. A finished game is one whose line is in the log; everything else is played
again, and because a task is a pure function of its content, playing it again gives the same game.
"""

from __future__ import annotations

import math
import os
import platform
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Protocol

from arena import __version__
from arena.errors import ArenaError, ConfigError
from arena.game.seeds import commitment, deal_seed, game_key, secret_hash
from arena.record.log import LogWriter, read_end, read_header, recover, write_header
from arena.record.schema import FORMAT, Bot, End, Header, Settings, encode_line
from arena.referee.table import ruleset_on_the_wire
from arena.referee.task import Entrant, GameSpec, Task, TaskResult
from arena.referee.worker import Introduction, play_task, preflight
from arena.tournament.bots import BotSpec
from arena.tournament.config import Config
from arena.tournament.executor import kill_workers, local_executor
from arena.tournament.folder import Folder
from arena.tournament.schedule import Group

MAX_DEATHS = 3
"""Workers that may die over one task before the run gives up."""
SANDBOX = "none"


class RunError(ArenaError):
    """The run cannot go on; one clear line. What is in the log stays."""


class Stopped(ArenaError):
    """The run was stopped by a signal; the exit code is 128 plus its number."""

    def __init__(self, number: int) -> None:
        name = signal.Signals(number).name
        super().__init__(f"stopped by {name}; the same command goes on where it stopped")
        self.exit_code = 128 + number


class Watcher(Protocol):
    """What a run tells while it goes on."""

    def note(self, text: str) -> None:
        """Something that the host should read."""

    def begin(self, total: int, done: int) -> None:
        """Games altogether, and those that are in the log already."""

    def played(self, result: TaskResult) -> None:
        """A task is in the log."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended: games in the log, games planned, games that this run added."""

    games: int
    total: int
    added: int


def run(
    config: Config,
    out: Path,
    workers: int,
    watcher: Watcher,
    executors: Callable[[int], Executor] = local_executor,
    seconds: float | None = None,
) -> Outcome:
    """Play the tournament into the folder `out`, or what is left of it; begin no task any more when
    `seconds` are over.

    Raises `ConfigError`, `LogError`, `RunError`, `Stopped`; in every case the log is whole.
    """
    folder = Folder(out, config)
    try:
        with _SignalsRaise():
            return _Coordinator(config, folder, workers, watcher, executors, seconds).run()
    finally:
        folder.close()


class _SignalsRaise:
    """SIGINT and SIGTERM raise `Stopped` once; a second one during the cleaning up is ignored."""

    def __enter__(self) -> None:
        self._before = {n: signal.signal(n, self._stop) for n in (signal.SIGINT, signal.SIGTERM)}

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        for each in self._before:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


class _Coordinator:
    def __init__(
        self,
        config: Config,
        folder: Folder,
        workers: int,
        watcher: Watcher,
        executors: Callable[[int], Executor],
        seconds: float | None,
    ) -> None:
        self.config = config
        self.folder = folder
        self.workers = workers
        self.watcher = watcher
        self.executors = executors
        self.until = math.inf if seconds is None else time.monotonic() + seconds
        self.schedule = config.schedule(folder.secret)
        self.deaths: dict[int, int] = {}

    def run(self) -> Outcome:
        total = self.schedule.total_games
        log = self.folder.log
        done: set[int] = set()
        if log.exists():
            done, cut = recover(log)
            self._check_same(read_header(log))
            if cut:
                self.watcher.note(f"{log}: {cut}; it is played again")
        if len(done) == total and read_end(log) is not None:
            self.folder.forget_secret()
            return Outcome(total, total, 0)
        executor = self.executors(self.workers)
        try:
            if not log.exists():
                write_header(log, self._header(self._introduce(executor)))
            header = read_header(log)
            self.watcher.begin(total, len(done))
            writer = LogWriter(log)
            try:
                added = self._play(executor, header, writer, done)
                finished = len(done) + added == total
                if finished:
                    writer.append([encode_line(End(_now(), self.folder.secret.hex()))])
            finally:
                writer.close()
            if finished:
                self.folder.forget_secret()
            return Outcome(len(done) + added, total, added)
        finally:
            kill_workers()
            executor.shutdown(wait=True, cancel_futures=True)

    # -- before the first game ---------------------------------------------------------------------

    def _check_same(self, header: Header) -> None:
        for bot, told in zip(self.config.bots, header.bots, strict=True):
            if bot.fingerprint() != told.fingerprint:
                raise ConfigError(
                    f"bot {bot.name} has changed since {self.folder.log} began; "
                    "put it back, or begin anew with another --out"
                )

    def _introduce(self, executor: Executor) -> list[tuple[BotSpec, Introduction]]:
        """Launch every bot once. Raises `RunError` if too few of them start."""
        limits = self.config.limits
        started = []
        for bot in self.config.bots:
            found = executor.submit(preflight, bot.program, limits).result()
            started.append((bot, found))
            if found.hello is None:
                why = f"{found.reason}\n{found.output.rstrip()}".rstrip()
                self.folder.add_output(bot.name, found.output)
                self.watcher.note(f"bot {bot.name} does not start, so it forfeits all its games: {why}")
        able = sum(found.hello is not None for _, found in started)
        if able < 2:
            raise RunError(f"only {able} of {len(started)} bots start; no game was played")
        return started

    def _header(self, started: list[tuple[BotSpec, Introduction]]) -> Header:
        config, limits = self.config, self.config.limits
        bots = []
        for bot, found in started:
            hello = found.hello
            bots.append(
                Bot(
                    name=bot.name,
                    author=bot.author,
                    team=bot.team,
                    language=bot.language or (hello.language if hello else ""),
                    version=hello.version if hello else "",
                    fingerprint=bot.fingerprint(),
                    games=hello.games if hello else 1,
                    out_of_turn=hello.out_of_turn if hello else False,
                    past=hello.past if hello else False,
                    out="" if hello else f"it did not start before the first game: {found.reason}",
                )
            )
        return Header(
            format=FORMAT,
            arena=__version__,
            name=self.folder.path.name,
            created=_now(),
            ruleset=ruleset_on_the_wire(config.ruleset),
            players=config.players,
            bots=bots,
            deals=config.deals,
            dice="secret" if config.seed is None else "predictable",
            secret_hash=secret_hash(self.folder.secret),
            public_salt=config.public_salt,
            schedule={"blocks": config.blocks} if config.blocks else {"budget": config.budget},
            games=self.schedule.total_games,
            settings=Settings(
                move_ms=round(limits.move * 1000),
                start_ms=round(limits.start * 1000),
                grace_ms=round(limits.grace * 1000),
                games_in_flight=limits.games_in_flight,
                games_per_launch=config.games_per_launch,
                workers=self.workers,
                sandbox=SANDBOX,
                names_shown=config.show_names,
            ),
            host={
                "system": platform.system(),
                "machine": platform.machine(),
                "cores": len(os.sched_getaffinity(0)),
                "python": platform.python_version(),
            },
        )

    # -- the games ---------------------------------------------------------------------------------

    def _tasks(self, header: Header, done: set[int]) -> Iterator[Task]:
        entrants = [
            Entrant(
                bot.program,
                told.games,
                told.out_of_turn,
                told.past,
                told.out,
                restarts=bot.restart == "game",
            )
            for bot, told in zip(self.config.bots, header.bots, strict=True)
        ]
        for number, group in enumerate(self.schedule.groups(done)):
            lineup = group.blocks[0].lineup
            yield Task(
                number=number,
                ruleset=self.config.ruleset,
                entrants={index: entrants[index] for index in lineup},
                games=tuple(self._games(group)),
                limits=self.config.limits,
                names_shown=self.config.show_names,
            )

    def _games(self, group: Group) -> Iterator[GameSpec]:
        secret, config = self.folder.secret, self.config
        for block in group.blocks:
            number = block.number * config.players + group.rotation
            deal = block.number if config.deals == "mirrored" else number
            seed = deal_seed(secret, deal, config.public_salt)
            yield GameSpec(
                number=number,
                block=block.number,
                rotation=group.rotation,
                deal=deal,
                seats=block.seats(group.rotation),
                deal_seed=seed,
                key=game_key(secret, number),
                commitment=commitment(secret, number, seed),
            )

    def _play(self, executor: Executor, header: Header, writer: LogWriter, done: set[int]) -> int:
        """Play all tasks; how many games were added."""
        tasks = self._tasks(header, done)
        again: list[Task] = []
        running: dict[Future[TaskResult], Task] = {}
        added = 0
        while True:
            while len(running) < 2 * self.workers:
                task = again.pop() if again else next(tasks, None)
                if task is None or time.monotonic() >= self.until:
                    break
                try:
                    running[executor.submit(play_task, task)] = task
                except BrokenExecutor:  # a worker died since the last wait
                    lost = [task, *running.values()]
                    running.clear()
                    executor = self._after_a_death(executor, lost)
                    again += lost
            if not running:
                return added
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                task = running.pop(future)
                try:
                    result = future.result()
                except BrokenExecutor:
                    lost = [task, *running.values()]
                    running.clear()
                    executor = self._after_a_death(executor, lost)
                    again += lost
                    break
                writer.append(result.lines)
                added += len(result.lines)
                for bot, text in result.output.items():
                    self.folder.add_output(self.config.bots[bot].name, text)
                self.watcher.played(result)

    def _after_a_death(self, broken: Executor, lost: list[Task]) -> Executor:
        """A worker died: its pool is lost, and the tasks in flight are played again."""
        for task in lost:
            self.deaths[task.number] = self.deaths.get(task.number, 0) + 1
            if self.deaths[task.number] >= MAX_DEATHS:
                raise RunError(f"{MAX_DEATHS} workers died over task {task.number}; giving up")
        self.watcher.note("a worker process died; its games are played again")
        broken.shutdown(wait=False, cancel_futures=True)
        return self.executors(self.workers)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
