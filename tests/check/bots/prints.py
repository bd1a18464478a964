"""Prints as many bytes per ask as its argument says."""

import sys

from tests.hostile.bots.raw import answer, hello, receive

hello()
while True:
    ask = receive()
    print("x" * int(sys.argv[1]), flush=True)
    answer(ask)
