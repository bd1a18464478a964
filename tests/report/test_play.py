"""Numbers of the play: small logs worked out by hand, laws of any log, and the published example."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import product
from math import log2, sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from arena.game import Bid, Call, Dice, Game, preset
from arena.record.log import GAMES, LogError
from arena.record.schema import Fault, GameRecord, Header, Line, Sprt, encode_line
from arena.record.tables import make_tables, read_tables
from arena.report.blocks import estimate
from arena.report.evidence import read_evidence
from arena.report.play import read
from arena.report.play.measures import MEASURES
from arena.report.play.odds import at_least, entropy, exactly
from arena.report.play.read import Play, play_of, read_play
from arena.report.play.stakes import stakes, turning_points, win_chances
from arena.report.play.sums import Ratios
from arena.report.play.text import show_value
from arena.report.play.weigh import weigh
from tests.record.test_tables import SMALL, make_header, make_record
from tests.report.logs import logged

# --- chances -----------------------------------------------------------------------------------------


def test_odds_are_binomial() -> None:
    hidden, need = (index.ravel() for index in np.indices((41, 50)))
    need = need - 5
    for chance in (1 / 6, 1 / 3):
        per_die = np.full(len(need), chance)
        assert at_least(need, hidden, per_die) == pytest.approx(
            binom.sf(need - 1, hidden, chance), abs=1e-13
        )
        assert exactly(need, hidden, per_die) == pytest.approx(
            binom.pmf(need, hidden, chance), abs=1e-13
        )


def test_entropy() -> None:
    assert entropy(np.array([0, 0.5, 1, 0.25])) == pytest.approx([0, 1, 0, 2 - 0.75 * log2(3)])


@cache
def by_losses(dice: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Each round one of the live seats loses a die, each as likely: the last one in wins."""
    live = [seat for seat, held in enumerate(dice) if held]
    if len(live) == 1:
        return tuple(Fraction(seat in live) for seat in range(len(dice)))
    after = [by_losses((*dice[:seat], dice[seat] - 1, *dice[seat + 1 :])) for seat in live]
    return tuple(sum(column, Fraction()) / len(live) for column in zip(*after, strict=True))


def test_chances_to_win() -> None:
    # The problem of points as Pascal solved it: who lacks one point, the other two, has 3/4.
    assert win_chances(np.array([[2, 1]]))[0] == pytest.approx([3 / 4, 1 / 4])
    for positions in (
        [dice for dice in product(range(5), repeat=3) if any(dice)],
        [(2, 2, 3, 2, 2, 2), (5, 4, 1, 0, 0, 2), (0, 0, 0, 0, 1, 0), (0, 3, 0, 3, 2, 2)],
        [(30, 29), (1, 30), (12, 12)],
    ):
        expected = np.array([by_losses(dice) for dice in positions], np.float64)
        assert win_chances(np.array(positions)) == pytest.approx(expected, abs=1e-11)


# --- one game of everything, by hand -----------------------------------------------------------------


