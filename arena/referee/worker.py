"""The worker's side of a task with real processes, sockets and clocks.

`play_task` and `preflight` run in worker processes; everything that they need comes in their arguments
and everything that they found comes back, so that any executor can carry them.
"""

from __future__ import annotations

import ctypes
import os
import signal
import time
from dataclasses import dataclass

from arena.record.schema import encode_line
from arena.referee.composer import welcome
from arena.referee.cores import Cores, habit_of
from arena.referee.faults import BotFault
from arena.referee.launch import Launcher, Program
from arena.referee.link import Link
from arena.referee.loop import Referee
from arena.referee.sandbox import NOT_HELD, Sandbox
from arena.referee.sessions import RealTransport
from arena.referee.task import Limits, Task, TaskResult
from arena.referee.wire import Bye, Hello, Refused, encode


def become_worker() -> None:
    """Run first in a worker process: leave Ctrl-C to the coordinator, and die when it dies."""
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def play_task(task: Task) -> TaskResult:
    """Play every game of a task. Raises `LauncherError` where the arena itself cannot work."""
    result = TaskResult(task.number)
    with Launcher(task.sandbox) as launcher:
        transport = RealTransport(launcher, {i: e.program for i, e in task.entrants.items()})
        cores: Cores | None = None
        try:
            referee = Referee(task, transport, time.monotonic, time.time)
            if referee.in_flight == 1 and len(os.sched_getaffinity(0)) > 1:
                line_up = frozenset(entrant.program for entrant in task.entrants.values())
                cores = Cores(habit_of(line_up), transport.processes)
            for record in referee.play():
                result.lines.append(encode_line(record))
                faults = [(fault.seat, fault.cause) for fault in record.faults]
                result.scores.append((tuple(record.seats), record.places, faults))
                if cores is not None:
                    cores.played(record.timing, referee.launches)
            result.decisions = referee.decisions
            result.launches = referee.launches
            result.output = transport.output
            for index, player in referee.players.items():
                result.failed_starts[index] = player.failed_starts_total
                result.answered[index] = player.answers
                result.incidents[index] = player.incidents
        finally:
            if cores is not None:
                cores.restore()
            transport.close()
    return result


@dataclass(frozen=True)
class Introduction:
    """What came of launching a bot once: its hello, or why there was none; and what it printed."""

    hello: Hello | None
    reason: str
    output: str
    seconds: float


def preflight(program: Program, limits: Limits, sandbox: Sandbox = NOT_HELD) -> Introduction:
    """Launch a bot, hear its hello, say goodbye."""
    with Launcher(sandbox) as launcher:
        transport = RealTransport(launcher, {0: program})
        try:
            begun = time.monotonic()
            token = os.urandom(16).hex()
            session = transport.launch(0, token)
            link = Link(token)
            hello: Hello | None = None
            reason = ""
            while hello is None and not reason:
                left = begun + limits.start + limits.grace - time.monotonic()
                messages = transport.receive([session], max(0.0, min(left, 0.02)))
                for _, peer, said in messages:
                    try:
                        heard = link.receive(peer, said)
                    except BotFault as fault:
                        reason = f"{fault.cause}: {fault.detail}"
                        break
                    if isinstance(heard, Hello):
                        hello = heard
                        session.send(peer, encode(welcome(program.name, 1, limits)))
                        session.send(peer, encode(Bye("only a test of the start")))
                    elif isinstance(heard, Refused):
                        session.send(peer, encode(heard))
                        reason = f"refused: {heard.reason}"
                if not messages and session.ended():
                    reason = f"the process {session.ended()} before its hello"
                elif left < 0:
                    reason = f"no hello within {limits.start:g} s"
            seconds = time.monotonic() - begun
            transport.end([session], polite=hello is not None)
            return Introduction(hello, reason, transport.output.get(0, ""), seconds)
        finally:
            transport.close()
