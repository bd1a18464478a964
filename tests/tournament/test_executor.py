"""The coordinator with executors that fail: workers that die while they play, or between two tasks."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.game import preset
from arena.referee.task import TaskResult
from arena.referee.worker import play_task
from arena.tournament.bots import find_bot
from arena.tournament.config import Config
from arena.tournament.executor import shares
from arena.tournament.run import run
from tests.oracle.replay import check_log
from tests.tournament.runs import HONEST, RANDOM, Workplace, games_of, log_of

pytestmark = pytest.mark.realtime


class Notes:
    """A watcher that remembers."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.games = 0

    def note(self, text: str) -> None:
        self.notes.append(text)

    def begin(self, total: int, done: int) -> None:
        assert (total, done) == (8, 0)

    def played(self, result: TaskResult) -> None:
        self.games += len(result.lines)


class Dying(ThreadPoolExecutor):
    """Breaks at its `at`-th task: the task is lost, or cannot be handed over at all."""

    def __init__(self, at: int, how: str) -> None:
        super().__init__(1)
        self.at = at
        self.how = how

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if function is play_task:
            self.at -= 1
        if self.at > 0 or function is not play_task:
            return super().submit(function, *args, **kwargs)
        if self.how == "submit":
            raise BrokenExecutor("a worker died")
        broken: Future[Any] = Future()
        broken.set_exception(BrokenExecutor("a worker died"))
        return broken


def config() -> Config:
    bots = (find_bot(RANDOM), find_bot(HONEST))
    return Config(bots, preset("standard"), players=2, blocks=4, seed=1, games_per_launch=2)


@pytest.mark.parametrize("how", ["submit", "result"])
@pytest.mark.parametrize("at", [1, 3])
def test_what_a_dead_worker_had_is_played_again(place: Workplace, how: str, at: int) -> None:
    pools: list[Executor] = []

    def executors(workers: int) -> Executor:
        pools.append(ThreadPoolExecutor(1) if pools else Dying(at, how))
        return pools[-1]

    watcher = Notes()
    out = place.tmp / "out"
    outcome = run(config(), out, 1, watcher, executors)
    assert (outcome.games, outcome.added) == (8, 8)
    assert watcher.games == 8
    assert watcher.notes == ["a worker process died; its games are played again"]
    assert len(pools) == 2
    assert [game["game"] for game in games_of(out)] == list(range(8))
    assert check_log(log_of(out)) == []


class Counting(ThreadPoolExecutor):
    """Notes how many tasks are under way when each is handed over."""

    def __init__(self) -> None:
        super().__init__(1)
        self.under_way: list[int] = []
        self._futures: list[Future[Any]] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.under_way.append(sum(not future.done() for future in self._futures))
        self._futures.append(super().submit(function, *args, **kwargs))
        return self._futures[-1]


def test_nothing_runs_beside_a_suspect(place: Workplace) -> None:
    pools: list[Executor] = []
    counting = Counting()

    def executors(workers: int) -> Executor:
        pools.append(counting if pools else Dying(2, "result"))
        return pools[-1]

    run(config(), place.tmp / "out", 1, Notes(), executors)
    suspects = 2  # as many tasks as are handed to one worker
    assert len(counting.under_way) == 4
    assert counting.under_way[: suspects + 1] == [0] * (suspects + 1)


def test_games_whose_worker_always_dies_are_left_out_and_can_be_tried_again(place: Workplace) -> None:
    watcher = Notes()
    out = place.tmp / "out"
    outcome = run(config(), out, 1, watcher, lambda _: Dying(1, "result"))
    assert (outcome.games, outcome.given_up) == (0, 8)
    assert "game 0 is left out: its worker died each time" in watcher.notes
    again = run(config(), out, 1, Notes(), lambda _: ThreadPoolExecutor(1))
    assert (again.games, again.added, again.given_up) == (8, 8, 0)
    assert check_log(log_of(out)) == []


@pytest.mark.parametrize(
    ("cores", "workers", "dealt"),
    [
        ({0, 1}, 1, [[0, 1]]),
        ({0, 1, 2, 3}, 2, [[0, 1], [2, 3]]),
        ({2, 3, 5, 7, 9, 11, 12}, 2, [[2, 3, 5], [7, 9, 11]]),
    ],
)
def test_pinned_workers_have_cores_of_their_own(
    monkeypatch: pytest.MonkeyPatch, cores: set[int], workers: int, dealt: list[list[int]]
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: cores)
    assert shares(workers) == dealt


def test_too_few_cores_to_pin_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    with pytest.raises(ConfigError, match="2 workers need 4 cores, there are 3"):
        shares(2)


def test_a_pinned_tournament_plays(place: Workplace) -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("one core")
    words = ["run", RANDOM, HONEST, "--budget", 4, "--pin", "--workers", 1, "--out", place.tmp / "out"]
    ended = place.arena(*words)
    assert ended.code == 0, ended.err
    assert len(games_of(place.tmp / "out")) == 4
