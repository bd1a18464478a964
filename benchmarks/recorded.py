"""Games without processes and sockets: the real referee over a transport that lives in memory.

First the sample bot `random` answers, and what was said is kept. Then the answers are played back: the
same games once more, with nothing but the referee's own work.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import msgpack

from arena.record.schema import GameRecord, encode_line
from arena.referee.loop import Referee
from arena.referee.task import Task
from arena.referee.transport import Message, Session
from perudo_bot import Question


def call(act: dict[str, Any]) -> str:
    """What the sample bot `random` answers."""
    question = Question(act)
    calls = question.legal_calls()
    return calls[question.random % len(calls)]


@dataclass
class Said:
    """Frames of asks, those of goodbyes among them, and of answers, in the order in which they went."""

    asks: list[bytes] = field(default_factory=list)
    answers: list[bytes] = field(default_factory=list)


@dataclass(eq=False)
class _Seat:
    """A launch that is no process."""

    transport: _Memory
    welcomed: bool = False

    def send(self, peer: int, frame: bytes) -> None:
        if self.welcomed:
            self.transport.asked(self, frame)
        self.welcomed = True

    def ended(self) -> str | None:
        return None

    def output(self) -> str:
        return ""

    def cpu(self) -> float:
        return 0.0

    def pause(self, paused: bool) -> None:
        pass


class _Memory:
    """A transport: what is sent is answered at once, from the tape if there is one."""

    def __init__(self, tape: Said | None = None) -> None:
        self.said = Said()
        self._tape = iter(tape.answers) if tape else None
        self._waiting: list[Message] = []

    def launch(self, bot: int, token: str) -> _Seat:
        seat = _Seat(self)
        hello = {"type": "hello", "protocol": 1, "token": token, "games": 64}
        self._waiting.append((seat, 1, msgpack.packb(hello)))
        return seat

    def asked(self, seat: _Seat, frame: bytes) -> None:
        if self._tape is not None:
            answer = next(self._tape, None)
            if answer is None:  # goodbye
                return
        else:
            ask = msgpack.unpackb(frame, use_list=False)
            if ask["type"] != "ask":
                return
            answer = msgpack.packb(
                {"type": "answer", "id": ask["id"], "calls": [call(act) for act in ask["acts"]]}
            )
            self.said.asks.append(frame)
            self.said.answers.append(answer)
        self._waiting.append((seat, 1, answer))

    def receive(self, sessions: Sequence[Session], seconds: float) -> Iterable[Message]:
        taken, self._waiting = self._waiting, []
        if len(sessions) < len(taken):
            self._waiting = [each for each in taken if each[0] not in sessions]
            taken = [each for each in taken if each[0] in sessions]
        return taken

    def end(self, sessions: Sequence[Session], polite: bool) -> None:
        pass


def _clock() -> Callable[[], float]:
    """A microsecond passes with every look, so that a game takes the same course each time."""
    looks = count()
    return lambda: next(looks) * 1e-6


def record(task: Task) -> tuple[Said, list[GameRecord]]:
    """Play a task in memory: what was said, and the games."""
    transport = _Memory()
    referee = Referee(task, transport, _clock(), time.time)
    games = list(referee.play())
    return transport.said, games


def replay(task: Task, said: Said) -> int:
    """The same games again, as far as their lines of the log; how many decisions they had."""
    referee = Referee(task, _Memory(said), _clock(), time.time)
    for game in referee.play():
        encode_line(game)
    return referee.decisions


def questions(task: Task) -> list[dict[str, Any]]:
    """The asks of a task as the bots decode them, those without a question left out."""
    asks = [msgpack.unpackb(frame) for frame in record(task)[0].asks]
    return [ask for ask in asks if ask["acts"]]
