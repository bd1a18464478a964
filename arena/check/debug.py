"""A game of a log, put to a bot once more: question by question, with the clock stopped.

The game goes as it went: after each question the call of the log is made, whatever the bot says now, so
that a changed bot, or one under a debugger, is asked exactly what it was asked then.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.check.notes import Notes
from arena.check.talk import Talk
from arena.errors import ConfigError
from arena.record.columns import read_rounds
from arena.record.schema import GameRecord, Header
from arena.referee.door import Doors
from arena.referee.launch import Launcher, Program
from arena.referee.table import Table, ruleset_on_the_wire
from arena.referee.task import Limits
from arena.referee.wire import End, Start
from arena.tournament.again import find_secret
from arena.tournament.bots import BotSpec
from arena.tournament.file import load_tournament
from arena.tournament.folder import CONFIG
from arena.tournament.tasks import Tasks

NO_CLOCK = Limits(move=24 * 3600.0, start=24 * 3600.0)
PLACEHOLDER = (sys.executable, "-c", "import time; time.sleep(86400)")
"""What runs in the bot's place while somebody starts it by hand."""


@dataclass(frozen=True)
class Moment:
    """One question to the bot: in words, what was called then, what the bot calls now."""

    question: str
    hand: tuple[int, ...]
    then: str
    now: str


class Debugger:
    """Puts the game of `record` to `bot`, in the seat of the bot of that name, or `seat`.

    Raises `ConfigError` where the seat or the dice cannot be told. Use it as a context manager; then
    `endpoint` and `token` are where a program that is started by hand has to connect.
    """

    def __init__(
        self,
        bot: BotSpec,
        folder: Path,
        header: Header,
        record: GameRecord,
        seat: int | None,
        attach: bool,
    ) -> None:
        names = [header.bots[index].name for index in record.seats]
        if seat is None:
            if bot.name not in names:
                raise ConfigError(
                    f"no bot called {bot.name} played game {record.game} (seats: {', '.join(names)}); "
                    "say which seat with --seat, from 0"
                )
            seat = names.index(bot.name)
        elif not 0 <= seat < len(names):
            raise ConfigError(f"game {record.game} has the seats 0 to {len(names) - 1}")
        config = load_tournament(folder / CONFIG)
        tasks = Tasks(config, header, find_secret(folder, header, config.seed), folder)
        spec = tasks.spec(record.game, record.block, record.rotation, tuple(record.seats))
        asked = [n for n, index in enumerate(record.seats) if header.bots[index].out_of_turn]
        self.seat = seat
        self._table = Table(spec, config.ruleset, asked, config.limits.bank)
        self._record = record
        self._names = [name if n == seat else f"seat {n}" for n, name in enumerate(names)]
        self._rules = ruleset_on_the_wire(config.ruleset)
        self._dice = list(config.ruleset.starting_dice(len(names)))
        program = bot.program
        self._program = Program(bot.name, PLACEHOLDER, str(folder)) if attach else program

    def __enter__(self) -> Debugger:
        self._launcher = Launcher()
        self._doors = Doors()
        self._talk = Talk(self._launcher, self._doors, self._program, NO_CLOCK, Notes())
        self.endpoint, self.token = self._talk.process.endpoint, self._talk.token
        return self

    def __exit__(self, *_: object) -> None:
        self._talk.close()
        self._doors.close()
        self._launcher.close()

    def moments(self) -> Iterator[Moment]:
        """Every question to the bot in this game. Raises `Problem` where the bot does not answer."""
        talk, table = self._talk, self._table
        talk.hear_hello()
        talk.welcome()
        past = talk.claims("past")
        starts = [self._start()]
        told = 0
        for played in read_rounds(self._record):
            for seat, word, _ in played.calls:
                ask = table.game.ask
                if ask is not None and ask.seat == self.seat:
                    act = table.question(1, told if past else None)
                    calls = talk.ask([act], starts)
                    starts, told = [], len(table.game.rounds) - 1
                    yield Moment(table.describe(), act.hand, word, calls[0])
                if word == "forfeit":
                    table.game.forfeit(seat)
                else:
                    table.answer(word, 0, 1)
        talk.ask(ends=[End(1, self._record.places, "", "")])
        talk.goodbye()

    def _start(self) -> Start:
        commitment = self._table.spec.commitment
        return Start(1, self.seat, self._names, commitment, self._rules, self._dice)
