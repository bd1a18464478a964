"""`arena rules`: what it prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.game import OPTIONS, PRESETS
from arena.game.explain import SUMMARIES


def arena_rules(*words: str, columns: int = 96) -> str:
    result = CliRunner().invoke(main, ["rules", *words], env={"COLUMNS": str(columns)})
    assert result.exit_code == 0, result.output
    return result.stdout


def as_json(*words: str) -> Any:
    return json.loads(arena_rules("--json", *words))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text('base = "santaba"\ncalza = "turn"\ndice = [5, 3]\n')
    return "mine.toml"


def test_the_list() -> None:
    told = arena_rules()
    assert [line.split()[0] for line in told.splitlines() if line[0] != " "] == list(PRESETS)
    assert "(the default)" in told


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("columns", [80, 100, 200])
def test_no_line_is_too_wide(name: str, columns: int) -> None:
    for told in (
        arena_rules(name, columns=columns),
        arena_rules(name, "--diff", "santaba", columns=columns),
    ):
        assert max(map(len, told.splitlines())) <= min(columns, 100)


def test_a_preset_is_explained_with_what_always_holds_and_with_sources() -> None:
    told = " ".join(arena_rules("santaba").split())
    assert "Its Doodoo is our dudo" in told
    assert "More in docs/rules/santaba.md." in told
    assert "Only the player on turn may doubt (dudo)" in told
    assert "The bid is right if the count is its quantity or more" in told
    assert "The quantity is at most the number of dice in play." in told
    assert "calza_at_cap = false A player who has all his dice may not call calza. [our reading]" in told
    assert "(S5, S8)" in told
    assert "[only its worked example shows it]" in told
    assert "[the text says so]" in told


def test_what_has_no_effect_is_left_out() -> None:
    told = arena_rules("pacos")
    assert "calza = off" in told
    assert "calza_reward" not in told
    assert "A wrong calza" not in told
    assert "palifico_once" not in told


def test_the_unconfirmed_is_called_so() -> None:
    assert "[unconfirmed]" in arena_rules("bga")
    assert "[" not in arena_rules("rdr")


def test_a_ruleset_file(file: str) -> None:
    told = " ".join(arena_rules(file).split())
    assert told.startswith("santaba calza=turn dice=5,3: santaba, changed")
    assert (
        "dice = 5,3 The seats start with 5, 3 dice; nobody may ever hold more than 5. [changed" in told
    )
    assert "[changed from santaba]" in told
    assert "(S9)" in told


def test_differences() -> None:
    told = arena_rules("pacos", "--diff", "santaba")
    assert told.startswith("pacos and santaba differ in 5 options")
    blocks = told.split("\n\n")[1:]
    assert [block.splitlines()[0] for block in blocks] == [
        "palifico",
        "palifico_change",
        "tabba",
        "calza",
        "calza_at_cap",
    ]
    assert "  pacos    off: Nobody may call calza." in blocks[3]
    assert "  santaba  others: Any player but the bidder" in blocks[3]


def test_differences_of_a_file(file: str) -> None:
    told = arena_rules(file, "--diff", "santaba")
    assert told.startswith("mine.toml and santaba differ in 2 options")
    assert arena_rules(file, "--diff", file) == "mine.toml and mine.toml play alike.\n"


def test_diff_needs_two() -> None:
    result = CliRunner().invoke(main, ["rules", "--diff", "santaba"])
    assert result.exit_code == 2
    assert "--diff compares two rulesets" in result.stderr


def test_json_of_one() -> None:
    told = as_json("palafico")
    assert told["name"] == told["base"] == "palafico"
    assert told["summary"] == SUMMARIES["palafico"]
    assert told["page"] == "docs/rules/palafico.md"
    assert set(told["options"]) == set(OPTIONS)
    assert told["options"]["bidding_rule"] == {
        "value": "no-reset",
        "sentence": "to raise, bid a higher quantity, a higher face or both; neither may fall",
        "matters": True,
        "source": {
            "kind": "reading",
            "remark": "of the three ways listed, none lowers a part",
            "see": ["L1"],
        },
    }
    assert not told["options"]["calza_reward"]["matters"]
    assert any("Only the player on turn may doubt" in line for line in told["always"])


def test_json_of_all() -> None:
    assert [told["name"] for told in as_json()] == list(PRESETS)


def test_json_of_a_file(file: str) -> None:
    told = as_json(file)
    assert told["base"] == "santaba"
    assert told["options"]["dice"]["value"] == [5, 3]
    assert "source" not in told["options"]["calza"]
    assert "source" in told["options"]["tabba"]


def test_json_of_differences() -> None:
    told = as_json("santaba", "--diff", "mso")
    assert told["rulesets"] == ["santaba", "mso"]
    assert [one["value"] for one in told["differences"]["palifico"]] == ["call", "off"]
