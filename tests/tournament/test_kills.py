"""Killed again and again at random moments, a run still ends as if it had never been stopped.

The whole soak is 200 kills (ARENA_SOAK=1); otherwise a few.
"""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

from tests.tournament.runs import (
    HONEST,
    PATIENT,
    RANDOM,
    Workplace,
    discrepancies,
    game_lines,
    games_of,
    log_of,
)

pytestmark = [pytest.mark.realtime, pytest.mark.soak]

SOAK = os.environ.get("ARENA_SOAK") == "1"
KILLS = 200 if SOAK else 6
GAMES = 4 * KILLS
RULES = (
    RANDOM,
    HONEST,
    "--budget",
    GAMES,
    "--games-per-launch",
    2,
    "--seed",
    5,
    "--workers",
    2,
    *PATIENT,
)


def worker_of(place: Workplace, chance: random.Random) -> int | None:
    """A worker process of the run, or a warden beside one."""
    found = [
        pid
        for pid, command in place.processes().items()
        if "spawn_main" in command or "warden.py" in command
    ]
    return chance.choice(found) if found else None


@pytest.mark.parametrize(("kills", "more"), [(KILLS, ()), (max(4, KILLS // 4), ("--compress",))])
def test_random_kills_lose_nothing(place: Workplace, kills: int, more: tuple[str, ...]) -> None:
    calm = place.tmp / "calm"
    ended = place.arena("run", *RULES, "--out", calm, timeout=1200)
    assert ended.code == 0, ended.err
    chance = random.Random(1)
    out = place.tmp / "out"
    before: dict[int, bytes] = {}
    for kill in range(kills):
        process = place.start("run", *RULES, *more, "--out", out)
        time.sleep(chance.uniform(0.05, 1.5))
        victim = ("group", "coordinator", "worker", "signal")[kill % 4]
        if victim == "group":
            os.killpg(process.pid, signal.SIGKILL)
        elif victim == "coordinator":
            process.kill()
        elif victim == "worker":
            pid = worker_of(place, chance)
            if pid is not None:
                os.kill(pid, signal.SIGKILL)
            time.sleep(chance.uniform(0.0, 0.5))
            process.kill()
        else:
            process.send_signal(chance.choice([signal.SIGINT, signal.SIGTERM]))
        process.communicate(timeout=30)
        place.assert_clean()
        now = game_lines(out)
        assert {number: now.get(number) for number in before} == before, f"kill {kill} lost a game"
        before = now
    ended = place.arena("run", *RULES, *more, "--out", out, timeout=1200)
    assert ended.code == 0, ended.err
    assert log_of(out).suffix == (".gz" if more else ".jsonl")
    assert len(game_lines(out)) == GAMES
    assert games_of(out) == games_of(calm)
    assert discrepancies(out) == []
