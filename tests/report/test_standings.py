"""The table: sums, ranks, tie-breaks, words, and what stands under it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import pytest
from msgspec import structs

from arena.errors import ConfigError
from arena.record.schema import GameRecord, Sprt
from arena.report.standings import Standings, score_of, standings
from arena.report.text import (
    COLUMNS,
    choose_columns,
    footer,
    say_limits,
    show_standings,
    write_csv,
    write_json,
)
from tests.report.records import game, header


def duels(
    wins: int, blocks: int, first: int = 0, bots: tuple[int, int] = (0, 1)
) -> Iterator[GameRecord]:
    """Blocks of two games between two bots; the first bot wins both games of the first `wins`."""
    a, b = bots
    for block in range(blocks):
        places = [1, 2] if block < wins else [2, 1]
        yield game(first + 2 * block, [a, b], places)
        yield game(first + 2 * block + 1, [b, a], places[::-1])


@pytest.mark.parametrize(
    ("places", "scores"),
    [
        ([1, 2], [1, 0]),
        ([1, 2, 3], [1, 0.5, 0]),
        ([1, 2, 2], [1, 0.25, 0.25]),
        ([1, 1], [0.5, 0.5]),
        ([4, 2, 1, 2], [0, 0.5, 1, 0.5]),
    ],
)
def test_score_is_the_share_of_opponents_left_behind(places: list[int], scores: list[float]) -> None:
    assert [score_of(places, seat) for seat in range(len(places))] == scores


def table(**options: object) -> Standings:
    return standings(header(["ann", "bob"], 2), duels(15, 24), **options)


def test_sums_and_ratings() -> None:
    ann, bob = table().rows
    assert (ann.bot, ann.rank, ann.games, ann.wins, ann.points) == ("ann", 1, 48, 30, 30)
    assert ann.cells()["score_percent"] == pytest.approx(62.5)
    assert ann.cells()["mean_place"] == pytest.approx((30 + 2 * 18) / 48)
    assert ann.rating is not None
    assert bob.rating is not None
    assert ann.rating.rating is not None
    assert ann.rating.low is not None
    # 30 : 18 between two bots is 400 log10(30/18) = 88.7 Elo points, half to each side of 1500.
    assert ann.rating.rating == pytest.approx(1500 + 88.74 / 2, abs=0.1)
    assert ann.rating.low < ann.rating.rating


def test_thinking_time_is_charged_to_who_made_the_call() -> None:
    one = standings(header(["ann", "bob"], 2), [game(0, [1, 0], [1, 2], us=[1000, 3000])])
    times = {row.bot: row.cells()["think_max_ms"] for row in one.rows}
    assert times == {"bob": 1.0, "ann": 3.0}


def test_a_forfeit_is_a_fault_and_no_thinking() -> None:
    games = [*duels(15, 24), game(48, [0, 1], [1, 2], fault=(1, "timeout"), us=[10, 999_999])]
    found = standings(header(["ann", "bob"], 2), games)
    bob = next(row for row in found.rows if row.bot == "bob")
    assert bob.faults == {"timeout": 1}
    assert bob.cells()["think_max_ms"] == pytest.approx(0.02)
    assert found.forfeited_games == 1
    assert choose_columns(None, found)[4] == "clean"
    assert found.unrated_games == 1, "its block has one rotation only"
    assert found.incomplete_blocks == 1


def test_ranks_by_wins_and_points_with_ties() -> None:
    # Three bots at one table: ann wins half, bob is never last, cat is last or first.
    games = []
    for block in range(4):
        order = [[1, 2, 3], [3, 2, 1]][block % 2]
        for rotation in range(3):
            seats = [(rotation + shift) % 3 for shift in range(3)]
            games.append(game(3 * block + rotation, seats, [order[bot] for bot in seats]))
    names = ["ann", "bob", "cat"]
    by_wins = standings(header(names, 3), games, by="wins")
    assert [(row.bot, row.rank) for row in by_wins.rows][2] == ("bob", 3)
    by_points = standings(header(names, 3), games, by="points")
    assert {row.points for row in by_points.rows} == {12.0}
    assert by_points.rows[2].bot == "bob", "equal points: more wins first"
    assert "then wins per game" in footer(by_points)[2]


def test_excluding_a_bot_drops_its_games() -> None:
    games = [*duels(15, 24), *duels(24, 24, 48, (0, 2)), *duels(24, 24, 96, (1, 2))]
    all_three = standings(header(["ann", "bob", "cat"], 2), games)
    assert all_three.rows[-1].bot == "cat"
    assert all_three.rows[-1].cells()["word"] == "lost every game"
    assert all_three.rows[-1].rating is not None
    assert all_three.rows[-1].rating.rating is None
    without = standings(header(["ann", "bob", "cat"], 2), games, exclude=["cat"])
    assert [row.bot for row in without.rows] == ["ann", "bob"]
    assert without.games == 48
    assert without.notes == []


def test_where_no_game_is_left_the_table_says_why() -> None:
    assert "no game is left without bob" in table(exclude=["bob"]).notes


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"move_ms": 100}, "100 ms per call"),
        ({"move_ms": 0, "bank_ms": 5000}, "a bank of 5000 ms per game"),
        (
            {"move_ms": 100, "bank_ms": 5000, "increment_ms": 20},
            "100 ms per call and a bank of 5000 ms per game + 20 ms per call on turn",
        ),
    ],
)
def test_how_long_a_bot_may_think(limits: dict[str, int], told: str) -> None:
    settings = structs.replace(header(["ann", "bob"], 2).settings, **limits)
    assert say_limits(settings) == told


def test_an_anchor_holds_its_bot() -> None:
    rows = {row.bot: row for row in table(anchor="bob").rows}
    assert rows["bob"].rating is not None
    assert rows["bob"].rating.rating == pytest.approx(1500)
    assert rows["bob"].rating.word == "anchor"


@pytest.mark.parametrize("option", [{"exclude": ["eve"]}, {"anchor": "eve"}])
def test_an_unknown_bot_is_named(option: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="no bot 'eve' in test; bots: ann, bob"):
        table(**option)


def test_no_games_is_a_table_of_words() -> None:
    empty = standings(header(["ann", "bob"], 2), [])
    assert [row.cells()["word"] for row in empty.rows] == ["no games", "no games"]
    assert [row.cells()["rating"] for row in empty.rows] == [None, None]


def test_json_and_csv_hold_every_number_unrounded() -> None:
    found = table()
    told = json.loads(write_json(found))
    assert told["games"] == 48
    assert told["bots"][0] == found.rows[0].cells()
    assert told["notes"] == found.notes
    rows = list(csv.DictReader(io.StringIO(write_csv(found))))
    assert float(rows[0]["rating"]) == found.rows[0].cells()["rating"]
    assert [row["bot"] for row in rows] == ["ann", "bob"]


def test_columns_are_chosen_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    found = table()
    show_standings(found, choose_columns("bot,points,rank", found))
    first = capsys.readouterr().out.splitlines()[0].split()
    assert first == ["bot", "points", "#"]
    with pytest.raises(ConfigError, match="no column 'pints'; columns: rank, bot"):
        choose_columns("bot,pints", found)


def test_every_column_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    show_standings(table(), list(COLUMNS))
    shown = capsys.readouterr().out
    for column in COLUMNS.values():
        assert column.title in shown
    assert "ruleset standard, 2 players, mirrored deals, secret dice" in shown
    assert "blocks: 24 complete, 0 incomplete" in shown


def test_a_run_that_stopped_itself_says_so() -> None:
    head = header(["ann", "bob"], 2, sprt=Sprt(0, 200))
    (note,) = standings(head, duels(40, 60)).notes
    assert note.startswith("the sequential test of ann against bob ended the run at block ")
    assert standings(head, duels(2, 4)).notes == []
    again = standings(head, duels(40, 60), exclude=["bob"]).notes
    assert note in again, "whoever is left out of the table: the test saw them all"


def test_an_incomplete_cycle_of_orders_is_said() -> None:
    games = []
    for block in range(3):
        for rotation in range(3):
            seats = [(rotation + shift) % 3 for shift in range(3)]
            games.append(game(3 * block + rotation, seats, [1, 2, 3]))
    notes = standings(header(["ann", "bob", "cat"], 3), games).notes
    assert any("have not played all 2 circular orders equally often" in note for note in notes)
