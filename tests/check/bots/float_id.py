"""Its language has floats only, and so have its ids."""

from tests.hostile.bots.raw import answer, hello, receive

hello()
while True:
    ask = receive()
    answer(ask, number=float(ask["id"]))
