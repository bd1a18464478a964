"""Plays well, and keeps the referee busy while others think, through connections that say nothing."""

import os
import socket
import time

from tests.hostile.bots.raw import answer, hello, receive

path = os.environ["ARENA_ENDPOINT"].removeprefix("ipc://")
GREETING = (b"\xff" + bytes(8) + b"\x7f\3\1NULL").ljust(64, b"\0")
DEALER = b"\4\x1c\5READY\x0bSocket-Type\0\0\0\6DEALER"
COMMANDS = b"\4\0" * 65_000


def visit() -> socket.socket:
    link = socket.socket(socket.AF_UNIX)
    link.connect(path)
    link.sendall(GREETING + DEALER)
    return link


hello()
links = [visit() for _ in range(15)]
asks = 0
while True:
    ask = receive()
    answer(ask)
    asks += 1
    if asks % 3 == 0:
        time.sleep(0.005)  # until somebody else is asked
        for link in links:
            link.setblocking(False)
            try:
                link.send(COMMANDS)
            except OSError:
                break
        links = [visit() for _ in range(15)]
