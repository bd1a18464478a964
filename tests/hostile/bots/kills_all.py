"""Kills every process that it can, in the middle of each game."""

import os

from tests.hostile.bots.raw import answer, hello, play_well

hello()
for _ in range(3):
    ask = play_well(2)
    try:
        os.kill(-1, 9)
    except ProcessLookupError:
        print("nobody is there", flush=True)
    answer(ask)
play_well()
