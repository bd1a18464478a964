"""Launches as the loop knows them: processes started by a warden, each behind a door of its own."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Sequence

from arena.referee.door import Door, Doors
from arena.referee.launch import Launcher, Process, Program
from arena.referee.transport import Message, Session

OUTPUT_KEPT = 64 * 1024
"""Bytes of each launch's output that go into the results."""
FAULT_OUTPUT = 2048
"""Bytes of output that a fault quotes."""
PATIENCE = 1.0
"""Seconds that a bot has to leave after goodbye, and again after SIGTERM."""


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
        self._running: dict[int, Process] = {}
        self._doors.watch(launcher.fileno(), lambda _: launcher.poll())

    def launch(self, bot: int, token: str) -> BotSession:
        process = self._launcher.prepare(self._programs[bot])
        entrance = self._doors.open(process.endpoint)
        self._launcher.start(process, token)
        self._running[process.number] = process
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
            assert isinstance(session, BotSession)
            heard = session.door.heard
            while heard:
                taken.append((session, *heard.popleft()))
        return taken

    def end(self, sessions: Sequence[Session], polite: bool) -> None:
        ending = [session for session in sessions if isinstance(session, BotSession)]
        if not polite:  # at once, for it may be flooding us
            for session in ending:
                session.door.close()
        # The others' doors are looked after meanwhile: a library may drop who is silent for a second.
        patience = PATIENCE if polite else 0.0
        self._launcher.end([session.process for session in ending], patience, self._doors.wait)
        for session in ending:
            session.door.close()
            del self._running[session.process.number]
            text = session.process.output(OUTPUT_KEPT)
            if text:
                self.output[session.bot] = self.output.get(session.bot, "") + text

    def processes(self) -> list[int]:
        """The ids of the bots' processes, their descendants among them, as of now."""
        return [pid for process in self._running.values() for pid in process.tree(0.0)]

    def close(self) -> None:
        self._doors.close()