def test_what_calls_were_worth() -> None:
    """`SMALL` holds calza, palifico with Tabba, passes, a forfeit, and bids on aces."""
    calls = weigh(make_tables(make_header(), [SMALL]))
    none = float("nan")
    expected = [
        # expected, P(true), P(exact), P(standing bid false), bluff
        (2 + 6 / 3, 1, (2 / 3) ** 6, none, False),  # A 2234: 2x2, six hidden
        (1 + 8 / 3, 1 - (2 / 3) ** 8, 8 / 3 * (2 / 3) ** 7, (2 / 3) ** 8, False),  # B 25: 2x5 over 2x2
        (2 + 6 / 6, 1, 0, 0, False),  # C 1136: 1x1 over 2x5, for which its two aces count
        (8 / 6, 1 - (5 / 6) ** 8, 8 / 6 * (5 / 6) ** 7, (5 / 6) ** 8, False),  # B passes on 1x1
        # A 2234: 2x1 without an ace, six hidden dice with one ace on average: nothing supports it
        (6 / 6, 1 - 11 / 6 * (5 / 6) ** 5, 15 / 36 * (5 / 6) ** 4, (5 / 6) ** 6, True),
        (8 / 6, binom.sf(2, 8, 1 / 6), binom.pmf(3, 8, 1 / 6), binom.cdf(1, 8, 1 / 6), True),  # B 3x1
        (3, binom.sf(1, 6, 1 / 6), binom.pmf(2, 6, 1 / 6), (5 / 6) ** 6, False),  # C 4x1, two aces
        (8 / 6, binom.sf(3, 8, 1 / 6), 70 * 5**4 / 6**8, binom.cdf(3, 8, 1 / 6), False),  # B calza
        (none, none, none, none, False),  # palifico: no bid yet
        (1 + 8 / 6, 1, (5 / 6) ** 8, none, False),  # B 5: 1x5, no wild face
        (5 / 6, binom.sf(1, 5, 1 / 6), binom.pmf(2, 5, 1 / 6), (5 / 6) ** 5, True),  # C 1136: 2x5
        (1 + 8 / 6, 1 - (5 / 6) ** 8, 8 / 6 * (5 / 6) ** 7, (5 / 6) ** 8, False),  # B passes on 2x5
        # A 2234: 3x4, a Tabba bid, is a bid; of 2x5 it holds none
        (1 + 5 / 6, binom.sf(1, 5, 1 / 6), binom.pmf(2, 5, 1 / 6), binom.cdf(1, 5, 1 / 6), False),
        (5 / 6, binom.sf(2, 5, 1 / 6), binom.pmf(3, 5, 1 / 6), binom.cdf(2, 5, 1 / 6), False),  # tabba
        (1 + 5 / 3, 1 - (2 / 3) ** 5, 5 / 3 * (2 / 3) ** 4, none, False),  # A 234: 2x3
        (3 + 4 / 3, 1, 0, 0, False),  # C forfeits: 2x3 stands, three of its own count
        (1 + 1 / 3, 1, 2 / 3, none, False),  # A 234: 1x2
        (1 + 3 / 3, 1, (2 / 3) ** 3, (2 / 3) ** 3, False),  # B 5: 1x5 over 1x2
        (1 / 3, 1 / 3, 1 / 3, 2 / 3, False),  # A doubts 1x5: one hidden die
    ]
    columns = ["expected", "true_chance", "exact_chance", "doubt_chance", "bluff"]
    assert np.array(calls[columns], np.float64) == pytest.approx(
        np.array(expected, np.float64), nan_ok=True, abs=1e-12
    )
    assert calls["true"].tolist()[:8] == [True, True, True, True, True, False, False, False]
    assert calls["exact"].tolist()[3:6] == [False, True, False]
    assert calls["true"].isna().tolist() == [number == 8 for number in range(19)]
    assert calls["difficulty"].iloc[-1] == pytest.approx(log2(3) - 2 / 3)


def test_what_rounds_were_worth() -> None:
    hands = stakes(make_tables(make_header(), [SMALL]))
    start, second = by_losses((4, 4, 2)), by_losses((4, 4, 1))
    third, fourth = by_losses((4, 3, 1)), by_losses((0, 3, 1))
    assert fourth[1:] == (Fraction(7, 8), Fraction(1, 8))
    expected = [*start, *second, *third, *fourth[1:]]
    assert hands["before"].to_numpy() == pytest.approx([float(chance) for chance in expected])
    # A and B share the first place
    after = [*second, *third, *fourth, Fraction(1, 2), Fraction(1, 2)]
    assert hands["after"].to_numpy() == pytest.approx([float(chance) for chance in after])
    assert hands["role"].tolist() == [
        *("bidder", "onlooker", "caller"),  # B calls calza on a bid of C
        *("caller", "bidder", "onlooker"),  # C calls tabba on A
        *("caller", "onlooker", "onlooker"),  # C forfeits, A's bid has nothing to do with it
        *("caller", "bidder"),  # A doubts B
    ]
    assert hands["opened"].tolist()[:6] == [False, True, False, False, False, True]


# --- two games, every measure by hand ----------------------------------------------------------------

FIRST = make_record(
    [
        (0, 0, "12 34", "1x3 2x3 dudo", 2, "0-1"),
        (0, 1, "5 66", "1x6 2x6 dudo", 2, "0-1"),
    ],
    [2, 1],
)
SECOND = make_record(
    [
        (0, 0, "22 13", "3x2 dudo", 3, "1-1"),
        (1, 1, "44 1", "1x1 0:forfeit", None, "0-2"),
    ],
    [2, 1],
    game=1,
    rotation=1,
    seats=[1, 0],
    faults=[Fault(0, "timeout", 2, "")],
)
TWO = make_header("AB", 2)


