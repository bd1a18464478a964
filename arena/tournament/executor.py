"""Where tasks are played: anything with the interface of `concurrent.futures.Executor`."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any

from arena.referee.worker import become_worker


def default_workers() -> int:
    """Half the cores: a bot on turn and the referee that waits for it run on two of them."""
    return max(1, len(os.sched_getaffinity(0)) // 2)


def local_executor(workers: int) -> Executor:
    """Worker processes on this machine. They start afresh, so no socket or lock crosses a fork."""
    return _Pool(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin,
        initargs=(os.getpid(),),
    )


class _Pool(ProcessPoolExecutor):
    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        """Starts the worker processes, with Ctrl-C blocked until they know that it is not for them."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(*args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(coordinator: int) -> None:
    become_worker()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if os.getppid() != coordinator:  # it died while this process was starting
        os._exit(1)


def kill_workers() -> None:
    """End every worker process of this coordinator now; each one's warden ends its bots."""
    for child in multiprocessing.active_children():
        child.kill()
