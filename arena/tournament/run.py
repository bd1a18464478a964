"""The coordinator: hands tasks to an executor, appends what comes back, goes on where a run stopped.

Only the coordinator writes. A finished game is one whose line is in the log; everything else is played
again, and because a task is a pure function of its content, playing it again gives the same game.
"""

from __future__ import annotations

import math
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Protocol

from arena.errors import ArenaError, ConfigError
from arena.record.log import (
    LogWriter,
    games_in,
    log_of,
    read_end,
    read_games,
    read_header,
    recover,
    write_header,
)
from arena.record.numbers import Numbers
from arena.record.schema import HOST_CAUSES, End, GameRecord, Header, encode_line
from arena.referee.launch import LauncherError
from arena.referee.task import Task, TaskResult
from arena.referee.worker import play_task
from arena.tournament.config import AUTO, Config
from arena.tournament.deaths import Deaths
from arena.tournament.executor import WorkerDied, kill_workers, local_executor
from arena.tournament.folder import Folder
from arena.tournament.opening import introduce, make_header, now, settle_sandbox
from arena.tournament.remote import check_start
from arena.tournament.tasks import Tasks

MAX_FAILED_TASKS = 3
"""Tasks in a row in which a bot never started, after which it is out for the run."""


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


class StoppingRule(Protocol):
    """Says from the games alone, in whatever order they come, when enough has been played."""

    def add(self, games: Iterable[GameRecord]) -> None:
        """These games are in the log."""

    @property
    def decided(self) -> int | None:
        """The block after which none has to be played; None as long as there is more to play."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended: games in the log, games planned, games added by this run, games that could
    not be played because their worker died each time, and the block that decided its test.
    """

    games: int
    total: int
    added: int
    given_up: int = 0
    decided: int | None = None