def row(play: Play, bot: str, measure: str) -> pd.Series[float]:
    found = play.measures[(play.measures["bot"] == bot) & (play.measures["measure"] == measure)]
    assert len(found) == 1
    return found.iloc[0]


A = {
    # bids: 1x3 with an ace (P 1, expects 1 + 2/3); palifico 1x6 with a five (1 - 25/36, 1/3); palifico
    # 1x1 with an ace (1, 1 + 2/6): all three open and all are true
    "bid_chance": ((2 + 11 / 36) / 3, 3),
    "bid_true": (1, 3),
    "bluff": (1 / 3, 3),
    "bare": (1 / 3, 3),
    "over": (1 / 3, 3),
    "excess": ((-2 / 3 + 2 / 3 - 1 / 3) / 3, 3),
    "open_chance": ((2 + 11 / 36) / 3, 3),
    "open_excess": (-1 / 9, 3),
    "open_part": ((1 / 4 + 1 / 3 + 1 / 3) / 3, 3),
    "open_bluff": (1 / 3, 3),
    "open_aces": (1 / 3, 3),
    # doubts: 2x3 with an ace (4/9), 2x6 with a five (35/36), 3x2 with an ace (8/9); never a raise
    "doubts": (1, 3),
    "doubt_chance": ((4 / 9 + 35 / 36 + 8 / 9) / 3, 3),
    "doubt_right": (0, 3),
    "calzas": (0, 2),
    # lost both ordinary rounds and the palifico round; the void round does not count
    "loses": (1, 2),
    "palifico_loses": (1, 1),
    "opener_loses": (1, 1),
    "palifico_opener_loses": (1, 1),
    # 1/2 -> 1/4 -> 0 and 1/2 -> 1/4 by doubts; 1/4 -> 1 when B forfeits
    "by_doubting": (-3 / 4 / 2, 2),
    "when_doubted": (0, 2),
    "by_calling": (0, 2),
    "when_called": (0, 2),
    "looking_on": (3 / 4 / 2, 2),
    "by_forfeit": (0, 2),
}
B = {
    # bids: 2x3 with a three (5/9, expects 1 + 2/3), palifico 2x6 with two (1, 2 + 1/6), 3x2 with two
    # (5/9, 2 + 2/3), which opens
    "bid_chance": ((5 / 9 + 1 + 5 / 9) / 3, 3),
    "bid_true": (1, 3),
    "bluff": (0, 3),
    "bare": (0, 3),
    "over": (2 / 3, 3),
    "excess": ((1 / 3 - 1 / 6 + 1 / 3) / 3, 3),
    "open_chance": (5 / 9, 1),
    "open_excess": (1 / 3, 1),
    "open_part": (3 / 4, 1),
    "open_bluff": (0, 1),
    "open_aces": (0, 1),
    "doubts": (0, 2),
    "caught": (0, 3),
    "calzas": (0, 2),
    "loses": (0, 2),
    "palifico_loses": (0, 1),
    "opener_loses": (0, 1),
    "by_doubting": (0, 2),
    "when_doubted": (3 / 4 / 2, 2),
    "by_calling": (0, 2),
    "when_called": (0, 2),
    "looking_on": (0, 2),
    "by_forfeit": (-3 / 4 / 2, 2),
}


def test_every_measure_by_hand() -> None:
    play = play_of(TWO, [SECOND, FIRST])
    assert play.blocks == 1
    for bot, expected in (("A", A), ("B", B)):
        names = play.measures[play.measures["bot"] == bot]["measure"].tolist()
        assert names == [measure.name for measure in MEASURES if measure.name in expected]
        for name, (value, count) in expected.items():
            found = row(play, bot, name)
            assert found["value"] == pytest.approx(value, abs=1e-12), name
            assert (found["count"], found["blocks"]) == (count, 1), name
    assert play.measures["low"].isna().all(), "one block: no interval"


