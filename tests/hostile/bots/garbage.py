"""Answers its third question with what is no msgpack."""

from tests.hostile.bots.raw import hello, play_well, receive, socket

hello()
play_well(2)
socket.send(b"\xc1I am not msgpack")
receive()
