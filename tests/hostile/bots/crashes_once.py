"""Crashes in its first launch (the file it is given is not there yet), then works."""

import sys
from pathlib import Path

from tests.hostile.bots.raw import hello, leave, play_well

mark = Path(sys.argv[1])
hello()
if not mark.exists():
    play_well(2)
    mark.touch()
    leave(1)
play_well()
