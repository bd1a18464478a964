"""Whole runs of the command with real bots: the same games however they are played, all by the rules."""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
from pathlib import Path

import pytest

from tests.oracle.replay import check_log
from tests.tournament.runs import (
    CULPRIT,
    HONEST,
    PATIENT,
    RANDOM,
    ROOT,
    Workplace,
    end_of,
    game_lines,
    games_of,
    header_of,
    lines_of,
    log_of,
    wait_for_games,
)

pytestmark = pytest.mark.realtime

NODE_HONEST = ROOT / "sample_bots/javascript/honest"


@pytest.fixture(scope="module")
def third(shared_place: Workplace) -> str:
    """Honest in JavaScript, in a copy so that no build touches the sources; in Python without Node."""
    if not (shutil.which("node") and (NODE_HONEST / "node_modules").is_dir()):
        print("Node.js or the JavaScript bot's node_modules are missing: a Python bot plays instead")
        return f"honest-too={HONEST}"
    copy = shared_place.tmp / "honest-js"
    shutil.copytree(NODE_HONEST, copy, symlinks=True)
    return str(copy)


SANTABA = (
    "--players",
    3,
    "--ruleset",
    "santaba",
    "--blocks",
    12,
    "--seed",
    7,
    "--games-per-launch",
    6,
    *PATIENT,
)


@pytest.fixture(scope="module")
def one_by_one(shared_place: Workplace, third: str) -> Path:
    """Three bots at santaba, one worker, one game at a time."""
    out = shared_place.tmp / "one"
    shared_place.play(RANDOM, HONEST, third, *SANTABA, "--workers", 1, "--out", out)
    return out


@pytest.mark.parametrize(
    "how",
    [("--workers", 2), ("--workers", 1, "--games-in-flight", 8)],
    ids=["two-workers", "eight-in-flight"],
)
def test_how_it_is_played_does_not_change_the_games(
    place: Workplace, one_by_one: Path, third: str, how: tuple[object, ...]
) -> None:
    out = place.tmp / "other"
    place.play(RANDOM, HONEST, third, *SANTABA, *how, "--out", out)
    assert len(games_of(out)) == 36
    assert games_of(out) == games_of(one_by_one)
    headers = [header_of(folder) for folder in (out, one_by_one)]
    for header in headers:
        for key in ("settings", "created", "name"):
            del header[key]
    assert headers[0] == headers[1]
    assert end_of(out)["secret"] == end_of(one_by_one)["secret"]
    assert check_log(log_of(out)) == []


def test_the_games_keep_the_rules_of_santaba(one_by_one: Path) -> None:
    assert check_log(log_of(one_by_one)) == []
    assert not any(game["faults"] for game in games_of(one_by_one))


def test_a_deal_is_mirrored_over_the_rotations(one_by_one: Path) -> None:
    games = games_of(one_by_one)
    for block in range(12):
        rotations = games[3 * block : 3 * block + 3]
        assert [g["rotation"] for g in rotations] == [0, 1, 2]
        assert {(g["block"], g["deal"]) for g in rotations} == {(block, block)}
        assert len({g["hands"][0] for g in rotations}) == 1
        assert len({g["commitment"] for g in rotations}) == 3
        for seat in range(3):
            assert {g["seats"][seat] for g in rotations} == {0, 1, 2}


def test_six_players_at_palafico_keep_the_rules(place: Workplace) -> None:
    out = place.tmp / "six"
    bots = [f"{name}={RANDOM if name in 'ab' else HONEST}" for name in "abcdef"]
    rules = ("--ruleset", "palafico", "--players", 6, "--blocks", 4, "--workers", 2, "--seed", 1)
    place.play(*bots, *rules, "--out", out)
    assert len(games_of(out)) == 24
    assert check_log(log_of(out)) == []


def test_independent_deals_have_a_deal_for_every_game(place: Workplace) -> None:
    out = place.tmp / "out"
    place.play(
        RANDOM,
        HONEST,
        "--blocks",
        4,
        "--seed",
        1,
        "--deals",
        "independent",
        "--public-salt",
        "x",
        "--out",
        out,
    )
    games = games_of(out)
    assert [game["deal"] for game in games] == list(range(8))
    assert header_of(out)["deals"] == "independent"
    assert check_log(log_of(out)) == []


def test_sixteen_games_in_flight_make_batches(place: Workplace) -> None:
    out = place.tmp / "out"
    rules = ("--blocks", 60, "--seed", 3, "--games-per-launch", 60, "--games-in-flight", 16)
    place.play(RANDOM, HONEST, *rules, "--workers", 1, "--out", out)
    records = [json.loads(line) for line in game_lines(out).values()]
    assert len(records) == 120
    questions = sum(len(us) for record in records for us in record["timing"]["us"])
    asks = sum(
        sum(len(us) for us in record["timing"]["us"]) / record["timing"]["batch"] for record in records
    )
    assert questions / asks >= 4
    assert check_log(log_of(out)) == []


