"""The worker's side of a task with real processes, sockets and clocks.

`play_task` and `preflight` run in worker processes; everything that they need comes in their arguments
and everything that they found comes back, so that any executor can carry them.
"""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.record.schema import encode_line
from arena.referee.composer import welcome
from arena.referee.door import Door, Doors
from arena.referee.faults import BotFault
from arena.referee.launch import Launcher, Process, Program
from arena.referee.link import Link
from arena.referee.loop import Referee
from arena.referee.sandbox import NOT_HELD, Sandbox
from arena.referee.task import Limits, Task, TaskResult
from arena.referee.transport import Message, Session
from arena.referee.wire import Bye, Hello, Refused, encode

OUTPUT_KEPT = 64 * 1024
"""Bytes of each launch's output that go into the results."""
FAULT_OUTPUT = 2048
"""Bytes of output that a fault quotes."""
PATIENCE = 1.0
"""Seconds that a bot has to leave after goodbye, and again after SIGTERM."""


def become_worker() -> None:
    """Run first in a worker process: leave Ctrl-C to the coordinator, and die when it dies."""
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


class BotSession:
    """A launched process and its door, as the loop's `Session`."""

    __slots__ = ("bot", "door", "process")

    def __init__(self, bot: int, process: Process, entrance: Door) -> None:
        self.bot = bot
        self.process = process
        self.door = entrance

    def send(self, peer: int, frame: bytes) -> None:
        self.door.send(peer, frame)

    def ended(self) -> str | None:
        return None if self.process.status is None else self.process.how_it_ended()

    def output(self) -> str:
        return self.process.output(FAULT_OUTPUT)

    def cpu(self) -> float:
        return self.process.cpu_seconds()

    def pause(self, paused: bool) -> None:
        self.process.signal_group(signal.SIGSTOP if paused else signal.SIGCONT)


class RealTransport:
    """Processes launched through a warden, each behind a door of its own."""

    def __init__(self, launcher: Launcher, programs: dict[int, Program]) -> None:
        self.output: dict[int, str] = {}
        self._launcher = launcher
        self._programs = programs
        self._doors = Doors()
        self._doors.watch(launcher.fileno(), lambda _: launcher.poll())

    def launch(self, bot: int, token: str) -> BotSession:
        process = self._launcher.prepare(self._programs[bot])
        entrance = self._doors.open(process.endpoint)
        self._launcher.start(process, token)
        return BotSession(bot, process, entrance)

    def receive(self, sessions: Sequence[Session], seconds: float) -> Iterable[Message]:
        taken = self._taken(sessions)
        if not taken:
            self._doors.wait(seconds)
            taken = self._taken(sessions)
        return taken

    def _taken(self, sessions: Sequence[Session]) -> list[Message]:
        """What was heard so far at the doors of these."""
        taken: list[Message] = []
        for session in sessions:
            heard = session.door.heard  # type: ignore[attr-defined]
            while heard:
                taken.append((session, *heard.popleft()))
        return taken

    def end(self, sessions: Sequence[Session], polite: bool) -> None:
        ending = [session for session in sessions if isinstance(session, BotSession)]
        if not polite:  # at once, for it may be flooding us
            for session in ending:
                session.door.close()
        self._launcher.end([session.process for session in ending], PATIENCE if polite else 0.0)
        for session in ending:
            session.door.close()
            text = session.process.output(OUTPUT_KEPT)
            if text:
                self.output[session.bot] = self.output.get(session.bot, "") + text

    def close(self) -> None:
        self._doors.close()


def play_task(task: Task) -> TaskResult:
    """Play every game of a task. Raises `LauncherError` where the arena itself cannot work."""
    result = TaskResult(task.number)
    with Launcher(task.sandbox) as launcher:
        transport = RealTransport(launcher, {i: e.program for i, e in task.entrants.items()})
        try:
            referee = Referee(task, transport, time.monotonic, time.time)
            for record in referee.play():
                result.lines.append(encode_line(record))
                faults = [(fault.seat, fault.cause) for fault in record.faults]
                result.scores.append((tuple(record.seats), record.places, faults))
            result.decisions = referee.decisions
            result.launches = referee.launches
            result.output = transport.output
            for index, player in referee.players.items():
                result.failed_starts[index] = player.failed_starts_total
                result.answered[index] = player.answers
                result.incidents[index] = player.incidents
        finally:
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
