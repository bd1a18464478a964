"""Bots without ZeroMQ over ipc: JSON lines on stdin and stdout, or TCP; to the referee all the same."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgpack
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.referee.adapter import to_json, to_msgpack
from tests.oracle.replay import check_log

BOTS = Path(__file__).parents[2] / "sample_bots"
HONEST = BOTS / "python" / "honest"

pytestmark = pytest.mark.realtime


def bot(folder: Path, transport: str, code: str) -> Path:
    folder.mkdir()
    (folder / "bot.py").write_text(code)
    command = json.dumps([sys.executable, "bot.py"])
    (folder / "bot.toml").write_text(
        f'name = "{folder.name}"\ntransport = "{transport}"\ncommand = {command}\n'
    )
    return folder


def run(out: Path, *words: object) -> list[dict[str, Any]]:
    """Play with seed 3 and generous limits; the games, in order, without their timing."""
    options = ["--seed", "3", "--move-time", "2s", "--start-time", "20s", "--out", out]
    result = CliRunner().invoke(main, ["run", *map(str, [*words, *options])])
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    games = sorted((each for each in lines if each["type"] == "game"), key=lambda game: game["game"])
    return [{key: game[key] for key in game if key != "timing"} for game in games]


def test_a_bot_in_plain_awk_plays_a_whole_tournament(tmp_path: Path) -> None:
    out = tmp_path / "out"
    games = run(out, BOTS / "awk" / "smallest", HONEST, "--blocks", 6, "--ruleset", "palafico")
    assert len(games) == 12
    assert not any(game["faults"] for game in games)
    assert check_log(out / "games.jsonl") == []


def test_over_tcp_it_makes_the_same_calls(tmp_path: Path) -> None:
    over_tcp = bot(tmp_path / "honest-tcp", "tcp", (HONEST / "bot.py").read_text())
    plain = f"honest-tcp={HONEST}"
    options = ["--blocks", 4, "--games-in-flight", 4]
    here = run(tmp_path / "a", plain, BOTS / "python" / "random", *options)
    there = run(tmp_path / "b", over_tcp, BOTS / "python" / "random", *options)
    assert there == here


@pytest.mark.parametrize(
    ("code", "cause", "detail"),
    [
        ("print('Hello, world', flush=True)\ninput()", "malformed", "Expected `object`"),
        ("raise SystemExit(3)", "start", "exited with code 3 before its hello"),
        (
            'print(\'{"type":"hello","protocol":1}\', flush=True)\n'
            "input()\ninput()\nraise SystemExit(4)",
            "crash",
            "exited with code 4",
        ),
    ],
)
def test_its_faults_have_their_usual_names(tmp_path: Path, code: str, cause: str, detail: str) -> None:
    culprit = bot(tmp_path / "culprit", "stdio", code)
    second = f"other={BOTS / 'python' / 'random'}"
    games = run(tmp_path / "out", culprit, HONEST, second, "--players", 2, "--blocks", 1)
    faults = [fault for game in games for fault in game["faults"]]
    assert {fault["cause"] for fault in faults} <= {cause, "start"}
    told = [fault["detail"] for fault in faults] + [json.dumps(games)]
    assert any(detail in each for each in told)
    assert faults


def test_lines_become_frames_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    assert msgpack.unpackb(to_msgpack(b'{"type":"hello","protocol":1}'))["token"] == "secret"
    own = b'{"type":"hello","protocol":1,"token":"mine"}'
    assert msgpack.unpackb(to_msgpack(own))["token"] == "mine"
    assert to_msgpack(b"no json") == b"no json"
    assert to_msgpack(b'{"id":99999999999999999999}') == b'{"id":99999999999999999999}'
    assert to_json(msgpack.packb({"type": "ask", "acts": []})) == b'{"type":"ask","acts":[]}\n'
