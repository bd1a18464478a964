"""The conversation with one launch of a bot, without any I/O.

The rules of this file: a link begins in silence. The first thing a bot may say is a hello with its
token; whoever says it is the peer from then on, and nobody else is. Then the referee asks and the peer
answers with the same id, one ask open at a time. An answer to an older ask is late and is dropped; too
much of what nobody asked for is a flood. Everything else raises `BotFault`.
"""

from __future__ import annotations

import hmac
from typing import Final

from arena.referee.faults import BotFault, Cause
from arena.referee.transport import Heard
from arena.referee.wire import (
    PROTOCOL,
    Answer,
    Hello,
    Malformed,
    Refused,
    decode,
)

MAX_STRAY: Final = 100
"""Messages of one launch that nobody asked for, before it is a flood."""


class Link:
    """One launch's conversation. `hello` is None until the bot has introduced itself."""

    __slots__ = ("_owed", "_stray", "_token", "hello", "next_id", "open", "peer")

    def __init__(self, token: str) -> None:
        self._token = token
        self._stray = 0
        self._owed = 0
        self.peer = 0
        self.hello: Hello | None = None
        self.next_id = 1
        self.open = False
        """Whether the ask with id `next_id - 1` waits for its answer."""

    def ask(self) -> int:
        """The id of a new ask. Its answer is the next thing that `receive` accepts."""
        assert not self.open
        self.open = True
        self.next_id += 1
        return self.next_id - 1

    def give_up(self) -> None:
        """The open ask needs no answer any more. One that still comes is late, and no stray."""
        assert self.open
        self.open = False
        self._owed += 1

    def receive(self, peer: int, heard: Heard) -> Hello | Answer | Refused | None:
        """What a message means: a hello, the answer to the open ask, or a refusal to send back to
        that `peer`; None for what is dropped. Raises `BotFault`.
        """
        if isinstance(heard, BotFault) and heard.cause is Cause.FLOOD:
            raise heard  # whoever let him in: each such connection holds up the referee
        frame = heard.received if isinstance(heard, BotFault) else heard
        if self.hello is not None and peer != self.peer:
            self._count_stray(frame)
            return Refused(PROTOCOL, "this bot is connected already")
        if isinstance(heard, BotFault):
            raise heard
        try:
            message = decode(frame)
        except Malformed as error:
            raise BotFault(Cause.MALFORMED, str(error), frame) from None
        if isinstance(message, Hello):
            return self._greet(peer, message, frame)
        if self.hello is None:
            raise BotFault(Cause.MALFORMED, "an answer before the hello", frame)
        latest = self.next_id - 1
        if message.id > latest:
            detail = f"an answer with id {message.id}, but the last ask was {latest}"
            raise BotFault(Cause.MALFORMED, detail, frame)
        if not self.open or message.id < latest:
            if self._owed:
                self._owed -= 1
            else:
                self._count_stray(frame)
            return None
        self.open = False
        return message

    def _greet(self, peer: int, hello: Hello, frame: bytes) -> Hello | Refused:
        if self.hello is not None:
            raise BotFault(Cause.MALFORMED, "a second hello", frame)
        if not hmac.compare_digest(hello.token.encode(), self._token.encode()):
            self._count_stray(frame)
            return Refused(PROTOCOL, "the token is not the one in ARENA_TOKEN")
        if hello.protocol != PROTOCOL:
            self._count_stray(frame)
            return Refused(PROTOCOL, f"this arena speaks protocol {PROTOCOL}, not {hello.protocol}")
        self.peer = peer
        self.hello = hello
        return hello

    def _count_stray(self, frame: bytes) -> None:
        self._stray += 1
        if self._stray > MAX_STRAY:
            detail = f"more than {MAX_STRAY} messages that nobody asked for"
            raise BotFault(Cause.FLOOD, detail, frame)
