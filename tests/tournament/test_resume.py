"""A run that was stopped, however roughly, goes on with the same command and loses nothing."""

from __future__ import annotations

import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.oracle.replay import check_log
from tests.tournament.runs import (
    CULPRIT,
    HONEST,
    PATIENT,
    RANDOM,
    Ended,
    Workplace,
    end_of,
    game_lines,
    games_of,
    lines_of,
    log_of,
    wait_for_games,
    wait_until,
)

pytestmark = pytest.mark.realtime

SLOW = f"slow=python3 {CULPRIT} dawdles"  # so that a run is not over before it is stopped
RULES = (RANDOM, SLOW, "--blocks", 10, "--games-per-launch", 2, "--seed", 11, "--workers", 2, *PATIENT)
GAMES = 20


@pytest.fixture(scope="module")
def calm(shared_place: Workplace) -> Path:
    """The same tournament, uninterrupted."""
    out = shared_place.tmp / "calm"
    shared_place.play(*RULES, "--out", out)
    assert check_log(log_of(out)) == []
    return out


@pytest.fixture
def finished(place: Workplace, calm: Path) -> Path:
    """A finished run in a folder that a test may spoil."""
    return Path(shutil.copytree(calm, place.tmp / "out"))


def go_on(place: Workplace, out: Path, calm: Path) -> Ended:
    """The same command again: what was in the log stays, the rest is as if never stopped."""
    before = game_lines(out)
    ended = place.play(*RULES, "--out", out)
    after = game_lines(out)
    assert len(after) == GAMES
    assert {number: after[number] for number in before} == before
    assert games_of(out) == games_of(calm)
    assert end_of(out)["secret"] == end_of(calm)["secret"]
    assert check_log(log_of(out)) == []
    return ended


# -- stopped while it plays --------------------------------------------------------------------------


@pytest.mark.parametrize(("games", "who"), [(7, "group"), (3, "coordinator")])
def test_a_kill_loses_nothing(place: Workplace, calm: Path, games: int, who: str) -> None:
    out = place.tmp / "out"
    process = place.start("run", *RULES, "--out", out)
    wait_for_games(out, games, process)
    if who == "group":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
    place.assert_clean()
    assert games <= len(game_lines(out)) < GAMES
    ended = go_on(place, out, calm)
    assert f"of {GAMES} games" in ended.err


def test_a_kill_while_the_workers_start(place: Workplace, calm: Path) -> None:
    """There is a folder, but no log. Only the coordinator is killed: a worker that is still importing
    has to notice by itself.
    """
    out = place.tmp / "out"
    process = place.start("run", *RULES, "--out", out)
    wait_until(lambda: "spawn_main" in str(place.processes()), 30, lambda: "no worker")
    time.sleep(0.1)
    process.kill()
    process.communicate()
    place.assert_clean()
    go_on(place, out, calm)


@pytest.mark.parametrize(
    ("number", "group", "times"),
    [
        (signal.SIGINT, True, 1),
        (signal.SIGTERM, False, 1),
        (signal.SIGTERM, True, 1),
        (signal.SIGINT, False, 3),
    ],
    ids=["ctrl-c", "term", "term-group", "impatient"],
)
def test_a_signal_ends_it_soon(
    place: Workplace, calm: Path, number: signal.Signals, group: bool, times: int
) -> None:
    out = place.tmp / "out"
    process = place.start("run", *RULES, "--out", out)
    wait_for_games(out, 2, process)
    for _ in range(times):
        if group:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
    _, err = process.communicate(timeout=5)
    assert process.returncode == 128 + number
    assert "Traceback" not in err
    assert f"stopped by {number.name}" in err
    assert all(line.endswith(b"\n") for line in log_of(out).read_bytes().splitlines(keepends=True))
    place.assert_clean()
    go_on(place, out, calm)


def test_a_dead_worker_costs_no_game(place: Workplace, calm: Path) -> None:
    out = place.tmp / "out"
    process = place.start("run", *RULES, "--out", out)
    wait_for_games(out, 2, process)
    workers = [pid for pid, command in place.processes().items() if "spawn_main" in command]
    os.kill(workers[0], signal.SIGKILL)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "a worker process died" in err
    assert games_of(out) == games_of(calm)
    place.assert_clean()


