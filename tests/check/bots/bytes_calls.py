"""Packs its calls as binary."""

from tests.hostile.bots.raw import answer, any_call, hello, receive

hello()
while True:
    ask = receive()
    answer(ask, [any_call(act).encode() for act in ask["acts"]])
