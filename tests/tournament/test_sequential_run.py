"""A run that its sequential test ends: the verdict is a function of the games, not of their timing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from arena.record.verify import verify
from arena.report.duel import read_duel
from arena.report.sequential import Verdict
from tests.oracle.replay import check_log
from tests.tournament.runs import (
    HONEST,
    PATIENT,
    RANDOM,
    ROOT,
    Workplace,
    end_of,
    game_lines,
    header_of,
    lines_of,
    log_of,
)

pytestmark = pytest.mark.realtime

BLUFFER = str(ROOT / "sample_bots/python/bluffer")
TEST = ("--sprt", "elo0=0,elo1=300", "--seed", 4, *PATIENT)
RULES = (BLUFFER, HONEST, *TEST, "--games-per-launch", 4, "--workers", 2)


@pytest.fixture(scope="module")
def decided(shared_place: Workplace) -> Path:
    out = shared_place.tmp / "decided"
    ended = shared_place.play(*RULES, "--out", out)
    assert "SPRT of bluffer against honest: H0 0 Elo, H1 300 Elo, alpha 0.05, beta 0.05" in ended.out
    assert f"H0 accepted at block {end_of(out)['decided']}" in ended.out
    return out


def verdict_of(out: Path) -> Verdict | None:
    return read_duel(out, ("bluffer", "honest")).verdict


def test_it_stops_by_itself_and_is_finished(decided: Path) -> None:
    end, header = end_of(decided), header_of(decided)
    block = end["decided"]
    assert header["games"] == 100_000
    assert header["sprt"] == {"elo0": 0, "elo1": 300, "alpha": 0.05, "beta": 0.05, "model": "logistic"}
    games = game_lines(decided)
    assert set(range(2 * (block + 1))) <= set(games)
    assert len(games) < 500
    assert check_log(log_of(decided)) == []
    assert verify(log_of(decided)).problems == []


def test_the_same_command_again_changes_nothing(shared_place: Workplace, decided: Path) -> None:
    before = log_of(decided).read_bytes()
    ended = shared_place.play(*RULES, "--out", decided)
    assert "its test was decided before" in ended.out
    assert f"H0 accepted at block {end_of(decided)['decided']}" in ended.out
    assert log_of(decided).read_bytes() == before


def test_other_workers_and_launches_come_to_the_same_verdict(place: Workplace, decided: Path) -> None:
    out = place.tmp / "out"
    place.play(BLUFFER, HONEST, *TEST, "--games-per-launch", 9, "--workers", 1, "--out", out)
    assert verdict_of(out) == verdict_of(decided)


@pytest.mark.parametrize("kept", [6, -1])
def test_it_goes_on_where_it_stopped(place: Workplace, decided: Path, kept: int) -> None:
    """Also from just before its closing line."""
    out = Path(shutil.copytree(decided, place.tmp / "out"))
    log_of(out).write_bytes(b"".join(lines_of(out)[:kept]))
    place.play(*RULES, "--out", out)
    assert end_of(out)["decided"] == end_of(decided)["decided"]
    assert verdict_of(out) == verdict_of(decided)
    assert check_log(log_of(out)) == []


def test_another_test_in_the_same_folder_is_refused(place: Workplace, decided: Path) -> None:
    ended = place.arena("run", *RULES, "--sprt", "elo1=200", "--out", decided)
    assert ended.code == 2
    assert (
        "sprt: elo0=0,elo1=300,alpha=0.05,beta=0.05,model=logistic before, elo0=0,elo1=200" in ended.err
    )


def test_a_decision_that_is_not_true_is_found(place: Workplace, decided: Path) -> None:
    out = Path(shutil.copytree(decided, place.tmp / "out"))
    *lines, last = lines_of(out)
    block = end_of(out)["decided"]
    false = last.replace(b'"decided":%d' % block, b'"decided":%d' % (block - 1))
    log_of(out).write_bytes(b"".join([*lines, false]))
    ended = place.arena("verify", out)
    assert ended.code == 1
    assert ended.out == f"decided: block {block - 1} in the log, block {block} by the games\n"


def test_a_missing_game_before_the_decision_is_found(place: Workplace, decided: Path) -> None:
    out = Path(shutil.copytree(decided, place.tmp / "out"))
    lines = lines_of(out)
    gone = next(line for line in lines[1:] if json.loads(line)["game"] == 3)
    log_of(out).write_bytes(b"".join(line for line in lines if line != gone))
    needed = 2 * (end_of(out)["decided"] + 1)
    problem, *others = verify(log_of(out)).problems
    assert (problem.field, problem.text) == ("games", f"1 of {needed} are missing: 3")
    assert others == []


def test_at_its_cap_there_is_no_decision(place: Workplace) -> None:
    out = place.tmp / "out"
    rules = (HONEST, BLUFFER, "--sprt", "elo0=0,elo1=2,model=normalized", "--blocks", 3)
    ended = place.play(*rules, *PATIENT, "--out", out)
    assert "6 of 6 games" in ended.out
    assert "H1 2 normalised Elo" in ended.out
    assert "after 3 pairs: no decision" in ended.out
    assert end_of(out)["decided"] is None
    assert not (out / "secret").exists()


def test_the_first_two_of_more_bots_at_larger_tables(place: Workplace) -> None:
    out = place.tmp / "out"
    (place.tmp / "t.toml").write_text(
        f'players = 3\nsprt = "elo1=300"\nmove_time = "5s"\ngames_per_launch = 4\n'
        f'bots = ["a={RANDOM}", "b={BLUFFER}", "c={RANDOM}", "d={HONEST}"]\n'
    )
    ended = place.play(place.tmp / "t.toml", "--out", out)
    assert "SPRT of a against b" in ended.out
    assert "H0 accepted at block" in ended.out
    end = end_of(out)
    assert len(end["secret"]) == 64
    assert not (out / "secret").exists()
    deciding = [json.loads(line) for line in game_lines(out).values()]
    assert {0, 1} <= {bot for g in deciding if g["block"] == end["decided"] for bot in g["seats"]}
    assert verify(log_of(out)).problems == []


def test_a_dry_run_says_that_it_may_end_before(place: Workplace) -> None:
    ended = place.play(RANDOM, HONEST, "--sprt", "elo1=20", "--blocks", 5, "--dry-run")
    assert ended.out.startswith("10 games")
    assert "at most: the run ends once its test has decided (elo0=0,elo1=20," in ended.out
