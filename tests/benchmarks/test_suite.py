"""The benchmark suite works: each part in its smallest form. What it measures there means nothing."""

from __future__ import annotations

import sys
from math import isfinite
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import PARTS, main, sections
from benchmarks.beside_peers import PEERS, installed
from benchmarks.match import ROOT, Shape, play
from benchmarks.measure import LEAST, Run, Target, in_turn, ratios, spread
from benchmarks.recorded import Said, record, replay
from benchmarks.show import put_into, table, targets


@pytest.mark.parametrize("part", PARTS)
def test_a_part_fills_its_tables(part: str) -> None:
    for section in sections(part, LEAST):
        assert section.rows
        for _, *cells in section.rows:
            assert len(cells) == len(section.columns) - 1
            assert all(isfinite(float(cell.split()[0].replace(",", ""))) for cell in cells if cell)
        for target in section.targets:
            assert target.found.low <= target.found.usual <= target.found.high


def test_a_page_gets_the_tables_of_a_part(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- measured: log -->\nold\n<!-- end -->\nafter\n")
    for _ in range(2):
        words = ["--least", "log", "--into", str(page)]
        result = CliRunner().invoke(main, words, catch_exceptions=False)
        assert result.exit_code == 0
        text = page.read_text()
        assert text.startswith("before\n<!-- measured: log -->\n\n*20")
        assert text.endswith("\n<!-- end -->\nafter\n")
        assert text.count("### The log\n") == 1
        assert text.count("met |\n") == 2
        assert "old" not in text
    with pytest.raises(ValueError, match="no lines"):
        put_into(page, "loops", "")


def test_the_performance_page_has_room_for_every_part() -> None:
    text = (ROOT / "docs" / "12-performance.md").read_text()
    for part in PARTS:
        assert f"<!-- measured: {part} -->\n" in text


def test_a_program_that_is_not_installed_is_left_out_with_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module, _ in PEERS.values():
        monkeypatch.setitem(sys.modules, module, None)
    there, words = installed()
    assert not there
    assert all(f"Left out: {name} (" in words for name in PEERS)


def test_contenders_go_there_and_back() -> None:
    order: list[str] = []

    def contender(name: str, seconds: float) -> Run:
        order.append(name)
        return Run(10, seconds)

    found = in_turn({"a": lambda: contender("a", 1.0), "b": lambda: contender("b", 2.0)}, 3)
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert ratios(found["a"], found["b"]) == spread([2.0, 2.0, 2.0])


def test_a_run_says_how_fast_it_was() -> None:
    run = Run(decisions=1000, seconds=0.05, cpu=0.02)
    assert (run.pace, run.us, run.cpu_us) == pytest.approx((20_000, 50, 20))


def test_targets_are_met_by_the_median() -> None:
    found = spread([0.5, 2.0, 3.0])
    assert Target("", found, 2.0).met
    assert not Target("", found, 2.1).met
    assert Target("", found, 2.0, at_most=True).met
    assert not Target("", found, 1.9, at_most=True).met
    assert "not met" in targets([Target("slow", found, 9.0)])


def test_tables_are_aligned_or_markdown() -> None:
    assert table(("", "us"), [("a", "1"), ("bb", "22")]) == "    us\na   1\nbb  22"
    assert table(("", "us"), [("a", "1")], markdown=True) == "|  | us |\n|---|---|\n| a | 1 |"


@pytest.mark.parametrize("shape", [Shape(), Shape(4, 3, 8)])
def test_games_played_back_are_the_recorded_ones(shape: Shape) -> None:
    task = shape.task(12)
    said, games = record(task)
    assert not any(game.faults for game in games)
    decisions = sum(len(spent) for game in games for spent in game.timing.us)
    assert replay(task, Said([], said.answers)) == decisions


def test_a_match_makes_the_decisions_of_the_recorded_games() -> None:
    """The sample bot and its stand-in in memory call alike, so the decisions are the same."""
    shape = Shape()
    _, games = record(shape.task(2))
    run = play(shape, 2)
    assert run.decisions == sum(len(spent) for game in games for spent in game.timing.us)
    assert run.seconds > 0
