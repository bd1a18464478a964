"""Locks the file that its argument names: only one copy of it can run."""

import fcntl
import sys

from tests.hostile.bots.raw import hello, play_well

with open(sys.argv[1], "w") as file:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    hello()
    play_well()
