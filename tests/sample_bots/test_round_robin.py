"""All languages at one tournament: built by the arena, everybody meets everybody, nobody faults."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from tests.oracle.replay import check_log

SAMPLES = Path(__file__).parents[2] / "sample_bots"
NEEDS = {
    "c": ("gcc", "make", "pkg-config"),
    "cpp": ("g++", "make", "pkg-config"),
    "go": ("go",),
    "java": ("java", "mvn"),
    "javascript": ("node", "npm"),
    "python": (),
    "rust": ("cargo", "g++"),
    "typescript": ("node", "npm"),
}
PATIENT = ("--move-time", "3s", "--start-time", "60s", "--seed", "8")

pytestmark = pytest.mark.realtime


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A copy of every language's `honest` whose toolchain is here; those that are not are named."""
    here = [language for language, tools in NEEDS.items() if all(map(shutil.which, tools))]
    absent = sorted(set(NEEDS) - set(here))
    if len(here) < 3:
        pytest.skip(f"too few toolchains are installed; missing: {', '.join(absent)}")
    if absent:
        print(f"not at the round robin, for want of a toolchain: {', '.join(absent)}")
    ignored = shutil.ignore_patterns("target", "build", "dist", "node_modules", ".arena-built")
    home = tmp_path_factory.mktemp("languages")
    for language in here:
        shutil.copytree(SAMPLES / language / "honest", home / language, ignore=ignored)
    return [home / language for language in here]


def play(bots: list[Path], out: Path, *options: object) -> list[dict[str, Any]]:
    words = ["run", *bots, *options, *PATIENT, "--out", out]
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    assert check_log(out / "games.jsonl") == []
    return [line for line in lines if line["type"] == "game"]


@pytest.mark.parametrize(
    "options",
    [("--players", 2, "--blocks", 1), ("--players", 4, "--budget", 40, "--games-in-flight", 4)],
    ids=["everybody meets everybody", "four at a table, four games in flight"],
)
def test_no_fault_in_any_language(bots: list[Path], tmp_path: Path, options: tuple[object, ...]) -> None:
    games = play(bots, tmp_path / "out", *options)
    assert [fault for game in games for fault in game["faults"]] == []
    assert {bot for game in games for bot in game["seats"]} == set(range(len(bots)))
