"""The conversation with one launch of the bot: the referee's side, which notes more and forgives more.

It waits as the referee does: until the answer is there, the process is gone or the time is over. What
the referee would call a fault raises `Problem`, except a wrong id and what nobody asked for: these are
noted, since steps of their own judge them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from arena.check.notes import Notes
from arena.check.problem import Kind, Problem
from arena.check.reading import article, shape, wrong_in_answer
from arena.referee.composer import welcome
from arena.referee.door import Doors
from arena.referee.faults import BotFault
from arena.referee.launch import Launcher, Process, Program
from arena.referee.task import Limits
from arena.referee.transport import Heard
from arena.referee.wire import MAX_FRAME, MAX_GAMES, Act, Ask, Bye, End, Refused, Start, encode

SLICE = 0.02
"""Longest wait in seconds before looking whether the bot has died."""
PRINTED = 2000
"""Bytes of output that a problem quotes."""
WHOLE_OUTPUT = 2 << 20
FLOOD = 1000
"""Messages that nobody asked for, within one ask, after which nothing more is read."""
LAST_WORDS = 0.05

Change = Callable[[dict[str, Any]], dict[str, Any]]
"""Writes a message otherwise before it is sent: with keys added, or in another order."""


class Talk:
    """One launch. `hello` is what it said first, `token` what it should say; `open` tells whether it
    can still be asked.
    """

    def __init__(
        self,
        launcher: Launcher,
        doors: Doors,
        program: Program,
        limits: Limits,
        notes: Notes,
    ) -> None:
        self.limits = limits
        self.notes = notes
        self.token = os.urandom(16).hex()
        self.hello: dict[str, Any] = {}
        self.said = b""
        """Its first message, as bytes."""
        self.frame = b""
        """Its last message."""
        self.asked = b""
        """The ask that was sent last."""
        self.next_id = 1
        self.used = 0.0
        """Seconds that its last answer took."""
        self.open = True
        self._closed = False
        self._answered: set[int] = set()
        self._asks = 0
        self._peer = 0
        self._launcher = launcher
        self.process: Process = launcher.prepare(program)
        self._door = doors.open(self.process.endpoint)
        self._begun = time.monotonic()
        launcher.start(self.process, self.token)

    # -- the beginning -----------------------------------------------------------------------------

    def hear_hello(self) -> None:
        """Wait for the first message. Raises `Problem` if it is none that begins a conversation."""
        limit = self.limits.start
        got = self._wait(self._begun + limit + self.limits.grace)
        if got is None:
            raise self.problem(
                f"no hello came within {limit:g} s",
                "Connect a DEALER socket to ARENA_ENDPOINT and send the hello at once; load and warm "
                "up until the first answer instead. --start-time allows more.",
                Kind.START,
            )
        self.notes.starts.append(time.monotonic() - self._begun)
        self._peer, heard = got
        self.hello, wrong = self._read(heard)
        self.said = self.frame
        if not wrong and self.hello.get("type") != "hello":
            wrong = f"its type is {self.hello.get('type')!r}, not 'hello'"
        if wrong:
            raise self.problem(
                f"the first message is no hello: {wrong}",
                'Send {"type": "hello", "protocol": 1, "token": ARENA_TOKEN} as one msgpack map.',
                Kind.START,
                received=self.frame,
            )

    @property
    def games(self) -> int:
        """Most games that it offers to play at once; the nearest that can be, if it says otherwise."""
        games = self.hello.get("games", 1)
        return min(max(games, 1), MAX_GAMES) if type(games) is int else 1

    def claims(self, what: str) -> bool:
        """Whether its hello asked for this: `out_of_turn` or `past`."""
        return self.hello.get(what) is True

    def welcome(self, change: Change | None = None) -> None:
        name = self.process.program.name
        self._send(welcome(name, self.games, self.limits), change)

    # -- questions and answers ---------------------------------------------------------------------

    def ask(
        self,
        acts: Sequence[Act] = (),
        starts: Sequence[Start] = (),
        ends: Sequence[End] = (),
        change: Change | None = None,
        while_it_waits: Callable[[], None] = lambda: None,
    ) -> list[str]:
        """Its calls, one for each act. Raises `Problem`. `while_it_waits` runs after the ask is sent."""
        limit = (self.limits.move or self.limits.bank) * max(1, len(acts))
        first = not self._asks
        if first:
            limit = max(limit, self.limits.start)
        number, self.next_id = self.next_id, self.next_id + 1
        self._asks += 1
        ask = Ask(number, round(limit * 1000), list(acts), list(starts), list(ends))
        self.asked = self._send(ask, change)
        while_it_waits()
        sent = time.monotonic()
        answer = self._answer(number, sent + limit + self.limits.grace, limit)
        self.used = time.monotonic() - sent
        if first:
            self.notes.first.append(self.used)
        else:
            self.notes.times.append((self.used, len(acts)))
        calls: list[str] = answer["calls"]
        if len(calls) != len(acts):
            raise self.problem(
                f"{len(calls)} {_calls(len(calls))} came for {len(acts)} acts",
                "Answer with one call for each act of the ask, in the order of the acts; with [] if "
                "there are none.",
                Kind.NUMBER,
                received=self.frame,
            )
        return calls

    def _answer(self, number: int, deadline: float, limit: float) -> dict[str, Any]:
        """The answer to the open ask, whatever comes beside it."""
        before = len(self.notes.strays)
        while len(self.notes.strays) < before + FLOOD:
            got = self._wait(deadline)
            if got is None:
                self.notes.late += 1
                strays = self.notes.strays[before:]
                instead = f"; what came was {strays[-1][0]}" if strays else ""
                raise self.problem(
                    f"no answer to ask {number} came within {limit * 1000:.0f} ms{instead}",
                    "The ask's time_ms is for the whole answer. Think less, or look whether the bot "
                    "hangs: it may wait for something that never comes.",
                    Kind.LATE,
                    received=strays[-1][2] if strays else b"",
                )
            peer, heard = got
            message, wrong = self._read(heard)
            if peer != self._peer:
                self._stray("a second connection spoke")
            elif not wrong and message.get("type") == "hello":
                self._stray("a second hello")
            elif not wrong and type(message.get("id")) is int and message["id"] in self._answered:
                self._stray(f"a second answer with id {message['id']}")
            else:
                wrong_id, other = wrong_in_answer(message) if not wrong else ("", wrong)
                if other:
                    raise self.problem(
                        f"what came is no answer: {other}",
                        'Answer {"type": "answer", "id": the ask\'s id, "calls": [one text per act]}.',
                        Kind.MESSAGE,
                        received=self.frame,
                    )
                if not wrong_id and message["id"] != number:
                    wrong_id = f"id is {message['id']}"
                if wrong_id:
                    told = f"the ask has id {number}, but in the answer {wrong_id}"
                    self.notes.wrong_ids.append((told, self.asked, self.frame))
                    if type(message.get("id")) is int:
                        self._answered.add(message["id"])
                else:
                    self._answered.add(number)
                return message
        raise self.flooded()

    def listen(self, seconds: float) -> None:
        """Let time pass; whatever comes is noted as not asked for. Raises `Problem` if it leaves."""
        end, before = time.monotonic() + seconds, len(self.notes.strays)
        while (got := self._wait(end)) is not None:
            message, wrong = self._read(got[1])
            what = wrong or f"its type is {message.get('type', article(None))!r}"
            self._stray(f"a message while no ask was open ({what})")
            if len(self.notes.strays) >= before + FLOOD:
                raise self.flooded()

    def _read(self, heard: Heard) -> tuple[dict[str, Any], str]:
        """The map that a message is, and ""; or {} and why it is none. It is `frame` from now on."""
        if isinstance(heard, BotFault):
            self.frame = heard.received
            return {}, heard.detail
        self.frame = heard
        return shape(heard)

    def _stray(self, words: str) -> None:
        self.notes.strays.append((words, self.asked, self.frame))

    def flooded(self) -> Problem:
        words, _, received = self.notes.strays[-1]
        return self.problem(
            f"{FLOOD} messages came that nobody asked for, the last: {words}",
            "Answer every ask once, and send nothing else.",
            Kind.OTHER,
            received=received,
        )

    def _wait(self, deadline: float) -> tuple[int, Heard] | None:
        """The next message until `deadline`; None after it. Raises `Problem` if the bot is gone."""
        while True:
            left = deadline - time.monotonic()
            got = self._door.receive(max(0.0, min(SLICE, left)))
            if got is not None:
                return got
            self._launcher.poll()
            if self.process.status is not None:
                got = self._door.receive(LAST_WORDS)
                if got is not None:
                    return got
                when = "while it was asked" if self._peer else "before its hello"
                raise self.problem(
                    f"the program {self.process.how_it_ended()} {when}",
                    "Only bye ends a bot. What it printed last tells more, if it printed anything."
                    if self._peer
                    else "Run its command by hand in its folder: it should complain about "
                    "ARENA_ENDPOINT, which the arena sets, and about nothing else.",
                    Kind.GONE if self._peer else Kind.START,
                )
            if left <= 0:
                return None

    def _send(self, message: Any, change: Change | None) -> bytes:
        frame = encode(message)
        if change is not None:
            frame = msgspec.msgpack.encode(change(msgspec.to_builtins(message)))
        assert len(frame) <= MAX_FRAME, f"{len(frame)} bytes"
        self._door.send(self._peer, frame)
        return frame

    def problem(self, words: str, advice: str, kind: Kind, **more: Any) -> Problem:
        """A problem of this launch, with the last ask and what the bot printed. It ends the launch."""
        self.open = False
        printed = self.process.output(PRINTED)
        return Problem(words, advice, kind, **{"asked": self.asked, "printed": printed} | more)

    # -- the end -----------------------------------------------------------------------------------

    def refuse(self, reason: str) -> None:
        self._send(Refused(1, reason), None)

    def goodbye(self, change: Change | None = None) -> None:
        self._send(Bye("the check is over"), change)

    def wait_for_exit(self, seconds: float) -> float | None:
        """Seconds until it left by itself, at most so many; None if it did not."""
        begun = time.monotonic()
        self.open = False
        while True:
            self._launcher.poll()
            passed = time.monotonic() - begun
            if self.process.status is not None:
                return passed
            if passed > seconds:
                return None
            time.sleep(0.002)

    def close(self) -> None:
        """End it at once, and note how much it printed."""
        if self._closed:
            return
        self._closed = True
        self.open = False
        self._launcher.end([self.process], 0.0)
        self._door.close()
        printed = self.process.output(WHOLE_OUTPUT)
        self.notes.output.append(len(printed.encode()))
        self.notes.printed = printed[-PRINTED:] or self.notes.printed


def _calls(number: int) -> str:
    return "call" if number == 1 else "calls"
