"""Plays well and writes megabytes to standard error meanwhile."""

import sys

from tests.hostile.bots.raw import answer, hello, receive

hello()
while True:
    ask = receive()
    sys.stderr.write("blah " * 40_000 + "\n")
    answer(ask)
