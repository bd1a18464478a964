"""Tries to be every other bot: knocks at their doors with a token of its own making."""

import os
import re

import msgpack
import zmq

from tests.hostile.bots.raw import ENDPOINT, TOKEN, answer, hello, play_well

hello()
found = re.fullmatch(r"ipc://(.*)/(\d+)/door", ENDPOINT)
assert found is not None
root, mine = found.groups()
doors = [f"ipc://{root}/{number}/door" for number in os.listdir(root) if number != mine]
assert len(doors) == 2
ask = play_well(1)
for door in doors:
    stranger: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
    stranger.linger = 0
    stranger.rcvtimeo = 5000
    stranger.connect(door)
    for message in (
        {"type": "hello", "protocol": 1, "token": TOKEN},
        {"type": "answer", "id": ask["id"], "calls": ["dudo"]},
        b"nonsense",
    ):
        stranger.send(msgpack.packb(message))
print("knocked at", len(doors), "doors", flush=True)
answer(ask)
play_well()
