"""A game as text: who held, called and lost what."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from arena.record.schema import GameRecord
from arena.report.show import game_as_json, show_game
from tests.report.records import game, header

NAMES = ["ann", "bob", "cat"]


@pytest.fixture
def played() -> GameRecord:
    """Four rounds: a wrong bid, an exact calza out of turn, a tabba, a forfeit."""
    record = game(7, [2, 0, 1], [2, 1, 3], fault=(2, "crash"))
    record.openers = [0, 1, 0, 0]
    record.palifico = [0, 0, 1, 0]
    record.hands = ["12346 55566 11222", "12346 5556 11222", "2 5556 11222", "2 555 11222"]
    record.calls = ["2x3 9x5 dudo", "3x5 1:calza", "palifico 1x2 1x3 2:tabba", "1x2 2:forfeit"]
    record.counts = [6, 3, None, None]
    record.changes = ["1-1", "1+1", "1-1", "2-5"]
    record.timing.us = [[1000, 20, 30], [10, 2500], [1, 2, 3, 4], [1, 99]]
    return record


def shown(record: GameRecord) -> str:
    out = io.StringIO()
    show_game(header(NAMES, 3, ruleset="santaba"), record, Console(file=out, highlight=False, width=50))
    return out.getvalue()


def test_a_game_reads_from_top_to_bottom(played: GameRecord) -> None:
    text = shown(played)
    assert text.startswith("Game 7: santaba, block 2, rotation 1")
    assert "Round 1, 15 dice, cat opens" in text
    assert "  cat   1 2 3 4 6" in text
    assert "    cat  2x3          1.00 ms" in text
    assert "  6 count for 9x5: wrong; ann loses a die (4 left)" in text
    assert "  3 count for 3x5: exact; ann gains a die (5 left)" in text
    assert "Palifico round 3" in text
    assert "bob calls tabba on 1x3 of ann; ann loses a die (3 left)" in text
    assert "bob forfeits; the round is void; bob is out" in text
    assert text.rstrip().endswith("bob forfeited in round 1: crash:")
    assert text.index("1. ann") < text.index("2. cat") < text.index("3. bob")


def test_as_json(played: GameRecord) -> None:
    told = json.loads(game_as_json(header(NAMES, 3), played))
    assert told["seats"] == ["cat", "ann", "bob"]
    assert told["rounds"][1]["calls"][1] == {"seat": 1, "call": "calza", "us": 2500}
    assert told["rounds"][0]["change"] == [0, -1, 0]
    assert told["rounds"][2]["count"] is None
    assert told["places"] == [2, 1, 3]
    assert told["faults"][0]["cause"] == "crash"


def test_no_colours_where_there_is_no_terminal(played: GameRecord) -> None:
    assert "\x1b" not in shown(played)