def test_secret_dice_stay_secret_until_the_end(place: Workplace) -> None:
    out = place.tmp / "out"
    rules = (RANDOM, HONEST, "--blocks", 6, "--games-per-launch", 2, "--workers", 1, "--out", out)
    process = place.start("run", *rules)
    wait_for_games(out, 2, process)
    kept = out / "secret"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    secret = kept.read_text()
    assert len(bytes.fromhex(secret)) == 32
    assert secret not in (out / "tournament.toml").read_text()
    told = b"".join(
        (Path("/proc") / str(pid) / file).read_bytes()
        for pid in _alive(place)
        for file in ("environ", "cmdline")
    )
    assert told
    assert secret.encode() not in told
    assert all(secret.encode() not in line for line in lines_of(out))
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err

    assert not kept.exists()
    assert end_of(out)["secret"] == secret
    header = header_of(out)
    assert header["dice"] == "secret"
    assert hashlib.sha256(bytes.fromhex(secret)).hexdigest() == header["secret_hash"]
    assert check_log(log_of(out)) == []

    # A run that was stopped needs the secret to go on: one secret for all its dice.
    log_of(out).write_bytes(b"".join(lines_of(out)[:5]))
    ended = place.arena("run", *rules)
    assert ended.code == 1
    assert "secret is gone" in ended.err
    kept.write_text(secret)
    place.play(*rules)
    assert not kept.exists()
    assert end_of(out)["secret"] == secret
    assert check_log(log_of(out)) == []


def _alive(place: Workplace) -> list[int]:
    """The coordinator and its workers: they live as long as the run."""
    return [pid for pid, command in place.processes().items() if "arena.cli" in command]


# -- one bad bot in a tournament ---------------------------------------------------------------------

CAUSES = {
    "sleeps": "timeout",
    "exits-at-once": "start",
    "exits": "crash",
    "garbage": "malformed",
    "illegal": "illegal",
    "never-starts": "start",
}
THREE = (
    "--players",
    2,
    "--blocks",
    1,
    "--seed",
    5,
    "--workers",
    2,
    "--start-time",
    "6s",
    "--move-time",
    "1s",
)


@pytest.fixture(scope="module")
def without_culprit(shared_place: Workplace) -> Path:
    out = shared_place.tmp / "good"
    shared_place.play(RANDOM, HONEST, f"third=python3 {CULPRIT} behaves", *THREE, "--out", out)
    assert not any(game["faults"] for game in games_of(out))
    return out


@pytest.mark.parametrize("way", CAUSES)
def test_a_bad_bot_costs_only_itself(place: Workplace, without_culprit: Path, way: str) -> None:
    out = place.tmp / "out"
    ended = place.play(RANDOM, HONEST, f"third=python3 {CULPRIT} {way}", *THREE, "--out", out)
    games = games_of(out)
    assert len(games) == 6
    assert end_of(out)

    with_culprit = [game for game in games if 2 in game["seats"]]
    for game in with_culprit:
        (fault,) = game["faults"]
        assert game["seats"][fault["seat"]] == 2
        assert fault["cause"] == CAUSES[way]
        assert fault["detail"]
        assert game["places"][fault["seat"]] == 2
    if way == "garbage":
        assert with_culprit[0]["faults"][0]["received"].startswith("c1")
    if way == "exits":
        assert "no more of this" in with_culprit[0]["faults"][0]["stderr"]
    if CAUSES[way] == "start":
        assert "bot third does not start" in ended.err

    others = [game for game in games if 2 not in game["seats"]]
    assert len(others) == 2
    assert others == [game for game in games_of(without_culprit) if 2 not in game["seats"]]
    assert check_log(log_of(out)) == []

    table = json.loads(place.arena("table", out, "--json").out)
    rows = {row["bot"]: row for row in table["bots"]}
    assert rows["third"]["faults"] == {CAUSES[way]: 4}
    assert rows["third"]["wins"] == 0
    assert rows["random"]["faults"] == rows["honest"]["faults"] == {}


def test_too_few_bots_that_start_is_an_error(place: Workplace) -> None:
    out = place.tmp / "out"
    ended = place.arena("run", RANDOM, f"third=python3 {CULPRIT} exits-at-once", "--out", out)
    assert ended.code == 1
    assert "only 1 of 2 bots start" in ended.err
    assert "Traceback" not in ended.err
    assert not log_of(out).exists()
