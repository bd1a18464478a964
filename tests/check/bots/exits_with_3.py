"""Takes goodbye for a failure."""

from tests.hostile.bots.raw import hello, leave, play_well

hello()
try:
    play_well()
except SystemExit:
    leave(3)
