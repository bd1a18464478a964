"""Plans its time by the move time, which is 0 where there is only a bank."""

import msgpack

from tests.hostile.bots.raw import ENDPOINT, TOKEN, play_well, send, socket

socket.connect(ENDPOINT)
send({"type": "hello", "protocol": 1, "token": TOKEN})
welcome = msgpack.unpackb(socket.recv())
print("calls a second:", 1000 // welcome["move_ms"])
play_well()
