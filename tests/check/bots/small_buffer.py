"""Reads messages into a buffer that is too small for the largest."""

import msgpack

from tests.hostile.bots.raw import answer, hello, leave, socket

hello()
while True:
    message = msgpack.unpackb(socket.recv()[:32768])
    if message["type"] != "ask":
        leave()
    answer(message)