def test_curves_by_hand() -> None:
    play = play_of(TWO, [FIRST, SECOND])
    doubts = play.doubts
    assert doubts["bot"].tolist() == ["A", "A", "A"]
    assert doubts["bin"].tolist() == pytest.approx([0.4, 0.8, 0.9])
    assert doubts["predicted"].tolist() == pytest.approx([4 / 9, 8 / 9, 35 / 36])
    assert doubts["value"].tolist() == [0, 0, 0]

    faces = play.openings[play.openings["bot"] == "A"]
    assert faces["value"].tolist() == pytest.approx([1 / 3, 0, 1 / 3, 0, 0, 1 / 3])

    # B raised 1x3 holding a three and 1x6 holding two: certain, after 2 and 102 microseconds
    hard = play.difficulty[play.difficulty["bot"] == "B"]
    assert hard["bin"].tolist() == [0]
    assert hard["value"].tolist() == pytest.approx([sqrt(2 * 102) / 1000])

    dice = play.dice.pivot(index="round", columns="bot", values="value")
    assert dice["A"].tolist() == [2, 1, 0.5]
    assert dice["B"].tolist() == [2, 2, 1]

    assert play.games.astype({"bot": str}).to_numpy().tolist() == [
        ["A", "comeback", 1, 2, 0.25],
        ["A", "collapse", 0, 1, 0.5],
        ["B", "comeback", 0, 1, 0.5],
        ["B", "collapse", 1, 2, 0.75],
    ]


def test_calza_by_hand() -> None:
    wrong = make_record([(0, 0, "12 34", "1x3 calza", 2, "1-1")], [1, 2])
    right = make_record([(0, 0, "12 34", "2x3 calza", 2, "")], [2, 1], game=1, rotation=1, seats=[1, 0])
    play = play_of(TWO, [wrong, right])
    for bot, expected in (
        # each calls once, holding a three: of two hidden dice none (4/9), one (4/9) is to count for it
        ("A", {"calzas": 1 / 2, "calza_chance": 4 / 9, "calza_right": 1}),
        ("B", {"calzas": 1 / 2, "calza_chance": 4 / 9, "calza_right": 0}),
        # B loses the first game as caller and the second as bidder, from a half each
        ("A", {"by_calling": 1 / 4, "when_called": 1 / 4, "by_doubting": 0}),
        ("B", {"by_calling": -1 / 4, "when_called": -1 / 4, "loses": 1 / 2}),
    ):
        for name, value in expected.items():
            assert row(play, bot, name)["value"] == pytest.approx(value), (bot, name)


def test_what_the_referee_called_is_not_the_bots() -> None:
    late = Fault(0, "timeout", 1, "", penalty="default-call", call=2)
    first = make_record(
        [
            (0, 0, "12 34", "1x3 2x3 dudo", 2, "0-1"),
            (0, 1, "5 66", "1x6 2x6 dudo", 2, "0-1"),
        ],
        [2, 1],
        faults=[late],
    )
    play = play_of(TWO, [first, SECOND])
    assert row(play, "A", "doubt_chance")["value"] == pytest.approx((35 / 36 + 8 / 9) / 2)
    assert row(play, "A", "doubts")["count"] == 2
    assert row(play, "A", "by_doubting")["value"] == pytest.approx(-3 / 8), "it did cost a die"


def test_turning_points_by_hand() -> None:
    turns = turning_points(stakes(make_tables(TWO, [FIRST, SECOND])))
    assert turns["game"].tolist() == [0, 1]
    assert turns["round"].tolist() == [1, 2], "of two equal ones the first"
    assert turns["moved"].tolist() == pytest.approx([0.25, 0.75])
    assert turns["gains"].tolist() == ["B", "A"]
    assert turns["loss"].tolist() == pytest.approx([-0.25, -0.75])


def test_a_log_that_contradicts_itself_is_refused_in_words(tmp_path: Path) -> None:
    wrong = make_record([(0, 0, "12 34", "1x3 doubt", 2, "1-1")], [1, 2])
    lines: list[Line] = [make_header("AB", 2, name="standard"), wrong, SECOND]
    (tmp_path / GAMES).write_bytes(b"".join(map(encode_line, lines)))
    for read_all in (read_play, read_tables, read_evidence):
        with pytest.raises(LogError, match=r"games\.jsonl: 'doubt' is not a call"):
            read_all(tmp_path)


