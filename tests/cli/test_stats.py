"""`arena stats` on the published example: for people, as JSON, as CSV, and what it refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.report.play.measures import MEASURES
from arena.report.play.text import show_value

EXAMPLE = Path(__file__).parents[2] / "results" / "example"


def stats(*words: object) -> Result:
    return CliRunner().invoke(main, ["stats", *map(str, words)])


def test_a_row_per_bot_and_the_interval_beside_the_number() -> None:
    result = stats(EXAMPLE)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "demo: ruleset standard, 4 players, 120 complete blocks"
    head, *rows = [line.split() for line in lines[2:7]]
    assert head[:2] == ["Bids,", "%"]
    bluffs = {row[0]: row[1 + 2 * head[2:].index("bluff")] for row in rows}
    assert bluffs == {"random": "44.0", "honest": "1.7", "bluffer": "13.8", "honest-js": "1.9"}
    assert "Calza" not in result.stdout, "these rules know none"


def test_one_bot_with_meanings_doubts_and_games() -> None:
    told = stats(EXAMPLE, "--bot", "bluffer").stdout
    assert told.startswith("bluffer: demo: ruleset standard")
    for measure in MEASURES:
        if measure.group != "calza" and measure.name not in ("by_calling", "when_called"):
            assert measure.meaning in told
    assert "90 to 100 %" in told
    assert "0.8 to 1.0 bits" in told
    assert "comeback: won game 118 after a chance of 2 % in round 13: arena show DIR 118" in told


def test_json_and_csv_hold_the_same_numbers() -> None:
    told = json.loads(stats(EXAMPLE, "--json").stdout)
    assert told["blocks_complete"] == 120
    assert {row["bot"] for row in told["doubts"]} == {"random", "honest", "bluffer", "honest-js"}
    rows = list(csv.DictReader(stats(EXAMPLE, "--csv").stdout.splitlines()))
    assert len(rows) == len(told["measures"])
    for row, same in zip(rows, told["measures"], strict=True):
        assert (row["bot"], row["measure"]) == (same["bot"], same["measure"])
        assert float(row["value"]) == same["value"]
        assert (row["low"] == "") == (same["low"] is None)
    one = json.loads(stats(EXAMPLE, "--bot", "honest", "--json").stdout)
    assert one["measures"] == [row for row in told["measures"] if row["bot"] == "honest"]


def test_refusals(tmp_path: Path) -> None:
    for words, told in (
        ((EXAMPLE, "--bot", "nobody"), "there is no bot 'nobody'"),
        ((tmp_path,), f"{tmp_path} holds no tournament: there is no games.jsonl"),
    ):
        result = stats(*words)
        assert result.exit_code == 2
        assert told in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_log_without_a_whole_block(tmp_path: Path) -> None:
    lines = (EXAMPLE / "games.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "games.jsonl").write_bytes(b"".join(lines[:3]))
    for words in ((), ("--bot", "honest"), ("--json",), ("--csv",)):
        assert stats(tmp_path, *words).exit_code == 0
    assert "no block is complete yet" in stats(tmp_path).stdout


@pytest.mark.parametrize(
    ("value", "half", "unit", "text"),
    [
        (0.1378, 0.0081, "share", "13.8 ±0.8"),
        (0.1378, 0.0289, "share", "14 ±3"),
        (5.2351, 0.0144, "dice", "5.24 ±0.01"),
        (4.3041, 0.2044, "dice", "4.3 ±0.2"),
        (1.0, float("nan"), "share", "100"),
        (float("nan"), float("nan"), "share", "-"),
    ],
)
def test_no_more_digits_than_are_known(value: float, half: float, unit: str, text: str) -> None:
    assert show_value(value, value - half, value + half, unit) == text
