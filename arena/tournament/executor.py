"""Where tasks are played: anything with the interface of `concurrent.futures.Executor`."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing.queues import Queue
from typing import Any

from arena.errors import ArenaError, ConfigError
from arena.referee import launch
from arena.referee.worker import become_worker


class WorkerDied(ArenaError):
    """The worker of this one task died; the executor goes on. Raised by futures of executors that tell
    (`tells_who_died`); those that do not are broken by it.
    """


def default_workers() -> int:
    """Half the cores: a bot on turn and the referee that waits for it run on two of them."""
    return max(1, len(os.sched_getaffinity(0)) // 2)


def shares(workers: int) -> list[list[int]]:
    """The machine's cores dealt out to pinned workers, two or more each: the first for the referee, the
    others for its bots. Raises `ConfigError` where there are too few.
    """
    cores = sorted(os.sched_getaffinity(0))
    each = len(cores) // workers
    if each < 2:
        raise ConfigError(f"--pin: {workers} workers need {2 * workers} cores, there are {len(cores)}")
    return [cores[at * each : (at + 1) * each] for at in range(workers)]


def local_executor(workers: int, pin: bool = False) -> Executor:
    """Worker processes on this machine. They start afresh, so no socket or lock crosses a fork. With
    `pin` each worker's referee and bots stay on cores of their own.
    """
    context = multiprocessing.get_context("spawn")
    cores = context.Queue()
    for share in shares(workers) if pin else [[]] * workers:
        cores.put(share)
    return _Pool(workers, mp_context=context, initializer=_begin, initargs=(os.getpid(), cores))


class _Pool(ProcessPoolExecutor):
    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        """Starts the worker processes, with Ctrl-C blocked until they know that it is not for them."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(*args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(coordinator: int, cores: Queue[list[int]]) -> None:
    become_worker()
    mine = cores.get()
    if mine:
        os.sched_setaffinity(0, mine[:1])
        launch.bot_cores = mine[1:]
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if os.getppid() != coordinator:  # it died while this process was starting
        os._exit(1)


def kill_workers() -> None:
    """End every worker process of this coordinator now; each one's warden ends its bots."""
    for child in multiprocessing.active_children():
        child.kill()
