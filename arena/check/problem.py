"""What a step can find: a problem, with the messages that show it; a remark; or nothing to try."""

from __future__ import annotations

from enum import StrEnum

NO_ACT = -1


class Kind(StrEnum):
    """What sort of problem it is: it decides whether trying on makes sense."""

    START = "start"
    GONE = "gone"
    LATE = "late"
    MESSAGE = "message"
    NUMBER = "number"
    ILLEGAL = "illegal"
    OTHER = "other"


class Problem(Exception):
    """The bot did what the protocol does not allow.

    `words` say what happened, `advice` what to do. `asked` and `received` are the messages, as bytes;
    `act` is the place of the act at fault in the ask. `printed` is the end of what the bot printed.
    """

    def __init__(
        self,
        words: str,
        advice: str,
        kind: Kind = Kind.OTHER,
        *,
        asked: bytes = b"",
        received: bytes = b"",
        act: int = NO_ACT,
        printed: str = "",
    ) -> None:
        super().__init__(words)
        self.words = words
        self.advice = advice
        self.kind = kind
        self.asked = asked
        self.received = received
        self.act = act
        self.printed = printed


class Remark(Problem):
    """Nothing that costs a game, but worth knowing: a warning."""


class NotClaimed(Exception):
    """The step is about something that the bot's hello did not offer; the text says what."""
