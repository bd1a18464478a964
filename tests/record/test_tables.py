"""The tables of a small log whose every entry was computed by hand, and properties of any log."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pandas as pd
import pytest

from arena.game.calls import InvalidCall
from arena.record.flat import KINDS
from arena.record.schema import Bot, Fault, GameRecord, Header, Settings, Timing
from arena.record.tables import COLUMNS, Tables, make_tables


def make_header(names: str = "ABC", players: int = 3, **ruleset: Any) -> Header:
    return Header(
        format=1,
        arena="0",
        name="test",
        created="",
        ruleset={"wild_face": 1, **ruleset},
        players=players,
        bots=[Bot(name, "", "", "", "", "", 1, True, False, "") for name in names],
        deals="rotated",
        dice="secret",
        secret_hash="",
        public_salt="",
        schedule={},
        games=1,
        settings=Settings(0, 0, 0, 1, 1, 1, "none", False),
        host={},
    )


def make_record(
    rows: list[tuple[int, int, str, str, int | None, str]],
    places: list[int],
    **more: Any,
) -> GameRecord:
    """Rows of opener, palifico, hands, calls, count, changes; both from 0, call k of round r took
    100 r + k + 1 µs.
    """
    columns = [list(column) for column in zip(*rows, strict=True)]
    us = [[100 * r + k + 1 for k in range(len(calls.split()))] for r, calls in enumerate(columns[3])]
    values: dict[str, Any] = {
        "game": 0,
        "block": 0,
        "rotation": 0,
        "deal": 0,
        "seats": list(range(len(places))),
        "commitment": "",
        "places": places,
        "faults": [],
        "timing": Timing(started=1_700_000_000.25, seconds=1.5, us=us, batch=2.5, lag_ms=0.5),
        **more,
    }
    values |= zip(("openers", "palifico", "hands", "calls", "counts", "changes"), columns, strict=True)
    return GameRecord(**values)


# Bots C, A, B in seats 0, 1, 2. Calza, palifico with Tabba, forfeit, dudo after seat 0 left.
SMALL = make_record(
    [
        (1, 0, "1136 2234 25", "2x2 2x5 1x1 2:pass 2x1 3x1 4x1 2:calza", 2, "2-1"),
        (2, 1, "1136 2234 5", "palifico 1x5 2x5 2:pass 3x4 0:tabba", None, "1-1"),
        (1, 0, "1136 234 5", "2x3 0:forfeit", None, "0-4"),
        (1, 0, "- 234 5", "1x2 1x5 dudo", 1, "1-1"),
    ],
    places=[3, 1, 1],
    game=7,
    block=3,
    rotation=1,
    deal=5,
    seats=[2, 0, 1],
    faults=[Fault(0, "timeout", 3, "")],
)


@pytest.fixture
def small() -> Tables:
    return make_tables(make_header(), [SMALL])


def rows_of(frame: pd.DataFrame, *columns: str) -> list[tuple[Any, ...]]:
    return list(zip(*(frame[column].tolist() for column in columns), strict=True))


def test_small_calls(small: Tables) -> None:
    # round, call, seat, bot, kind, bid, standing bid, dice, held, own, total
    expected = [
        (1, 0, 1, "A", "bid", 2, 2, 0, 0, 10, 4, 2, 5),  # twos: 2 of its own, 2 aces of seat 0, one
        (1, 1, 2, "B", "bid", 2, 5, 2, 2, 10, 2, 1, 3),
        (1, 2, 0, "C", "bid", 1, 1, 2, 5, 10, 4, 2, 2),  # aces count once
        (1, 3, 2, "B", "pass", 0, 0, 1, 1, 10, 2, 0, 2),
        (1, 4, 1, "A", "bid", 2, 1, 1, 1, 10, 4, 0, 2),  # the pass left the turn with seat 1
        (1, 5, 2, "B", "bid", 3, 1, 2, 1, 10, 2, 0, 2),
        (1, 6, 0, "C", "bid", 4, 1, 3, 1, 10, 4, 2, 2),
        (1, 7, 2, "B", "calza", 0, 0, 4, 1, 10, 2, 0, 2),
        (2, 0, 2, "B", "palifico", 0, 0, 0, 0, 9, 1, 0, 0),
        (2, 1, 2, "B", "bid", 1, 5, 0, 0, 9, 1, 1, 1),  # aces are not wild
        (2, 2, 0, "C", "bid", 2, 5, 1, 5, 9, 4, 0, 1),
        (2, 3, 2, "B", "pass", 0, 0, 2, 5, 9, 1, 1, 1),
        (2, 4, 1, "A", "bid", 3, 4, 2, 5, 9, 4, 1, 1),
        (2, 5, 0, "C", "tabba", 0, 0, 3, 4, 9, 4, 0, 1),
        (3, 0, 1, "A", "bid", 2, 3, 0, 0, 8, 3, 1, 4),
        (3, 1, 0, "C", "forfeit", 0, 0, 2, 3, 8, 4, 3, 4),
        (4, 0, 1, "A", "bid", 1, 2, 0, 0, 4, 3, 1, 1),
        (4, 1, 2, "B", "bid", 1, 5, 1, 2, 4, 1, 1, 1),
        (4, 2, 1, "A", "dudo", 0, 0, 1, 5, 4, 3, 0, 1),  # seat 0 is out: back to seat 1
    ]
    kept = small.calls.drop(columns=["game", "palifico", "standing_own", "default_call", "us"])
    assert rows_of(kept, *kept.columns) == expected
    assert set(small.calls["game"]) == {7}
    assert small.calls["us"].tolist()[6:10] == [7, 8, 101, 102]
    assert small.calls["standing_own"].tolist() == [
        *(0, 1, 2, 0, 0, 0, 2, 0),  # B 25 holds one two, C 1136 two aces that count for 2x5
        *(0, 0, 0, 1, 0, 0),
        *(0, 3),
        *(0, 0, 0),
    ]
    assert small.calls["palifico"].tolist() == [row[0] == 2 for row in expected]


def test_small_rounds(small: Tables) -> None:
    kept = small.rounds.drop(columns=["game", "count", "right", "exact"])
    assert rows_of(kept, *kept.columns) == [
        (1, 1, "A", False, 10, 6, 4, 1, 0, 2, "calza", 2, 1),
        (2, 2, "B", True, 9, 3, 3, 4, 1, 0, "tabba", 1, 1),
        (3, 1, "A", False, 8, 1, 2, 3, 1, 0, "forfeit", 0, 1),
        (4, 1, "A", False, 4, 2, 1, 5, 2, 1, "dudo", 1, 1),
    ]
    counted = small.rounds[["count", "right", "exact"]]
    assert counted.isna().all(axis=1).tolist() == [False, True, True, False]
    assert counted.dropna().astype(int).to_numpy().tolist() == [[2, 0, 0], [1, 1, 1]]


def test_small_hands(small: Tables) -> None:
    # round, seat, bot, held, faces 1 to 6, change; seat 0 is out in round 4
    kept = small.hands.drop(columns="game")
    assert rows_of(kept, *kept.columns) == [
        (1, 0, "C", 4, 2, 0, 1, 0, 0, 1, 0),
        (1, 1, "A", 4, 0, 2, 1, 1, 0, 0, 0),
        (1, 2, "B", 2, 0, 1, 0, 0, 1, 0, -1),
        (2, 0, "C", 4, 2, 0, 1, 0, 0, 1, 0),
        (2, 1, "A", 4, 0, 2, 1, 1, 0, 0, -1),
        (2, 2, "B", 1, 0, 0, 0, 0, 1, 0, 0),
        (3, 0, "C", 4, 2, 0, 1, 0, 0, 1, -4),
        (3, 1, "A", 3, 0, 1, 1, 1, 0, 0, 0),
        (3, 2, "B", 1, 0, 0, 0, 0, 1, 0, 0),
        (4, 1, "A", 3, 0, 1, 1, 1, 0, 0, -1),
        (4, 2, "B", 1, 0, 0, 0, 0, 1, 0, 0),
    ]
    assert set(small.hands["game"]) == {7}


def test_small_seats(small: Tables) -> None:
    kept = small.seats.drop(columns=["think_mean_ms", "think_max_ms"])
    assert rows_of(kept, *kept.columns) == [
        (7, 0, "C", 3, 0.0, False, 0, "timeout", 4, 3),
        (7, 1, "A", 1, 0.75, True, 2, "", 6, 4),
        (7, 2, "B", 1, 0.75, True, 1, "", 8, 4),
    ]
    # Seat 0 made calls 2 and 6 of round 1, 2 and 5 of round 2; its forfeit is no answer.
    assert small.seats["think_mean_ms"][0] == pytest.approx((3 + 7 + 103 + 106) / 4 / 1000)
    assert small.seats["think_max_ms"].tolist() == [0.106, 0.303, 0.302]


def test_small_games(small: Tables) -> None:
    row = small.games.iloc[0]
    assert row["started"] == pd.Timestamp("2023-11-14 22:13:20.25", tz="UTC")
    del row["started"]
    assert row.to_dict() == {
        "game": 7,
        "block": 3,
        "rotation": 1,
        "deal": 5,
        "lineup": 0,
        "players": 3,
        "rounds": 4,
        "calls": 19,
        "winner": "A",
        "forfeits": 1,
        "faults": 1,
        "complete": False,
        "seconds": 1.5,
        "batch": 2.5,
        "lag_ms": 0.5,
    }


ONE_ROUND: list[tuple[int, int, str, str, int | None, str]] = [(0, 0, "2 3", "1x2 dudo", 1, "1-1")]


def test_blocks_lineups_and_order() -> None:
    def game(number: int, block: int, rotation: int, seats: list[int], *causes: str) -> GameRecord:
        faults = [Fault(0, cause, 1, "") for cause in causes]
        return make_record(
            ONE_ROUND, [1, 2], game=number, block=block, rotation=rotation, seats=seats, faults=faults
        )

    records = [
        game(0, 0, 0, [1, 2]),
        game(1, 0, 1, [2, 1], "timeout"),
        game(2, 1, 0, [0, 2]),
        game(3, 1, 1, [2, 0], "host"),
        game(4, 2, 0, [1, 2]),
        game(6, 3, 1, [2, 0]),
        game(5, 3, 0, [0, 2]),
    ]
    random.Random(1).shuffle(records)
    games = make_tables(make_header(players=2), iter(records)).games
    assert games["game"].tolist() == list(range(7))
    assert games["lineup"].tolist() == [0, 0, 1, 1, 0, 1, 1]
    assert games["complete"].tolist() == [True, True, False, False, False, True, True]
    assert games["winner"].tolist() == ["B", "C", "A", "C", "B", "A", "C"]


def test_wild_face_of_the_ruleset() -> None:
    rows: list[tuple[int, int, str, str, int | None, str]] = [
        (0, 0, "1266 - 136", "1x1 1x2 1x6 dudo", 3, "2-1")
    ]
    for wild, own, total in [
        (6, [3, 1, 2, 1], [5, 4, 3, 3]),
        (None, [1, 0, 2, 1], [2, 1, 3, 3]),
        (1, [1, 1, 3, 2], [2, 3, 5, 5]),
    ]:
        calls = make_tables(make_header(wild_face=wild), [make_record(rows, [1, 3, 2])]).calls
        assert calls["seat"].tolist() == [0, 2, 0, 2]
        assert calls["own"].tolist() == own
        assert calls["total"].tolist() == total


def test_dtypes_are_those_described(small: Tables) -> None:
    tables = [small, make_tables(make_header(), [])]
    for one in tables:
        for name, columns in COLUMNS.items():
            frame = getattr(one, name)
            assert list(frame.columns) == [column.name for column in columns]
            assert [str(dtype) for dtype in frame.dtypes] == [column.dtype for column in columns]
            assert all(column.meaning for column in columns)
    assert small.calls["bot"].cat.categories.tolist() == ["A", "B", "C"]
    assert small.calls["kind"].cat.categories.tolist() == list(KINDS)
    assert small.rounds["opener_bot"].dtype == small.calls["bot"].dtype == small.games["winner"].dtype
    assert tables[1].calls.empty


def test_a_round_without_an_end_and_a_silent_seat() -> None:
    """What an interrupted game would look like."""
    rows: list[tuple[int, int, str, str, int | None, str]] = [(0, 0, "2 3 4", "1x2", None, "")]
    tables = make_tables(make_header(), [make_record(rows, [1, 1, 1])])
    assert tables.rounds["ended_by"].isna().all()
    assert rows_of(tables.rounds, "caller", "loser", "losers") == [(-1, -1, 0)]
    assert tables.seats["think_mean_ms"].isna().tolist() == [False, True, True]
    assert tables.seats["think_max_ms"].isna().tolist() == [False, True, True]
    assert tables.seats["questions"].tolist() == [1, 0, 0]


def test_calls_that_the_referee_made() -> None:
    """Of two games; the round and the place of the call are in the fault."""
    two = [*ONE_ROUND, (1, 0, "2 3", "1x2 2x2 dudo", 1, "1-1")]
    late = Fault(0, "timeout", 2, "", penalty="default-call", call=1)
    forfeit = Fault(1, "crash", 1, "")
    records = [
        make_record(two, [1, 2], game=game, faults=faults)
        for game, faults in enumerate(([], [forfeit, late], [late]))
    ]
    made = make_tables(make_header(players=2), records).calls["default_call"]
    assert np.flatnonzero(made).tolist() == [5 + 3, 10 + 3]
    for fault in (
        Fault(0, "timeout", 3, "", penalty="default-call"),
        Fault(0, "timeout", 1, "", penalty="default-call", call=2),
    ):
        with pytest.raises(ValueError, match="game 0: a fault of a call that is not there"):
            make_tables(make_header(players=2), [make_record(two, [1, 2], faults=[fault])])


def test_an_hour_of_thought_is_cut_to_what_the_column_holds() -> None:
    long = make_record(ONE_ROUND, [1, 2])
    long.timing.us[0][0] = 3_600_000_000
    assert make_tables(make_header(players=2), [long]).calls["us"].tolist() == [2**31 - 1, 2]


def test_records_that_contradict_themselves() -> None:
    def tables(record: GameRecord) -> Tables:
        return make_tables(make_header(players=2), [record])

    with pytest.raises(InvalidCall):
        tables(make_record([(0, 0, "2 3", "1x2 doubt", 1, "1-1")], [1, 2]))
    with pytest.raises(ValueError, match="game 0, round 1"):
        tables(make_record([(0, 0, "2 3 -", "1x2 dudo", 1, "1-1")], [1, 2]))
    for calls in ("1x2 0:2x2 dudo", "1:1x2 dudo", "1x2 2:dudo"):
        with pytest.raises(ValueError, match="game 0, round 1: a call by a seat that has no turn"):
            tables(make_record([(0, 0, "2 3", calls, 1, "1-1")], [1, 2]))
    with pytest.raises(ValueError, match="game 0, round 1: the opener holds no dice"):
        tables(make_record([(0, 0, "- 3", "1x2 dudo", 1, "1-1")], [1, 2]))
    with pytest.raises(ValueError, match="faces 1 to 6"):
        tables(make_record([(0, 0, "2 3", "1x7 dudo", 1, "1-1")], [1, 2]))
    short = make_record(ONE_ROUND, [1, 2])
    short.timing.us[0].pop()
    with pytest.raises(ValueError, match="game 0, round 1"):
        tables(short)
    with pytest.raises(ValueError, match="game 0: a fault of a seat that is not there"):
        tables(make_record(ONE_ROUND, [1, 2], faults=[Fault(2, "crash", 1, "")]))
    short = make_record(ONE_ROUND, [1, 2])
    short.places.pop()
    with pytest.raises(ValueError, match="game 0: lists of unequal length"):
        tables(short)
    short = make_record(ONE_ROUND, [1, 2])
    short.counts.pop()
    with pytest.raises(ValueError, match="game 0: lists of unequal length"):
        tables(short)


# --- properties ------------------------------------------------------------------------------------


def random_record(rng: random.Random, number: int) -> GameRecord:
    """Legal in turns and dice, not in bids: the tables do not judge them."""
    seats, rows = rng.randint(2, 6), []
    dice = [rng.randint(1, 5) for _ in range(seats)]
    while sum(held > 0 for held in dice) > 1:
        live = [seat for seat in range(seats) if dice[seat]]
        hands = ["".join(sorted(rng.choices("123456", k=held))) or "-" for held in dice]
        opener, palifico = rng.choice(live), rng.random() < 0.3
        calls = [f"{rng.randint(1, 9)}x{rng.randint(1, 6)}" for _ in range(rng.randint(1, 8))]
        for place in range(len(calls) - 1, 0, -1):
            if rng.random() < 0.3:
                calls.insert(place, f"{rng.choice(live)}:pass")
        loser = rng.choice(live)
        face = [call for call in calls if "x" in call][-1][-1]
        count: int | None = sum(hand.count(face) for hand in hands)
        if count is not None and not palifico and face != "1":
            count += sum(hand.count("1") for hand in hands)
        ending = rng.choice(["dudo", f"{loser}:calza", "tabba", f"{loser}:forfeit"])
        lost = dice[loser] if ending.endswith("forfeit") else 1
        if ending == "tabba" or ending.endswith("forfeit"):
            count = None
        rows.append(
            (
                opener,
                int(palifico),
                " ".join(hands),
                " ".join([*calls, ending]),
                count,
                f"{loser}-{lost}",
            )
        )
        dice[loser] -= lost
    places = [1 if held else 2 for held in dice]
    return make_record(rows, places, game=number, block=number, seats=rng.sample(range(6), seats))


def test_properties() -> None:
    rng = random.Random(20)
    records = [random_record(rng, number) for number in range(150)]
    tables = make_tables(make_header("ABCDEF", players=6), records)
    games, seats, rounds, calls = tables.games, tables.seats, tables.rounds, tables.calls
    by_round = ["game", "round"]

    assert len(calls) == sum(len(text.split()) for record in records for text in record.calls)
    assert games["calls"].tolist() == calls.groupby("game").size().tolist()
    assert games["rounds"].tolist() == rounds.groupby("game").size().tolist()
    assert games["forfeits"].sum() == (calls["kind"] == "forfeit").sum()
    assert seats["questions"].sum() == (calls["kind"] != "forfeit").sum()
    assert np.allclose(seats.groupby("game")["score"].sum(), games["players"] / 2)
    assert (seats["dice_left"] > 0).tolist() == seats["won"].tolist()

    # the last call of a round is what the table of rounds says about it
    last = calls.groupby(by_round).tail(1).reset_index(drop=True)
    assert last["kind"].astype(str).tolist() == rounds["ended_by"].astype(str).tolist()
    assert last["seat"].tolist() == rounds["caller"].tolist()
    assert last["standing_quantity"].tolist() == rounds["quantity"].tolist()
    assert last["standing_face"].tolist() == rounds["face"].tolist()
    # where dice were counted the total is the count that the log gives
    counted = rounds["count"].notna()
    assert counted.any()
    assert last["total"][counted].tolist() == rounds["count"][counted].tolist()

    # hands add up to the dice in play, and lead from one round to the next
    hands = tables.hands
    assert hands.groupby(by_round)["held"].sum().tolist() == rounds["dice"].tolist()
    shown = hands[[f"face_{face}" for face in range(1, 7)]]
    assert (shown.sum(axis=1) == hands["held"]).all()
    lost = hands[hands["change"] < 0].groupby(by_round).size()
    assert lost.tolist() == rounds["losers"][rounds["losers"] > 0].tolist()
    ends = hands.groupby(["game", "seat"]).tail(1).sort_values(["game", "seat"])
    assert (ends["held"] + ends["change"]).tolist() == seats["dice_left"].tolist()
    assert hands.groupby(["game", "seat"]).size().tolist() == seats["rounds_alive"].tolist()

    assert (calls["own"] <= calls["held"]).all()
    assert (calls["own"] <= calls["total"]).all()
    assert (calls["total"] <= calls["dice"]).all()
    assert (calls["held"] > 0).all()
    assert ((calls["quantity"] > 0) == (calls["kind"] == "bid")).all()
    assert (calls.groupby(by_round)["call"].diff().dropna() == 1).all()
    # the standing bid is the one before, or what stood before it
    before = calls.groupby(by_round)[["quantity", "standing_quantity"]].shift(fill_value=0)
    stood = before["quantity"].where(before["quantity"] > 0, before["standing_quantity"])
    assert (stood == calls["standing_quantity"]).all()
    # nobody bids twice in a row, and bots sit where the records put them
    bids = calls[calls["kind"] == "bid"]
    assert (bids.groupby(by_round)["seat"].diff() != 0).all()
    first = bids.groupby(by_round).head(1)
    assert first["seat"].tolist() == rounds["opener"].tolist()
    seated = calls.merge(seats, on=["game", "seat"], suffixes=("", "_seated"))
    assert (seated["bot"] == seated["bot_seated"]).all()
