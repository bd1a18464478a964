"""Answers the acts of an ask from the last to the first."""

from tests.hostile.bots.raw import answer, any_call, hello, receive

hello()
while True:
    ask = receive()
    answer(ask, [any_call(act) for act in reversed(ask["acts"])])
