"""The commands as a host types them, on the published example and on a small real tournament."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.report.charts import CHARTS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "results" / "example"
BOTS = ROOT / "sample_bots" / "python"


def arena(*words: object, code: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result


def test_without_a_command_it_says_which_there_are() -> None:
    told = arena().stdout
    for command in main.commands:
        assert f"  {command} " in told


def test_a_mistyped_command_is_one_line_with_the_nearest() -> None:
    told = arena("tabel", EXAMPLE, code=2).stderr
    assert told == "arena: No such command 'tabel'. Did you mean 'table'? (see arena --help)\n"


def test_table_of_the_example() -> None:
    lines = arena("table", EXAMPLE).stdout.splitlines()
    assert lines[0].split()[:3] == ["#", "bot", "rating"]
    assert lines[1].split()[1] == "bluffer"
    assert "last in every game" in lines[4]
    assert "480 of 480 games; blocks: 120 complete, 0 incomplete" in "\n".join(lines)
    told = json.loads(arena("table", EXAMPLE, "--json", "--exclude", "random").stdout)
    assert told["games"] == 0, "all four sit at every table"


def test_show_a_game_of_the_example() -> None:
    text = arena("show", EXAMPLE, 0).stdout
    assert text.startswith("Game 0: standard, block 0, rotation 0")
    told = json.loads(arena("show", EXAMPLE, 0, "--json").stdout)
    assert sorted(told["places"]) == [1, 2, 3, 4]
    assert "it has numbers 0 to 479" in arena("show", EXAMPLE, 480, code=2).stderr


def test_show_a_game_that_is_still_to_come(tmp_path: Path) -> None:
    lines = (Path(EXAMPLE) / "games.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "games.jsonl").write_bytes(b"".join(lines[:3]))
    told = arena("show", tmp_path, 479, code=2).stderr
    assert (
        told == f"arena: game 479 is not in {tmp_path / 'games.jsonl'}; it was not played to its end\n"
    )


def test_charts_of_the_example(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_bytes((EXAMPLE / "games.jsonl").read_bytes())
    drawn = arena("charts", tmp_path).stdout.split()
    assert [Path(path).stem for path in drawn] == list(CHARTS)
    assert all(Path(path).read_bytes().startswith(b"\x89PNG") for path in drawn)


def test_init_writes_a_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arena("init")
    assert (tmp_path / "tournament.toml").read_text().startswith("# A tournament")
    assert "exists already" in arena("init", code=2).stderr


def test_a_tournament_file_runs_stops_in_time_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cup.toml").write_text(
        "budget = 8\nseed = 1\n"
        f'[[bots]]\nfolder = "{BOTS / "random"}"\nrestart = "game"\n'
        f'[[bots]]\nfolder = "{BOTS / "honest"}"\n'
    )
    assert "--seed: write this into cup.toml" in arena("run", "cup.toml", "--seed", 2, code=2).stderr
    stopped = arena("run", "cup.toml", "--for", "1ms").stdout
    assert "0 of 8 games in results/cup/games.jsonl" in stopped
    assert "the same command goes on" in stopped
    assert "8 of 8 games in results/cup/games.jsonl" in arena("run", "cup.toml").stdout
    assert "all 8 games were played before" in arena("run", "cup.toml").stdout
    told = json.loads(arena("table", "results/cup", "--json").stdout)
    assert [bot["faults"] for bot in told["bots"]] == [{}, {}]
    frozen = arena("run", "results/cup/tournament.toml", "--out", "results/cup").stdout
    assert "all 8 games were played before" in frozen
