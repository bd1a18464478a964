"""Does not leave when it is told goodbye or is refused."""

import time

import msgpack

from tests.hostile.bots.raw import ENDPOINT, TOKEN, answer, send, socket

socket.connect(ENDPOINT)
send({"type": "hello", "protocol": 1, "token": TOKEN})
while True:
    message = msgpack.unpackb(socket.recv())
    if message["type"] in ("bye", "refused"):
        time.sleep(600)
    if message["type"] == "ask":
        answer(message)
