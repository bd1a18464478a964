"""Numbers that others published: Bradley-Terry, Plackett-Luce, choix, Ordo, BayesElo."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from arena.rating import Results, from_crosstable, from_orders, rate, seat_worth, superiority
from arena.rating.plackett_luce import ELO

ORDO = 202 * math.log(10) / (400 * math.log(0.76 / 0.24))
"""Ordo's points per one of Elo's: a player that scores 76 % is 202 points ahead, by definition
(its option -z). Multiply ratings by it to compare; 0.9 % more."""


# --- Agresti 2002, "Categorical Data Analysis", 2nd edition, section 10.6: baseball -------------------

TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
# wins-losses of the row team at home against the column team: table 10.10
AT_HOME = """
    -   4-3 4-2 4-3 6-1 4-2 6-0
    3-3 -   4-2 4-3 6-0 6-1 4-3
    2-5 4-3 -   2-4 4-3 4-2 6-0
    3-3 5-1 2-5 -   4-3 4-2 6-1
    5-1 2-5 3-3 4-2 -   5-2 6-0
    2-5 3-3 3-4 4-3 4-2 -   2-4
    2-5 1-5 1-6 2-4 1-6 3-4 -
"""


def baseball() -> Results:
    """The home team in seat 0, every game a block."""
    seats, places = [], []
    for home, row in enumerate(AT_HOME.strip().splitlines()):
        for away, cell in enumerate(row.split()):
            if cell != "-":
                won, lost = map(int, cell.split("-"))
                seats += [[home, away]] * (won + lost)
                places += [[1, 2]] * won + [[2, 1]] * lost
    table = np.array(seats)
    lineup = np.unique(np.sort(table, axis=1) @ [7, 1], return_inverse=True)[1]
    games = np.arange(len(table))
    whole = np.ones(len(table), bool)
    return Results(tuple(TEAMS), table, np.array(places), lineup, games, whole, ~whole)


def test_baseball_without_home_advantage() -> None:
    ratings = rate(baseball(), anchor="Baltimore", anchor_value=0)
    found = {row.bot: round((row.rating or 0) / ELO, 2) for row in ratings.rows}
    expected = {"Milwaukee": 1.58, "Detroit": 1.44, "Toronto": 1.29, "New York": 1.25}
    expected |= {"Boston": 1.11, "Cleveland": 0.68, "Baltimore": 0}
    assert found == expected  # table 10.11, column 3
    # "standard errors are about 0.3": those of the bootstrap too
    for error in ratings.draws[:, :6].std(axis=0) / ELO:
        assert error == pytest.approx(0.35, abs=0.05)


def test_baseball_with_home_advantage() -> None:
    found = seat_worth(baseball(), 2)
    assert round((found.worth[0] - found.worth[1]) / ELO, 3) == 0.302
    strength = np.exp(found.bots / ELO)
    expected = [0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044]  # table 10.11, column 5
    assert np.round(strength / strength.sum(), 3).tolist() == expected
    error = (found.high[0] - found.low[0]) / 1.96 / ELO  # of twice the worth of seat 0
    assert error == pytest.approx(0.131, abs=0.01)


# --- Stigler 1994, "Citation patterns in the journals of statistics and probability" ------------------
# Counts and fit as the vignette of R's package BradleyTerry2 has them (Turner and Firth 2012).


def test_citations() -> None:
    journals = ["Biometrika", "Comm Statist", "JASA", "JRSS-B"]
    cited = np.array([[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]])
    results = from_crosstable(journals, cited, np.zeros((4, 4), int))
    ratings = rate(results, anchor="Biometrika", anchor_value=0)
    found = [round((ratings[journal].rating or 0) / ELO, 5) for journal in journals]
    assert found == [0, -2.94907, -0.47957, 0.26895]
    for error, expected in zip(ratings.draws.std(axis=0)[1:] / ELO, (0.103, 0.061, 0.071), strict=True):
        assert error == pytest.approx(expected, rel=0.15)  # theirs by the inverse information


# --- choix (Maystre): tests/data ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        ([[0, 1], [0, 1], [1, 2], [2, 0]], [0.419617624, -0.419617624, 0.0]),
        ([[0, 1, 2], [3, 2, 0], [1, 3]], [-0.44328117, 0.69506219, -0.67061442, 0.4188334]),
    ],
)
def test_choix(orders: list[list[int]], expected: list[float]) -> None:
    # its orders begin with the winner, who is chosen first
    results = from_orders([[str(item) for item in order[::-1]] for order in orders])
    rows = {row.bot: row.rating for row in rate(results, anchor_value=0, replicates=0).rows}
    found = [-(rows[str(item)] or 0) / ELO for item in range(len(expected))]
    assert found == pytest.approx(expected, abs=3e-5)  # its estimates end that near the maximum


# --- Turner, van Etten, Firth, Kosmidis 2020, "Modelling rankings in R: the PlackettLuce package" ------
# The printed output of its vignette "Introduction to PlackettLuce", here and for the races below.

FOUR_ITEMS = [["A", "B"], ["C", "A"], ["A", "D"], ["B", "A"], ["B", "C"]]


@pytest.mark.parametrize(
    ("games", "prior", "expected", "digits"),
    [
        # D lost its only game and is left out; npseudo = 0
        ([game for game in FOUR_ITEMS if "D" not in game], 0, [0, 0.8392, 0.4196], 4),
        # npseudo = 0.5, its default: half a win and half a loss against a ghost, which is one draw
        (FOUR_ITEMS, 1, [0, 0.5184185, 0.1354708, -1.1537568], 6),
    ],
)
def test_four_items_of_the_r_package(
    games: list[list[str]], prior: float, expected: list[float], digits: int
) -> None:
    rows = {row.bot: row.rating for row in rate(from_orders(games), prior=prior, replicates=0).rows}
    found = [((rows[item] or 0) - (rows["A"] or 0)) / ELO for item in "ABCD"[: len(expected)]]
    assert found == pytest.approx(expected, abs=0.51 * 10**-digits)


# --- Hunter 2004, "MM algorithms for generalized Bradley-Terry models": 36 races of 43 drivers --------
# The races are also a data set of R's package PlackettLuce (nascar), the numbers stand in its vignette.


def races(backwards: bool = True) -> Results:
    """Hunter's model chooses the winner first, ours who leaves: turned round they are the same."""
    lines = (Path(__file__).parent / "nascar_2002.txt").read_text().splitlines()
    step = -1 if backwards else 1
    return from_orders([[f"driver {number}" for number in line.split()[::step]] for line in lines])


