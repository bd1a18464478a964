"""Results from hand-made records."""

from __future__ import annotations

from typing import Any

import pytest

from arena.record.schema import GameRecord
from arena.report.results import results_of
from tests.report.logs import fault, made_up, make_header, make_record

HEADER = make_header("ABC", 2, 8)


def game(number: int, seats: list[int], places: list[int], **more: Any) -> GameRecord:
    block, rotation = divmod(number, 2)
    values: dict[str, Any] = {"block": block, "rotation": rotation, "seats": seats}
    return make_record([], places, game=number, **(values | more))


def test_rows_are_in_the_order_of_numbers() -> None:
    games = [game(3, [0, 2], [1, 2]), game(0, [1, 2], [1, 2]), game(2, [2, 0], [1, 1])]
    results = results_of(HEADER, iter([*games, game(1, [2, 1], [2, 1])]))
    assert results.bots == ("A", "B", "C")
    assert results.seats.tolist() == [[1, 2], [2, 1], [2, 0], [0, 2]]
    assert results.places.tolist() == [[1, 2], [2, 1], [1, 1], [1, 2]]
    assert results.block.tolist() == [0, 0, 1, 1]
    assert results.lineup.tolist() == [0, 0, 1, 1]  # B and C first, though A and C sort before them
    assert results.complete.tolist() == [True] * 4
    assert results.forfeited.tolist() == [False] * 4


@pytest.mark.parametrize(
    ("cause", "complete"), [("crash", True), ("host", False), ("interrupted", False)]
)
def test_a_fault_forfeits_the_game_and_the_hosts_spoils_the_block(cause: str, complete: bool) -> None:
    games = [game(n, [0, 1], [1, 2]) for n in range(4)]
    games[1].faults = [fault(0, cause)]
    results = results_of(HEADER, games)
    assert results.forfeited.tolist() == [False, True, False, False]
    assert results.complete.tolist() == [complete, complete, True, True]


def test_a_block_needs_every_rotation() -> None:
    results = results_of(
        HEADER, [game(0, [0, 1], [1, 2]), game(2, [0, 1], [1, 2]), game(3, [1, 0], [1, 2])]
    )
    assert results.complete.tolist() == [False, True, True]
    twice = [game(0, [0, 1], [1, 2]), game(1, [0, 1], [1, 2], rotation=0)]
    assert results_of(HEADER, twice).complete.tolist() == [False, False]


def test_no_games() -> None:
    results = results_of(HEADER, [])
    assert len(results) == 0
    assert results.seats.shape == (0, 2)


@pytest.mark.parametrize(
    "wrong", [game(0, [0, 1, 2], [1, 2, 3]), game(0, [0, 1], [1]), game(0, [0, 1], [1, 2], rotation=2)]
)
def test_a_record_that_contradicts_the_header(wrong: GameRecord) -> None:
    with pytest.raises(ValueError, match="game 0"):
        results_of(HEADER, [wrong])


def test_line_ups_of_four() -> None:
    header, games = made_up("ABCDEFGH", 4, 30)
    results = results_of(header, reversed(games))
    assert results.complete.all()
    first: dict[frozenset[int], int] = {}
    expected = [first.setdefault(frozenset(g.seats), len(first)) for g in games]
    assert results.lineup.tolist() == expected
