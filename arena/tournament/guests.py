"""The bots of a run on a Dask worker: unpacked, built, played with, and ended when their task is.

A Dask plugin, so that workers which join later have the bots too. Every thread of a worker plays in a
process of its own beside it (see `slot`), which is killed when its task is taken back.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from arena import __version__
from arena.errors import ArenaError, ConfigError
from arena.referee.launch import Program
from arena.referee.probe import best, obstacle
from arena.referee.sandbox import Level
from arena.referee.task import Task
from arena.tournament.bots import build, programs
from arena.tournament.config import AUTO
from arena.tournament.parcels import Parcel, cache, unpack
from arena.tournament.slot import Slot

BUILD_TIME = 1800.0
"""Seconds that a task waits for the bots of its run to be built."""
_NO_RESULTS = Path("/nowhere/results")
"""The results are on another machine, so there is nothing to hide."""
_guests: dict[str, dict[str, Program]] = {}
"""The bots that are ready here, by run and name."""
_idle: list[Slot] = []
"""Processes beside this one that have nothing to do."""
_playing: dict[str, Slot] = {}
"""Those that have, by the key of the task."""


class Guests(WorkerPlugin):
    """The bots of one run."""

    def __init__(self, run: str, version: str, parcels: Sequence[Parcel], level: Level) -> None:
        self._run = run
        self._version = version
        self._parcels = parcels
        self._level = level

    async def setup(self, worker: Worker) -> None:
        """Raises `ConfigError` naming this worker where it cannot play the run."""
        self._worker = worker
        try:
            if self._version != __version__:
                raise ConfigError(f"arena {__version__} is here, the run is of {self._version}")
            # In a thread: a build takes minutes, and the scheduler wants to hear that we live.
            _guests[self._run] = await asyncio.to_thread(self._invite)
        except ArenaError as error:
            where = f"worker {worker.address} on {socket.gethostname()}"
            raise ConfigError(f"{where}: {error}") from None

    def _invite(self) -> dict[str, Program]:
        with cache() as place:
            bots = [unpack(parcel, place) for parcel in self._parcels]
            for bot in bots:
                build(bot, self._level)
        return {program.name: program for program in programs(bots, _NO_RESULTS)}

    def teardown(self, worker: Worker) -> None:
        """The run is over: what is still played of it ends."""
        _guests.pop(self._run, None)
        for key, slot in list(_playing.items()):
            if key.startswith(self._run):
                slot.kill()
        while not _guests and _idle:
            _idle.pop().kill()

    def transition(self, key: Any, start: Any, finish: Any, **_: Any) -> None:
        """A task has changed its state; one that was taken back while it is played has to end."""
        slot = _playing.get(key)
        if slot is not None and _is_taken_back(self._worker, key):
            slot.kill()


def _is_taken_back(worker: Worker, key: str) -> bool:
    task = worker.state.tasks.get(key)
    return task is None or task.state == "cancelled"


def play_here(run: str, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function of `arena.referee.worker` with the bots as they are on this machine. Raises
    `WorkerDied` if the process in which it runs dies.
    """
    worker = get_worker()
    key = str(worker.get_current_task())
    worker.log_event(run, key)
    bots = _wait_for(run, worker, key)
    if bots is None:
        raise ConfigError(f"worker {worker.address}: the bots did not arrive")
    slot = _idle.pop() if _idle else Slot()
    _playing[key] = slot
    if _is_taken_back(worker, key):  # while this began
        slot.kill()
    try:
        return slot.call(function, tuple(_at_home(arg, bots) for arg in args))
    finally:
        del _playing[key]
        if slot.alive:
            _idle.append(slot)


def _wait_for(run: str, worker: Worker, key: str) -> dict[str, Program] | None:
    """The bots of a run; on a worker that has just joined they may still be built."""
    until = time.monotonic() + BUILD_TIME
    while run not in _guests and time.monotonic() < until and not _is_taken_back(worker, key):
        time.sleep(0.05)
    return _guests.get(run)


def _at_home(arg: Any, bots: dict[str, Program]) -> Any:
    """An argument in which every program is the one of this machine."""
    if isinstance(arg, Program):
        return bots[arg.name]
    if isinstance(arg, Task):
        entrants = {
            index: replace(entrant, program=bots[entrant.program.name])
            for index, entrant in arg.entrants.items()
        }
        return replace(arg, entrants=entrants)
    return arg


def level_here(asked: str) -> tuple[str, str]:
    """A level of sandbox that works here, the best for "auto", and why it is no better; or "", and why
    what was asked for does not work.
    """
    try:
        if asked == AUTO:
            level, note = best()
            return str(level), note
        reason = obstacle(Level(asked))
        return ("", reason) if reason else (asked, "")
    except ConfigError as error:
        return "", str(error)
