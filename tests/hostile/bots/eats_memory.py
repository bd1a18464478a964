"""Takes more and more memory, up to a gigabyte, instead of answering its third ask."""

import time

from tests.hostile.bots.raw import hello, play_well

hello()
play_well(2)
eaten = []
for _ in range(50):
    eaten.append(b"x" * (20 << 20))
    time.sleep(0.01)
time.sleep(600)
