"""Plays well, after it has tried what a room should forbid; says of each try whether it worked.

Arguments: the process id of its referee, a port on which somebody listens, and files to read.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from tests.hostile.bots.raw import hello, play_well

MARK = b"SECRET_OF_THE_HOST"
referee, port, *files = sys.argv[1:]


def attempt(name: str, act: Callable[[], object]) -> None:
    try:
        act()
    except OSError as error:
        print("BLOCKED", name, type(error).__name__, flush=True)
    else:
        print("DONE", name, flush=True)


def read_the_environment_of_others() -> None:
    """Its parent's first, then anybody's."""
    for pid in (os.getppid(), *(int(name) for name in os.listdir("/proc") if name.isdigit())):
        try:
            if pid != os.getpid() and MARK in Path(f"/proc/{pid}/environ").read_bytes():
                return
        except OSError:
            continue
    raise PermissionError


attempt("environment", read_the_environment_of_others)
attempt("memory", lambda: os.close(os.open(f"/proc/{referee}/mem", os.O_RDONLY)))
attempt("signal", lambda: os.kill(int(referee), 0))
attempt("tcp", lambda: socket.create_connection(("127.0.0.1", int(port)), 2))
attempt("abstract", lambda: socket.socket(socket.AF_UNIX).connect(f"\0arena-test-{port}"))
for file in files:
    attempt(Path(file).name, Path(file).read_bytes)
attempt("write", lambda: Path("tests/hostile/bots/written").touch())
hello()
play_well()
