"""A bug: it looks for a key that no question has."""

from tests.hostile.bots.raw import hello, play_well

hello()
print(play_well(2)["the winning call"])
