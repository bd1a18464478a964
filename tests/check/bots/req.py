"""Connects a REQ socket, as the guides of many ZeroMQ libraries begin."""

import msgpack
import zmq

from tests.hostile.bots.raw import ENDPOINT, TOKEN

with zmq.Context() as context, context.socket(zmq.REQ) as socket:
    socket.linger = 0
    socket.connect(ENDPOINT)
    socket.send(msgpack.packb({"type": "hello", "protocol": 1, "token": TOKEN}))
    socket.recv()
