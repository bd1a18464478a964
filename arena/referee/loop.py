"""The referee's loop: K games at once with the bots of one task, on one thread.

Each turn of the loop sends every idle bot the questions that piled up for it as one ask, waits for
whatever comes, and judges. Nobody is judged late before the sockets were drained once more after the
deadline. Time, processes and sockets come in through `Transport` and `clock`, so that tests play whole
games without either.
"""

from __future__ import annotations

import os
import secrets
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from arena.record.schema import Fault, GameRecord
from arena.referee.composer import Composer, welcome
from arena.referee.faults import BotFault, Cause
from arena.referee.player import Player
from arena.referee.table import Table
from arena.referee.task import GameSpec, Task
from arena.referee.transport import Heard, Session, Transport
from arena.referee.wire import Answer, Bye, Hello, Refused, encode

SLICE: Final = 0.02
"""Longest wait in seconds before the loop looks whether a bot has died."""
LAG_FLOOR: Final = 0.001
"""Seconds of the loop's own delay that are worth a note."""
HOLD: Final = 0.002
"""Longest time in seconds that questions wait for more of them, while answers of others are due."""
DRAIN_LIMIT = 1000
"""Most times that one drain receives."""


class Referee:
    """Plays the games of one task. `play` yields each game's record as it ends."""

    def __init__(
        self,
        task: Task,
        transport: Transport,
        clock: Callable[[], float],
        wall: Callable[[], float],
    ) -> None:
        self.task = task
        self.players = {
            index: Player(index, entrant, out=entrant.out) for index, entrant in task.entrants.items()
        }
        self.decisions = 0
        self.launches = 0
        self._transport = transport
        self._clock = clock
        self._wall = wall
        self._limits = task.limits
        self._bank, self._grace = task.limits.bank, task.limits.grace
        self._pauses = not task.limits.pondering
        takes_part = [e.games for e in task.entrants.values() if not e.out]
        self.in_flight = min([task.limits.games_in_flight, *takes_part])
        self._batch = self.in_flight * 3 // (2 * len(self.players)) if self.in_flight > 1 else 1
        """So many questions are worth a message at once: half as many again as a bot's share."""
        self._composer = Composer(task)
        self._by_session: dict[Session, Player] = {}
        self._active: set[Table] = set()
        self._over: list[Table] = []
        self._woke = clock()
        self._lags: deque[tuple[float, float]] = deque(maxlen=1000)
        self._cpu: dict[int, float] = {}
        self._asked: Player | None = None

    # -- the loop ----------------------------------------------------------------------------------

    def play(self) -> Iterator[GameRecord]:
        """Every game of the task, in the order in which they end."""
        todo = deque(self.task.games)
        for player in self.players.values():
            if not player.out:
                self._launch(player)
        while any(player.starting for player in self.players.values()):
            self._step()
        while todo or self._active:
            while todo and len(self._active) < self.in_flight:
                self._seat(todo.popleft())
            self._step()
            if self._over:
                for table in self._over:
                    yield self._record(table)
                self._over.clear()
                self._say_goodbye([p for p in self.players.values() if p.entrant.restarts])
        self._say_goodbye(list(self.players.values()))

    def _step(self) -> None:
        """Send what piled up, receive what comes, judge who is late."""
        expected = []
        held = False
        for player in self.players.values():
            if player.open is None and (player.waiting or (player.leaving and player.ends)):
                if self._batch > 1 and self._holds(player):
                    held = True
                else:
                    self._flush(player)
            if player.open is not None or player.starting:
                expected.append(player)
        if not expected:
            return
        soonest = min([player.deadline for player in expected])
        now = self._clock()
        if now - self._woke > LAG_FLOOR:
            self._lags.append((now, now - self._woke))
        heard = self._receive(expected, min(soonest - now, HOLD if held else SLICE))
        while self._asked is not None:
            # One game in flight, and its next question is out: only that bot is expected.
            player, self._asked = self._asked, None
            if player.open is None:
                break  # it could not be asked
            if player.open.sent - self._woke > LAG_FLOOR:
                self._lags.append((player.open.sent, player.open.sent - self._woke))
            expected, soonest = [player], player.deadline
            heard = self._receive(expected, min(soonest - self._woke, SLICE))
        if self._woke >= soonest:
            lag = self._woke - soonest
            self._lags.append((self._woke, lag))
            for _ in range(DRAIN_LIMIT):
                looked = self._clock()
                if not self._receive(expected, 0.0):
                    break
            for player in expected:
                if player.expected and player.deadline <= looked:
                    if lag > LAG_FLOOR and not player.extended:
                        # The referee itself was held up: nobody shall lose by that.
                        player.deadline = looked + lag
                        player.extended = True
                    else:
                        self._late(player)
        elif not heard:
            for player in expected:
                self._look_alive(player)

    def _holds(self, player: Player) -> bool:
        """Whether its few questions had better wait for more: a message costs as much as ten of them.

        That costs it no time, as its clock starts with the message.
        """
        return (
            player.ready
            and not player.leaving
            and len(player.waiting) < self._batch
            and self._woke - player.waits_since < HOLD
            and any(other.open is not None for other in self.players.values())
        )

    def _receive(self, expected: list[Player], seconds: float) -> bool:
        """Take what has come from these players; False if nothing had."""
        sessions = [p.session for p in expected if p.session is not None]
        messages = self._transport.receive(sessions, seconds if seconds > 0.0 else 0.0)
        self._woke = self._clock()
        heard = False
        for session, peer, said in messages:
            heard = True
            player = self._by_session.get(session)
            if player is not None:
                try:
                    self._hear(player, peer, said)
                except BotFault as fault:
                    if player.ready and player.open is None:
                        # Between two asks: it is for the next. Else it would cost no game, only a
                        # launch, and after a launch there is more time than for a call.
                        player.fault = player.fault or fault
                    else:
                        self._fail(player, fault)
        return heard

    # -- what a bot says ---------------------------------------------------------------------------

    def _hear(self, player: Player, peer: int, said: Heard) -> None:
        link, session = player.link, player.session
        assert link is not None
        assert session is not None
        message = link.receive(peer, said)
        if type(message) is Answer:
            assert isinstance(said, bytes)
            self._answered(player, message, said)
        elif isinstance(message, Hello):
            name = player.entrant.program.name
            session.send(peer, encode(welcome(name, self.in_flight, self._limits)))
            player.ready = True
            player.start_left = player.deadline - self._grace - self._woke
        elif isinstance(message, Refused):
            player.refused = message.reason
            session.send(peer, encode(message))

    def _answered(self, player: Player, answer: Answer, frame: bytes) -> None:
        ask = player.open
        assert ask is not None
        size = len(ask.tables)
        if len(answer.calls) != size:
            detail = f"{len(answer.calls)} calls for {size} acts"
            raise BotFault(Cause.MALFORMED, detail, frame)
        player.open = None
        used = self._woke - ask.sent
        if self._bank and player.answered and size:
            ask.tables[0].charge(used, self._limits.increment)
        player.answered = True
        player.answers += 1
        player.failed_starts = 0
        us = int(used * 1e6 / size) if size else 0
        self.decisions += size
        if self._pauses and player.session is not None:
            player.session.pause(True)
        for number, table in enumerate(ask.tables):
            try:
                table.answer(answer.calls[number], us, size)
            except BotFault as fault:
                player.incidents += 1
                self._penalise(player, table, fault, us / 1000, size)
            self._moved(table)

    def _moved(self, table: Table) -> None:
        """A call or a forfeit was made: on to the next question, or the game is over."""
        if table.game.ask is not None:
            player = self.players[table.asked]
            if not player.waiting:
                player.waits_since = self._woke
            player.waiting.append(table)
            if self.in_flight == 1 and player.open is None:
                # Nothing can pile up: ask at once, and keep the books while the bot thinks.
                self._flush(player)
                self._asked = player
            return
        self._active.discard(table)
        self._over.append(table)
        for index in table.players:
            player = self.players[index]
            end = self._composer.end(player, table)
            player.games.pop(table, None)
            if end is not None:
                player.ends.append(end)

    # -- what goes wrong ---------------------------------------------------------------------------

    def _late(self, player: Player) -> None:
        """The deadline is over, the sockets are drained: a dead bot crashed, a live one is late."""
        assert player.session is not None
        if player.session.ended():
            self._died(player)
        elif player.starting:
            reason = f"refused: {player.refused}" if player.refused else "no hello"
            self._fail(player, BotFault(Cause.START, f"{reason} within {self._limits.start:g} s"))
        else:
            assert player.open is not None
            fault = BotFault(Cause.TIMEOUT, f"no answer within {player.open.limit * 1000:.0f} ms")
            if Cause.TIMEOUT in self.task.penalties.default_call:
                self._overdue(player, fault)
            else:
                self._fail(player, fault)

    def _overdue(self, player: Player, fault: BotFault) -> None:
        """A late bot whose calls the referee makes: it plays on, its late answer will be dropped."""
        ask, link = player.open, player.link
        assert ask is not None
        assert link is not None
        player.open = None
        player.answered = True
        player.incidents += 1
        link.give_up()
        used_ms = (self._woke - ask.sent) * 1000
        for table in ask.tables:
            if self._bank:
                table.charge(used_ms / 1000, self._limits.increment)
            self._penalise(player, table, fault, used_ms, len(ask.tables))
            self._moved(table)

    def _look_alive(self, player: Player) -> None:
        """A dead bot's last words may still be in the socket: they count."""
        session = player.session
        if session is None or session.ended() is None:
            return
        for _ in range(DRAIN_LIMIT):
            if player.session is not session or not self._receive([player], 0.0):
                break
        if player.session is session and player.expected:
            self._died(player)

    def _died(self, player: Player) -> None:
        assert player.session is not None
        detail = f"the process {player.session.ended()}"
        if player.starting:
            reason = f"{detail} before its hello"
            if player.refused:
                reason = f"refused: {player.refused}"
            self._fail(player, BotFault(Cause.START, reason))
        else:
            self._fail(player, BotFault(Cause.CRASH, detail))

    def _fail(self, player: Player, fault: BotFault) -> None:
        """This launch is over; the games that wait for its answer are forfeited.

        Without an ask out these are the games that were started with this launch and wait for it,
        or, if it never answered, all that wait for it.
        """
        session = player.session
        assert session is not None
        player.incidents += 1
        used_ms = (self._woke - (player.open.sent if player.open else player.launched)) * 1000
        if player.open is not None:
            tables = player.open.tables
        elif player.answered:
            tables = [table for table in player.waiting if player.knows(table)]
        else:
            tables = list(player.waiting)
        if not player.answered:
            player.count_failed_start()
        for table in tables:
            if player.open is None:
                player.waiting.remove(table)
            self._penalise(player, table, fault, used_ms, len(tables))
        player.end_launch()
        del self._by_session[session]
        self._transport.end([session], polite=False)
        for table in tables:
            self._moved(table)

    def _penalise(
        self, player: Player, table: Table, fault: BotFault, used_ms: float, size: int
    ) -> None:
        assert table.game.ask is not None
        told = Fault(
            seat=table.game.ask.seat,
            cause=fault.cause,
            round=table.game.round.number,
            detail=fault.detail,
            received=fault.received[:64].hex(),
            used_ms=round(used_ms, 3),
            stderr=player.session.output() if player.session else "",
        )
        table.penalise(told, size, self.task.penalties)

    # -- what the referee says ---------------------------------------------------------------------

    def _launch(self, player: Player) -> None:
        token = secrets.token_hex(16)
        player.begin_launch(self._transport.launch(player.index, token), token, self._clock())
        player.deadline = player.launched + self._limits.start + self._grace
        assert player.session is not None
        self._by_session[player.session] = player
        self.launches += 1

    def _seat(self, spec: GameSpec) -> None:
        listeners = [
            seat for seat, index in enumerate(spec.seats) if self.task.entrants[index].out_of_turn
        ]
        table = Table(spec, self.task.ruleset, listeners, self._bank)
        table.started = self._clock()
        if self.in_flight == 1:
            # What the game before ended with: reading it anew would cost as much as three calls.
            table.cpu = [self._cpu_of(index) for index in table.players]
        self._active.add(table)
        self.players[table.asked].waiting.append(table)

    def _flush(self, player: Player) -> None:
        """Send an idle bot all that waits for it, as one ask; launch it first if need be."""
        session = player.session
        if player.out:
            while player.waiting:
                table = player.waiting.popleft()
                self._penalise(player, table, BotFault(Cause.START, player.out), 0.0, 1)
                self._moved(table)
            return
        if session is None:
            self._launch(player)
            return
        if not player.ready:
            return
        if player.fault is not None:
            self._fail(player, player.fault)
            return
        if session.ended():
            self._died(player)
            return
        assert player.link is not None
        frame, ask = self._composer.ask(player, self.in_flight)
        player.link.ask()
        if self._pauses:
            session.pause(False)
        now = self._clock()  # before: the send wakes the bot, which may run in our place and answer
        session.send(player.link.peer, frame)
        player.was_asked(ask, now, self._grace)

    def _say_goodbye(self, players: list[Player]) -> None:
        """Tell these bots how their last games ended, then goodbye. No game waits for them."""
        for player in players:
            player.leaving = True
        while any((p.ends or p.open) and p.session is not None for p in players):
            self._step()
        ending = []
        for player in players:
            if player.session is not None and player.link is not None:
                player.session.pause(False)
                player.session.send(player.link.peer, encode(Bye("the games are over")))
                ending.append(player.session)
                del self._by_session[player.session]
            player.end_launch()
        if ending:
            self._transport.end(ending, polite=True)

    def _record(self, table: Table) -> GameRecord:
        now = self._clock()
        lag = max((lag for at, lag in self._lags if at >= table.started), default=0.0)
        seconds = now - table.started
        cpu_ms = []
        for index, before in zip(table.players, table.cpu, strict=self.in_flight == 1):
            self._cpu[index] = self.players[index].cpu()
            # Less than before is possible: what a helper process of the bot used ends with it.
            cpu_ms.append(max(0.0, 1000 * (self._cpu[index] - before)))
        started = self._wall() - seconds
        return table.record(seconds, started, lag * 1000, os.getloadavg()[0], cpu_ms)

    def _cpu_of(self, index: int) -> float:
        """CPU seconds that a bot had used when its last game ended, or by now before its first."""
        if index not in self._cpu:
            self._cpu[index] = self.players[index].cpu()
        return self._cpu[index]
