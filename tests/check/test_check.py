"""`arena check` finds every planted mistake in the step that is about it, and none in good bots."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.check.report import as_json, step_as_text, summary
from arena.check.run import LIMITS, STEPS, Report, check
from arena.check.step import Result, Status
from arena.cli import main
from arena.referee.task import Limits
from arena.tournament.bots import BotSpec, find_bot

pytestmark = pytest.mark.realtime

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_bots"
PATIENT = Limits(move=10.0, start=30.0, grace=0.25)
"""For a machine that is busy with other tests."""


def planted(bot: str, *words: str) -> BotSpec:
    command = (sys.executable, "-m", f"tests.check.bots.{bot}", *words)
    return BotSpec(bot, command, ROOT)


def tried(bot: str, *steps: str, words: tuple[str, ...] = (), limits: Limits = PATIENT) -> list[Result]:
    """What came of these steps."""
    return check(planted(bot, *words), limits, steps).results


def all_steps(bot: BotSpec) -> Report:
    return check(bot, PATIENT)


def wrong(report: Report) -> list[str]:
    return [
        step_as_text(result)
        for result in report.results
        if result.status not in (Status.PASSED, Status.NOT_CLAIMED)
    ]


# -- good bots ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["python/honest", "python/bluffer"])
def test_the_sample_bots_pass(bot: str) -> None:
    """`random` is tried below, as a command."""
    not_claimed = 1
    report = all_steps(find_bot(str(SAMPLES / bot)))
    assert wrong(report) == []
    assert report.count(Status.NOT_CLAIMED) == not_claimed
    assert report.ok
    assert summary(report) == f"{len(STEPS) - not_claimed} passed, 0 failed, {not_claimed} not claimed"


def test_the_javascript_bot_passes(tmp_path: Path) -> None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed")
    folder = shutil.copytree(SAMPLES / "javascript" / "honest", tmp_path / "honest", symlinks=True)
    bot = find_bot(str(folder))
    built = check(bot, PATIENT, ["builds"]).results[0]
    if built.problem is not None:
        pytest.skip(f"no network? {built.problem.words[-200:]}")
    assert wrong(all_steps(bot)) == []


def test_a_bot_that_claims_everything_is_asked_everything() -> None:
    report = all_steps(planted("good"))
    assert wrong(report) == []
    assert report.count(Status.PASSED) == len(STEPS)
    assert report.hello["past"] is True
    assert "token" not in report.hello


def test_about_thirty_steps_with_numbers_and_titles_of_their_own() -> None:
    assert [step.number for step in STEPS] == list(range(1, len(STEPS) + 1))
    assert 30 <= len({step.key for step in STEPS}) == len({step.title for step in STEPS}) == len(STEPS)


# -- planted mistakes: bot, its words, the step that finds it, what the step says --------------------

MISTAKES: list[tuple[str, tuple[str, ...], str, str]] = [
    ("says", ('{"games": 0}',), "hello", "games is 0; it must be 1 to 64"),
    ("says", ('{"games": 100}',), "hello", "games is 100; it must be 1 to 64"),
    ("says", ('{"games": 2.0}',), "hello", "games is a float, not an integer"),
    ("says", ('{"protocol": 2}',), "hello", "protocol is 2; this arena speaks 1"),
    ("says", ('{"token": "x"}',), "hello", "token is not what stands in ARENA_TOKEN"),
    ("says", ('{"past": 1, "games": "2"}',), "hello", "games is a text, not an integer; past is an"),
    ("says", (json.dumps({"name": "x" * 65}),), "hello", "name has 65 characters; at most 64"),
    ("like_req", (), "starts", "is no hello: a message of several frames; it must be one (use a DEALER"),
    ("req", (), "starts", "is no hello: a REQ socket connected; it must be a DEALER"),
    ("falls", (), "starts", "the program exited with code 1 before its hello"),
    ("bytes_calls", (), "first_question", "calls[0] is binary (msgpack bin), not a text"),
    ("wrong_id", (), "ids", "the ask has id 1, but in the answer id is 0"),
    ("float_id", (), "ids", "the ask has id 1, but in the answer id is a float, not an integer"),
    ("over_the_top", (), "only_dudo", "is not legal: "),
    ("ignores_lock", (), "palifico_bound", "is not legal: "),
    ("ignores_pass", (), "calza_out_of_turn", "the call 'dudo' is not legal: "),
    ("five_seats", (), "six_players", "the program exited with code 1 while it was asked"),
    ("short_memory", (), "long_round", "the program exited with code 1 while it was asked"),
    ("small_buffer", (), "largest", "the program exited with code 1 while it was asked"),
    ("counts_past", (), "past", "the program exited with code 1 while it was asked"),
    ("known_keys_only", (), "unknown_keys", "the program exited with code 1 while it was asked"),
    ("first_act", (), "no_acts", "the program exited with code 1 while it was asked"),
    ("divides_by_move", (), "bank", "the program exited with code 1 while it was asked"),
    ("one_call", (), "two_games", "1 call came for 2 acts"),
    ("swapped", (), "two_games", "is not legal: "),
    ("mixes_games", (), "two_games", "is not legal: "),
    ("answers_twice", (), "nothing_unasked", "the first: a second answer with id 1"),
    ("hello_again", (), "nothing_unasked", "the first: a second hello"),
    ("stays", (), "leaves", "it still ran 2 s after bye"),
    ("exits_with_3", (), "exit_code", "it exited with code 3"),
]


@pytest.mark.parametrize(("bot", "words", "step", "said"), MISTAKES)
def test_a_planted_mistake_is_found(bot: str, words: tuple[str, ...], step: str, said: str) -> None:
    [result] = tried(bot, step, words=words)
    assert result.status is Status.FAILED
    assert result.problem is not None
    assert said in result.problem.words
    assert len(result.problem.advice) > 30


def test_only_the_step_about_it_fails() -> None:
    """One mistake does not hide the others, nor make everything fail."""
    for bot, step in (("float_id", "ids"), ("answers_twice", "nothing_unasked"), ("stays", "leaves")):
        others = ["hello", "first_question", "raises", "two_games", "no_acts", "many_games"]
        found = {result.step.key: result.status for result in tried(bot, *others, step)}
        assert found.pop(step) is Status.FAILED
        assert set(found.values()) <= {Status.PASSED, Status.NOT_CLAIMED}, bot


def test_after_a_crash_the_next_steps_go_on_with_a_new_launch() -> None:
    results = tried("five_seats", "one_die", "six_players", "no_acts", "same_calls")
    assert [str(result.status) for result in results] == ["failed", "failed", "passed", "failed"]
    assert results[1].problem is not None
    assert "KeyError: 6" in results[1].problem.printed


def test_a_chatterer_is_found_while_it_waits() -> None:
    result = tried("chats", "slow_referee", "nothing_unasked")[-1]
    assert result.problem is not None
    assert "a message while no ask was open (its type is 'thinking')" in result.problem.words


def test_much_output_is_a_warning_and_megabytes_are_a_failure() -> None:
    [_, some] = tried("prints", "first_question", "output", words=("100000",))
    [_, more] = tried("prints", "raises", "output", words=("100000",))
    assert (some.status, more.status) == (Status.WARNING, Status.FAILED)
    assert some.problem is not None
    assert more.problem is not None
    assert some.problem.words.startswith("one launch printed ")
    assert more.problem.words == "one launch printed more than a megabyte"


def test_chances_of_its_own_are_a_warning() -> None:
    [result] = tried("own_dice", "same_calls")
    assert result.status is Status.WARNING
    assert result.problem is not None
    assert "one launch called" in result.problem.words


def test_one_that_ignores_its_refusal_gets_a_warning() -> None:
    [result] = tried("stays", "refused")
    assert result.status is Status.WARNING


def test_one_of_which_no_two_copies_run(tmp_path: Path) -> None:
    words = (str(tmp_path / "lock"),)
    one, two, leaves = tried("one_copy", "raises", "two_copies", "leaves", words=words)
    assert (one.status, two.status, leaves.status) == (Status.PASSED, Status.FAILED, Status.PASSED)
    assert two.problem is not None
    assert "BlockingIOError" in two.problem.printed


# -- the time ----------------------------------------------------------------------------------------


def test_one_that_never_says_hello_is_not_waited_for_again() -> None:
    limits = Limits(move=1.0, start=1.0, grace=0.0)
    report = check(planted("silent"), limits)
    first, starts, *rest = report.results
    assert (first.status, starts.status) == (Status.PASSED, Status.FAILED)
    assert starts.problem is not None
    assert starts.problem.words == "no hello came within 1 s"
    assert {(result.status, result.note) for result in rest} == {
        (Status.NOT_TRIED, "it does not start, see step 2")
    }
    assert summary(report) == f"1 passed, 1 failed, 0 not claimed, {len(STEPS) - 2} not tried"


def test_a_slow_one_is_given_up_after_three_late_answers() -> None:
    limits = Limits(move=0.2, start=30.0, grace=0.0)
    keys = ("first_question", "ids", "opens", "raises", "only_dudo", "aces", "leaves", "in_time")
    results = tried("slow", *keys, words=("0.5",), limits=limits)
    statuses = [str(result.status) for result in results]
    assert statuses == ["passed", *["failed"] * 3, *["not tried"] * 2, "passed", "failed"]
    assert results[1].problem is not None
    assert "no answer to ask 2 came within 200 ms" in results[1].problem.words
    assert results[-1].problem is not None
    assert results[-1].problem.words == "3 answers did not come within 200 ms for a call"


# -- what is shown -----------------------------------------------------------------------------------


def test_a_failure_shows_the_question_the_answer_and_what_to_do() -> None:
    [result] = tried("over_the_top", "only_dudo")
    text = step_as_text(result)
    assert text.startswith(
        f"{result.step.number:3}  FAILED       says dudo where no higher bid is left\n"
    )
    for part in (
        "act 1 of 1 in ask",
        '"words": ["dudo"]',
        '{"type": "answer", "id": ',
        "Legal here: dudo.",
    ):
        assert part in text
    assert "86 a4 74 79 70 65 a3 61 73 6b" in text
    assert all(len(line) < 1000 for line in text.splitlines())


def test_long_messages_are_shortened_in_the_text_only() -> None:
    report = check(planted("short_memory"), PATIENT, ["long_round"])
    assert len(step_as_text(report.results[0])) < 3000
    problem = json.loads(as_json(report))["steps"][0]["problem"]
    assert len(problem["asked"]["acts"][0]["calls"]) == 500
    assert len(problem["asked_hex"]) > 6000


def arena(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["check", *words])
    return done.exit_code, done.stdout, done.stderr


def test_the_command_and_its_json() -> None:
    code, text, _ = arena(str(SAMPLES / "python" / "random"), "--json", "--move-time", "10s")
    told: dict[str, Any] = json.loads(text)
    assert code == 0
    assert (told["ok"], told["bot"], told["protocol"], told["move_ms"]) == (True, "random", 1, 10_000)
    assert told["hello"]["games"] == 64
    assert [step["step"] for step in told["steps"]] == [step.number for step in STEPS]
    assert set(told["steps"][0]) == {"step", "key", "title", "status", "note", "seconds"}
    assert told["summary"] == {
        "passed": len(STEPS) - 3,
        "warning": 0,
        "failed": 0,
        "not claimed": 3,
        "not tried": 0,
    }
    timing = told["timing"]
    assert timing["launches"] >= 8
    assert timing["answers"] > 1000
    assert 0 < timing["answer_median_ms"] <= timing["answer_worst_ms"]
    assert timing["cpu_per_call_ms"] > 0


def test_the_exit_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    bot = f"it={sys.executable} -m tests.check.bots.falls"
    code, text, _ = arena(bot)
    assert code == 1
    assert f"1 passed, 1 failed, 0 not claimed, {len(STEPS) - 2} not tried" in text.splitlines()[-1]
    assert "no such model file" in text
    for words, said in (
        (["nowhere"], "bot 'nowhere' does not exist"),
        ([bot, "--move-time", "soon"], "--move-time: 'soon' is not a time"),
        ([bot, "--start-time", "0s"], "--start-time: '0s' is not a time"),
        ([], "Missing argument 'BOT'"),
    ):
        code, _, errors = arena(*words)
        assert code == 2
        assert said in errors


def test_a_build_is_told_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "it"\nbuild = "false"\ncommand = "true"\n')
    for words in ((), ("--json",)):
        code, _, errors = arena(str(tmp_path), *words)
        assert (code, errors) == (1, "building it: false\n")


def test_a_build_that_fails_is_told(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "it"\nbuild = "false"\ncommand = "true"\n')
    report = check(find_bot(str(tmp_path)), LIMITS)
    first, *rest = report.results
    assert first.status is Status.FAILED
    assert first.problem is not None
    assert "false failed with code 1" in first.problem.words
    assert {result.status for result in rest} == {Status.NOT_TRIED}
