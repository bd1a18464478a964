"""One bot through all its launches of a task: what waits for it, what it was told, what is open."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arena.referee.link import Link
from arena.referee.task import Entrant
from arena.referee.wire import End

if TYPE_CHECKING:
    from arena.referee.faults import BotFault
    from arena.referee.table import Table
    from arena.referee.transport import Session

MAX_FAILED_STARTS = 3
"""Launches in a row that came to nothing, after which a bot is out for the task."""


class OpenAsk:
    """An ask that waits for its answer: its tables, how many ends it told, its limit in seconds."""

    __slots__ = ("ends", "limit", "sent", "tables")

    def __init__(self, tables: list[Table], ends: int, limit: float) -> None:
        self.tables = tables
        self.ends = ends
        self.limit = limit
        self.sent = 0.0


@dataclass(slots=True)
class LocalGame:
    """A game as one launch knows it: its number there, and how much the bot was told."""

    local: int
    started: bool = False
    told: int = 0


@dataclass(slots=True)
class Player:
    """`out` says why it plays no more in this task. The fields after `incidents` belong to the present
    launch. Times are of the clock; `waits_since` is that of the first of the questions in `waiting`.
    """

    index: int
    entrant: Entrant
    waiting: deque[Table] = field(default_factory=deque)
    waits_since: float = 0.0
    failed_starts: int = 0
    failed_starts_total: int = 0
    out: str = ""
    answers: int = 0
    incidents: int = 0
    session: Session | None = None
    link: Link | None = None
    launched: float = 0.0
    deadline: float = 0.0
    start_left: float = 0.0
    extended: bool = False
    ready: bool = False
    answered: bool = False
    leaving: bool = False
    refused: str = ""
    fault: BotFault | None = None
    open: OpenAsk | None = None
    ends: list[End] = field(default_factory=list)
    games: dict[Table, LocalGame] = field(default_factory=dict)
    _locals: int = 0
    _cpu_before: float = 0.0

    @property
    def starting(self) -> bool:
        """Launched, but has not said hello."""
        return self.session is not None and not self.ready

    @property
    def expected(self) -> bool:
        """Whether something is due from it by `deadline`."""
        return self.open is not None or self.starting

    def count_failed_start(self) -> None:
        """Another launch came to nothing; after some in a row it is out."""
        self.failed_starts += 1
        self.failed_starts_total += 1
        if self.failed_starts >= MAX_FAILED_STARTS:
            self.out = f"it failed to start {self.failed_starts} times in a row"

    def game(self, table: Table) -> LocalGame:
        """The game as this launch knows it; a number is given to one that it has not heard of."""
        known = self.games.get(table)
        if known is None:
            self._locals += 1
            known = self.games[table] = LocalGame(self._locals)
        return known

    def knows(self, table: Table) -> bool:
        """Whether this launch was told of the game: one that was split off an ask has a number only."""
        known = self.games.get(table)
        return known is not None and known.started

    def was_asked(self, ask: OpenAsk, now: float, grace: float) -> None:
        """This ask went out, its questions being the first of those that wait."""
        ask.sent = now
        self.open = ask
        self.extended = False
        self.deadline = now + ask.limit + grace
        if ask.ends:
            self.ends = self.ends[ask.ends :]
        for table in ask.tables:
            self.waiting.popleft()
            game = self.games[table]
            game.started = True
            game.told = len(table.game.rounds) - 1

    def seat(self, table: Table) -> int:
        """Its seat at this table."""
        return table.players.index(self.index)

    def cpu(self) -> float:
        """CPU seconds that its launches have used so far."""
        return self._cpu_before + (self.session.cpu() if self.session is not None else 0.0)

    def begin_launch(self, session: Session, token: str, now: float) -> None:
        self.session = session
        self.link = Link(token)
        self.extended = False
        self.launched = now

    def end_launch(self) -> None:
        self._cpu_before = self.cpu()
        self.session = self.link = self.open = None
        self.ready = self.answered = self.leaving = False
        self.refused = ""
        self.fault = None
        self.ends = []
        self.games = {}
        self._locals = 0
