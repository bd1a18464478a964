"""Kills the process that holds its keeper, in the middle of a game."""

import os
from pathlib import Path

from tests.hostile.bots.raw import hello, play_well

hello()
play_well(2)
keeper = os.getppid()
warden = int(Path(f"/proc/{keeper}/stat").read_text().rpartition(")")[2].split()[1])
os.kill(warden, 9)
