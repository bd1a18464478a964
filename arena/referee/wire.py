"""The messages of protocol version 1 as typed structs: encoded and validated by msgspec.

`protocol/SPEC.md` is the contract; this module is its referee side. What comes from a bot passes
through `decode`, which turns anything that is not exactly one of the bot's messages into `Malformed`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

PROTOCOL = 1
MAX_FRAME = 64 * 1024
"""Largest message in bytes, either way."""
SPLIT_AT = 32 * 1024
"""The referee splits an ask that would be larger."""
MAX_GAMES = 64
"""Most games in flight with one bot."""

Natural = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Text = Annotated[str, Meta(max_length=64)]


class Malformed(ValueError):
    """Bytes that are not a message of the protocol; the text says what is wrong."""


class Hello(Struct, tag_field="type", tag="hello"):
    """The bot's first message. What it leaves out has the default."""

    protocol: Natural
    token: str
    name: Text = ""
    version: Text = ""
    language: Text = ""
    games: Annotated[int, Meta(ge=1, le=MAX_GAMES)] = 1
    out_of_turn: bool = False
    past: bool = False


class Greeting(Struct, tag_field="type", tag="hello"):
    """What the hello of every version of the protocol has."""

    protocol: Natural
    token: str


class Answer(Struct, tag_field="type", tag="answer"):
    """One call per act of the ask with this id, in order."""

    id: Natural
    calls: list[str]


class Welcome(Struct, tag_field="type", tag="welcome"):
    protocol: int
    name: str
    games: int
    arena: str
    move_ms: int
    bank_ms: int
    increment_ms: int


class Refused(Struct, tag_field="type", tag="refused"):
    protocol: int
    reason: str


class Start(Struct):
    """A game begins. `dice` are those at the start, per seat."""

    game: int
    seat: int
    names: list[str]
    commitment: str
    ruleset: dict[str, Any]
    dice: list[int]


class Past(Struct):
    """A round that is over. `hands` are [] where not revealed, and then `count` is 0."""

    round: int
    opener: int
    palifico: bool
    hands: list[list[int]]
    calls: list[tuple[int, str]]
    count: int
    dice_after: list[int]


class Act(Struct):
    """A question: everything that is needed to answer it."""

    game: int
    seat: int
    dice: list[int]
    round: int
    hand: tuple[int, ...]
    palifico: bool
    wild: int
    quantity: int
    face: int
    calls: list[tuple[int, str]]
    min_quantity: tuple[int, ...]
    max_quantity: int
    words: tuple[str, ...]
    random: int
    bank_ms: int
    min_tabba: tuple[int, ...] | UnsetType = UNSET
    past: list[Past] | UnsetType = UNSET


class End(Struct):
    """A game is over. `fault` is "" unless this bot forfeited it."""

    game: int
    places: list[int]
    fault: str
    detail: str
    past: list[Past] | UnsetType = UNSET


class Ask(Struct, tag_field="type", tag="ask"):
    id: int
    time_ms: int
    acts: list[Act]
    starts: list[Start]
    ends: list[End]


class Bye(Struct, tag_field="type", tag="bye"):
    reason: str


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Hello | Answer)
_greeting_decoder = msgspec.msgpack.Decoder(Greeting)


def encode(message: Welcome | Refused | Ask | Bye) -> bytes:
    """The frame of a referee's message."""
    return _encoder.encode(message)


def decode(frame: bytes) -> Hello | Answer:
    """A bot's message. Raises `Malformed` for anything else, whatever the bytes.

    A hello of another version of the protocol may have other fields: only its protocol and token count.
    """
    try:
        return _decoder.decode(frame)
    except (ValueError, RecursionError) as error:
        with suppress(ValueError, RecursionError):
            greeting = _greeting_decoder.decode(frame)
            if greeting.protocol != PROTOCOL:
                return Hello(greeting.protocol, greeting.token)
        raise Malformed(str(error)[:200]) from None
