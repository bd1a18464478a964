"""Sends a message while it waits for its second question."""

import time

from tests.hostile.bots.raw import answer, hello, play_well, receive, send

hello()
answer(receive())
time.sleep(0.1)
send({"type": "thinking"})
play_well()
