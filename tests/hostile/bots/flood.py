"""Sends as many old answers as it can, without end."""

from tests.hostile.bots.raw import answer, hello, play_well

hello()
ask = play_well(2)
while True:
    answer(ask, number=1)
