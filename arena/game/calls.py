"""Calls and their text notation: ``3x5`` is three fives, every other call is a word.

The one parser and the one printer of the project: wire, log, command line and documents all use
this notation.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class InvalidCall(ValueError):
    """A text that is not a call in the notation."""


class Bid(NamedTuple):
    """A claim that at least `quantity` dice in play show `face` (1..6, 1 = ace)."""

    quantity: int
    face: int

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"


class Word(StrEnum):
    """The calls that are not bids, in the order in which questions list them."""

    DUDO = "dudo"
    CALZA = "calza"
    PALIFICO = "palifico"
    TABBA = "tabba"
    PASS = "pass"

    __hash__ = str.__hash__  # that of an enumeration is slow, and words are keys


Call = Bid | Word

MANY_DICE = 36
"""So many dice, six for each of six players, are the most for which things are made beforehand."""
BIDS = tuple(tuple(Bid(quantity, face) for quantity in range(1, MANY_DICE + 1)) for face in range(1, 7))
"""Per face every bid of up to `MANY_DICE`, the smallest first."""

_BID = re.compile(r"(0|[1-9][0-9]{0,3})x(0|[1-9][0-9]{0,3})", re.ASCII)
_KNOWN: dict[str, Call] = {word.value: word for word in Word}
_KNOWN |= {str(bid): bid for bids in BIDS for bid in bids}


def parse_call(text: str) -> Call:
    """The call that `text` writes. Whether it is legal is the game's business: ``0x9`` parses.

    Raises `InvalidCall` for what is not the notation (no spaces, capitals or leading zeros).
    """
    call = _KNOWN.get(text)
    if call is not None:
        return call
    match = _BID.fullmatch(text)
    if match is None:
        shown = text if len(text) <= 40 else text[:40] + "..."
        words = ", ".join(Word)
        raise InvalidCall(f"{shown!r} is not a call: write a bid as 3x5, or one of {words}")
    return Bid(int(match[1]), int(match[2]))
