"""When a worker and its bots are put on one core. The machine is simulated, then a real one is moved."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from arena.record.schema import Timing
from arena.referee.cores import LAP, TRIAL, TRY_AGAIN, Cores, Habit, bind, current_core, habit_of
from arena.referee.launch import Program
from arena.referee.task import Limits
from tests.hostile.arena_of_three import play_against
from tests.referee.processes import eventually

several_cores = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is but one core")


def ways(apart: float, together: float, laps: int, habit: Habit | None = None) -> list[bool]:
    """Whether each lap was gone together, where a decision takes so many seconds."""
    habit, gone = habit or Habit(), list[bool]()
    for _ in range(laps):
        gone.append(habit.together)
        habit.lap(together if habit.together else apart)
    return gone


def together_by_now() -> Habit:
    """A habit of bots that are quicker together, right after its first trial."""
    habit = Habit()
    ways(200e-6, 50e-6, len(TRIAL), habit)
    assert habit.together
    return habit


def test_it_begins_apart_and_stays_together_where_that_is_quicker() -> None:
    rounds = 5
    gone = ways(apart=200e-6, together=70e-6, laps=rounds * (len(TRIAL) + TRY_AGAIN))
    assert gone == [*TRIAL, *[True] * TRY_AGAIN] * rounds


@pytest.mark.parametrize("together", [100e-6, 90e-6, 150e-6, 10e-3])
def test_it_goes_apart_where_together_is_no_quicker(together: float) -> None:
    gone = ways(apart=100e-6, together=together, laps=200)
    assert gone[:2] == [False, True]
    assert gone[4:50] == [False] * 46
    assert sum(gone) <= 2 * 4


@pytest.mark.parametrize("odd", range(4))
def test_one_lap_that_was_disturbed_does_not_put_them_together(odd: int) -> None:
    """Both laps together must be quicker than both apart."""
    habit = Habit()
    for lap in range(len(TRIAL)):
        habit.lap(100e-6 * ((3 if TRIAL[lap] is False else 1 / 3) if lap == odd else 1))
    assert not habit.together


@pytest.mark.parametrize("apart", [200e-6, 20e-6])
def test_bots_that_compute_while_others_are_asked_are_never_put_together(apart: float) -> None:
    habit = Habit()
    for _ in range(3 * TRY_AGAIN):
        habit.lap(apart, aside=0.9)
        assert not habit.together


def test_bots_that_begin_to_compute_out_of_turn_are_left_apart_at_once() -> None:
    habit = together_by_now()
    habit.lap(60e-6, aside=0.3)
    assert habit.together
    habit.lap(60e-6, aside=0.5)
    assert not habit.together


@pytest.mark.parametrize("together", [2e-3, 1e-3, 4e-3])
def test_bots_that_think_are_never_put_together(together: float) -> None:
    assert not any(ways(apart=2e-3, together=together, laps=3 * TRY_AGAIN))


def test_bots_that_begin_to_think_are_left_apart_at_once() -> None:
    habit = together_by_now()
    habit.lap(5e-3)
    assert not habit.together
    for _ in range(3 * TRY_AGAIN):
        habit.lap(5e-3)
        assert not habit.together


def test_it_follows_a_machine_that_changes() -> None:
    """Somebody else needs the core on which they are: noticed with the next trial."""
    gone = ways(200e-6, 400e-6, TRY_AGAIN + len(TRIAL) + TRY_AGAIN, together_by_now())
    assert gone == [*[True] * TRY_AGAIN, *TRIAL, *[False] * TRY_AGAIN]


@pytest.fixture
def sleeper() -> Iterator[int]:
    """A process with a second thread."""
    code = "import threading, time; threading.Thread(target=time.sleep, args=(60,)).start()"
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        assert eventually(lambda: len(os.listdir(f"/proc/{process.pid}/task")) == 2)
        yield process.pid
        process.kill()


def affinities(pid: int) -> list[set[int]]:
    """Of all threads of a process."""
    return [os.sched_getaffinity(int(thread)) for thread in os.listdir(f"/proc/{pid}/task")]


def game(decisions: int, us: int, cpu_ms: float = 0.0) -> Timing:
    """The times of a game in which every answer took so many microseconds."""
    return Timing(0.0, 0.0, [[us] * decisions], 1.0, 0.0, 0.0, [cpu_ms, 0.0])


@pytest.fixture
def everywhere() -> Iterator[set[int]]:
    """The cores that this process may use, as before when the test is over."""
    before = os.sched_getaffinity(0)
    yield before
    os.sched_setaffinity(0, before)


@several_cores
def test_the_worker_and_all_threads_of_its_bots_are_moved_there_and_back(
    sleeper: int, everywhere: set[int]
) -> None:
    now = 0.0
    cores = Cores(Habit(), lambda: [sleeper, 2**22 + 1], lambda: now)  # the other pid is nobody's
    cores.played(game(10, 100_000), 2)  # the launches are no part of a lap
    now += LAP
    cores.played(game(1000, 150, cpu_ms=150), 2)
    [one] = os.sched_getaffinity(0)
    assert affinities(sleeper) == [{one}, {one}]
    assert current_core() == one
    now += LAP / 2
    cores.played(game(10, 1000), 2)
    assert os.sched_getaffinity(0) == {one}, "it is no lap yet"
    now += LAP
    cores.played(game(10, 1000), 2)
    assert os.sched_getaffinity(0) == everywhere, "300 ms / 20 are more than a millisecond"
    assert affinities(sleeper) == [everywhere, everywhere]


@several_cores
def test_a_bot_that_uses_more_time_than_its_answers_take_is_left_apart(
    sleeper: int, everywhere: set[int]
) -> None:
    now = 0.0
    cores = Cores(Habit(), lambda: [sleeper], lambda: now)
    for _ in range(5):
        cores.played(game(1000, 150, cpu_ms=150 + 1000 * LAP), 2)
        now += LAP
        assert os.sched_getaffinity(0) == everywhere


@several_cores
def test_what_one_task_found_out_holds_for_the_next_and_for_bots_launched_later(
    sleeper: int, everywhere: set[int]
) -> None:
    bots = list[int]()
    cores = Cores(together_by_now(), lambda: bots, lambda: 0.0)
    cores.played(game(30, 150), 2)
    [one] = os.sched_getaffinity(0)
    bots.append(sleeper)
    cores.played(game(30, 150), 2)
    assert affinities(sleeper) == [everywhere, everywhere]
    cores.played(game(30, 150), 3)
    assert affinities(sleeper) == [{one}, {one}]
    cores.restore()
    assert os.sched_getaffinity(0) == everywhere


@several_cores
def test_who_was_not_moved_is_not_moved_back(everywhere: set[int]) -> None:
    cores = Cores(Habit(), list, lambda: 0.0)
    os.sched_setaffinity(0, {min(everywhere)})
    cores.restore()
    assert os.sched_getaffinity(0) == {min(everywhere)}


def test_tasks_that_are_shorter_than_a_lap_are_judged_as_one() -> None:
    habit = Habit()
    for _ in range(3):
        assert not habit.together
        cores = Cores(habit, list, iter([0.0, 0.4 * LAP]).__next__)
        cores.played(game(10, 100_000), 2)
        cores.played(game(500, 150, cpu_ms=100), 2)
        cores.restore()
    assert habit.together, "the second lap of a trial"


def test_every_line_up_has_a_habit_of_its_own() -> None:
    ann, bob = Program("ann", ("a",), "/"), Program("bob", ("b",), "/")
    assert habit_of(frozenset([ann, bob])) is habit_of(frozenset([bob, ann]))
    assert habit_of(frozenset([ann, bob])) is not habit_of(frozenset([ann]))


def test_threads_that_begin_while_a_process_is_moved_are_moved_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = iter([["1", "2"], ["1", "2", "3"], ["2", "3"]])
    moved = []
    monkeypatch.setattr(os, "listdir", lambda _: next(seen))
    monkeypatch.setattr(os, "sched_setaffinity", lambda thread, cores: moved.append((thread, cores)))
    bind(1, {5})
    assert sorted(moved) == [(1, {5}), (2, {5}), (3, {5})]


def test_where_nothing_may_be_moved_the_games_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: int, _cores: set[int]) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    habit = together_by_now()
    cores = Cores(habit, lambda: [os.getpid()], lambda: 0.0)
    cores.played(game(30, 150), 2)
    cores.restore()
    assert habit.together


@pytest.mark.realtime
@pytest.mark.parametrize(("in_flight", "told"), [(1, 4), (2, 0)])
def test_a_worker_tells_of_every_game_where_one_is_in_flight(
    in_flight: int, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = list[Timing]()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(Cores, "played", lambda _self, timing, _launches: heard.append(timing))
    limits = Limits(move=1.5, start=20.0, grace=0.2, games_in_flight=in_flight)
    outcome = play_against("good", games=4, limits=limits)
    assert len(heard) == told
    if told:
        assert [record.timing.us for record in outcome.records] == [timing.us for timing in heard]
