"""What the loop needs of the world: processes that can be launched, and messages to and from them.

`sessions` has the real thing; tests play whole games with one that has neither processes nor time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from arena.referee.faults import BotFault


class Session(Protocol):
    """One launch of a bot: a process behind a door."""

    def send(self, peer: int, frame: bytes) -> None:
        """Send without waiting; a lost message is found by its deadline."""

    def ended(self) -> str | None:
        """How the process ended, or None while it runs."""

    def output(self) -> str:
        """The tail of what it printed."""

    def cpu(self) -> float:
        """CPU seconds used so far."""

    def pause(self, paused: bool) -> None:
        """Stop it from computing, or let it go on."""


Heard = bytes | BotFault
"""A message of one frame, or what is wrong with what came instead."""
Message = tuple[Session, int, Heard]
"""What came in a session, and the number of the connection, from 1, through which it came: its peer."""


class Transport(Protocol):
    """Launches bots and carries their messages."""

    def launch(self, bot: int, token: str) -> Session:
        """Start this bot of the task."""

    def receive(self, sessions: Sequence[Session], seconds: float) -> Iterable[Message]:
        """What has come from any of these, after at most `seconds`; may return early with nothing."""

    def end(self, sessions: Sequence[Session], polite: bool) -> None:
        """End these launches; politely if they were told goodbye."""
