"""The sequential test of a run looks at blocks in their order, however the games come in."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.score import Tally
from arena.record.schema import End, GameRecord, Sprt, encode_line
from arena.report.sequential import Sequential, check_decision, half_points, verdict_of
from tests.report.records import game, header

TEST = Sprt(0, 200)


def pair(block: int, points: int) -> list[GameRecord]:
    """Two games that give the first bot so many of two points."""
    places = [[1, 2], [2, 1]]  # by seats: in the second game the first bot sits in seat 1
    won = [points >= 1, points >= 2]
    return [
        game(2 * block + r, [r, 1 - r], places[0] if won[r] == (r == 0) else places[1]) for r in (0, 1)
    ]


def told(games: list[GameRecord], chunk: int = 1) -> Sequential:
    test = Sequential(TEST, 2)
    for at in range(0, len(games), chunk):
        test.add(games[at : at + chunk])
    return test


@pytest.mark.parametrize(
    ("seats", "places", "expected"),
    [([0, 1], [1, 2], 2), ([1, 0], [1, 2], 0), ([1, 2, 0], [2, 1, 2], 1), ([2, 3, 1], [1, 2, 3], None)],
)
def test_half_points(seats: list[int], places: list[int], expected: int | None) -> None:
    assert half_points(game(0, seats, places)) == expected


@given(st.lists(st.integers(0, 2), min_size=1, max_size=40), st.integers(0, 10**6), st.integers(1, 20))
def test_the_order_in_which_games_come_in_changes_nothing(
    points: list[int], seed: int, chunk: int
) -> None:
    games = [each for block, won in enumerate(points) for each in pair(block, won)]
    expected = told(games).verdict
    random.Random(seed).shuffle(games)
    assert told(games, chunk).verdict == expected


def test_it_decides_at_the_first_block_that_crosses_a_bound() -> None:
    points = [2, 1, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 0, 2]
    test = told([each for block, won in enumerate(points) for each in pair(block, won)], chunk=7)
    assert test.decided is not None
    counts = [0] * 5
    for block, won in enumerate(points[: test.decided + 1]):
        counts[2 * won] += 1
        plain = verdict_of(TEST, Tally(tuple(counts), 2))
        assert bool(plain.accepted) == (block == test.decided)
    assert test.verdict.tally == plain.tally
    assert test.verdict.ratio == pytest.approx(plain.ratio)
    assert test.verdict.accepted == "H1"
    assert test.verdict.block == test.decided


def test_a_block_that_is_not_finished_holds_up_those_after_it() -> None:
    games = [each for block in range(30) for each in pair(block, 2)]
    late = games.pop(3)  # of block 1
    test = told(games)
    assert test.decided is None
    assert test.verdict.tally.blocks == 1
    test.add([late])
    assert test.decided is not None
    assert test.verdict == told([*games, late]).verdict


def test_a_long_log_is_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """And its last block, which is missing in the first part, is waited for."""
    games = [each for block in range(40) for each in pair(block, [1, 2, 0, 1][block % 4])]
    games = [*games[1:], games[0]]
    whole = Sequential(TEST, 2)
    whole.add(games)
    monkeypatch.setattr("arena.report.sequential.MANY", 3)
    parts = Sequential(TEST, 2)
    assert list(parts.watch(games)) == games
    assert parts.verdict == whole.verdict
    assert whole.verdict.tally.blocks > 5


def test_what_comes_after_the_decision_changes_nothing() -> None:
    test = told([each for block in range(30) for each in pair(block, 2)])
    before = test.verdict
    test.add([each for block in range(30, 90) for each in pair(block, 0)])
    assert test.verdict == before


def test_blocks_that_the_host_spoilt_are_left_out() -> None:
    spoilt = [game(2, [0, 1], [2, 1], fault=(0, "host")), game(3, [1, 0], [1, 2])]
    test = told([*pair(0, 2), *spoilt, *pair(2, 1)])
    assert test.verdict.tally == Tally((0, 0, 1, 0, 1), 2)


def test_a_forfeit_counts_as_it_ended() -> None:
    test = told([game(0, [0, 1], [2, 1], fault=(0, "crash")), game(1, [1, 0], [1, 2])])
    assert test.verdict.tally == Tally((1, 0, 0, 0, 0), 2)


def test_at_larger_tables_the_two_are_compared_where_both_sit() -> None:
    test = Sequential(TEST, 3)
    tables = [([0, 1, 2], [1, 2, 3]), ([0, 2, 3], [3, 1, 2]), ([0, 1, 3], [2, 2, 1])]
    number = 0
    for seats, places in tables:
        for turn in range(3):
            order = [*seats[turn:], *seats[:turn]]
            test.add([game(number, order, [places[seats.index(bot)] for bot in order])])
            number += 1
    assert test.verdict.tally == Tally((0, 0, 0, 1, 0, 0, 1), 3)


def test_nothing_is_no_decision() -> None:
    verdict = Sequential(TEST, 2).verdict
    assert (verdict.accepted, verdict.ratio, verdict.block) == ("", 0, None)
    assert (verdict.lower, verdict.upper) == pytest.approx((-2.944, 2.944), abs=1e-3)


@pytest.mark.parametrize("model", ["bayesian", "cutechess"])
def test_models_of_single_games_take_nothing_else(model: str) -> None:
    assert verdict_of(Sprt(model=model), Tally((30, 10, 40), 1)).ratio != 0
    with pytest.raises(ValueError, match="single games"):
        verdict_of(Sprt(model=model), Tally((30, 10, 40), 2))


@pytest.mark.parametrize(
    ("decided", "told"),
    [
        (7, ""),
        (6, "block 6 in the log, block 7 by the games"),
        (None, "no block in the log, block 7 by the games"),
    ],
)
def test_the_decision_of_a_log_is_made_again(tmp_path: Path, decided: int | None, told: str) -> None:
    head = header(["ada", "ben"], 2)
    head.sprt = TEST
    games = [each for block in range(20) for each in pair(block, [2, 1][block == 3])]
    end = End("", "", decided)
    log = tmp_path / "games.jsonl"
    log.write_bytes(encode_line(head) + b"".join(map(encode_line, games)) + encode_line(end))
    assert check_decision(log) == told
    log.write_bytes(encode_line(head) + b"".join(map(encode_line, games)))
    assert check_decision(log) == "", "not finished"
