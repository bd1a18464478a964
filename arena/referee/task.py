"""What a worker is given and what it gives back. A task is a pure function of its content."""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.game import Ruleset
from arena.referee.launch import Program
from arena.referee.sandbox import Sandbox


@dataclass(frozen=True)
class Limits:
    """Times in seconds, 0 = none. `grace` is added to every deadline before anybody is judged.

    bank       for all answers of one game; `increment` is added with each answer on turn
    pondering  whether bots may go on computing while they are not asked
    """

    move: float = 0.1
    start: float = 10.0
    grace: float = 0.02
    games_in_flight: int = 1
    bank: float = 0.0
    increment: float = 0.0
    pondering: bool = True


@dataclass(frozen=True)
class Penalties:
    """What faults cost. A cause in `default_call` costs no game while the seat has had fewer than
    `strikes` of them in that game: the referee calls for it, dudo where a bid stands, else the smallest
    bid, out of turn pass. Every other fault is a forfeit. `disqualify_after` incidents (0 = never) a
    bot is out for the rest of the tournament.
    """

    default_call: frozenset[str] = frozenset()
    strikes: int = 3
    disqualify_after: int = 0


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
    penalties: Penalties = field(default_factory=Penalties)
    sandbox: Sandbox = field(default_factory=Sandbox)


@dataclass
class TaskResult:
    """`lines` of the log, one per game; seats, places and faults (seat, cause) for the live score.

    Per bot: `output` is what it printed, `failed_starts` the launches that came to nothing, `answered`
    the asks it answered, `incidents` its faults (one ask with many games counts once).
    """

    number: int
    lines: list[bytes] = field(default_factory=list)
    scores: list[tuple[tuple[int, ...], list[int], list[tuple[int, str]]]] = field(default_factory=list)
    decisions: int = 0
    launches: int = 0
    output: dict[int, str] = field(default_factory=dict)
    failed_starts: dict[int, int] = field(default_factory=dict)
    answered: dict[int, int] = field(default_factory=dict)
    incidents: dict[int, int] = field(default_factory=dict)
