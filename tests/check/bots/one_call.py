"""Offers many games, and answers the first act of an ask only."""

from tests.hostile.bots.raw import answer, any_call, hello, receive

hello()
while True:
    ask = receive()
    answer(ask, [any_call(act) for act in ask["acts"][:1]])
