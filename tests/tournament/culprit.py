"""A bot that misbehaves in one way, named by its argument; else it makes any legal call.

Raw sockets and msgpack, because the kit would not let it do some of this.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import msgpack
import zmq

PATIENCE = 2
"""Asks that it answers well before it misbehaves, so that its launch is over the start."""


def any_call(act: dict[str, Any]) -> str:
    calls = list(act["words"])
    for face, least in enumerate(act["min_quantity"], 1):
        calls += [f"{quantity}x{face}" for quantity in range(least, act["max_quantity"] + 1)]
    return str(calls[act["random"] % len(calls)])


def main(way: str) -> None:
    if way == "exits-at-once":
        sys.exit(3)
    if way == "never-starts":
        time.sleep(600)
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 100
        socket.connect(os.environ["ARENA_ENDPOINT"])
        socket.send(msgpack.packb({"type": "hello", "protocol": 1, "token": os.environ["ARENA_TOKEN"]}))
        answered = 0
        while True:
            message = msgpack.unpackb(socket.recv())
            if message["type"] == "bye":
                return
            if message["type"] != "ask":
                continue
            calls = [any_call(act) for act in message["acts"]]
            time.sleep({"dawdles": 0.004, "plods": 0.03}.get(way, 0))
            if answered >= PATIENCE and calls:
                if way == "sleeps":
                    time.sleep(600)
                if way == "exits":
                    print("no more of this", file=sys.stderr)
                    sys.exit(7)
                if way == "garbage":
                    socket.send(b"\xc1 not msgpack")
                    continue
                if way == "illegal":
                    calls[0] = "99x1"
            socket.send(msgpack.packb({"type": "answer", "id": message["id"], "calls": calls}))
            answered += 1


if __name__ == "__main__":
    main(sys.argv[1])