def test_a_second_run_in_the_same_folder_is_refused(place: Workplace, calm: Path) -> None:
    out = place.tmp / "out"
    process = place.start("run", *RULES, "--out", out)
    wait_for_games(out, 1, process)
    process.send_signal(signal.SIGSTOP)
    second = place.arena("run", *RULES, "--out", out)
    assert second == Ended(2, "", f"arena: another run is writing to {out}\n")
    process.send_signal(signal.SIGCONT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert games_of(out) == games_of(calm)


# -- a finished run, or one whose log was spoilt -----------------------------------------------------


def test_a_finished_run_is_left_alone(place: Workplace, finished: Path) -> None:
    before = log_of(finished).read_bytes()
    ended = place.play(*RULES, "--out", finished)
    assert f"all {GAMES} games were played before" in ended.out
    assert log_of(finished).read_bytes() == before


def test_the_file_that_it_kept_goes_on_where_it_lies(place: Workplace, calm: Path) -> None:
    assert f"{calm}: all {GAMES} games were played before" in place.play(calm / "tournament.toml").out


def test_without_its_end_line_it_is_ended(place: Workplace, finished: Path) -> None:
    """A kill between the last game and the end line."""
    log_of(finished).write_bytes(b"".join(lines_of(finished)[:-1]))
    place.play(*RULES, "--out", finished)
    assert check_log(log_of(finished)) == []


def test_a_torn_last_line_is_played_again_with_a_word(
    place: Workplace, finished: Path, calm: Path
) -> None:
    lines = lines_of(finished)[:-1]
    log_of(finished).write_bytes(b"".join(lines[:-3]) + lines[-3][:100])
    ended = go_on(place, finished, calm)
    told = " ".join(ended.err.split())
    assert f"cut 100 bytes of a game that was being written (line {len(lines) - 2})" in told
    assert "played again" in told


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda line: line[:40] + b"\n", "is damaged"),
        (lambda line: b"\n", "is damaged"),
        (lambda line: line.replace(b'"type"', b'"typo"'), "is damaged"),
        (lambda line: line + line, "is there twice"),
    ],
    ids=["cut", "empty", "no-type", "twice"],
)
def test_damage_in_the_middle_is_refused(
    place: Workplace, finished: Path, spoil: object, told: str
) -> None:
    assert callable(spoil)
    lines = lines_of(finished)
    lines[5] = spoil(lines[5])
    log_of(finished).write_bytes(b"".join(lines))
    before = log_of(finished).read_bytes()
    ended = place.arena("run", *RULES, "--out", finished)
    assert ended.code == 1
    assert ended.err.startswith(f"arena: {log_of(finished)} line {7 if told == 'is there twice' else 6}")
    assert told in ended.err
    assert ended.err.count("\n") == 1
    assert log_of(finished).read_bytes() == before


# -- another tournament in the same folder -----------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("--move-time", "50ms"), "move_time: 5s before, 50ms now"),
        (("--seed", 12), "seed: 11 before, 12 now"),
        (("--blocks", 11), "blocks: 10 before, 11 now"),
        (("--ruleset", "santaba"), "ruleset: standard before, santaba now"),
        (("-o", "calza=turn"), "calza"),
        (("--games-in-flight", 2), "games_in_flight: 1 before, 2 now"),
        (("--deals", "independent"), "deals: mirrored before, independent now"),
        ((f"extra={RANDOM}", "--players", 2), "bots: random, slow before, random, slow, extra now"),
    ],
)
def test_a_changed_option_is_refused(
    place: Workplace, finished: Path, change: tuple[object, ...], told: str
) -> None:
    before = log_of(finished).read_bytes()
    ended = place.arena("run", *RULES, *change, "--out", finished)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith(f"arena: {finished} holds another tournament (")
    assert told in ended.err
    assert ended.err.count("\n") == 1
    assert log_of(finished).read_bytes() == before


def test_the_number_of_workers_may_change(place: Workplace, finished: Path) -> None:
    assert "were played before" in place.play(*RULES, "--workers", 1, "--out", finished).out


def test_a_changed_bot_is_refused(place: Workplace) -> None:
    bot = Path(shutil.copytree(RANDOM, place.tmp / "bot"))
    rules = (bot, HONEST, "--blocks", 1, "--seed", 1, "--out", place.tmp / "out")
    place.play(*rules)
    (bot / "__pycache__").mkdir(exist_ok=True)
    (bot / "__pycache__" / "bot.pyc").write_bytes(b"1")
    assert "were played before" in place.play(*rules).out
    (bot / "bot.py").write_text((bot / "bot.py").read_text() + "\n# better\n")
    before = log_of(place.tmp / "out").read_bytes()
    ended = place.arena("run", *rules)
    assert ended.code == 2
    assert ended.err.startswith("arena: bot random has changed since ")
    assert ended.err.count("\n") == 1
    assert log_of(place.tmp / "out").read_bytes() == before


def test_a_log_without_its_settings_is_refused(place: Workplace, finished: Path) -> None:
    (finished / "tournament.toml").unlink()
    ended = place.arena("run", *RULES, "--out", finished)
    assert ended.code == 2
    assert ended.err == (
        f"arena: {finished} holds a log without its tournament.toml; choose another folder\n"
    )
