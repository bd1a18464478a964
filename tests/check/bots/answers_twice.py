"""Answers every ask twice, to be sure."""

from tests.hostile.bots.raw import answer, hello, receive

hello()
while True:
    ask = receive()
    answer(ask)
    answer(ask)
