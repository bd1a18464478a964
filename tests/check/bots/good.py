"""Keeps to the protocol, and asks for everything that a bot can ask for."""

import msgpack

from tests.hostile.bots.raw import ENDPOINT, TOKEN, leave, play_well, send, socket

socket.connect(ENDPOINT)
more = {"name": "good", "games": 5, "out_of_turn": True, "past": True}
send({"type": "hello", "protocol": 1, "token": TOKEN, **more})
if msgpack.unpackb(socket.recv())["type"] == "welcome":
    play_well()
leave()