def worths(prior: float, digits: int = 2) -> dict[str, float]:
    """Log-worths, driver 1 at 0."""
    rows = rate(races(), prior=prior, replicates=0).rows
    found = {row.bot: -row.rating / ELO for row in rows if row.rating is not None}
    return {bot: round(worth - found["driver 1"], digits) for bot, worth in found.items()}


def test_nascar_2002() -> None:
    found = worths(0)
    assert len(found) == 83
    first = {"P. J. Jones": 58, "Scott Pruett": 68, "Mark Martin": 51}
    last = {"Dave Marcis": 15, "Dick Trickle": 17, "Joe Varde": 40}
    numbers = [*first.values(), *last.values()]
    assert [found[f"driver {n}"] for n in numbers] == [4.15, 3.62, 2.08, 0.03, -0.31, -0.15]


def test_four_drivers_placed_last_in_every_race() -> None:
    rows = rate(races(backwards=False), replicates=0).rows
    last = [row.bot for row in rows if row.word == "last in every game"]
    assert sorted(last) == ["driver 84", "driver 85", "driver 86", "driver 87"]


def test_nascar_2002_with_the_prior_of_the_r_package() -> None:
    found = worths(1)
    assert len(found) == 87
    numbers = [58, 68, 51, 15, 17, 40, 84, 85, 86, 87]
    expected = [3.20, 2.77, 1.91, 0.02, -0.38, -0.12, -2.17, -1.74, -1.59, -1.77]
    assert [found[f"driver {n}"] for n in numbers] == expected
    finer = worths(1, digits=5)
    expected = [-2.17107, -1.74475, -1.59076, -1.76863]  # printed with six digits
    assert [finer[f"driver {n}"] for n in range(84, 88)] == pytest.approx(expected, abs=1.1e-5)


