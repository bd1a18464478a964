"""The JavaScript honest decides as the Python one, call by call, as a real Node program."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import msgspec
import pytest

from arena.game import PRESETS
from arena.referee.wire import Act
from perudo_bot import Question
from tests.protocol.acts import questions
from tests.protocol.talk import environment, talk
from tests.sample_bots.load import SAMPLES, load

FOLDER = SAMPLES / "javascript" / "honest"
MANIFEST = tomllib.loads((FOLDER / "bot.toml").read_text())
FILES = ("bot.js", "perudo.js", "package.json", "package-lock.json")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the bot's folder, built; the sources' folder stays as it is."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed")
    folder = tmp_path_factory.mktemp("honest-js")
    for name in FILES:
        shutil.copy(FOLDER / name, folder)
    try:
        done = subprocess.run(
            shlex.split(MANIFEST["build"]),
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.skip("npm ci took more than a minute (no network?)")
    if done.returncode != 0:
        pytest.skip(f"npm ci failed (no network?): {done.stderr.strip()[-200:]}")
    return folder


def test_decisions_are_those_of_the_python_bot(built: Path) -> None:
    decide = load("python/honest").decide
    acts: list[Act] = []
    for name, rules in PRESETS.items():
        for players in {rules.players[0], rules.players[1]}:
            acts += questions(name, players, seed=players + 10, most=150)
    assert len(acts) > 3000
    with talk(MANIFEST["command"], built) as it:
        hello = it.greet()
        assert (hello.name, hello.games, hello.out_of_turn) == (MANIFEST["name"], 64, True)
        for first in range(0, len(acts), 64):
            batch = acts[first : first + 64]
            wanted = [decide(Question(msgspec.to_builtins(act))) for act in batch]
            assert it.ask(batch) == wanted
        assert it.ask() == []
        assert it.bye()[0] == 0


def test_odds_agree_to_the_last_bit(built: Path) -> None:
    script = """
        const { odds } = require("./bot.js");
        const all = [];
        for (const sides of [3, 6]) for (let n = 0; n <= 179; n++) all.push(odds(n, sides));
        console.log(JSON.stringify(all));
    """
    done = subprocess.run(["node", "-e", script], cwd=built, capture_output=True, text=True, check=True)
    odds = load("python/honest").odds
    mine = [list(odds(dice, sides)) for sides in (3, 6) for dice in range(180)]
    assert json.loads(done.stdout) == mine


def test_started_by_hand_it_says_so(built: Path) -> None:
    done = subprocess.run(
        MANIFEST["command"], cwd=built, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "started by the arena" in done.stderr


def test_the_lock_names_no_other_registry() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text())
    wanted = json.loads((FOLDER / "package.json").read_text())["dependencies"]
    for name, package in lock["packages"].items():
        if name:
            assert package["integrity"].startswith("sha512-")
            known = package.get("resolved", "https://registry.npmjs.org/")
            assert known.startswith("https://registry.npmjs.org/")
    for name, version in wanted.items():
        assert lock["packages"][f"node_modules/{name}"]["version"] == version
    assert not os.path.exists(FOLDER / ".npmrc")
