"""`arena verify`: what it prints and how it ends."""

from __future__ import annotations

import copy
import gzip
import json
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.game import PRESETS
from tests.record.played import Log, play_log


@cache
def played() -> Log:
    return play_log(PRESETS["santaba"], 3)


def verify(*words: object) -> Result:
    result = CliRunner().invoke(main, ["verify", *map(str, words)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return played().write(tmp_path / "games.jsonl")


def test_a_good_log_is_one_line(log: Path) -> None:
    for word in (log, log.parent):
        result = verify(word)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == "6 games verified: rules, dice, commitments\n"


def test_a_folder_with_a_compressed_log(log: Path) -> None:
    log.with_name("games.jsonl.gz").write_bytes(gzip.compress(log.read_bytes()))
    log.unlink()
    assert verify(log.parent).stdout == "6 games verified: rules, dice, commitments\n"


def test_an_unfinished_log_says_so(log: Path) -> None:
    played().write(log, end=False)
    result = verify(log)
    assert result.exit_code == 0
    assert result.stdout == (
        "6 games verified: rules; the run is not finished: 6 of 6 games so far; "
        "the dice cannot be checked before the secret is published\n"
    )


def test_problems_are_lines_up_to_a_limit(log: Path) -> None:
    spoilt = copy.deepcopy(played())
    for game in spoilt.games:
        game["commitment"] = "0"
    spoilt.write(log)
    result = verify(log, "--limit", 2)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith(f"game {spoilt.games[0]['game']}, commitment: '0' in the log, '")
    assert lines[2:] == ["... and 4 more"]
    assert len(verify(log).stdout.splitlines()) == 6


def test_json(log: Path) -> None:
    told = json.loads(verify(log, "--json").stdout)
    assert told == {
        "ok": True,
        "games": 6,
        "finished": True,
        "dice": True,
        "notes": [],
        "problems": [],
        "more": 0,
    }
    spoilt = copy.deepcopy(played())
    spoilt.games[0]["openers"][0] += 1
    spoilt.write(log)
    result = verify(log, "--json")
    assert result.exit_code == 1
    (problem,) = json.loads(result.stdout)["problems"]
    assert problem["text"].endswith(" by the rules")
    assert (problem["game"], problem["round"], problem["field"]) == (
        spoilt.games[0]["game"],
        1,
        "openers",
    )


def test_what_is_no_log(tmp_path: Path) -> None:
    result = verify(tmp_path)
    assert result.exit_code == 1
    assert "there is no log" in result.stderr
    assert verify(tmp_path / "nowhere").exit_code == 2
    (tmp_path / "games.jsonl").write_text("{}\n")
    assert verify(tmp_path).exit_code == 1
