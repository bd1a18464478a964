"""`arena report` as a host types it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main

EXAMPLE = Path(__file__).parents[2] / "results" / "example"


def report(*words: object, code: int = 0) -> tuple[str, str]:
    result = CliRunner().invoke(main, ["report", *map(str, words)])
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


def test_it_says_where_the_page_is_and_what_goes_with_it(tmp_path: Path) -> None:
    page = tmp_path / "example.html"
    assert report(EXAMPLE, "--out", page) == (f"{page}\n", "")
    text = page.read_text()
    assert "480 games" in text
    assert "last in every game" in text
    assert "ranked by rating" in text
    beside = tmp_path / "example-games"
    told, _ = report(EXAMPLE, "--out", page, "--games", "beside", "--by", "points")
    assert told == f"{page}\nits games are in {beside}: publish both together\n"
    assert "ranked by points per game" in page.read_text()
    assert sorted(path.name for path in beside.iterdir()) == ["0.js", "1.js", "2.js", "index.js"]


def test_it_opens_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("click.launch", opened.append)
    page = tmp_path / "a page.html"
    told, _ = report(EXAMPLE, "--out", page, "--games", 3, "--open")
    assert told == f"{page}\nwith 3 of 480 games\n"
    assert opened == [page.as_uri()]


def test_what_cannot_be_is_one_line(tmp_path: Path) -> None:
    _, told = report(tmp_path, code=2)
    assert told == f"arena: {tmp_path} holds no tournament: there is no games.jsonl\n"
    _, told = report(EXAMPLE, "--games", "few", "--out", tmp_path / "x.html", code=2)
    assert told == "arena: --games: 'few' is not auto, all, beside, or a number of games\n"
    (tmp_path / "file").write_text("")
    _, told = report(EXAMPLE, "--out", tmp_path / "file" / "x.html", code=1)
    assert told.startswith(f"arena: cannot write {tmp_path}/file/x.html: ")
