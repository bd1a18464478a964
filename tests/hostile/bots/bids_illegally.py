"""Bids more dice than there are."""

from tests.hostile.bots.raw import answer, hello, receive

hello()
while True:
    ask = receive()
    answer(ask, [f"{act['max_quantity'] + 1}x6" for act in ask["acts"]])
