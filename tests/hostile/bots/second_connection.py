"""Opens a second connection with its own token, and speaks through both."""

import msgpack
import zmq

from tests.hostile.bots.raw import ENDPOINT, TOKEN, hello, play_well

hello()
second: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
second.linger = 0
second.connect(ENDPOINT)
second.send(msgpack.packb({"type": "hello", "protocol": 1, "token": TOKEN}))
print(msgpack.unpackb(second.recv())["reason"], flush=True)
play_well()