# --- Ordo ---------------------------------------------------------------------------------------------


def test_ordo_head_to_head_of_goldfish() -> None:
    # The README of the chess engine Goldfish (bsamseth/Goldfish): five versions, v1.0 held at 2000.
    # Ordo can fit White's advantage too, which stretches its numbers a little; who had White is not
    # published, so 1 % is as near as this can come.
    versions = ["v1.4", "v1.3", "v1.2", "v1.1", "v1.0"]
    wins, draws = np.zeros((5, 5), int), np.zeros((5, 5), int)
    for i, j, won, drawn, lost in [
        (0, 1, 11, 30, 9),
        (0, 2, 15, 28, 7),
        (1, 2, 16, 55, 9),
        (1, 3, 13, 30, 7),
        (2, 3, 8, 18, 4),
        (3, 4, 7, 23, 2),
    ]:
        wins[i, j], draws[i, j], wins[j, i] = won, drawn, lost
    ratings = rate(from_crosstable(versions, wins, draws), anchor="v1.0", anchor_value=0, replicates=0)
    found = [2000 + ORDO * (ratings[version].rating or 0) for version in versions]
    assert found == pytest.approx([2132.1, 2110.6, 2082.6, 2055.7, 2000.0], abs=1.3)


def test_ordo_round_robin() -> None:
    # Four players, 32 games of each pair (a README on networks of Leela Chess Zero made of two).
    # With equally many games of each pair only the totals matter: 65.5, 52, 39 and 35.5 points.
    totals = {"SF9": 65.5, "hybrid": 52.0, "237": 39.0, "296": 35.5}
    against_hybrid = {"SF9": (14, 13, 5), "237": (5, 16, 11), "296": (4, 13, 15)}
    games = [
        order
        for bot, (won, drawn, lost) in against_hybrid.items()
        for order in [[bot, "hybrid"]] * won + [[[bot, "hybrid"]]] * drawn + [["hybrid", bot]] * lost
    ]
    # The games among the other three, in any way that gives the totals, in halves of a point:
    # SF9 has 45 of 64, 237 has 26, 296 has 25 there.
    rest = [("SF9", "237", 44), ("SF9", "296", 46), ("237", "296", 32)]
    for one, other, halves in rest:
        wins = halves // 2
        games += [[one, other]] * wins + [[other, one]] * (32 - wins)
    scores = dict.fromkeys(totals, 0.0)
    for game in games:
        level = game[0] if isinstance(game[0], list) else [game[0]]
        for bot in level:
            scores[bot] += 1 / len(level)
    assert scores == totals
    ratings = rate(from_orders(games), anchor="hybrid", anchor_value=0, replicates=0)
    found = {bot: round(ORDO * (ratings[bot].rating or 0), 1) for bot in totals}
    assert found == {"SF9": 79.3, "hybrid": 0.0, "237": -74.2, "296": -94.7}


