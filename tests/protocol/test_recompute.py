"""Dice and commitments of a whole log, recomputed from its published secret in JavaScript."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "results" / "example" / "games.jsonl"

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def recompute(log: Path) -> Any:
    command = ["node", str(HERE / "recompute.js"), str(log)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    return json.loads(done.stdout)


def test_javascript_finds_the_same_dice_and_commitments() -> None:
    told = recompute(EXAMPLE)
    assert told["wrong"] == []
    assert told["games"] == 480
    assert told["hands"] > 10_000


def test_it_would_find_a_changed_die(tmp_path: Path) -> None:
    lines = EXAMPLE.read_text().splitlines(keepends=True)
    game = json.loads(lines[3])
    old = game["hands"][0]
    game["hands"][0] = ("2" if old[0] == "1" else "1") + old[1:]
    lines[3] = json.dumps(game) + "\n"
    changed = tmp_path / "games.jsonl"
    changed.write_text("".join(lines))
    assert recompute(changed)["wrong"] == [
        f"game {game['game']}, round 1, seat 0: {game['hands'][0].split()[0]}"
    ]
