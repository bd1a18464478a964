"""Draws its calls by chances of its own."""

import random

from tests.hostile.bots.raw import answer, any_call, hello, receive

hello()
chances = random.SystemRandom()
while True:
    ask = receive()
    answer(ask, [any_call(act | {"random": chances.getrandbits(31)}) for act in ask["acts"]])
