"""Starts 300 processes instead of answering its third ask."""

import os
import time

from tests.hostile.bots.raw import hello, play_well

hello()
play_well(2)
for _ in range(300):
    if os.fork() == 0:
        time.sleep(30)
        os._exit(0)
time.sleep(600)
