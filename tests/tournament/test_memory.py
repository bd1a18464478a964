"""No launch meets a deal twice, and in a room none can tell the next what it saw."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.referee.probe import obstacle
from arena.referee.sandbox import Level
from tests.tournament.runs import HONEST, PATIENT, Workplace, games_of

BOT = Path(__file__).parents[1] / "hostile" / "bots" / "remembers.py"

pytestmark = pytest.mark.realtime


def test_a_bot_that_keeps_notes_finds_none(place: Workplace) -> None:
    if why := obstacle(Level.BWRAP):
        pytest.skip(f"no bwrap here: {why}")
    home = place.tmp / "bot"
    home.mkdir()
    (home / "bot.py").write_text(BOT.read_text())
    (home / "bot.toml").write_text('name = "remembers"\ncommand = ["python3", "bot.py"]\n')
    out = place.tmp / "out"
    rules = ["--blocks", 6, "--games-per-launch", 3, "--seed", 2, "--sandbox", "bwrap", *PATIENT]
    place.play(home, HONEST, *rules, "--out", out)
    games = games_of(out)
    assert len(games) == 12
    assert not any(game["faults"] for game in games)
    kept = out / "bots" / "remembers.stderr"
    assert not kept.exists() or "found a note" not in kept.read_text()
