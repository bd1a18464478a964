"""What a worker is given and what it gives back. A task is a pure function of its content."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.game import Ruleset
from arena.referee.launch import Program


@dataclass(frozen=True)
class Limits:
    """Times in seconds. `grace` is added to every deadline before anybody is judged."""

    move: float = 0.1
    start: float = 10.0
    grace: float = 0.02
    games_in_flight: int = 1


@dataclass(frozen=True)
class Entrant:
    """A bot of the task. What its hello said before the first game holds for the whole run.

    `out` is why it takes no part ("" if it does): it forfeits each game when it is first asked. One
    that `restarts` gets a fresh process for every game (with one game in flight).
    """

    program: Program
    games: int = 1
    out_of_turn: bool = False
    past: bool = False
    out: str = ""
    restarts: bool = False


@dataclass(frozen=True)
class GameSpec:
    """One game to play: `seats` are indexes into the tournament's bots."""

    number: int
    block: int
    rotation: int
    deal: int
    seats: tuple[int, ...]
    deal_seed: bytes
    key: bytes
    commitment: str


@dataclass(frozen=True)
class Task:
    """Games of one line-up, no two of the same deal, played with one launch of each of its bots."""

    number: int
    ruleset: Ruleset
    entrants: dict[int, Entrant]
    games: tuple[GameSpec, ...]
    limits: Limits
    names_shown: bool = False


@dataclass
class TaskResult:
    """`lines` of the log, one per game; seats, places and faults (seat, cause) for the live score.

    `output` is what each bot printed, `failed_starts` the launches that came to nothing, per bot.
    """

    number: int
    lines: list[bytes] = field(default_factory=list)
    scores: list[tuple[tuple[int, ...], list[int], list[tuple[int, str]]]] = field(default_factory=list)
    decisions: int = 0
    launches: int = 0
    output: dict[int, str] = field(default_factory=dict)
    failed_starts: dict[int, int] = field(default_factory=dict)
