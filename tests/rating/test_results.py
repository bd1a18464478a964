"""What `Results` accepts, and its subsets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from arena.rating import Results
from arena.rating.results import number_rows
from tests.rating.tables import played

GOOD = Results(
    ("a", "b", "c"),
    seats=np.array([[0, 1, -1], [1, 0, -1], [0, 1, 2]]),
    places=np.array([[1, 2, 0], [1, 1, 0], [1, 2, 2]]),
    lineup=np.array([7, 7, 9]),
    block=np.array([1, 1, 5]),
    complete=np.array([True, True, False]),
    forfeited=np.array([False, True, False]),
)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bots": ("a", "b", "a")}, "same name"),
        ({"seats": [0, 1]}, "seats: expected shape"),
        ({"places": [[1, 2]]}, "places: expected shape"),
        ({"lineup": [7, 7]}, r"lineup: expected shape \(3,\), got \(2,\)"),
        ({"seats": [[0, 1, -1], [1, 0, -1], [0, 1, 3]]}, r"out of range \(game 2\)"),
        ({"seats": [[0, 1, -1], [1, 0, -2], [0, 1, 2]]}, r"out of range \(game 1\)"),
        ({"seats": [[0, 1, -1], [1, -1, -1], [0, 1, 2]]}, r"fewer than two.*\(game 1\)"),
        ({"seats": [[0, 1, -1], [1, 0, -1], [0, 1, 1]]}, r"twice \(game 2\)"),
        ({"places": [[1, 2, 0], [1, 1, 2], [1, 2, 2]]}, r"no seat \(game 1\)"),
        ({"places": [[1, 2, 0], [1, 1, 0], [1, 1, 2]]}, r"competition ranking.*\(game 2\)"),
        ({"places": [[1, 2, 0], [1, 0, 0], [1, 2, 2]]}, r"competition ranking.*\(game 1\)"),
        ({"lineup": [7, 7, 7]}, r"two sets of bots \(game 2\)"),
        ({"lineup": [7, 8, 9]}, r"two line-ups \(game 1\)"),
        ({"complete": [True, False, False]}, r"differs within a block \(game 1\)"),
        ({"complete": [1, 1, 0]}, "complete: expected booleans"),
        ({"block": [0.5, 1.0, 2.0]}, "block: expected integers"),
    ],
)
def test_bad_results_are_refused_with_a_reason(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(GOOD, **change)


def test_arrays_are_copies_and_read_only() -> None:
    seats = np.array([[0, 1]])
    results = Results(("a", "b"), seats, [[1, 2]], [0], [0], [True], [False])  # type: ignore[arg-type]
    seats[0, 0] = 1
    assert results.seats.tolist() == [[0, 1]]
    with pytest.raises(ValueError, match="read-only"):
        results.places[0, 0] = 2


def test_without_forfeits_breaks_their_blocks() -> None:
    kept = GOOD.without_forfeits()
    assert len(kept) == 2
    assert kept.block.tolist() == [1, 5]
    assert kept.complete.tolist() == [False, False]


def test_without_a_bot_drops_its_games() -> None:
    kept = GOOD.without("c")
    assert kept.bots == ("a", "b")
    assert len(kept) == 2
    with pytest.raises(ValueError, match="no bot is called 'd'"):
        GOOD.without("d")


def test_without_a_bot_renumbers_the_others() -> None:
    kept = played("a b", "b c", "c a").without("a")
    assert kept.bots == ("b", "c")
    assert kept.seats.tolist() == [[0, 1]]


def test_only_complete() -> None:
    assert GOOD.only_complete().block.tolist() == [1, 1]


def test_no_games() -> None:
    assert len(played(bots="ab")) == 0


@pytest.mark.parametrize("scale", [1, 2**40])
def test_rows_are_numbered_in_order(scale: int) -> None:
    rows = np.array([[3, 1], [-1, 2], [3, 1], [3, 0]]) * scale
    first, number = number_rows(rows)
    assert number.tolist() == [2, 0, 2, 1]
    assert rows[first].tolist() == np.unique(rows, axis=0).tolist()
