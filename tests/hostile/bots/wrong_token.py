"""Says hello with a token that it guessed, reads the refusal and leaves."""

import msgpack

from tests.hostile.bots.raw import ENDPOINT, leave, send, socket

socket.connect(ENDPOINT)
send({"type": "hello", "protocol": 1, "token": "guessed"})
print(msgpack.unpackb(socket.recv())["reason"], flush=True)
leave(1)
