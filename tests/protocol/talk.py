"""A referee in a few lines: a ROUTER, a bot's process, and typed messages between them."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import zmq

from arena.referee.wire import Act, Answer, Ask, Bye, End, Hello, Refused, Start, Welcome, decode, encode

ROOT = Path(__file__).parents[2]
TOKEN = "a secret"
PATIENCE_MS = 10_000


class Talk:
    """The referee's side of a conversation with one bot."""

    def __init__(self, socket: zmq.Socket[bytes], process: subprocess.Popen[str]) -> None:
        self.socket = socket
        self.process = process
        self.peer = b""
        self.asked = 0

    def receive(self) -> Hello | Answer:
        """The bot's next message. Fails with what the bot printed if it is gone."""
        waited = 0
        while not self.socket.poll(200):
            waited += 200
            if self.process.poll() is not None:
                raise AssertionError(f"the bot is gone: {self.process.communicate()[1]}")
            assert waited < PATIENCE_MS, "the bot is silent"
        self.peer, frame = self.socket.recv_multipart()
        return decode(frame)

    def send(self, message: Welcome | Refused | Ask | Bye) -> None:
        self.socket.send_multipart([self.peer, encode(message)])

    def greet(self) -> Hello:
        """Hear the hello and welcome the bot."""
        hello = self.receive()
        assert isinstance(hello, Hello)
        self.send(Welcome(1, "it", hello.games, "test", 100, 0, 0))
        return hello

    def ask(
        self, acts: Sequence[Act] = (), starts: Sequence[Start] = (), ends: Sequence[End] = ()
    ) -> list[str]:
        """The bot's calls."""
        self.asked += 1
        self.send(Ask(self.asked, 1000, list(acts), list(starts), list(ends)))
        answer = self.receive()
        assert isinstance(answer, Answer)
        assert answer.id == self.asked
        return answer.calls

    def leave(self) -> tuple[int, str]:
        """Exit code of a bot that should end by itself, and what it printed as errors."""
        errors = self.process.communicate(timeout=PATIENCE_MS / 1000)[1]
        return self.process.returncode, errors

    def bye(self) -> tuple[int, str]:
        self.send(Bye("enough"))
        return self.leave()


def environment(endpoint: str = "") -> dict[str, str]:
    """Of a bot: with the kit on its path, and with an endpoint if there is one."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("ARENA_")}
    env["PYTHONPATH"] = str(ROOT / "protocol")
    if endpoint:
        env |= {"ARENA_ENDPOINT": endpoint, "ARENA_TOKEN": TOKEN}
    return env


@contextmanager
def talk(command: Sequence[str], folder: Path) -> Iterator[Talk]:
    """Launch a bot in `folder` and listen to it."""
    with (
        tempfile.TemporaryDirectory(prefix="talk-") as door,
        zmq.Context() as context,
        context.socket(zmq.ROUTER) as socket,
    ):
        socket.linger = 0
        endpoint = f"ipc://{door}/door"
        socket.bind(endpoint)
        with subprocess.Popen(
            command, cwd=folder, env=environment(endpoint), stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                yield Talk(socket, process)
            finally:
                process.kill()
