"""The referee's end of a connection: ZMTP 3, which all ZeroMQ sockets speak, without any I/O.

Bots use whatever ZeroMQ library their language has. The referee itself reads and writes the protocol
that these libraries speak with each other, for three reasons. A library hears through a thread of its
own, and with one game in flight the two wake-ups that this takes cost more than all else that the
referee does. It keeps the parts of a message until it is whole, without bound. And it drops in silence
what it does not like, where a bot's author should be told.

Sources: https://rfc.zeromq.org/spec/23/ (ZMTP 3.0) and https://rfc.zeromq.org/spec/37/ (ZMTP 3.1).
"""

from __future__ import annotations

from arena.referee.faults import BotFault, Cause
from arena.referee.transport import Heard
from arena.referee.wire import MAX_FRAME

_MORE, _LONG, _COMMAND = 1, 2, 4
_SIGNATURE = b"\xff" + bytes(8) + b"\x7f"
_GREETING_SIZE = 64
_MECHANISM = b"NULL".ljust(20, b"\0")
_MAX_READY = 2048
"""Bytes of the command that ends the handshake: it tells some properties of a socket, each short."""
_SHORT = 255
"""The largest body whose size is written as one byte."""

GREETING = (_SIGNATURE + b"\3\1" + _MECHANISM).ljust(_GREETING_SIZE, b"\0")
"""What both ends begin with: the protocol's version, no encryption, and that this is no CURVE server."""


def frame(body: bytes) -> bytes:
    """A message of one frame, as it is sent."""
    if len(body) <= _SHORT:
        return bytes((0, len(body))) + body
    return b"\2" + len(body).to_bytes(8, "big") + body


def _command(name: bytes, body: bytes) -> bytes:
    """A command of less than 256 bytes."""
    return bytes((_COMMAND, 1 + len(name) + len(body), len(name))) + name + body


def _property(name: bytes, value: bytes) -> bytes:
    return bytes((len(name),)) + name + len(value).to_bytes(4, "big") + value


READY = _command(b"READY", _property(b"Socket-Type", b"ROUTER") + _property(b"Identity", b""))


class Reader:
    """Takes a connection's bytes apart. What it makes a `BotFault` of is the last that it reads: then
    `over` is true, and the connection is good for nothing more.
    """

    __slots__ = ("_greeted", "_ready", "_unread", "commands", "over", "replies")

    def __init__(self) -> None:
        self._unread = bytearray()
        self._greeted = False
        self._ready = False
        self.over = False
        self.commands = 0
        """How many came after the handshake."""
        self.replies = bytearray()
        """What has to be sent to the other end, besides the greeting with which it begins."""

    def feed(self, data: bytes) -> list[Heard]:
        """The messages that are whole with these bytes, each of one frame, or what is wrong."""
        size = len(data)
        if self._ready and not self._unread and size >= 2 and not data[0] and data[1] == size - 2:
            return [data[2:]]  # the usual: one short message, and nothing else
        if self.over:
            return []
        self._unread += data
        found: list[Heard] = []
        try:
            while (message := self._next()) is not None:
                if message:
                    found.append(message[0])
        except BotFault as fault:
            self.over, self._ready = True, False
            self._unread.clear()
            found.append(fault)
        return found

    def _next(self) -> tuple[bytes, ...] | None:
        """A message; () for what is none, and None if more bytes are needed. Raises `BotFault`."""
        unread = self._unread
        if not self._greeted:
            return self._greet()
        if len(unread) < 2:
            return None
        flags = unread[0]
        if flags > 7:
            raise _malformed(f"flags {flags} of a frame, which ZMTP 3 does not have", unread)
        begin = 9 if flags & _LONG else 2
        if len(unread) < begin:
            return None
        size = int.from_bytes(unread[1:begin], "big")
        most = MAX_FRAME if self._ready else _MAX_READY
        if size > most:
            if self._ready:
                detail = f"a message of {size} bytes; the largest is {most}"
                raise BotFault(Cause.OVERSIZE, detail, bytes(unread[begin : begin + 64]))
            raise _malformed(f"a handshake of {size} bytes", unread)
        if len(unread) < begin + size:
            return None
        body = bytes(unread[begin : begin + size])
        del unread[: begin + size]
        if flags & _COMMAND:
            self._obey(body)
            return ()
        if not self._ready:
            raise _malformed("a message before the handshake was over", body)
        if flags & _MORE:
            raise _malformed("a message of several frames; it must be one (use a DEALER socket)", body)
        return (body,)

    def _greet(self) -> tuple[bytes, ...] | None:
        unread = self._unread
        if not _SIGNATURE.startswith(unread[:1]) or (len(unread) > 9 and not unread[9] & 1):
            raise _malformed("what connected does not speak ZeroMQ's protocol", unread)
        if len(unread) > 10 and unread[10] < 3:
            raise _malformed("a ZeroMQ library older than 4.0 (ZMTP 3)", unread)
        if len(unread) < _GREETING_SIZE:
            return None
        mechanism = bytes(unread[12:32])
        if mechanism != _MECHANISM:
            name = mechanism.rstrip(b"\0").decode("ascii", "replace")
            raise _malformed(f"a connection secured with {name}; this one needs none", unread)
        del unread[:_GREETING_SIZE]
        self._greeted = True
        self.replies += READY
        return ()

    def _obey(self, command: bytes) -> None:
        """Commands are between the libraries: the end of the handshake, and heartbeats."""
        end = 1 + command[0] if command else 0
        name, body = command[1:end], command[end:]
        if not self._ready:
            if name != b"READY":
                raise _malformed("a handshake without READY", command)
            kind = _properties(body).get(b"socket-type", b"none")[:20].decode("ascii", "replace")
            if kind != "DEALER":
                raise _malformed(f"a {kind} socket connected; it must be a DEALER", command)
            self._ready = True
            return
        self.commands += 1
        if name == b"PING":
            self.replies += _command(b"PONG", body[2:18])


def _properties(body: bytes) -> dict[bytes, bytes]:
    """What a handshake says about a socket; names in small letters. What is cut off is left out."""
    found = {}
    while len(body) > 1:
        name, body = body[1 : 1 + body[0]].lower(), body[1 + body[0] :]
        size = int.from_bytes(body[:4], "big")
        found[name], body = body[4 : 4 + size], body[4 + size :]
    return found


def _malformed(detail: str, received: bytes | bytearray) -> BotFault:
    return BotFault(Cause.MALFORMED, detail, bytes(received[:64]))
