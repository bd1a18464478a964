"""`arena new` and `arena build`: from nothing to a bot that plays."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.tournament.bots import find_bot
from arena.tournament.templates import languages

LANGUAGES = ["c", "cpp", "go", "java", "javascript", "python", "rust", "typescript"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def arena(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == code, result.output
    return result


def test_every_language_has_a_template() -> None:
    assert languages() == LANGUAGES
    assert arena("new", "--list").stdout.split() == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_folder_is_a_bot_of_its_own(language: str) -> None:
    told = arena("new", language, "mine").stdout
    assert "arena check mine" in told
    about = tomllib.loads(Path("mine/bot.toml").read_text())
    assert (about["name"], about["author"]) == ("mine", "")
    assert Path("mine/README.md").is_file()
    bot = find_bot("mine")
    assert bot.name == "mine"
    left = {path.name for path in Path("mine").rglob("*")}
    assert not left & {"node_modules", "target", "build", "__pycache__", ".arena-built"}


def test_a_new_python_bot_plays_at_once() -> None:
    arena("new", "python", "mine")
    assert "nothing to build" in arena("build", "mine").stdout
    options = ["--blocks", "2", "--seed", "1", "--move-time", "2s", "--out", "out"]
    told = arena("run", "mine", "second=mine", *options).stdout
    assert "4 of 4 games" in told
    assert told.count("none") >= 2, "no faults"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("new",), "name a language and the bot"),
        (("new", "pyton", "mine"), "no template for 'pyton'; did you mean python?"),
        (("new", "cobol", "mine"), "no template for 'cobol'; "),
        (("new", "python", "a/b"), "'a/b' must be 1 to 64 letters"),
        (("new", "python", "taken"), "taken exists already"),
        (("build", "nowhere"), "bot 'nowhere' does not exist"),
    ],
)
def test_mistakes_are_one_line(words: tuple[str, ...], message: str) -> None:
    Path("taken").mkdir()
    told = arena(*words, code=2).stderr
    assert message in told
    assert told.count("\n") == 1


def test_build_runs_once_and_again_after_a_change() -> None:
    Path("bot").mkdir()
    Path("bot/bot.toml").write_text(
        'name = "b"\ncommand = "build/x"\nbuild = ["sh", "-c", "mkdir -p build && touch build/x"]\n'
    )
    assert arena("build", "bot").stdout == "b: built\n"
    assert arena("build", "bot").stdout == "b: is built already\n"
    Path("bot/source").write_text("new")
    assert arena("build", "bot").stdout == "b: built\n"