def run(
    config: Config,
    out: Path,
    workers: int,
    watcher: Watcher,
    executors: Callable[[int], Executor] = local_executor,
    seconds: float | None = None,
    rule: StoppingRule | None = None,
) -> Outcome:
    """Play the tournament into the folder `out`, or what is left of it; begin no task any more when
    `seconds` are over. Games under way when `rule` has decided are not waited for.

    Raises `ConfigError`, `LogError`, `RunError`, `Stopped`; in every case the log is whole.
    """
    check_start(config.bots, workers)
    if config.sandbox == AUTO:
        config, note = settle_sandbox(config, log_of(out))
        if note:
            watcher.note(note)
    folder = Folder(out, config)
    try:
        with _SignalsRaise():
            return _Coordinator(config, folder, workers, watcher, executors, seconds, rule).run()
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
        rule: StoppingRule | None,
    ) -> None:
        self.config = config
        self.folder = folder
        self.workers = workers
        self.watcher = watcher
        self.executors = executors
        self.executor = executors(workers)
        self.rule = rule
        self.until = math.inf if seconds is None else time.monotonic() + seconds
        self.deaths = Deaths()
        self.incidents: Counter[int] = Counter()
        self.failed_tasks: Counter[int] = Counter()
        self.alone = False
        """Whether what runs is a suspect, beside which nothing may run."""
        self.running: dict[Future[TaskResult], Task] = {}

    def run(self) -> Outcome:
        try:
            return self._run()
        finally:
            kill_workers()
            self.executor.shutdown(wait=True, cancel_futures=True)

    def _run(self) -> Outcome:
        log = self.folder.log
        done = Numbers()
        if log.exists():
            done, cut = recover(log)
            self._check_same(read_header(log))
            if cut:
                self.watcher.note(f"{log}: {cut}; it is played again")
        else:
            self._open(log)
        header = read_header(log)
        end = read_end(log)
        if end is not None and (len(done) == header.games or end.decided is not None):
            self.folder.forget_secret()
            return Outcome(len(done), header.games, 0, decided=end.decided)
        if self.rule:
            self.rule.add(read_games(log))
        self.watcher.begin(header.games, len(done))
        writer = LogWriter(log)
        try:
            self.tasks = Tasks(self.config, header, self.folder.secret, self.folder.path)
            self._count_incidents(log)
            added = self._play(writer, done)
            decided = self._decided
            finished = len(done) + added == header.games or decided is not None
            if finished:
                writer.append([encode_line(End(now(), self.folder.secret.hex(), decided))])
        finally:
            writer.close()
        if finished:
            self.folder.forget_secret()
        given_up = 0 if finished else len(self.deaths.given_up)
        return Outcome(len(done) + added, header.games, added, given_up, decided)

    @property
    def _decided(self) -> int | None:
        return self.rule.decided if self.rule else None

    def _open(self, log: Path) -> None:
        """Launch every bot once and write the header."""
        found = introduce(self.config, self.folder.path, self.executor)
        for bot, each in zip(self.config.bots, found, strict=True):
            if each.hello is None:
                why = f"{each.reason}\n{each.output.rstrip()}".rstrip()
                self.folder.add_output(bot.name, each.output)
                self.watcher.note(f"bot {bot.name} does not start, so it forfeits all its games: {why}")
        name = self.folder.path.resolve().name
        secret = self.folder.secret
        write_header(log, make_header(self.config, name, secret, self.workers, found))

    def _check_same(self, header: Header) -> None:
        before, now = header.settings.sandbox, self.config.sandbox
        if before != now:
            raise ConfigError(
                f"{self.folder.log} began with sandbox {before}, now it is {now}; "
                f"give --sandbox {before}, or begin anew with another --out"
            )
        for bot, told in zip(self.config.bots, header.bots, strict=True):
            if bot.fingerprint() != told.fingerprint:
                raise ConfigError(
                    f"bot {bot.name} has changed since {self.folder.log} began; "
                    "put it back, or begin anew with another --out"
                )

    # -- the games ---------------------------------------------------------------------------------

    def _play(self, writer: LogWriter, done: Numbers) -> int:
        """Play all tasks; how many games were added."""
        tasks = self.tasks.of_schedule(done)
        added = 0
        while self._decided is None:
            while self._room() and time.monotonic() < self.until:
                self.alone = bool(self.deaths.suspects) and not self._tells_who_died
                task = self._next_suspect() if self.deaths.suspects else next(tasks, None)
                if task is None:
                    break
                try:
                    self.running[self.executor.submit(play_task, task)] = task
                except BrokenExecutor:  # a worker died since the last wait
                    self._bury([task, *self.running.values()])
            if not self.running:
                return added
            finished, _ = wait(self.running, return_when=FIRST_COMPLETED)
            for future in finished:
                task = self.running.pop(future)
                try:
                    result = future.result()
                except (BrokenExecutor, LauncherError, WorkerDied):
                    if self._tells_who_died:
                        self._suspect([task])
                        continue
                    self._bury([task, *self.running.values()])
                    break
                writer.append(result.lines)
                added += len(result.lines)
                if self.rule:
                    self.rule.add(games_in(result.lines))
                self._judge(result)
                self.watcher.played(result)
        return added

    def _room(self) -> bool:
        """Whether one more task may begin. A suspect of a worker's death is played alone where that is
        the only way to know who died.
        """
        if self.alone or (self.deaths.suspects and not self._tells_who_died):
            return not self.running
        return len(self.running) < 2 * self.workers

    @property
    def _tells_who_died(self) -> bool:
        return getattr(self.executor, "tells_who_died", False)

    def _next_suspect(self) -> Task:
        return self.tasks.renewed(self.deaths.suspects.popleft())

    def _bury(self, lost: list[Task]) -> None:
        """A worker died, and its pool with it: every task that was in flight is suspected."""
        self.running.clear()
        kill_workers()
        self.executor.shutdown(wait=True, cancel_futures=True)
        self.executor = self.executors(self.workers)
        self._suspect(lost)

    def _suspect(self, lost: list[Task]) -> None:
        """A worker died with these tasks, which are played again."""
        self.watcher.note("a worker process died; its games are played again")
        given_up = len(self.deaths.given_up)
        culprit = self.deaths.died(lost)
        if culprit is not None:
            self._put_out(culprit, "it was the only bot common to three deaths of workers")
        for game in self.deaths.given_up[given_up:]:
            self.watcher.note(f"game {game} is left out: its worker died each time")

    def _judge(self, result: TaskResult) -> None:
        """Keep what the bots printed; put out who fails too often."""
        for bot, text in result.output.items():
            self.folder.add_output(self.config.bots[bot].name, text)
        for bot, failed in result.failed_starts.items():
            never = failed and not result.answered.get(bot)
            self.failed_tasks[bot] = self.failed_tasks[bot] + 1 if never else 0
            if self.failed_tasks[bot] >= MAX_FAILED_TASKS:
                self._put_out(bot, "it failed to start again and again")
        for bot, count in result.incidents.items():
            self.incidents[bot] += count
        self._disqualify()

    def _count_incidents(self, log: Path) -> None:
        """What the bots did before this run went on counts too."""
        if self.config.penalties.disqualify_after:
            for game in read_games(log):
                for fault in game.faults:
                    if fault.cause not in HOST_CAUSES:
                        self.incidents[game.seats[fault.seat]] += 1
            self._disqualify()

    def _disqualify(self) -> None:
        limit = self.config.penalties.disqualify_after
        for bot, count in self.incidents.items():
            if limit and count >= limit:
                self._put_out(bot, f"disqualified after {count} faults")

    def _put_out(self, bot: int, reason: str) -> None:
        if not self.tasks.is_out(bot):
            self.tasks.put_out(bot, reason)
            self.watcher.note(f"bot {self.config.bots[bot].name} plays no more: {reason}")
