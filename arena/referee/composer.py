"""What bots are told: welcome, asks with their starts and ends. It changes nobody's state."""

from __future__ import annotations

from dataclasses import dataclass

from arena import __version__
from arena.referee.player import Player
from arena.referee.table import Table, ruleset_on_the_wire
from arena.referee.task import Limits, Task
from arena.referee.wire import PROTOCOL, SPLIT_AT, Ask, End, Start, Welcome, encode

MAX_WAIT = 3600.0
"""Longest time in seconds for one answer, where no limit is given."""


def welcome(name: str, games: int, limits: Limits) -> Welcome:
    """What a bot is told after its hello."""
    times = (round(seconds * 1000) for seconds in (limits.move, limits.bank, limits.increment))
    return Welcome(PROTOCOL, name, games, __version__, *times)


@dataclass(slots=True)
class Told:
    """An ask as it goes out: its frame, its tables, how many ends it holds, its limit in seconds."""

    frame: bytes
    tables: list[Table]
    ends: int
    limit: float


class Composer:
    """Composes the messages to the bots of one task."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._limits = task.limits
        self._rules = ruleset_on_the_wire(task.ruleset)

    def ask(self, player: Player, tables: list[Table]) -> Told:
        """The questions of these tables with all that the bot has to hear, or as many as fit."""
        ends = player.ends
        while True:
            told = self._ask(player, tables, ends)
            if len(told.frame) <= SPLIT_AT or (len(tables) <= 1 and len(ends) <= 1):
                return told
            tables, ends = tables[: (len(tables) + 1) // 2], ends[: (len(ends) + 1) // 2]

    def end(self, player: Player, table: Table) -> End | None:
        """How a game ended, for a bot that was told of it."""
        if not player.knows(table):
            return None
        seat, game = player.seat(table), player.games[table]
        forfeits = (f for f in table.faults if f.seat == seat and f.penalty == "forfeit")
        fault = next(forfeits, None)
        end = End(
            game.local,
            table.game.places,
            fault.cause if fault else "",
            fault.detail if fault else "",
        )
        if player.entrant.past:
            end.past = table.past(game.told, table.rounds_seen(seat))
        return end

    def _ask(self, player: Player, tables: list[Table], ends: list[End]) -> Told:
        assert player.link is not None
        starts: list[Start] = []
        acts = []
        past = player.entrant.past
        for table in tables:
            game = player.game(table)
            if not game.started:
                starts.append(self._start(player, table, game.local))
            acts.append(table.question(game.local, game.told if past else None))
        limit = self._limit(player, tables)
        frame = encode(Ask(player.link.next_id, round(limit * 1000), acts, starts, ends))
        return Told(frame, tables, len(ends), limit)

    def _limit(self, player: Player, tables: list[Table]) -> float:
        """Seconds for an answer to these questions; the first is charged to the start-up limit."""
        limit = self._limits.move * max(1, len(tables)) or MAX_WAIT
        if self._limits.bank:
            limit = min([limit, *(table.bank[player.seat(table)] for table in tables)])
        return limit if player.answered else max(limit, player.start_left)

    def _start(self, player: Player, table: Table, local: int) -> Start:
        shown = self._task.names_shown
        names = [
            self._task.entrants[index].program.name if shown or index == player.index else f"seat {seat}"
            for seat, index in enumerate(table.players)
        ]
        return Start(
            local,
            player.seat(table),
            names,
            table.spec.commitment,
            self._rules,
            list(self._task.ruleset.starting_dice(len(table.players))),
        )
