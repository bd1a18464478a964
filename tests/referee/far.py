"""Both ends of a gateway: a referee's door here, a remote bot there, a bad wire between."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack
import zmq

from arena.tournament.keys import write_key_file
from arena.tournament.remote import GATEWAY
from tests.referee.processes import eventually

ROOT = Path(__file__).parents[2]
PATIENCE_MS = 20_000
TOKEN = "the token"
HELLO = {"type": "hello", "protocol": 1, "token": ""}
WELCOME = {"type": "welcome", "protocol": 1, "name": "far", "games": 1, "arena": "test"} | {
    "move_ms": 100,
    "bank_ms": 0,
    "increment_ms": 0,
}

Json = dict[str, Any]


@dataclass(frozen=True)
class Pair:
    public: str
    secret: str


def pair() -> Pair:
    public, secret = zmq.curve_keypair()
    return Pair(public.decode(), secret.decode())


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def ask(number: int, acts: list[Json] | None = None) -> Json:
    return {"type": "ask", "id": number, "time_ms": 1000, "acts": acts or [], "starts": [], "ends": []}


def answer(number: int, *calls: str) -> Json:
    return {"type": "answer", "id": number, "calls": list(calls)}


class Host:
    """A referee's door, and the gateway behind it."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], folder: str) -> None:
        self.bot = pair()
        self.port = free_port()
        self.key_file = Path(folder) / "arena.key"
        self.server = write_key_file(self.key_file)
        self.door_at = f"ipc://{folder}/door"
        self.door = context.socket(zmq.ROUTER)
        self.door.linger = 0
        self.door.rcvtimeo = PATIENCE_MS
        self.door.bind(self.door_at)
        self.peer = b""
        self.process: subprocess.Popen[str] | None = None

    @property
    def endpoint(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    @property
    def command(self) -> tuple[str, ...]:
        words = (self.endpoint, self.bot.public, str(self.key_file))
        return (sys.executable, "-I", str(GATEWAY), *words)

    def launch(self) -> None:
        self.process = subprocess.Popen(
            self.command,
            env={"ARENA_ENDPOINT": self.door_at, "ARENA_TOKEN": TOKEN},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def wait_open(self) -> None:
        """Until the gateway listens."""

        def listens() -> bool:
            with socket.socket() as end:
                return end.connect_ex(("127.0.0.1", self.port)) == 0

        assert eventually(listens)

    def hear(self) -> list[bytes]:
        """The frames of what the gateway passes on next."""
        self.peer, *frames = self.door.recv_multipart()
        return frames

    def heard(self) -> Json:
        (frame,) = self.hear()
        message: Json = msgpack.unpackb(frame)
        return message

    def nothing(self, milliseconds: int = 300) -> bool:
        return not self.door.poll(milliseconds)

    def say(self, message: Json) -> None:
        self.door.send_multipart([self.peer, msgpack.packb(message)])

    def greet(self) -> Json:
        """Take the hello of a bot and welcome it."""
        hello = self.heard()
        assert hello["type"] == "hello"
        self.say(WELCOME)
        return hello

    def ended(self) -> tuple[int, str]:
        """Exit code and output of a gateway that ends."""
        assert self.process is not None
        output, _ = self.process.communicate(timeout=PATIENCE_MS / 1000)
        return self.process.returncode, output

    def kill(self) -> str:
        assert self.process is not None
        self.process.kill()
        return self.ended()[1]


@contextmanager
def host() -> Iterator[Host]:
    """A gateway that runs, and its referee."""
    with tempfile.TemporaryDirectory(prefix="far-") as folder, zmq.Context() as context:
        it = Host(context, folder)
        it.launch()
        try:
            yield it
        finally:
            it.door.close()
            if it.process is not None and it.process.poll() is None:
                it.kill()


class Client:
    """A remote bot made of a bare socket."""

    def __init__(self, endpoint: str, server: str, keys: Pair, own_id: bytes = b"") -> None:
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.socket = self.context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.rcvtimeo = PATIENCE_MS
        self.socket.curve_serverkey = server.encode()
        self.socket.curve_publickey = keys.public.encode()
        self.socket.curve_secretkey = keys.secret.encode()
        if own_id:
            self.socket.routing_id = own_id
        self.socket.connect(endpoint)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def say(self, message: Json) -> None:
        self.socket.send(msgpack.packb(message), zmq.NOBLOCK)

    def hear(self) -> Json:
        message: Json = msgpack.unpackb(self.socket.recv())
        return message

    def nothing(self, milliseconds: int = 300) -> bool:
        return not self.socket.poll(milliseconds)

    def close(self) -> None:
        self.context.destroy(0)


def client(it: Host) -> Client:
    return Client(it.endpoint, it.server, it.bot)


class Wire:
    """A TCP relay to a port; `cut` ends its connections, and new ones are taken as before."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self.endpoint = f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                outer, _ = self._listener.accept()
                try:
                    inner = socket.create_connection(("127.0.0.1", self._to))
                except OSError:
                    outer.close()
                    continue
                self._ends += [outer, inner]
                for source, sink in ((outer, inner), (inner, outer)):
                    threading.Thread(target=self._relay, args=(source, sink), daemon=True).start()

    def _relay(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends.clear()

    def close(self) -> None:
        self._listener.close()
        self.cut()


PLAIN_BOT = """
import sys
import perudo_bot
def call(question):
    return "dudo" if "dudo" in question.words else question.legal_bids()[0]
perudo_bot.run(call)
"""


def start_kit(endpoint: str, code: str = PLAIN_BOT, **variables: str) -> subprocess.Popen[str]:
    """A bot on the kit, with these variables beside its endpoint."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    env |= {"PYTHONPATH": str(ROOT / "protocol"), "ARENA_ENDPOINT": endpoint, **variables}
    return subprocess.Popen([sys.executable, "-c", code], env=env, stderr=subprocess.PIPE, text=True)


def variables(server: str, keys: Pair) -> dict[str, str]:
    return {
        "ARENA_SERVER_KEY": server,
        "ARENA_PUBLIC_KEY": keys.public,
        "ARENA_SECRET_KEY": keys.secret,
    }


def gone(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Exit code and errors of a program that ends."""
    try:
        _, errors = process.communicate(timeout=PATIENCE_MS / 1000)
    finally:
        process.kill()
    return process.returncode, errors
