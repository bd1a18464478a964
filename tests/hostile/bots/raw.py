"""What every bot of this folder is made of: a socket, msgpack, and no kit that would prevent mischief.

Bots run as `python -m tests.hostile.bots.NAME`, with the repository as their folder.
"""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

import msgpack
import zmq

Ask = dict[str, Any]

ENDPOINT = os.environ.get("ARENA_ENDPOINT", "")
TOKEN = os.environ.get("ARENA_TOKEN", "")

socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
socket.linger = 1000


def send(message: object) -> None:
    socket.send(msgpack.packb(message))


def hello(**more: object) -> None:
    """Connect and be welcome."""
    socket.connect(ENDPOINT)
    send({"type": "hello", "protocol": 1, "token": TOKEN, "games": 64, **more})
    socket.recv()


def receive() -> Ask:
    """The next ask. Exits on anything else."""
    message: Ask = msgpack.unpackb(socket.recv())
    if message["type"] != "ask":
        leave()
    return message


def answer(ask: Ask, calls: list[Any] | None = None, number: object = None) -> None:
    """Answer as one should, or with these calls or this id instead."""
    good = [any_call(act) for act in ask["acts"]]
    send(
        {
            "type": "answer",
            "id": ask["id"] if number is None else number,
            "calls": good if calls is None else calls,
        }
    )


def any_call(act: dict[str, Any]) -> str:
    calls = list(act["words"])
    calls += [f"{q}x{f}" for f, q in enumerate(act["min_quantity"], 1) if q <= act["max_quantity"]]
    return str(calls[act["random"] % len(calls)])


def play_well(asks: int | None = None) -> Ask:
    """Answer so many asks (all, if None); then the next one that has acts, unanswered."""
    while True:
        ask = receive()
        if asks is not None and asks <= 0 and ask["acts"]:
            return ask
        answer(ask)
        asks = asks if asks is None else asks - 1


def leave(code: int = 0) -> NoReturn:
    """Exit, as soon as what was said has left."""
    zmq.Context.instance().destroy(1000)
    sys.exit(code)
