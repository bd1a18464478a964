"""Sends everything as a REQ socket would, behind an empty frame."""

import msgpack

from tests.hostile.bots.raw import ENDPOINT, TOKEN, socket

socket.connect(ENDPOINT)
socket.send_multipart([b"", msgpack.packb({"type": "hello", "protocol": 1, "token": TOKEN})])
socket.recv()
