"""Whole games without processes, sockets or real time.

    bots      Python classes: `FakeBot` plays sensibly, subclasses misbehave in one method
    time      `FakeTransport.now`; it moves only inside `receive`, so every test is exact
    transport a bot's message arrives when its `Reply` says; `stalls` make the loop itself slow

`play` runs a task and returns what a test may look at. Times are in seconds.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import msgpack
import msgspec

from arena.game import PRESETS, Ruleset
from arena.game.seeds import commitment, deal_seed, game_key, secret_of_seed
from arena.record.schema import GameRecord
from arena.referee.launch import Program
from arena.referee.loop import Referee
from arena.referee.task import Entrant, GameSpec, Limits, Penalties, Task
from arena.referee.transport import Heard, Message, Session
from tests.oracle.replay import replay

Map = dict[str, Any]
"""A decoded message, or a part of one."""

SECRET = secret_of_seed(7)
LIMITS = Limits(move=0.1, start=1.0, grace=0.02)


def pack(message: object) -> bytes:
    return bytes(msgpack.packb(message))


def unpack(frame: bytes) -> Map:
    message: Map = msgpack.unpackb(frame)
    return message


@dataclass
class Reply:
    """What a bot does about a message: `frames` arrive `delay` after it, all at once.

    `dies` is when its process ends, counted from the message; None = it lives on. `peer` is who sends.
    """

    delay: float = 0.001
    frames: Sequence[Heard] = ()
    dies: float | None = None
    peer: int = 1


class FakeBot:
    """One launch of a bot that plays sensibly. Class attributes are what its hello says."""

    games = 1
    out_of_turn = False
    past = False
    start_delay = 0.05
    think = 0.001

    def __init__(self, launch: int) -> None:
        self.launch = launch
        """Which launch of this bot in the task it is, from 1."""

    def hello(self, token: str) -> Reply:
        """What it does when it is launched."""
        return Reply(self.start_delay, [pack(self.introduction(token))])

    def introduction(self, token: str) -> Map:
        return {
            "type": "hello",
            "protocol": 1,
            "token": token,
            "games": self.games,
            "out_of_turn": self.out_of_turn,
            "past": self.past,
        }

    def ask(self, ask: Map) -> Reply:
        """What it does about an ask."""
        return Reply(self.think, [self.answer(ask)])

    def answer(self, ask: Map) -> bytes:
        calls = [self.call(act) for act in ask["acts"]]
        return pack({"type": "answer", "id": ask["id"], "calls": calls})

    def call(self, act: Map) -> str:
        return any_call(act)


def any_call(act: Map) -> str:
    """A legal call that depends on the question but not on the hand. Games of it end soon."""
    number = act["random"]
    words = act["words"]
    if "pass" in words:
        return str(words[0] if number % 5 == 0 else "pass")
    if words and number % 3 == 0:
        return str(words[number // 3 % len(words)])
    low: list[int] = act["min_quantity"]
    if number % 2 and "min_tabba" in act:
        low = [min(pair) for pair in zip(low, act["min_tabba"], strict=True)]
    bids = [f"{q}x{face}" for face, q in enumerate(low, 1) if q <= act["max_quantity"]]
    return bids[number // 5 % len(bids)] if bids else str(words[0])


class FakeSession:
    """A launch: the bot, all frames sent to it, and how its process ended."""

    def __init__(self, transport: FakeTransport, bot: int, actor: FakeBot) -> None:
        self.bot = bot
        self.actor = actor
        self.frames: list[bytes] = []
        self.sent_at: list[float] = []
        self.paused: list[bool] = []
        self.dies: float | None = None
        self.closed = ""
        """ "polite" or "killed" once the referee ended it."""
        self.closed_at = 0.0
        self._transport = transport

    def send(self, peer: int, frame: bytes) -> None:
        assert not self.closed, "a message to a launch that was ended"
        assert self.paused[-1:] != [True], "a message to a bot that cannot read it"
        now = self._transport.now
        if self.dies is not None and self.dies <= now:
            return
        self.frames.append(frame)
        self.sent_at.append(now)
        message = unpack(frame)
        if message["type"] == "ask":
            self.act(self.actor.ask(message))

    def act(self, reply: Reply) -> None:
        now = self._transport.now
        if reply.dies is not None:
            self.dies = now + reply.dies
        for frame in reply.frames:
            self._transport.post(now + reply.delay, self, reply.peer, frame)

    def ended(self) -> str | None:
        over = self.dies is not None and self.dies <= self._transport.now
        return "exited with code 1" if over else None

    def output(self) -> str:
        return f"output of launch {self.actor.launch}"

    def cpu(self) -> float:
        return self._transport.now

    def pause(self, paused: bool) -> None:
        self.paused.append(paused)

    @property
    def messages(self) -> list[Map]:
        """Everything it was sent, decoded."""
        return [unpack(frame) for frame in self.frames]

    @property
    def asks(self) -> list[Map]:
        return [message for message in self.messages if message["type"] == "ask"]


class FakeTransport:
    """`stalls` are (time, seconds): a `receive` that reaches that time is held up after it looked, so
    that what comes meanwhile waits in the sockets. Each `receive` takes one of them.
    """

    def __init__(
        self, bots: Sequence[type[FakeBot]], stalls: Sequence[tuple[float, float]] = ()
    ) -> None:
        self.now = 0.0
        self.sessions: list[FakeSession] = []
        self._bots = bots
        self._stalls = sorted(stalls)
        self._mail: list[tuple[float, int, FakeSession, int, Heard]] = []
        self._number = count()

    def clock(self) -> float:
        return self.now

    def launch(self, bot: int, token: str) -> FakeSession:
        before = sum(session.bot == bot for session in self.sessions)
        session = FakeSession(self, bot, self._bots[bot](before + 1))
        self.sessions.append(session)
        session.act(session.actor.hello(token))
        return session

    def post(self, at: float, session: FakeSession, peer: int, frame: Heard) -> None:
        heapq.heappush(self._mail, (at, next(self._number), session, peer, frame))

    def receive(self, sessions: Sequence[Session], seconds: float) -> Iterable[Message]:
        """The next messages of one bot that come together, as soon as they are there; nothing when a
        process ends, whose last words come after that."""
        assert seconds >= 0
        until = self.now + seconds
        found = self._next(sessions, until)
        deaths = [s.dies for s in self.sessions if s.dies is not None and self.now < s.dies <= until]
        if found is not None and found[0] < min(deaths, default=until + 1):
            together = sorted(mail for mail in self._mail if mail[0] == found[0] and mail[2] is found[2])
            self._mail = [mail for mail in self._mail if mail not in together]
            heapq.heapify(self._mail)
            self.now = max(self.now, found[0])
            taken: list[Message] = [mail[2:] for mail in together]
        else:
            self.now = min(deaths, default=until)
            taken = []
        if self._stalls and self._stalls[0][0] <= self.now:
            self.now += self._stalls.pop(0)[1]
        return taken

    def _next(
        self, sessions: Sequence[Session], until: float
    ) -> tuple[float, int, FakeSession, int, Heard] | None:
        here = [
            mail
            for mail in self._mail
            if mail[0] <= until and mail[2] in sessions and not mail[2].closed and _lives(mail)
        ]
        return min(here, default=None, key=lambda mail: mail[:2])

    def end(self, sessions: Sequence[Session], polite: bool) -> None:
        for session in sessions:
            assert isinstance(session, FakeSession)
            assert not session.closed
            session.closed = "polite" if polite else "killed"
            session.closed_at = self.now


def _lives(mail: tuple[float, int, FakeSession, int, Heard]) -> bool:
    """Whether its sender could still send it."""
    return mail[2].dies is None or mail[0] <= mail[2].dies


@dataclass
class Played:
    """What came of a task. `records` are in order of their numbers."""

    task: Task
    transport: FakeTransport
    referee: Referee
    records: list[GameRecord] = field(default_factory=list)

    def launches(self, bot: int) -> list[FakeSession]:
        return [session for session in self.transport.sessions if session.bot == bot]

    def faults(self) -> list[tuple[int, int, str]]:
        """(game, bot, cause) of every fault."""
        return [
            (record.game, record.seats[fault.seat], fault.cause)
            for record in self.records
            for fault in record.faults
        ]

    def check(self) -> None:
        """Every game was played once, by the rules, and forfeits stand where they should."""
        assert [record.game for record in self.records] == [spec.number for spec in self.task.games]
        options = self.task.ruleset.options()
        for record in self.records:
            wants = [s for s, b in enumerate(record.seats) if self.task.entrants[b].out_of_turn]
            game = msgspec.to_builtins(record)
            game["faults"] = [f for f in game["faults"] if f["penalty"] == "forfeit"]
            assert replay(game, options, wants) == []
            forfeits = sum(calls.endswith("forfeit") for calls in record.calls)
            assert forfeits == sum(fault.penalty == "forfeit" for fault in record.faults)
        for session in self.transport.sessions:
            check_conversation(session, self.task.limits.games_in_flight)


def check_conversation(session: FakeSession, in_flight: int) -> None:
    """What holds of everything that one launch was told, however the games went."""
    messages = session.messages
    assert all(len(frame) <= 64 * 1024 for frame in session.frames)
    if not messages:
        return
    assert messages[0]["type"] in ("welcome", "refused")
    assert [m["id"] for m in session.asks] == list(range(1, len(session.asks) + 1))
    if session.dies is None:
        assert (messages[-1]["type"] == "bye") == (session.closed == "polite")
    running: set[int] = set()
    numbers: list[int] = []
    for ask in session.asks:
        for end in ask["ends"]:
            running.remove(end["game"])
            assert ("past" in end) == session.actor.past
        for start in ask["starts"]:
            numbers.append(start["game"])
            running.add(start["game"])
        games = [act["game"] for act in ask["acts"]]
        assert len(set(games)) == len(games) <= in_flight
        assert running.issuperset(games)
        assert {start["game"] for start in ask["starts"]} <= set(games)
        for act in ask["acts"]:
            assert ("past" in act) == session.actor.past
            assert session.actor.out_of_turn or "pass" not in act["words"]
            assert act["dice"][act["seat"]] == len(act["hand"])
            assert sum(act["dice"]) == act["max_quantity"]
    assert len(set(numbers)) == len(numbers), "a game was started twice"
    assert min(numbers, default=1) == 1
    assert max(numbers, default=0) == len(numbers)
    assert not running or session.closed == "killed", "a game's end was not told"


def make_task(
    bots: Sequence[type[FakeBot]],
    *,
    ruleset: Ruleset | str = "standard",
    games: int = 1,
    limits: Limits = LIMITS,
    names_shown: bool = False,
    out: Sequence[int] = (),
    rotate: bool = False,
    restarts: Sequence[int] = (),
    penalties: Penalties | None = None,
) -> Task:
    """A task of `games` games with all of `bots` at the table. The bot of index 0 has seat 0, and
    one seat more in each later game if they `rotate`. The bots in `out` take no part from the start,
    those that have `restarts` get a new process for every game.
    """
    entrants = {
        index: Entrant(
            Program(f"bot {index}", ("true",), "/"),
            bot.games,
            bot.out_of_turn,
            bot.past,
            "no bot at all" if index in out else "",
            index in restarts,
        )
        for index, bot in enumerate(bots)
    }
    specs = tuple(
        GameSpec(
            number=number,
            block=number,
            rotation=0,
            deal=number,
            seats=tuple((seat - number + 1) % len(bots) for seat in range(len(bots)))
            if rotate
            else tuple(range(len(bots))),
            deal_seed=deal_seed(SECRET, number),
            key=game_key(SECRET, number),
            commitment=commitment(SECRET, number, deal_seed(SECRET, number)),
        )
        for number in range(1, games + 1)
    )
    rules = PRESETS[ruleset] if isinstance(ruleset, str) else ruleset
    return Task(1, rules, entrants, specs, limits, names_shown, penalties or Penalties())


def play(
    bots: Sequence[type[FakeBot]],
    *,
    stalls: Sequence[tuple[float, float]] = (),
    on_record: Callable[[GameRecord], None] | None = None,
    **options: Any,
) -> Played:
    """Play a task of `make_task(bots, **options)` to its end."""
    task = make_task(bots, **options)
    transport = FakeTransport(bots, stalls)
    referee = Referee(task, transport, transport.clock, lambda: 1e9 + transport.now)
    played = Played(task, transport, referee)
    for record in referee.play():
        if on_record is not None:
            on_record(record)
        played.records.append(record)
    played.records.sort(key=lambda record: record.game)
    assert all(session.closed for session in transport.sessions), "a launch was left running"
    return played
