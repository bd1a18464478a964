"""Thinks about its third question without end, in a tight loop."""

from tests.hostile.bots.raw import hello, play_well

hello()
play_well(2)
while True:
    pass
