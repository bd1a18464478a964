"""Calls what is no call, once a game."""

from tests.hostile.bots.raw import answer, hello, receive

hello()
while True:
    ask = receive()
    answer(ask, ["banana" for _ in ask["acts"]])
