"""Looking at real processes: which run, and waiting for what must happen soon."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from arena.referee.launch import Launcher, Process, Program

SOON = 20.0
"""Seconds that anything may take which takes milliseconds on an idle machine."""


def python(code: str, name: str = "bot", folder: str = "/") -> Program:
    """A bot that is this Python code."""
    return Program(name, (sys.executable, "-c", code), folder)


def eventually(condition: Callable[[], bool], seconds: float = SOON) -> bool:
    """Whether it becomes true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def launch(launcher: Launcher, program: Program) -> Process:
    process = launcher.prepare(program)
    launcher.start(process, "secret")
    return process


def wait(launcher: Launcher, process: Process) -> str:
    """Its whole output, once it has ended by itself."""

    def over() -> bool:
        launcher.poll()
        return process.status is not None

    assert eventually(over), "it does not end"
    return process.output(1 << 22)


def prints(launcher: Launcher, process: Process, text: str) -> str:
    """Its output, as soon as `text` is in it."""
    assert eventually(lambda: text in process.output(1 << 16)), process.output(1 << 16)
    return process.output(1 << 16)


def runs(pid: int) -> bool:
    """Whether there is such a process, zombies not counted."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(word) for word in (task / "children").read_text().split()]
    return found


def below(pid: int) -> list[int]:
    """All processes below this one."""
    found = children(pid)
    for child in list(found):
        try:
            found += below(child)
        except OSError:
            continue
    return found


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))
