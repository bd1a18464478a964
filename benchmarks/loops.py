"""The barest loops that could play with processes: no rules, no clock, no checks, no log.

`Zmq` is one ROUTER and the very bots that the arena launches, greeted as the protocol wants it. `Pipes`
is what most contest platforms do: JSON lines through stdin and stdout, one selector. What is asked was
asked in real games of the arena, so that the messages have the same content and size. Both sides encode
and decode, as any referee must. `Own` is the arena's own way to its bots, and less than any referee.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from typing import IO, Any

import msgpack
import zmq

from arena.referee.door import Door, Doors
from arena.referee.launch import Launcher, Program, clean_environment
from benchmarks.measure import Run, Stopwatch

JSON_BOT = Path(__file__).with_name("json_bot.py")
WARM_UP = 50
"""Questions to every bot before anything is measured."""
PATIENCE_MS = 60_000
"""How long a bot has to start."""
WELCOME = {"type": "welcome", "protocol": 1, "name": "bot", "games": 64, "arena": "none"}
WELCOME |= {"move_ms": 100, "bank_ms": 0, "increment_ms": 0}
_MORE = int(zmq.SNDMORE)


class Zmq:
    """One ROUTER and some bots behind it. Use it as a context manager."""

    def __init__(self, program: Program, bots: int, questions: Sequence[dict[str, Any]]) -> None:
        self._program = program
        self._bots = bots
        self._questions = questions
        self._next = 0

    def __enter__(self) -> Zmq:
        """Start the bots. Raises `zmq.Again` if one does not say hello."""
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))
            context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
            stack.callback(context.destroy, 0)
            self._door = context.socket(zmq.ROUTER)
            endpoint = f"ipc://{folder}/door"
            self._door.bind(endpoint)
            environment = clean_environment(Path(folder), endpoint, "token")
            command, where = self._program.command, self._program.folder
            for _ in range(self._bots):
                bot = subprocess.Popen(command, cwd=where, env=environment)
                stack.callback(_end, bot)
            self._door.rcvtimeo = PATIENCE_MS
            self._peers = [self._greet() for _ in range(self._bots)]
            self._door.rcvtimeo = -1
            self._stack = stack.pop_all()
        self.pipelined(WARM_UP * self._bots, 1)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _greet(self) -> bytes:
        peer, _ = self._door.recv_multipart()
        self._door.send_multipart([peer, msgpack.packb(WELCOME)])
        return peer

    def _question(self) -> dict[str, Any]:
        self._next += 1
        question = self._questions[self._next % len(self._questions)]
        question["id"] = self._next
        return question

    def _batch(self, depth: int) -> dict[str, Any]:
        whole = dict(self._question())
        whole["acts"] = whole["acts"] + [self._question()["acts"][0] for _ in range(depth - 1)]
        return whole

    def one_by_one(self, decisions: int) -> Run:
        """Ask the first bot, wait for its answer, and so on."""
        door, peer, question = self._door, self._peers[0], self._question
        pack, unpack = msgpack.packb, msgpack.unpackb
        with Stopwatch() as watch:
            for _ in range(decisions):
                asked = question()
                door.send(peer, _MORE)
                door.send(pack(asked))
                door.recv()
                answer = unpack(door.recv())
                assert answer["id"] == asked["id"]
        return watch.run(decisions)

    def pipelined(self, decisions: int, depth: int) -> Run:
        """Every bot has `depth` messages of one question before it, always."""
        door, question = self._door, self._question
        pack, unpack = msgpack.packb, msgpack.unpackb

        def ask(peer: bytes) -> None:
            door.send(peer, _MORE)
            door.send(pack(question()))

        with Stopwatch() as watch:
            for _ in range(depth):
                for peer in self._peers:
                    ask(peer)
            sent, done = depth * len(self._peers), 0
            while done < sent:
                peer = door.recv()
                answer = unpack(door.recv())
                assert len(answer["calls"]) == 1
                done += 1
                if sent < decisions:
                    ask(peer)
                    sent += 1
        return watch.run(done)

    def batched(self, decisions: int, depth: int) -> Run:
        """Every bot has one message of `depth` questions before it, always."""
        door = self._door
        pack, unpack = msgpack.packb, msgpack.unpackb

        def ask(peer: bytes) -> None:
            door.send(peer, _MORE)
            door.send(pack(self._batch(depth)))

        with Stopwatch() as watch:
            for peer in self._peers:
                ask(peer)
            sent, done = depth * len(self._peers), 0
            while done < sent:
                peer = door.recv()
                answer = unpack(door.recv())
                assert len(answer["calls"]) == depth
                done += depth
                if sent < decisions:
                    ask(peer)
                    sent += depth
        return watch.run(done)


class Own:
    """The arena's doors with bots behind them, and nothing else of the referee: messages are encoded
    beforehand, and nobody decodes the answers. Use it as a context manager.
    """

    def __init__(self, program: Program, bots: int, questions: Sequence[dict[str, Any]]) -> None:
        self._program = program
        self._bots = bots
        self._questions = questions

    def __enter__(self) -> Own:
        with ExitStack() as stack:
            launcher = stack.enter_context(Launcher())
            self._doors = Doors()
            stack.callback(self._doors.close)
            self._peers: list[tuple[Door, int]] = []
            for _ in range(self._bots):
                process = launcher.prepare(self._program)
                door = self._doors.open(process.endpoint)
                launcher.start(process, "token")
                while not door.heard:
                    self._doors.wait(PATIENCE_MS / 1000)
                peer, _hello = door.heard.popleft()
                door.send(peer, msgpack.packb(WELCOME))
                self._peers.append((door, peer))
            self._stack = stack.pop_all()
        self.exchanged(WARM_UP * self._bots, 1, 1)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def exchanged(self, decisions: int, depth: int, busy: int) -> Run:
        """So many bots are busy at once, in turn, each with one message of `depth` questions."""
        frames = cycle(_frames(self._questions, depth))
        idle, done, asked = deque(self._peers), 0, 0
        with Stopwatch() as watch:
            while done < decisions:
                while idle and asked < busy:
                    door, peer = idle.popleft()
                    door.send(peer, next(frames))
                    asked += 1
                self._doors.wait(1.0)
                for door, peer in self._peers:
                    if door.heard:
                        door.heard.clear()
                        idle.append((door, peer))
                        asked -= 1
                        done += depth
        return watch.run(done)


def _frames(questions: Sequence[dict[str, Any]], depth: int) -> list[bytes]:
    """Fifty messages of `depth` questions."""
    acts = cycle([question["acts"][0] for question in questions])
    return [
        msgpack.packb(questions[number % len(questions)] | {"acts": [next(acts) for _ in range(depth)]})
        for number in range(50)
    ]


class Pipes:
    """Bots that speak JSON lines, and one selector. Use it as a context manager."""

    def __init__(self, bots: int, questions: Sequence[dict[str, Any]]) -> None:
        self._questions = questions
        self._next = 0
        self._selector = selectors.DefaultSelector()
        self._bots = [
            subprocess.Popen(
                [sys.executable, str(JSON_BOT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            for _ in range(bots)
        ]
        self._unread = dict.fromkeys(self._bots, b"")
        for bot in self._bots:
            self._selector.register(_out(bot), selectors.EVENT_READ, bot)

    def __enter__(self) -> Pipes:
        self.pipelined(WARM_UP * len(self._bots), 1)
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        for bot in self._bots:
            with bot:
                _in(bot).close()

    def _lines(self, number: int) -> bytes:
        lines = b""
        for _ in range(number):
            self._next += 1
            question = self._questions[self._next % len(self._questions)]
            question["id"] = self._next
            lines += json.dumps(question).encode() + b"\n"
        return lines

    def one_by_one(self, decisions: int) -> Run:
        """The bots are asked in turn, and one of them at a time."""
        with Stopwatch() as watch:
            for number in range(decisions):
                bot = self._bots[number % len(self._bots)]
                self._send(bot, 1)
                while not sum(answers for _, answers in self._hear()):
                    pass
        return watch.run(decisions)

    def pipelined(self, decisions: int, depth: int) -> Run:
        """Every bot has `depth` lines before it, always."""
        with Stopwatch() as watch:
            for bot in self._bots:
                self._send(bot, depth)
            sent, done = depth * len(self._bots), 0
            while done < sent:
                for bot, answers in self._hear():
                    done += answers
                    more = min(answers, max(0, decisions - sent))
                    if more:
                        self._send(bot, more)
                    sent += more
        return watch.run(done)

    def _send(self, bot: subprocess.Popen[bytes], number: int) -> None:
        _in(bot).write(self._lines(number))
        _in(bot).flush()

    def _hear(self) -> list[tuple[subprocess.Popen[bytes], int]]:
        """Who answered how often. Raises `EOFError` if a bot has ended."""
        heard = []
        for key, _ in self._selector.select():
            bot: subprocess.Popen[bytes] = key.data
            data = os.read(key.fd, 65536)
            if not data:
                raise EOFError("a bot of the pipes has ended")
            *lines, self._unread[bot] = (self._unread[bot] + data).split(b"\n")
            for line in lines:
                assert len(json.loads(line)["calls"]) == 1
            heard.append((bot, len(lines)))
        return heard


def _end(bot: subprocess.Popen[bytes]) -> None:
    bot.terminate()
    bot.wait()


def _in(bot: subprocess.Popen[bytes]) -> IO[bytes]:
    assert bot.stdin is not None
    return bot.stdin


def _out(bot: subprocess.Popen[bytes]) -> IO[bytes]:
    assert bot.stdout is not None
    return bot.stdout
