"""`arena judge` and `arena show --notation` as people type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main

EXAMPLE = Path(__file__).parents[2] / "results" / "example"
RIGHT = "seats Ann Bob\nhands 12344 25566\n3x4 4x4 dudo\nresult 3 Bob-1\n"


def arena(*words: object, code: int = 0, text: str | None = None) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words], input=text)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(RIGHT)
    return path


def test_all_right(file: Path) -> None:
    told = arena("judge", file).stdout
    assert told.splitlines() == [
        "Round 1 (Ann: 5, Bob: 5): Ann opens",
        "  Ann  3x4      legal",
        "  Bob  4x4      legal",
        "  Ann  dudo     legal",
        "  = 3 count for 4x4: Bob loses a die and has 4; Bob opens the next round",
        "",
        "Nothing is wrong.",
    ]
    told = json.loads(arena("judge", file, "--json").stdout)
    assert told["ok"] is True
    (played,) = told["rounds"]
    assert played["before"] == {"dice": [5, 5], "opener": 0, "palifico": "no", "former": []}
    assert played["calls"][0] == {
        "line": 3, "seat": 0, "call": "3x4", "legal": True, "reason": "", "tabba": False,
    }  # fmt: skip
    assert played["after"] == {
        "counts": [3],
        "count": 3,
        "losers": [1],
        "gainers": [],
        "change": [0, -1],
        "dice": [5, 4],
        "out": [],
        "opener": 1,
        "palifico": "no",
        "former": [],
        "winner": None,
        "places": [0, 0],
    }


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("4x4", "3x3", "ILLEGAL (line 3): 3x3 is not a raise over 3x4"),
        ("Bob-1", "Ann-1", "! stated result Ann -1; by the rules Bob -1"),
    ],
)
def test_what_is_wrong(file: Path, old: str, new: str, told: str) -> None:
    file.write_text(RIGHT.replace(old, new))
    text = arena("judge", file, code=1).stdout
    assert told in text
    assert text.endswith("1 thing is wrong.\n")
    assert json.loads(arena("judge", file, "--json", code=1).stdout)["ok"] is False


def test_what_cannot_be_read(file: Path, tmp_path: Path) -> None:
    file.write_text("seats Ann Bob\n3x4 dudi\n")
    result = arena("judge", file, code=2)
    assert result.stdout == ""
    assert result.stderr.startswith(f"arena: {file} line 2: 'dudi' is not a call")
    assert result.stderr.count("\n") == 1
    file.write_bytes(b"seats \xff b\n")
    assert "is not text in UTF-8" in arena("judge", file, code=2).stderr
    assert "No such file" in arena("judge", tmp_path / "none", code=2).stderr
    assert "directory" in arena("judge", tmp_path, code=2).stderr


def test_standard_input() -> None:
    assert "Nothing is wrong." in arena("judge", "-", text=RIGHT).stdout
    assert "<stdin> line 1: who plays?" in arena("judge", "-", text="", code=2).stderr


def test_a_game_of_a_log_as_text_is_all_right() -> None:
    for game in (0, 7, 479):
        text = arena("show", EXAMPLE, game, "--notation").stdout
        assert f"\ngame {game}\n" in text
        assert "wins.\nNothing is wrong." in arena("judge", "-", text=text).stdout
    assert (
        "either --json or --notation" in arena("show", EXAMPLE, 0, "--notation", "--json", code=2).stderr
    )
