"""`arena duel`, `arena sprt` and `arena plan` as people type them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main

EXAMPLE = Path(__file__).parents[2] / "results" / "example"


def arena(*words: object, code: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result


def refusal(*words: object) -> str:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr


def facts(*words: object) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(arena(*words, "--json").stdout)
    return told


# -- duel --------------------------------------------------------------------------------------------


def test_duel() -> None:
    lines = arena("duel", EXAMPLE, "bluffer", "honest").stdout.splitlines()
    assert lines[0] == "bluffer against honest: standard rules, 4 players, mirrored deals"
    assert lines[1].startswith("120 blocks of 4 games, 480 games; points 0: ")
    assert [line.split()[0] for line in lines[3:7]] == ["score", "Elo", "nElo", "LOS"]
    told = facts("duel", EXAMPLE, "bluffer", "honest")
    assert (told["blocks"], told["games"], told["games_per_block"]) == (120, 480, 4)
    assert sum(told["counts"].values()) == 120
    wide, narrow = (
        facts("duel", EXAMPLE, "bluffer", "honest", "--confidence", share)["elo_interval"]
        for share in (99, 50)
    )
    assert wide[0] < narrow[0] < told["elo"] < narrow[1] < wide[1]


def test_duel_needs_two_names() -> None:
    assert "name two bots of demo: random, honest" in refusal("duel", EXAMPLE)
    assert "name two bots" in refusal("duel", EXAMPLE, "honest")
    assert "there is no bot 'x'" in refusal("duel", EXAMPLE, "honest", "x")


def test_duel_of_a_bot_that_lost_everything() -> None:
    told = arena("duel", EXAMPLE, "random", "honest").stdout
    assert "at most -602" in told
    assert "lost every game: the bound is exact, no finite difference fits" in told


# -- sprt --------------------------------------------------------------------------------------------


def test_sprt_of_games_as_fastchess_prints_them() -> None:
    told = facts("sprt", 111, 96, 136, "--normal")  # not in fastchess's order, which is W, L, D
    same = facts("sprt", "--wins", 136, "--draws", 96, "--losses", 111, "--normal")
    assert told == same
    assert told["score"] == pytest.approx(184 / 343)
    assert told["counts"] == {"0": 111, "0.5": 96, "1": 136}
    assert told["los_without_draws"] == pytest.approx(0.9442, abs=1e-4)


def test_sprt_of_pairs() -> None:
    told = facts("sprt", 34, 54, 63, 64, 75, "--normal", "--elo1", 5, "--model", "normalized")
    assert (told["elo"], told["nelo"]) == pytest.approx((55.58, 57.94), rel=0.01)
    assert told["sprt"]["unit"] == "pairs"
    assert (told["sprt"]["lower"], told["sprt"]["upper"]) == pytest.approx((-2.944, 2.944), abs=1e-3)
    lines = arena("sprt", 34, 54, 63, 64, 75).stdout.splitlines()
    assert lines[0] == "290 pairs, 580 games; LL: 34, LD: 54, WL+DD: 63, WD: 64, WW: 75"
    assert lines[-1] == "LLR 2.55 (-2.94 to 2.94) after 290 pairs: no decision"
    lines = arena("sprt", 34, 54, 63, 64, 75, "--elo1", 40).stdout.splitlines()
    assert lines[-1].endswith("after 290 pairs: H1 accepted")


def test_sprt_of_larger_blocks() -> None:
    whole = facts("sprt", 3, 9, 12, 8, 5, "--games", 4)
    halves = facts("sprt", 3, 0, 9, 0, 12, 0, 8, 0, 5, "--games", 4)
    assert whole["sprt"]["unit"] == "blocks of 4 games"
    assert whole["nelo"] == pytest.approx(halves["nelo"])
    assert whole["sprt"]["llr"] == pytest.approx(halves["sprt"]["llr"], abs=0.01)
    assert facts("sprt", 3, 9, 12, 8)["games_per_block"] == 3


def test_sprt_as_cutechess_has_it() -> None:
    counts = ("--wins", 1477, "--losses", 1351, "--draws", 2942, "--alpha", 0.01, "--beta", 0.01)
    told = facts("sprt", *counts, "--model", "cutechess")["sprt"]
    assert (told["llr"], told["lower"], told["upper"]) == pytest.approx((2.52, -4.6, 4.6), abs=0.01)
    assert told["verdict"] == "no decision"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "give the counts of results"),
        ((5,), "give the counts of results"),
        ((1, 2, 3, "--wins", 1), "give either COUNTs or --wins"),
        ((1, 2, 3, 4, "--games", 7), "4 counts do not fit a block of 7 games: it has 8 results"),
        ((1, 2, 3, "--elo1", -1), "--elo1: expected more than elo0, which is 0"),
        ((1, 2, 3, "--alpha", 0.7), "--alpha: expected a probability above 0 and below 0.5"),
        ((1, 2, 3, 4, 5, "--model", "bayesian"), "--model: bayesian needs losses, draws and wins"),
        ((1, "x", 3), "'x' is not a valid integer. "),
        ((1, 10**13, 3), "10000000000000 is not in the range"),
        ((1, 2, 3, "--elo1", "nan"), "'nan' is not a valid number"),
        ((1, 2, 3, "--confidence", "nan"), "'nan' is not a valid number"),
    ],
)
def test_sprt_refuses(words: tuple[object, ...], told: str) -> None:
    assert told in refusal("sprt", *words)


def test_sprt_without_a_game() -> None:
    told = arena("sprt", 0, 0, 0).stdout
    assert "0 games: nothing to say" in told
    assert facts("sprt", 0, 0, 0)["sprt"]["verdict"] == "no decision"


# -- plan --------------------------------------------------------------------------------------------


def test_plan() -> None:
    lines = arena("plan", "--elo", 20, "--players", 4).stdout.splitlines()
    assert lines[0].startswith("4 players, mirrored deals; the score of a block of 4 games has standard")
    assert lines[1].split()[-4:] == ["293", "blocks", "1172", "games"]
    fewer = facts("plan", "--elo", 40, "--players", 4)
    assert fewer["interval"]["blocks"] < 293 / 3
    surer = facts("plan", "--elo", 40, "--players", 4, "--power", 95, "--confidence", 99)
    assert surer["find"]["games"] > fewer["find"]["games"]
    alone = facts("plan", "--elo", 40, "--deals", "independent")
    assert alone["find"]["games"] > facts("plan", "--elo", 40)["find"]["games"]


def test_numbers_of_a_large_plan_stand_apart() -> None:
    assert " blocks 34778115216160 games" in arena("plan", "--elo", 0.0001).stdout


def test_plan_from_a_log() -> None:
    told = facts("plan", "--elo", 20, "--from", EXAMPLE, "--pair", "bluffer", "honest")
    assert (told["players"], told["deals"]) == (4, "mirrored")
    assert told["source"] == "as in 120 blocks of 4 games of bluffer and honest"
    low, high = told["mirrored_variance_ratio_interval"]
    assert low < told["mirrored_variance_ratio"] < high
    text = arena("plan", "--elo", 20, "--from", EXAMPLE, "--pair", "bluffer", "honest").stdout
    assert "no gain is proven" in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Missing option '--elo'"),
        (("--elo", 0), "0.0 is not in the range"),
        (("--elo", "nan"), "'nan' is not a valid number"),
        (("--elo", 5, "--power", "nan"), "'nan' is not a valid number"),
        (("--elo", 5, "--players", 7), "7 is not in the range"),
        (
            ("--elo", 5, "--from", EXAMPLE, "--players", 4),
            "--from: players and deals are those of the log",
        ),
        (("--elo", 5, "--pair", "a", "b"), "--pair: names bots of a tournament"),
        (("--elo", 5, "--from", EXAMPLE), "name two bots of demo"),
        (
            ("--elo", 5, "--from", EXAMPLE, "--pair", "random", "honest"),
            "every block of random and honest in",
        ),
    ],
)
def test_plan_refuses(words: tuple[object, ...], told: str) -> None:
    assert told in refusal("plan", *words)
