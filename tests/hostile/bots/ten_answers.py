"""Answers its third question ten times, and plays well else."""

from tests.hostile.bots.raw import answer, hello, play_well

hello()
ask = play_well(2)
for _ in range(10):
    answer(ask)
play_well()
