"""What can go wrong with a bot, as a closed list, and the exception that carries it.

Precedence, where several hold at once: what a bot *did* (malformed, oversize, flood, illegal) is judged
when its message is read; a bot that is found dead before its deadline is judged has crashed; only one
that lives and has not answered after the sockets were drained has timed out.
"""

from __future__ import annotations

from enum import StrEnum

from arena.errors import printable


class Cause(StrEnum):
    """Why a bot forfeits a game. All but the last two are the bot's own doing."""

    START = "start"
    """It did not say hello within the start-up limit, or could not be started."""
    CRASH = "crash"
    """Its process ended while the tournament needed it."""
    TIMEOUT = "timeout"
    """It lives, but had not answered when its time was over."""
    MALFORMED = "malformed"
    """It sent something that is not a message of the protocol."""
    OVERSIZE = "oversize"
    """It sent a message that is too large."""
    ILLEGAL = "illegal"
    """It made a call that the rules do not allow."""
    FLOOD = "flood"
    """It kept sending what nobody asked for."""
    INTERRUPTED = "interrupted"
    """The run was stopped: nobody's fault."""
    HOST = "host"
    """The arena or the machine failed: nobody's fault."""


class BotFault(Exception):
    """A bot did what costs it the games that wait for it. `received` is the offending message."""

    def __init__(self, cause: Cause, detail: str, received: bytes = b"") -> None:
        super().__init__(f"{cause}: {detail}")
        self.cause = cause
        # One line: some quote the bot, and a host reads them in a terminal.
        self.detail = printable(detail.replace("\n", " "))
        self.received = received