def test_ordo_round_robin_with_draws() -> None:
    # Made-up results, 40 games of each pair, and what Ordo 1.2.6 prints for them: ordo -a 0 -A Eve -D
    # -s 10000 -J. Its errors and its confidence of superiority (over the next player) come from
    # replaying all games with the rate of draws that it finds.
    players = ["Ann", "Bob", "Cid", "Dan", "Eve"]
    wins, draws = np.zeros((5, 5), int), np.zeros((5, 5), int)
    for i, j, won, drawn, lost in [
        (0, 1, 17, 9, 14),
        (0, 2, 22, 8, 10),
        (0, 3, 25, 7, 8),
        (0, 4, 33, 5, 2),
        (1, 2, 16, 12, 12),
        (1, 3, 20, 6, 14),
        (1, 4, 27, 8, 5),
        (2, 3, 15, 11, 14),
        (2, 4, 24, 4, 12),
        (3, 4, 19, 10, 11),
    ]:
        wins[i, j], draws[i, j], wins[j, i] = won, drawn, lost
    results = from_crosstable(players, wins, draws)
    ratings = rate(results, anchor="Eve", anchor_value=0, replicates=4000)
    found = [ORDO * (ratings[player].rating or 0) for player in players]
    assert found == pytest.approx([263.11, 196.45, 136.59, 112.34, 0], abs=0.011)
    for player, error in zip(players, (68.92, 67.36, 66.15, 65.13), strict=False):
        row = ratings[player]
        assert ORDO * ((row.high or 0) - (row.low or 0)) / 2 == pytest.approx(error, rel=0.07)
    share = superiority(ratings)
    assert [share[i, i + 1] for i in range(4)] == pytest.approx([0.98, 0.97, 0.77, 1.0], abs=0.025)
    # BayesElo has its own model of draws (`mm 0 1`, no prior, no advantage): 5 points off at most.
    found = [ratings[player].rating or 0 for player in players]
    assert found == pytest.approx([263 - 3, 196 - 3, 141 - 3, 112 - 3, 0], abs=5)


@pytest.mark.parametrize(
    ("points", "games", "expected"),
    [
        (28513.5, 49962, 2324.9 - 2275.1),  # the chess engine Cinnamon (gekomad/Cinnamon)
        (5974.5, 10526, 2323.8 - 2276.2),
        (2745.5, 5347, 2304.7 - 2295.3),
        (890.0, 1398, 2349.1 - 2250.9),
        (171.5, 300, 1807.0 - 1756.4),  # the chess engine OopsMate
    ],
)
def test_ordo_of_two(points: float, games: int, expected: float) -> None:
    assert ORDO * between_two(points, games) == pytest.approx(expected, abs=0.11)  # two roundings


@pytest.mark.parametrize(
    ("points", "games", "expected"), [(28513.5, 49962, 50), (5974.5, 10526, 48), (2745.5, 5347, 9)]
)
def test_bayes_elo_of_two(points: float, games: int, expected: int) -> None:
    # The same matches of Cinnamon. BayesElo has a model of draws of its own and scales its numbers
    # to look like Elo's; it prints whole points.
    assert between_two(points, games) == pytest.approx(expected, abs=1.5)


def between_two(points: float, games: int) -> float:
    drawn = 1 if points % 1 else 0
    won = int(points)
    wins = np.array([[0, won], [games - won - drawn, 0]])
    draws = np.array([[0, drawn], [0, 0]])
    rows = rate(from_crosstable(["one", "other"], wins, draws), replicates=0).rows
    return (rows[0].rating or 0) - (rows[1].rating or 0)


def test_errors_and_confidence_of_superiority_of_ordo() -> None:
    # Lc0's testing guide: two versions, 2000 games each against "sf", held at 0. Ordo replays the
    # games from its fit; our blocks are single games here. It fits White's advantage too, which moves
    # its ratings by a tenth or so.
    wins = np.array([[0, 392, 408], [338, 0, 0], [315, 0, 0]])
    draws = np.array([[0, 1270, 1277], [0, 0, 0], [0, 0, 0]])
    results = from_crosstable(["sf", "policytempdecay", "lc0"], wins, draws)
    ratings = rate(results, anchor="sf", anchor_value=0, replicates=4000)
    for bot, rating, error in (("policytempdecay", -9.6, 9.0), ("lc0", -16.6, 9.5)):
        row = ratings[bot]
        assert row.low is not None
        assert row.high is not None
        assert ORDO * (row.rating or 0) == pytest.approx(rating, abs=0.3)
        assert ORDO * (row.high - row.low) / 2 == pytest.approx(error, rel=0.07)
    share = superiority(ratings)
    assert share[0, 1] == pytest.approx(0.98, abs=0.01)
    assert share[1, 2] == pytest.approx(0.85, abs=0.02)
