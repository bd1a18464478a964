"""Takes as many seconds for each answer as its argument says."""

import sys
import time

from tests.hostile.bots.raw import answer, hello, receive

hello()
while True:
    ask = receive()
    time.sleep(float(sys.argv[1]))
    answer(ask)
