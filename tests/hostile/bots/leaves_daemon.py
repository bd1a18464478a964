"""Plays well, and leaves a process behind that is nobody's child."""

import os
import time

from tests.hostile.bots.raw import hello, play_well

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print("daemon", os.getpid(), flush=True)
        time.sleep(600)
    os._exit(0)
os.wait()
hello()
play_well()
