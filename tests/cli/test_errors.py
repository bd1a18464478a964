"""What the command line says to a mistake: one line that helps, exit code 2, and nothing written."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from arena.cli import main

BOTS = Path(__file__).parents[2] / "sample_bots" / "python"
RANDOM, HONEST = str(BOTS / "random"), str(BOTS / "honest")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, in which nothing may appear."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def arena(*words: object) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refusal(*words: object) -> str:
    """The one line with which the command refuses; above it click may print how it is used."""
    result = arena(*words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    if lines[0].startswith("Usage:"):
        assert lines[1].startswith("Try 'main ")
        lines = [line for line in lines[2:] if line]
    assert len(lines) == 1, result.stderr
    assert list(Path.cwd().iterdir()) == []
    return lines[0]


def bot(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text(text)
    return folder


# -- bots --------------------------------------------------------------------------------------------


def test_a_wrong_path() -> None:
    told = refusal("run", RANDOM, "nobody")
    assert told == "arena: bot 'nobody' does not exist; name a folder with bot.toml, or NAME=COMMAND"


@pytest.mark.parametrize(
    "words", [("--public-salt", "\udcff"), ("--out", "out\udcff"), ("c=./bot \udcff",)]
)
def test_an_argument_that_is_no_utf_8(words: tuple[str, ...]) -> None:
    assert "\\udcff' is not a text in UTF-8" in refusal("run", f"a={RANDOM}", f"b={RANDOM}", *words)


def test_a_broken_bot_toml(tmp_path: Path) -> None:
    broken = bot(tmp_path / "bot", 'name = "x\n')
    told = refusal("run", RANDOM, broken)
    assert told.startswith(f"arena: {broken / 'bot.toml'}: ")
    assert "line 1" in told


def test_a_misspelt_key(tmp_path: Path) -> None:
    misspelt = bot(tmp_path / "bot", 'name = "x"\ncomand = "python3"\n')
    told = refusal("run", RANDOM, misspelt)
    assert str(misspelt / "bot.toml") in told
    assert "did you mean command?" in told


def test_two_bots_of_one_name() -> None:
    told = refusal("run", RANDOM, RANDOM)
    assert told.startswith("arena: two bots are called random: ")
    assert f"NAME={RANDOM}" in told


def test_a_program_that_is_not_there() -> None:
    assert "no program 'no-such-program-7'" in refusal("run", RANDOM, "x=no-such-program-7")


def test_no_bots_and_one_bot() -> None:
    assert "BOT" in refusal("run")
    assert "at least two bots" in refusal("run", RANDOM)


# -- options -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 3, -1])
def test_an_impossible_number_of_players(players: int) -> None:
    assert "players" in refusal("run", RANDOM, HONEST, "--players", players)


def test_more_players_than_the_rules_seat() -> None:
    bots = [f"{name}={RANDOM}" for name in "abc"]
    told = refusal("run", *bots, "--ruleset", "snyd", "--players", 3)
    assert "3 players cannot play snyd: it seats 2" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--ruleset", "satnaba"), "did you mean santaba?"),
        (("--ruleset", "zzzz"), "no preset 'zzzz'"),
        (("-o", "calzo=turn"), "did you mean calza?"),
        (("-o", "calza=never"), "calza: 'never' is not one of off, turn, others"),
        (("-o", "calza"), "write option=value"),
        (("-o", "dice=0"), "dice: 0 is not a number of dice, 1 to 30"),
        (("--move-time", "fast"), "--move-time: 'fast' is not a time above 0 such as 100ms"),
        (("--move-time", "100"), "--move-time: '100' is not a time"),
        (("--move-time", "0ms"), "--move-time: '0ms' is not a time"),
        (("--move-time", "-1s"), "--move-time: '-1s' is not a time"),
        (("--start-time", ""), "--start-time: '' is not a time"),
        (("--blocks", "5", "--budget", "100"), "give either --blocks or --budget, not both"),
        (("--blocks", "0"), "--blocks"),
        (("--budget", "1"), "one block has 2"),
        (("--budget", "many"), "'many' is not a valid integer"),
        (("--workers", "0"), "--workers"),
        (("--games-in-flight", "0"), "0 is not 1 to 64"),
        (("--games-in-flight", "65"), "65 is not 1 to 64"),
        (("--games-per-launch", "0"), "games per launch must be 1 or more"),
        (("--deals", "random"), "'random' is not one of"),
        (("--seed", "x"), "'x' is not a valid integer"),
        (("--no-such-option",), "No such option"),
    ],
)
def test_a_bad_option(words: tuple[str, ...], told: str) -> None:
    assert told in refusal("run", RANDOM, HONEST, *words)


@pytest.mark.parametrize("where", ["/proc/no/results", "/dev/null", "/dev/null/results"])
def test_results_that_cannot_be_written(where: str) -> None:
    told = refusal("run", RANDOM, HONEST, "--blocks", 1, "--out", where)
    assert told.startswith(f"arena: cannot write the results to {where}: ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_results_in_a_folder_of_somebody_else(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    told = refusal("run", RANDOM, HONEST, "--blocks", 1, "--out", locked)
    assert told == f"arena: cannot write the results to {locked}: Permission denied"


def test_an_unknown_command() -> None:
    assert "No such command 'rnu'" in refusal("rnu")


# -- what works --------------------------------------------------------------------------------------


def test_a_dry_run_says_what_it_costs_and_writes_nothing() -> None:
    bots = [f"{name}={RANDOM}" for name in "abc"]
    result = arena("run", *bots, "--players", 2, "--blocks", 100, "--dry-run", "--out", "results")
    assert result.exit_code == 0
    assert "600 games: 300 blocks over 3 possible line-ups" in result.stdout
    assert "24 launches of bots in 12 tasks" in result.stdout
    assert "at most about " in result.stdout
    assert list(Path.cwd().iterdir()) == []


def test_workers_beyond_the_tasks_make_no_run_shorter() -> None:
    most, more = (
        arena("run", RANDOM, HONEST, "--blocks", 100, "--workers", workers, "--dry-run").stdout
        for workers in (4, 400)
    )
    assert "200 games: 100 blocks over 1 possible line-up\n" in most
    assert "8 launches of bots in 4 tasks\n" in most
    assert most == more


@pytest.mark.parametrize(("one", "other"), [("--blocks", "--rounds"), ("--workers", "--concurrency")])
def test_two_names_of_one_option(one: str, other: str) -> None:
    plans = [arena("run", RANDOM, HONEST, option, 7, "--dry-run").stdout for option in (one, other)]
    assert plans[0] == plans[1]
    assert plans[0] != arena("run", RANDOM, HONEST, "--dry-run").stdout


def test_without_players_all_bots_sit_down_as_far_as_the_rules_allow() -> None:
    bots = [f"{name}={RANDOM}" for name in "abcdefgh"]
    assert "28 possible line-ups" in arena("run", *bots, "--dry-run").stdout
    assert "possible line-ups" in arena("run", *bots, "--ruleset", "snyd", "--dry-run").stdout


def test_help_names_every_option() -> None:
    result = arena("run", "--help")
    assert result.exit_code == 0
    run = main.commands["run"]
    for option in run.params:
        if isinstance(option, click.Option):
            assert all(name in result.stdout for name in option.opts)
            assert option.help


# -- tables ------------------------------------------------------------------------------------------


def test_a_table_of_nothing(tmp_path: Path) -> None:
    result = arena("table", tmp_path)
    assert result.exit_code != 0
    assert result.stdout == ""
    assert result.stderr.startswith("arena: ")
    assert str(tmp_path) in result.stderr
    assert "games.jsonl" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "does not begin with a header"),
        (b"nonsense\n", "line 1: "),
        (b'{"type":"game"}\n', "line 1: "),
    ],
)
def test_a_table_of_a_log_that_is_none(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "games.jsonl").write_bytes(content)
    result = arena("table", tmp_path)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"arena: {tmp_path / 'games.jsonl'}")
    assert told in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_table_of_no_folder(tmp_path: Path) -> None:
    assert "does not exist" in refusal("table", tmp_path / "nowhere")
