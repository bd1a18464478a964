"""Falls asleep over its third question and never wakes."""

import time

from tests.hostile.bots.raw import hello, play_well

hello()
play_well(2)
time.sleep(600)
