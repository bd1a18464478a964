"""Once it has said hello it sends one multipart message that never ends, without ZeroMQ."""

import os
import socket
import sys
import time

import msgpack

path = os.environ["ARENA_ENDPOINT"].removeprefix("ipc://")
link = socket.socket(socket.AF_UNIX)
link.connect(path)


def command(name: bytes, body: bytes) -> bytes:
    content = bytes([len(name)]) + name + body
    return b"\x04" + bytes([len(content)]) + content


def frame(body: bytes, more: bool) -> bytes:
    return bytes([2 | more]) + len(body).to_bytes(8, "big") + body


greeting = b"\xff" + b"\x00" * 8 + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\x00") + b"\x00" * 32
link.sendall(greeting)
link.recv(64, socket.MSG_WAITALL)
link.sendall(command(b"READY", b"\x0bSocket-Type\x00\x00\x00\x06DEALER"))
hello = {"type": "hello", "protocol": 1, "token": os.environ["ARENA_TOKEN"]}
link.sendall(frame(msgpack.packb(hello), more=False))
if "wait" in sys.argv:
    time.sleep(0.3)  # until others are asked
else:
    received = b""
    while b"acts" not in received:
        received += link.recv(65536)
flood = frame(b"x" * 60_000, more=True) * 16
while True:
    link.sendall(flood)
