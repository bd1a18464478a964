"""When a worker and its bots are put on one core. The machine is simulated, then a real one is moved."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from arena.record.schema import Timing
from arena.referee.cores import LAP, TRY_AGAIN, Cores, Habit, current_core
from tests.referee.processes import eventually

several_cores = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is but one core")


def ways(apart: float, together: float, laps: int) -> list[bool]:
    """Whether each lap was gone together, where a decision takes so many seconds."""
    habit, gone = Habit(), list[bool]()
    for _ in range(laps):
        gone.append(habit.together)
        habit.lap(together if habit.together else apart)
    return gone


def test_it_begins_apart_and_stays_together_where_that_is_quicker() -> None:
    gone = ways(apart=200e-6, together=70e-6, laps=10 * TRY_AGAIN)
    assert gone[:3] == [False, True, True]
    apart = [lap for lap, way in enumerate(gone) if not way]
    assert apart[:2] == [0, TRY_AGAIN + 1], "the other way is tried now and then"
    assert len(apart) <= 11


@pytest.mark.parametrize("together", [100e-6, 90e-6, 150e-6, 10e-3])
def test_it_goes_apart_where_together_is_no_quicker(together: float) -> None:
    gone = ways(apart=100e-6, together=together, laps=5 * TRY_AGAIN)
    assert sum(gone) <= 5
    assert gone[1:3] == [True, False]


@pytest.mark.parametrize("apart", [200e-6, 20e-6])
def test_bots_that_compute_while_others_are_asked_are_never_put_together(apart: float) -> None:
    habit = Habit()
    for _ in range(3 * TRY_AGAIN):
        habit.lap(apart, aside=0.9)
        assert not habit.together


def test_bots_that_begin_to_compute_out_of_turn_are_left_apart_at_once() -> None:
    habit = Habit()
    for _ in range(5):
        habit.lap(50e-6 if habit.together else 200e-6, aside=0.1)
    assert habit.together
    habit.lap(60e-6, aside=0.5)
    assert not habit.together


@pytest.mark.parametrize("together", [2e-3, 1e-3, 4e-3])
def test_bots_that_think_are_never_put_together(together: float) -> None:
    assert not any(ways(apart=2e-3, together=together, laps=3 * TRY_AGAIN))


def test_bots_that_begin_to_think_are_left_apart_at_once() -> None:
    habit = Habit()
    for _ in range(5):
        habit.lap(50e-6 if habit.together else 200e-6)
    assert habit.together
    habit.lap(5e-3)
    assert not habit.together
    for _ in range(3 * TRY_AGAIN):
        habit.lap(5e-3)
        assert not habit.together


def test_it_follows_a_machine_that_changes() -> None:
    """Somebody else needs the core on which they are: noticed with the next trial."""
    habit = Habit()
    for _ in range(5):
        habit.lap(50e-6 if habit.together else 200e-6)
    gone = []
    for _ in range(2 * TRY_AGAIN):
        gone.append(habit.together)
        habit.lap(400e-6 if habit.together else 200e-6)
    assert gone[0]
    assert sum(gone[TRY_AGAIN:]) <= 1, "but for the next trial"


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


@several_cores
def test_the_worker_and_all_threads_of_its_bots_are_moved_there_and_back(sleeper: int) -> None:
    everywhere = os.sched_getaffinity(0)
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
    assert os.sched_getaffinity(0) == everywhere, "200 ms / 20 are more than a millisecond"
    assert affinities(sleeper) == [everywhere, everywhere]


@several_cores
def test_a_bot_that_uses_more_time_than_its_answers_take_is_left_apart(sleeper: int) -> None:
    everywhere = os.sched_getaffinity(0)
    now = 0.0
    cores = Cores(Habit(), lambda: [sleeper], lambda: now)
    for _ in range(5):
        cores.played(game(1000, 150, cpu_ms=150 + 1000 * LAP), 2)
        now += LAP
        assert os.sched_getaffinity(0) == everywhere


@several_cores
def test_what_one_task_found_out_holds_for_the_next_and_for_bots_launched_later(sleeper: int) -> None:
    everywhere = os.sched_getaffinity(0)
    habit, bots = Habit(), list[int]()
    habit.lap(200e-6)
    cores = Cores(habit, lambda: bots, lambda: 0.0)
    try:
        cores.played(game(30, 150), 2)
        [one] = os.sched_getaffinity(0)
        bots.append(sleeper)
        cores.played(game(30, 150), 2)
        assert affinities(sleeper) == [everywhere, everywhere]
        cores.played(game(30, 150), 3)
        assert affinities(sleeper) == [{one}, {one}]
    finally:
        cores.restore()
    assert os.sched_getaffinity(0) == everywhere
    Cores(Habit(), lambda: bots, lambda: 0.0).restore()
    assert os.sched_getaffinity(0) == everywhere
