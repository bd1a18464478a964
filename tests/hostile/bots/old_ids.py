"""Answers its third question again and again with ids of questions before."""

import time

from tests.hostile.bots.raw import answer, hello, play_well

hello()
ask = play_well(2)
for number in (0, 1, 2, 1):
    answer(ask, number=number)
time.sleep(600)
