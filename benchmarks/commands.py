"""The `arena` command as its users run it: how long, how much memory, what is in the log."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from arena.record.log import GAMES, read_games
from benchmarks.match import ROOT
from benchmarks.measure import Run

ARENA = [sys.executable, "-P", "-c", "from arena.cli import main; main()"]
WATCH_EVERY = 0.02
"""Seconds between two looks at the memory of a command."""


@dataclass(frozen=True)
class Used:
    """Seconds that a command took, and the most memory of its own process, in MB."""

    seconds: float
    peak_mb: float


def run(command: list[str], *words: str | int | Path) -> Used:
    """Run a command to its end. Raises `CalledProcessError`, with what it printed, where it fails."""
    begun, peak = time.perf_counter(), 0.0
    whole = [*command, *map(str, words)]
    with tempfile.TemporaryFile() as printed:
        with subprocess.Popen(whole, cwd=ROOT, stdout=printed, stderr=printed) as process:
            while process.poll() is None:
                peak = max(peak, _peak_mb(process.pid))
                time.sleep(WATCH_EVERY)
        seconds = time.perf_counter() - begun
        if process.returncode:
            printed.seek(0)
            raise subprocess.CalledProcessError(process.returncode, whole, printed.read())
    return Used(seconds, peak)


def _peak_mb(pid: int) -> float:
    """The most memory that a process has held so far; 0 where it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def tournament(
    out: Path, bots: list[str], games: int, workers: int, in_flight: int, launch: int, players: int = 2
) -> tuple[Run, Used]:
    """`arena run`, `launch` deals to a launch: decisions from the first question to the last answer, and
    what the coordinator used for all of it.
    """
    options: list[str | int | Path] = [
        "--budget",
        games,
        "--workers",
        workers,
        "--games-in-flight",
        in_flight,
    ]
    options += ["--games-per-launch", launch, "--players", players, "--seed", 1]
    options += ["--move-time", "10s", "--start-time", "60s", "--sandbox", "none", "--out", out]
    used = run(ARENA, "run", *bots, *options)
    decisions, first, last = 0, float("inf"), 0.0
    for game in read_games(out / GAMES):
        assert not game.faults
        decisions += sum(map(len, game.timing.us))
        first = min(first, game.timing.started)
        last = max(last, game.timing.started + game.timing.seconds)
    return Run(decisions, last - first), used
