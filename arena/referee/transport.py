"""What the loop needs of the world: processes that can be launched, and messages to and from them.

`worker` has the real thing; tests play whole games with one that has neither processes nor time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol


class Session(Protocol):
    """One launch of a bot: a process behind a door."""

    def send(self, peer: bytes, frame: bytes) -> None:
        """Send without waiting; a lost message is found by its deadline."""

    def ended(self) -> str | None:
        """How the process ended, or None while it runs."""

    def output(self) -> str:
        """The tail of what it printed."""

    def cpu(self) -> float:
        """CPU seconds used so far."""

    def pause(self, paused: bool) -> None:
        """Stop it from computing, or let it go on."""


Message = tuple[Session, bytes, bytes, bool]
"""Session, peer, frame, and whether the message was a single frame."""


class Transport(Protocol):
    """Launches bots and carries their messages."""

    def launch(self, bot: int, token: str) -> Session:
        """Start this bot of the task."""

    def receive(self, sessions: Sequence[Session], seconds: float) -> Iterable[Message]:
        """What has come from any of these, after at most `seconds`; may return early with nothing."""

    def flooding(self, sessions: Sequence[Session]) -> Session | None:
        """The launch among these that fills the referee's memory, if one does."""

    def end(self, sessions: Sequence[Session], polite: bool) -> None:
        """End these launches; politely if they were told goodbye."""
