"""A step: its name, its title, the function that tries it on the bot, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from arena.check.problem import Problem
from arena.check.room import Room


class Status(StrEnum):
    PASSED = "passed"
    WARNING = "warning"
    FAILED = "failed"
    NOT_CLAIMED = "not claimed"
    NOT_TRIED = "not tried"


@dataclass(frozen=True)
class Step:
    """`attempt` raises `Problem`, `Remark` or `NotClaimed`, or returns a note ("" = none).

    `asks` tells whether it needs a bot that answers: such steps are not tried with one that does not.
    """

    key: str
    title: str
    attempt: Callable[[Room], str]
    asks: bool
    number: int = 0


@dataclass(frozen=True)
class Result:
    """What came of a step. `note` says why it was not tried, or what else is worth a word."""

    step: Step
    status: Status
    note: str = ""
    problem: Problem | None = None
    seconds: float = 0.0


@dataclass
class Registry:
    """The steps of one file, in the order in which they are written down; `run` numbers them."""

    steps: list[Step] = field(default_factory=list)

    def step(
        self, title: str, *, asks: bool = True
    ) -> Callable[[Callable[[Room], str]], Callable[[Room], str]]:
        """Decorator: a function is the next step; its name is the step's key."""

        def note(attempt: Callable[[Room], str]) -> Callable[[Room], str]:
            self.steps.append(Step(attempt.__name__, title, attempt, asks))
            return attempt

        return note
