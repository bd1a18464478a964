"""Which sandbox works here: found out by launching a program in it, as a worker would."""

from __future__ import annotations

import time

from arena.errors import ConfigError
from arena.referee import sandbox
from arena.referee.launch import Launcher, LauncherError, Process, Program
from arena.referee.sandbox import Level, Sandbox

PATIENCE = 30.0
"""Seconds for a program that ends at once."""


def run_to_end(launcher: Launcher, program: Program, seconds: float) -> Process:
    """Launch a program that no referee talks to. Its status is None if it did not end in time."""
    process = launcher.prepare(program)
    launcher.start(process, "")
    end = time.monotonic() + seconds
    while process.status is None and time.monotonic() < end:
        time.sleep(0.002)
        launcher.poll()
    return process


def obstacle(level: Level) -> str:
    """Why this level does not work here, in words; "" if it does."""
    if level is Level.BWRAP and sandbox.program() is None:
        return "bwrap is not installed"
    try:
        with Launcher(Sandbox(level)) as launcher:
            process = run_to_end(launcher, Program("probe", ("true",), "/"), PATIENCE)
            output = process.output(500).strip().splitlines()
    except LauncherError as error:
        return f"{level} does not work here: {error}"
    if process.status == 0:
        return ""
    return f"{level} does not work here: {output[-1] if output else process.how_it_ended()}"


def best() -> tuple[Level, str]:
    """The best level that works here; and a note where that is not the best there is. Raises
    `ConfigError` if not even the weakest works.
    """
    reasons: list[str] = []
    for level in reversed(Level):
        reason = obstacle(level)
        if not reason:
            break
        reasons.append(reason)
    else:
        raise ConfigError(f"no bot can be started here: {reasons[-1]}")
    return level, f"sandbox: {level}; {'; '.join(reasons)}" if reasons else ""
