"""What bots are told: welcome, asks with their starts and ends. It changes nobody's state."""

from __future__ import annotations

from itertools import islice

from arena import __version__
from arena.referee.player import OpenAsk, Player
from arena.referee.table import Table, ruleset_on_the_wire
from arena.referee.task import Limits, Task
from arena.referee.wire import PROTOCOL, SPLIT_AT, Ask, End, Start, Welcome, encode

MAX_WAIT = 3600.0
"""Longest time in seconds for one answer, where no limit is given."""


def welcome(name: str, games: int, limits: Limits) -> Welcome:
    """What a bot is told after its hello."""
    times = (round(seconds * 1000) for seconds in (limits.move, limits.bank, limits.increment))
    return Welcome(PROTOCOL, name, games, __version__, *times)


class Composer:
    """Composes the messages to the bots of one task."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._move = task.limits.move or MAX_WAIT
        self._bank = task.limits.bank
        self._rules = ruleset_on_the_wire(task.ruleset)

    def ask(self, player: Player, most: int) -> tuple[bytes, OpenAsk]:
        """The frame and the books of the next ask: all that the bot has to hear, and of the questions
        that wait for it `most`, or as many as fit.
        """
        tables, ends = list(islice(player.waiting, most)), player.ends
        while True:
            frame, ask = self._ask(player, tables, ends)
            if len(frame) <= SPLIT_AT or (len(tables) <= 1 and len(ends) <= 1):
                return frame, ask
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

    def _ask(self, player: Player, tables: list[Table], ends: list[End]) -> tuple[bytes, OpenAsk]:
        assert player.link is not None
        starts: list[Start] = []
        acts = []
        past = player.entrant.past
        for table in tables:
            game = player.game(table)
            if not game.started:
                starts.append(self._start(player, table, game.local))
            acts.append(table.question(game.local, game.told if past else None))
        limit = self._move * (len(tables) or 1)
        if self._bank:
            limit = min([limit, *[table.bank[player.seat(table)] for table in tables]])
        if not player.answered:  # the first ask is charged to the start-up limit
            limit = max(limit, player.start_left)
        frame = encode(Ask(player.link.next_id, round(limit * 1000), acts, starts, ends))
        return frame, OpenAsk(tables, len(ends), limit)

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
