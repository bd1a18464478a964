"""Writes all that it can into its home, then plays well."""

import os
from pathlib import Path

from tests.hostile.bots.raw import hello, play_well

written = 0
try:
    for number in range(20):
        with open(Path(os.environ["HOME"], str(number)), "wb", buffering=0) as file:
            written += file.write(bytes(10 << 20))
except OSError as error:
    print(error.strerror, flush=True)
print(written >> 20, "MiB", flush=True)
hello()
play_well()
