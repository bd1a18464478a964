"""Sends each answer as a REQ socket would, behind an empty frame."""

import msgpack

from tests.hostile.bots.raw import hello, play_well, receive, socket

hello()
ask = play_well(2)
socket.send_multipart([b"", msgpack.packb({"type": "answer", "id": ask["id"], "calls": ["dudo"]})])
receive()
