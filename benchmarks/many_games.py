"""Many games: the coordinator's memory while they are played, and what reads their log afterwards."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from arena.record.log import GAMES
from benchmarks.commands import ARENA, Used, run, tournament
from benchmarks.match import BOTS
from benchmarks.measure import Effort, Section

PLAYBACK = [sys.executable, "-m", "benchmarks.playback"]
REAL = 10_000
"""Most games that are played by bots; more are played back."""


def measure(effort: Effort) -> list[Section]:
    section = Section(
        "Many games",
        "Two players. Real games are of two bots, 64 in flight; the others the real coordinator plays "
        "back for four bots, which makes a log of the usual size. Peaks are those of one process: the "
        "coordinator (for real games `arena run`, which shows the table at its end), then `arena table` "
        "and `arena charts`, which read the log.",
        (
            "games",
            "log MB",
            "coordinator s",
            "peak MB",
            "arena table s",
            "peak MB",
            "arena charts s",
            "peak MB",
        ),
    )
    with tempfile.TemporaryDirectory() as folder:
        bots = [f"{name}={BOTS / 'python' / 'random'}" for name in ("a", "b")]
        for games in [] if effort.least else _sizes(100, min(REAL, effort.games // 50)):
            out = Path(folder, f"real-{games}")
            used = tournament(out, bots, games, 1, 64, 500)[1]
            section.rows.append(_read(f"{games:,} real", out, used))
        for games in _sizes(effort.games if effort.least else effort.games // 100, effort.games):
            out = Path(folder, f"played-back-{games}")
            used = run(PLAYBACK, out, games)
            section.rows.append(_read(f"{games:,} played back", out, used))
            (out / GAMES).unlink()
    return [section]


def _sizes(least: int, most: int) -> list[int]:
    """Powers of ten times the least."""
    sizes = [least]
    while sizes[-1] * 10 <= most:
        sizes.append(sizes[-1] * 10)
    return sizes


def _read(name: str, out: Path, played: Used) -> tuple[str, ...]:
    table, charts = run(ARENA, "table", out), run(ARENA, "charts", out)
    size = (out / GAMES).stat().st_size / 1e6
    found = [f"{size:,.1f}"]
    for used in (played, table, charts):
        found += [f"{used.seconds:.1f}", f"{used.peak_mb:,.0f}"]
    return (name, *found)
