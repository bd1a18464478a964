"""Has had enough after two questions."""

import sys

from tests.hostile.bots.raw import hello, leave, play_well

hello()
play_well(2)
print("I have had enough", file=sys.stderr)
leave(7)
