"""Adapters for bots that cannot speak ZeroMQ over ipc. One runs between the arena's door and the bot.

    python -I adapter.py stdio COMMAND ...    messages as JSON lines on the bot's stdin and stdout
    python -I adapter.py tcp COMMAND ...      the bot gets a tcp:// endpoint on this machine

The adapter is started as the bot, inside the bot's sandbox, and starts the real one. To the referee it
is the bot: same limits, same faults, and it ends with the same exit code.

stdio: the same messages as in `protocol/SPEC.md`, one JSON object a line, in UTF-8, without spaces
between its parts; the bot may leave the token out of its hello. A line that is no JSON goes to the
referee as it is, where it is malformed. What the bot writes to stderr is kept as ever.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from typing import Any

LINGER_MS = 500


def main(how: str, *command: str) -> int:
    adapt = {"stdio": stdio, "tcp": tcp}[how]
    try:
        return adapt(command)
    except FileNotFoundError as error:
        print(f"cannot start {error.filename}", file=sys.stderr)
        return 127


# -- JSON lines ------------------------------------------------------------------------------------


def stdio(command: tuple[str, ...]) -> int:
    """Translate between JSON lines and msgpack until the bot ends; its exit code."""
    import zmq

    bot = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert bot.stdin is not None
    assert bot.stdout is not None
    context = zmq.Context()
    door = context.socket(zmq.DEALER)
    door.linger = LINGER_MS
    door.connect(os.environ["ARENA_ENDPOINT"])
    said = bot.stdout.fileno()
    poller = zmq.Poller()
    poller.register(door, zmq.POLLIN)
    poller.register(said, zmq.POLLIN)
    unread = b""
    while True:
        ready = dict(poller.poll())
        if said in ready:
            data = os.read(said, 65536)
            if not data:
                break
            *lines, unread = (unread + data).split(b"\n")
            for line in lines:
                door.send(to_msgpack(line))
        if door in ready:
            with contextlib.suppress(BrokenPipeError):
                bot.stdin.write(to_json(door.recv()))
                bot.stdin.flush()
    with contextlib.suppress(BrokenPipeError):
        bot.stdin.close()
    door.close()
    context.term()
    return exit_code(bot.wait())


def to_msgpack(line: bytes) -> bytes:
    """A bot's line as a frame; as it is, if it is not JSON that msgpack can hold."""
    import msgpack

    try:
        message: Any = json.loads(line)
        if isinstance(message, dict) and message.get("type") == "hello":
            message.setdefault("token", os.environ.get("ARENA_TOKEN", ""))
        frame: bytes = msgpack.packb(message)
    except (ValueError, OverflowError, RecursionError, TypeError):
        return line
    return frame


def to_json(frame: bytes) -> bytes:
    import msgpack

    return json.dumps(msgpack.unpackb(frame), separators=(",", ":")).encode() + b"\n"


# -- TCP -------------------------------------------------------------------------------------------


def tcp(command: tuple[str, ...]) -> int:
    """Relay the bytes of TCP connections to the door until the bot ends; its exit code.

    ZeroMQ says the same over both, so nothing is looked at.
    """
    path = os.environ["ARENA_ENDPOINT"].removeprefix("ipc://")
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    env = {**os.environ, "ARENA_ENDPOINT": f"tcp://127.0.0.1:{port}"}
    threading.Thread(target=accept, args=(listener, path), daemon=True).start()
    return exit_code(subprocess.Popen(command, env=env).wait())


def accept(listener: socket.socket, path: str) -> None:
    while True:
        outer, _ = listener.accept()
        outer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        inner = socket.socket(socket.AF_UNIX)
        inner.connect(path)
        for source, sink in ((outer, inner), (inner, outer)):
            threading.Thread(target=relay, args=(source, sink), daemon=True).start()


def relay(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for end in (source, sink):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def exit_code(status: int) -> int:
    """What a shell would say: 128 and the signal for a bot that was killed."""
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    code = main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)
