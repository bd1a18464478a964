"""Bots that do what they should not, as real processes: each is found out by name, and only it pays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.referee.launch import TAIL, LauncherError
from arena.referee.sessions import FAULT_OUTPUT, OUTPUT_KEPT
from arena.referee.task import Limits
from tests.hostile.arena_of_three import CULPRIT, LIMITS, ROOT, play_against
from tests.referee.processes import below, eventually, runs

pytestmark = pytest.mark.realtime


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither processes nor files, whatever the bot did. (Sockets have short paths: not `tmp_path`.)"""
    with tempfile.TemporaryDirectory(prefix="h") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        before = set(below(os.getpid()))
        yield
        assert eventually(lambda: set(below(os.getpid())) <= before)
        assert os.listdir(folder) == []


def test_good_bots_have_no_faults() -> None:
    outcome = play_against("good", games=6)
    assert outcome.causes == []
    assert outcome.result.launches == 3
    assert outcome.result.failed_starts == {0: 0, 1: 0, 2: 0}


@pytest.mark.parametrize(
    ("bot", "cause", "detail"),
    [
        ("leaves_midgame", "crash", "the process exited with code 7"),
        ("raises", "crash", "the process exited with code 1"),
        ("leaves_after_hello", "crash", "the process exited with code 0"),
        ("garbage", "malformed", "MessagePack data is malformed"),
        ("future_id", "malformed", "an answer with id 4, but the last ask was 3"),
        ("multipart", "malformed", "a message of several frames; it must be one"),
        ("wrong_number", "malformed", "2 calls for 1 acts"),
        ("float_id", "malformed", "Expected `int`, got `float` - at `$.id`"),
        ("oversize", "oversize", "the largest is 65536"),
        ("huge", "oversize", "the largest is 65536"),
        ("flood", "flood", "more than 100 messages that nobody asked for"),
    ],
)
def test_a_fault_that_ends_its_launch(bot: str, cause: str, detail: str) -> None:
    outcome = play_against(bot)
    assert outcome.causes == [cause] * 3
    assert all(detail in fault.detail for fault in outcome.faults.values())
    assert outcome.result.launches == 2 + 3


@pytest.mark.parametrize("bot", ["sleeps", "spins", "old_ids"])
def test_one_that_does_not_answer(bot: str) -> None:
    outcome = play_against(bot, games=2)
    assert outcome.causes == ["timeout"] * 2
    for fault in outcome.faults.values():
        assert fault.detail == "no answer within 1500 ms"
        assert fault.used_ms >= 1700
    assert outcome.result.launches == 2 + 2


@pytest.mark.parametrize(
    ("bot", "detail"), [("bids_illegally", "bid"), ("banana", "'banana' is not a call")]
)
def test_an_illegal_call_ends_its_game_but_not_its_launch(bot: str, detail: str) -> None:
    outcome = play_against(bot)
    assert outcome.causes == ["illegal"] * 3
    assert all(detail in fault.detail for fault in outcome.faults.values())
    assert outcome.result.launches == 3


def test_one_that_never_says_hello() -> None:
    limits = Limits(move=1.5, start=5.0, grace=0.2)
    outcome = play_against("silent", games=1, limits=limits)
    assert outcome.causes == ["start"]
    assert outcome.faults[1].detail == "no hello within 5 s"
    assert outcome.result.failed_starts == {0: 0, CULPRIT: 2, 2: 0}


@pytest.mark.parametrize(
    ("bot", "detail", "printed"),
    [
        (
            "wrong_token",
            "refused: the token is not the one in ARENA_TOKEN",
            "the token is not the one in ARENA_TOKEN\n",
        ),
        ("no_such_bot", "the process exited with code 1 before its hello", "No module named"),
    ],
)
def test_one_that_cannot_start_is_out_after_three_times(bot: str, detail: str, printed: str) -> None:
    outcome = play_against(bot, games=4)
    assert outcome.causes == ["start"] * 4
    assert outcome.faults[1].detail == detail
    assert printed in outcome.faults[1].stderr
    assert outcome.faults[4].detail == "it failed to start 3 times in a row"
    assert outcome.result.launches == 2 + 3


def test_answers_that_come_too_often_are_dropped() -> None:
    assert play_against("ten_answers").causes == []


def test_an_impostor_is_refused_and_harms_nobody() -> None:
    outcome = play_against("impostor")
    assert outcome.causes == []
    assert "knocked at 2 doors" in outcome.output()


def test_a_second_connection_is_refused() -> None:
    outcome = play_against("second_connection")
    assert outcome.causes == []
    assert outcome.output() == "this bot is connected already\n"


def test_much_output_does_no_harm_and_is_cut() -> None:
    outcome = play_against("chatty", games=4)
    assert outcome.causes == []
    assert len(outcome.output()) == OUTPUT_KEPT
    assert outcome.output().endswith("blah \n")


def test_the_end_of_its_output_is_in_the_fault() -> None:
    outcome = play_against("leaves_midgame", games=1)
    assert outcome.faults[1].stderr == "I have had enough\n"
    assert FAULT_OUTPUT <= TAIL


def test_one_that_stalls_the_referee_takes_no_time_from_others() -> None:
    """Each burst would take more than a second, from the bank of whoever is asked just then."""
    outcome = play_against("stalls")
    assert outcome.causes == ["flood"] * 3
    used = [us for record in outcome.records for calls in record.timing.us for us in calls]
    assert max(used) < 500_000


def test_a_daemon_does_not_outlive_the_task() -> None:
    outcome = play_against("leaves_daemon")
    assert outcome.causes == []
    assert not runs(int(outcome.output().split()[1]))


def test_a_bot_that_crashes_once_plays_on(tmp_path: Path) -> None:
    outcome = play_against("crashes_once", str(tmp_path / "mark"), games=4)
    assert outcome.causes == ["crash"]
    assert outcome.result.launches == 2 + 2


def test_one_that_kills_the_warden_ends_the_task_but_no_game_is_judged() -> None:
    """Without a sandbox it can. It is an error of the arena's, and nothing is left behind."""
    with pytest.raises(LauncherError, match="the warden is gone"):
        play_against("kills_warden")


def test_with_several_games_in_flight_it_crashes_once_for_those_of_its_open_ask(tmp_path: Path) -> None:
    limits = Limits(LIMITS.move, LIMITS.start, LIMITS.grace, games_in_flight=4)
    outcome = play_against("crashes_once", str(tmp_path / "mark"), games=8, limits=limits)
    assert set(outcome.causes) == {"crash"}
    assert 1 <= len(outcome.faults) <= 4
    assert outcome.result.launches == 2 + 2


@pytest.mark.parametrize("words", [(), ("wait",)], ids=["when asked", "while others play"])
def test_a_message_without_end_is_judged_by_its_first_part(words: tuple[str, ...]) -> None:
    """A library would keep its parts until it is whole, and the memory of the worker with them."""
    command = [sys.executable, "-m", "tests.hostile.arena_of_three", "endless_message", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=120)
    told = json.loads(done.stdout)
    assert told["causes"] == ["malformed"] * 3
    assert "a message of several frames" in told["details"][0]
    assert told["peak_bytes"] < 100 << 20
