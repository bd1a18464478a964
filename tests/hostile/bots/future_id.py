"""Answers a question that nobody has asked yet."""

from tests.hostile.bots.raw import answer, hello, play_well, receive

hello()
ask = play_well(2)
answer(ask, number=ask["id"] + 1)
receive()
