"""The private door of one launch: a ROUTER socket on its own endpoint.

Who comes through this door can only be this bot or somebody it let in, so a flood or a garbage
message has a culprit. Whether the one who speaks may speak is decided in `session`.
"""

from __future__ import annotations

from collections.abc import Sequence

import zmq

from arena.referee.wire import MAX_FRAME

_MORE = int(zmq.SNDMORE)
_NOBLOCK = int(zmq.NOBLOCK)
_RCVMORE = int(zmq.RCVMORE)

HARD_LIMIT = 256 * MAX_FRAME
"""Frames beyond this are cut off by ZeroMQ itself, with the connection: the referee never hears of
them, so that the bot is late and not oversize. Hence far above what a mistake would send.
"""
QUEUE = 4
"""Messages of one connection that wait here, before the bot must wait: bounds what they hold."""


class Door:
    """One ROUTER. Frames come as (peer, frame); peers are ZeroMQ routing ids."""

    __slots__ = ("_patience", "_send", "socket")

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], endpoint: str) -> None:
        self.socket = context.socket(zmq.ROUTER)
        self.socket.linger = 0
        self.socket.sndhwm = 256
        self.socket.rcvhwm = QUEUE
        self.socket.maxmsgsize = HARD_LIMIT
        self.socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._patience = -1
        # The compiled method: what pyzmq wraps around it costs as much as the encoding of a message.
        self._send = super(zmq.Socket, self.socket).send
        self.socket.bind(endpoint)

    def send(self, peer: bytes, frame: bytes) -> None:
        """Send without waiting. A peer that is gone or does not read misses it: the deadline tells."""
        try:
            try:
                self._send(peer, _MORE | _NOBLOCK)
            except zmq.Again:
                # A ROUTER learns late what its peer has read, and may think its queue full when it is
                # not; asking for its events makes it look.
                self.socket.getsockopt(zmq.EVENTS)
                self._send(peer, _MORE | _NOBLOCK)
            self._send(frame, _NOBLOCK)
        except zmq.ZMQError:
            pass

    def receive(self, patience_ms: int) -> tuple[bytes, bytes, bool] | None:
        """The next (peer, frame, whether it was one frame), or None after `patience_ms`."""
        sock = self.socket
        if patience_ms != self._patience:
            sock.rcvtimeo = self._patience = patience_ms
        try:
            peer = sock.recv()
            frame = sock.recv()
        except zmq.Again:
            return None
        single = True
        while sock.getsockopt(_RCVMORE):
            sock.recv()
            single = False
        return peer, frame, single

    def close(self) -> None:
        self.socket.close(0)


def wait(doors: Sequence[Door], other: int, seconds: float) -> list[Door]:
    """The doors with something to receive, after at most `seconds`; returns early if the file
    descriptor `other` becomes readable.
    """
    watched: list[tuple[zmq.Socket[bytes] | int, int]] = [(door.socket, zmq.POLLIN) for door in doors]
    watched.append((other, zmq.POLLIN))
    ready = {id(found) for found, _ in zmq.zmq_poll(watched, max(0, int(seconds * 1000)))}
    return [door for door in doors if id(door.socket) in ready]
