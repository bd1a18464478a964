"""The run: every step in order, on one bot; what fails does not keep the others from being tried."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.check import batches, begin, calls, forms, manners
from arena.check.notes import Notes
from arena.check.problem import Kind, NotClaimed, Problem, Remark
from arena.check.room import Room
from arena.check.step import Result, Status, Step
from arena.errors import ArenaError
from arena.referee.launch import Launcher, LauncherError
from arena.referee.task import Limits
from arena.tournament.bots import BotSpec

STEPS: tuple[Step, ...] = tuple(
    replace(each, number=number)
    for number, each in enumerate(
        (step for part in (begin, calls, forms, batches, manners) for step in part.registry.steps), 1
    )
)
LIMITS = Limits(move=1.0, start=10.0, grace=0.25)
TOO_OFTEN = 3
"""Late answers, or failed starts, after which no more are waited for: the run shall have an end."""


@dataclass
class Report:
    """What a run found. `hello` is what the bot said first, without its token."""

    bot: BotSpec
    limits: Limits
    results: list[Result]
    hello: dict[str, Any]
    notes: Notes

    def count(self, status: Status) -> int:
        return sum(result.status is status for result in self.results)

    @property
    def ok(self) -> bool:
        return not self.count(Status.FAILED)


def check(
    bot: BotSpec,
    limits: Limits = LIMITS,
    only: Collection[str] = (),
    tell: Callable[[Result], None] = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
) -> Report:
    """Try all steps, or those whose keys are in `only`. `tell` hears of each as it is done, `say` of a
    build before it begins."""
    unknown = set(only) - {each.key for each in STEPS}
    assert not unknown, unknown
    results: list[Result] = []
    try:
        with Launcher() as launcher, Room(bot, limits, launcher, say) as room:
            for each in STEPS:
                if not only or each.key in only:
                    results.append(_try(each, room, _hopeless(each, results, room)))
                    tell(results[-1])
    except LauncherError as error:
        raise ArenaError(f"the check itself failed, not the bot: {error}") from None
    hello = room.first.hello if room.first else {}
    return Report(bot, limits, results, {k: v for k, v in hello.items() if k != "token"}, room.notes)


def _try(each: Step, room: Room, blocked: str) -> Result:
    if blocked:
        return Result(each, Status.NOT_TRIED, blocked)
    begun = time.monotonic()

    def result(status: Status, note: str = "", problem: Problem | None = None) -> Result:
        return Result(each, status, note, problem, time.monotonic() - begun)

    try:
        found = result(Status.PASSED, each.attempt(room))
    except NotClaimed as reason:
        found = result(Status.NOT_CLAIMED, str(reason))
    except Remark as remark:
        found = result(Status.WARNING, "", remark)
    except Problem as problem:
        found = result(Status.FAILED, "", problem)
    room.tidy(failed=found.status is Status.FAILED)
    return found


def _hopeless(each: Step, results: Sequence[Result], room: Room) -> str:
    """Why this step need not be tried after what the others found; "" if it may well pass."""
    failed = [(result.step, result.problem.kind) for result in results if result.problem is not None]
    unstarted = [step for step, kind in failed if kind is Kind.START]
    if any(step.key in ("builds", "starts") for step in unstarted) or len(unstarted) >= TOO_OFTEN:
        return f"it does not start, see step {unstarted[0].number}"
    if each.asks:
        for step, kind in failed:
            if step.key == "first_question" and kind is not Kind.ILLEGAL:
                return f"it does not answer, see step {step.number}"
        if room.notes.late >= TOO_OFTEN and each.key != "in_time":
            return f"it was late {TOO_OFTEN} times"
    return ""
