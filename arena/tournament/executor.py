"""Where tasks are played: anything with the interface of `concurrent.futures.Executor`."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import Executor, ProcessPoolExecutor

from arena.referee.worker import become_worker


def default_workers() -> int:
    """Half the cores: a bot on turn and the referee that waits for it run on two of them."""
    return max(1, len(os.sched_getaffinity(0)) // 2)


def local_executor(workers: int) -> Executor:
    """Worker processes on this machine. They start afresh, so no socket or lock crosses a fork."""
    return ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=become_worker
    )


def kill_workers() -> None:
    """End every worker process of this coordinator now; each one's warden ends its bots."""
    for child in multiprocessing.active_children():
        child.kill()