def test_only_whole_blocks_count() -> None:
    broken = make_record([(0, 0, "12 34", "5x5 dudo", 1, "0-1")], [2, 1], game=2, block=1)
    other = make_record([(0, 0, "12 34", "5x5 dudo", 1, "0-1")], [2, 1], game=4, block=2)
    spoilt = make_record(
        [(0, 0, "12 34", "5x5 1:forfeit", None, "1-2")],
        [1, 2],
        game=5,
        block=2,
        rotation=1,
        seats=[1, 0],
        faults=[Fault(1, "host", 1, "")],
    )
    play = play_of(TWO, [broken, FIRST, other, spoilt, SECOND])
    assert play.blocks == 1
    pd.testing.assert_frame_equal(play.measures, play_of(TWO, [FIRST, SECOND]).measures)
    nothing = play_of(TWO, [broken])
    assert nothing.measures.empty
    assert nothing.games.empty
    assert nothing.dice.columns.tolist() == play.dice.columns.tolist()


# --- laws --------------------------------------------------------------------------------------------


def any_log(name: str, blocks: int) -> tuple[Header, list[GameRecord]]:
    rng = random.Random(name)
    rules = preset(name)
    players = min(3, rules.players[1])
    games = []
    for number in range(blocks * players):
        game = Game(rules, players, Dice(number.to_bytes(8, "big")), listeners=range(players))
        faults = []
        while (ask := game.ask) is not None:
            bids: list[Call] = [
                Bid(least, face)
                for minimums in (ask.minimums, ask.tabba_minimums or ())
                for face, least in enumerate(minimums, 1)
                if least <= ask.maximum
            ]
            if rng.random() < 0.003:
                faults.append(Fault(ask.seat, "crash", len(game.rounds), ""))
                game.forfeit(ask.seat)
            else:
                game.answer(rng.choice([*ask.words, *bids]))
        header, record = logged(game, faults)
        record.game, record.block, record.rotation = number, number // players, number % players
        record.seats = [(seat + number) % players for seat in range(players)]
        games.append(record)
    return header, games


