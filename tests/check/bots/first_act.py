"""Looks at the first act of every ask, also where there is none."""

from tests.hostile.bots.raw import answer, hello, receive

hello()
while True:
    ask = receive()
    game = ask["acts"][0]["game"]
    answer(ask)