@pytest.mark.parametrize("name", ["santaba", "rdr", "openspiel", "neller"])
def test_any_log(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    header, games = any_log(name, 25)
    play = play_of(header, games)
    units = {measure.name: measure.unit for measure in MEASURES}
    shares = play.measures[play.measures["measure"].map(units) == "share"]
    assert shares["value"].between(0, 1).all()
    assert (play.measures["blocks"] <= 25).all()
    assert play.doubts["value"].between(0, 1).all()

    # swings lead from the start to the result
    tables = make_tables(header, games)
    hands = stakes(tables)
    chances = hands.groupby(["game", "round"])["before"].sum().to_numpy()
    assert chances == pytest.approx(np.ones(len(chances)))
    won = tables.seats["won"] / tables.seats.groupby("game")["won"].transform("sum")
    start = hands[hands["round"] == 1]["before"].to_numpy()
    gained = hands.groupby(["game", "seat"])["swing"].sum().to_numpy()
    assert gained == pytest.approx(won.to_numpy() - start)
    swings = play.measures[play.measures["measure"].map(units) == "points"]
    means = pd.Series(won.to_numpy() - start).groupby(tables.seats["bot"].astype(str)).mean()
    assert swings.groupby("bot", observed=True)["value"].sum().to_numpy() == pytest.approx(
        means.to_numpy()
    )

    # parts and their order make no difference
    monkeypatch.setattr(read, "BATCH", 200)
    random.Random(1).shuffle(games)
    again = play_of(header, games)
    for table in ("measures", "doubts", "openings", "difficulty", "dice", "games"):
        pd.testing.assert_frame_equal(getattr(again, table), getattr(play, table))


def test_of_a_large_log_a_sample_of_blocks_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    header, games = any_log("openspiel", 60)
    header.games = len(games)
    monkeypatch.setattr(read, "MANY_CALLS", header.games * header.players * read.CALLS_A_SEAT // 3)
    play = play_of(header, games)
    assert play.one_in == 3
    assert 16 <= play.blocks <= 24
    assert play.sample == f"Measured on one block in 3: {play.blocks} of them."

    header.sprt = Sprt(0, 10)
    assert play_of(header, games).blocks == 60, "it may have ended long before it was large"
    header.sprt = None

    # nothing of the rest goes in, and no cycle of blocks is left out or preferred
    drawn = {game.block for game in games if game.block * 2654435761 % 2**32 * 3 < 2**32}
    assert len(drawn) == play.blocks
    for cycle in (2, 3, 6):
        assert {block % cycle for block in drawn} == set(range(cycle))
    monkeypatch.undo()
    alone = play_of(header, [game for game in games if game.block in drawn])
    pd.testing.assert_frame_equal(play.measures, alone.measures)


def test_doubts_of_bids_that_tell_nothing_are_calibrated() -> None:
    """All call at random, whatever their dice, so a bid says nothing about the hand behind it."""
    doubts = play_of(*any_log("standard", 150)).doubts
    sure = doubts[doubts["count"] >= 40]
    assert len(sure) > 3
    error = np.sqrt(sure["predicted"] * (1 - sure["predicted"]) / sure["count"])
    assert (abs(sure["value"] - sure["predicted"]) < 3.5 * error + 0.02).all()


def test_ratios_of_equal_blocks_are_means_of_block_means() -> None:
    values = np.random.default_rng(1).random((30, 2))
    ratios = Ratios((2,))
    ratios.add(4 * values[:10], np.full((10, 2), 4.0))
    ratios.add(4 * values[10:], np.full((20, 2), 4.0))
    found = ratios.estimate()
    plain = estimate(np.tile([0, 1], 30), values.ravel(), 2)
    assert found.mean == pytest.approx(plain.mean)
    assert found.half == pytest.approx(plain.half)
    assert found.blocks.tolist() == [30, 30]


def test_intervals_of_unequal_blocks_cover_the_truth() -> None:
    """2,000 experiments at once: blocks of 0 to 20 calls, alike within a block; the truth is 0.3."""
    rng = np.random.default_rng(2)
    below = rng.integers(0, 21, (60, 2000)).astype(np.float64)
    above = rng.binomial(below.astype(np.int64), rng.beta(3, 7, below.shape)).astype(np.float64)
    ratios = Ratios((2000,))
    ratios.add(above, below)
    found = ratios.estimate()
    assert 0.93 < (abs(found.mean - 0.3) < found.half).mean() < 0.965


def test_shares_are_between_0_and_1() -> None:
    ratios = Ratios((1, 2))
    above = np.zeros((40, 1, 2))
    above[7] = 1
    ratios.add(above, np.full((40, 1, 2), 5.0))
    rows = read._long(["ann"], "what", np.array(["share", "mean"]), ratios, np.array([True, False]))
    assert rows["value"].tolist() == [0.005, 0.005]
    assert rows["low"][0] == 0 > rows["low"][1]
    assert rows["high"][0] == rows["high"][1]
    low, high = rows[["low", "high"]].to_numpy()[0]
    assert show_value(0.005, low, high, "share") == "0.5 ±1.0"


@pytest.mark.parametrize(
    ("value", "half", "unit", "expected"),
    [
        (0.138, 0.0084, "share", "13.8 ±0.8"),
        (0.4421, 0.021, "share", "44 ±2"),
        (0.14404, 0.00031, "share", "14.40 ±0.03"),
        (0.215, 0.0021, "dice", "0.215 ±0.002"),
        (0.215, np.nan, "dice", "0.2"),
    ],
)
def test_as_many_digits_as_the_interval_allows(
    value: float, half: float, unit: str, expected: str
) -> None:
    assert show_value(value, value - half, value + half, unit) == expected


def test_no_interval_without_evidence() -> None:
    ratios = Ratios((3,))
    below = np.full((40, 3), 2.0)
    below[19:, 0] = 0  # too few blocks; then all alike; then nothing wrong
    above = np.where(np.arange(40)[:, None] % 2, 1.0, 0.0) * below * [1, 0, 1]
    ratios.add(above, below)
    assert np.isnan(ratios.estimate().half).tolist() == [True, True, False]


# --- the published example ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def example() -> Play:
    return read_play(Path(__file__).parents[2] / "results" / "example")


def test_the_bots_are_what_they_are_called(example: Play) -> None:
    def interval(bot: str, measure: str) -> tuple[float, float]:
        found = row(example, bot, measure)
        return found["low"], found["high"]

    for low, high in (("honest", "bluffer"), ("honest-js", "bluffer"), ("bluffer", "random")):
        for measure in ("bluff", "bare", "over", "excess"):
            assert interval(low, measure)[1] < interval(high, measure)[0], measure
    # the same program in two languages
    ours, theirs = interval("honest", "bluff"), interval("honest-js", "bluff")
    assert ours[0] < theirs[1]
    assert theirs[0] < ours[1]
    # who bids the truth as far as it can is right as often as it thinks
    assert interval("honest", "bid_true")[0] < row(example, "honest", "bid_chance")["value"] + 0.02
