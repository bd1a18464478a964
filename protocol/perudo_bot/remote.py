"""The connection of a bot over TCP: under keys where it is remote, and clear about what is wrong."""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping
from typing import NamedTuple, NoReturn

import zmq

NAMES = ("ARENA_SERVER_KEY", "ARENA_PUBLIC_KEY", "ARENA_SECRET_KEY")
LINGER_MS = 100
"""How long a bot that ends waits for its last message to leave, in milliseconds."""
HEARTBEAT_MS = 2000
SILENCE_MS = 6000
"""An arena that does not answer heartbeats for so long is gone."""
HANDSHAKE_MS = 5000
MOST_RETRY_MS = 2000
"""Longest time between two attempts to connect."""
CLOSED_OFTEN = 3
"""Handshakes in a row that fail without a reason, before something is said about it."""
EVENTS = (
    zmq.EVENT_CONNECT_RETRIED
    | zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_DISCONNECTED
)


class Keys(NamedTuple):
    """As 40 characters each (Z85): the arena's public key, the bot's own pair."""

    server: str
    public: str
    secret: str


class Dropped(Exception):
    """The connection was lost."""


def stop(code: int, message: str) -> NoReturn:
    say(message)
    sys.exit(code)


def say(message: str) -> None:
    print(f"perudo_bot: {message}", file=sys.stderr, flush=True)


def find_keys(environ: Mapping[str, str], endpoint: str) -> Keys | None:
    """The keys of a remote bot, None for one on the arena's machine. Exits with 2 where they are not
    usable, or where there are none and the endpoint is on another machine.
    """
    given = [environ.get(name, "") for name in NAMES]
    if not any(given):
        if endpoint.startswith("tcp:") and not is_local(endpoint):
            stop(2, f"{endpoint} is on another machine; that needs keys: {', '.join(NAMES)}")
        return None
    for name, key in zip(NAMES, given):  # noqa: B905 (Python 3.9)
        if not key:
            stop(2, f"{name} is missing; a remote bot needs {', '.join(NAMES)}")
        if len(key) != 40:
            stop(2, f"{name} is not a key of 40 characters")
    keys = Keys(*given)
    try:
        fits = zmq.curve_public(keys.secret.encode()).decode() == keys.public
    except (zmq.ZMQError, ValueError):
        fits = False
    if not fits:
        stop(2, "ARENA_PUBLIC_KEY does not belong to ARENA_SECRET_KEY")
    return keys


def is_local(endpoint: str) -> bool:
    """Whether a tcp:// endpoint is on this machine's loopback, where nobody listens in."""
    host = endpoint[len("tcp://") :].rpartition(":")[0].strip("[]")
    return host in ("localhost", "::1") or host.startswith("127.")


class Line:
    """One connection. `receive` raises `Dropped` when it is lost, and exits where it is refused.

    `told` holds what was said about connections so far, for each is said once.
    """

    def __init__(self, endpoint: str, keys: Keys | None, told: set[str]) -> None:
        self._endpoint = endpoint
        self._keys = keys
        self._told = told
        self._up = False
        self._closed = 0
        # Of its own: names of monitors in a context are used again before they are free.
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.ipv6 = "[" in endpoint
        self._socket.reconnect_ivl_max = MOST_RETRY_MS
        if keys is not None:
            self._socket.curve_serverkey = keys.server.encode()
            self._socket.curve_publickey = keys.public.encode()
            self._socket.curve_secretkey = keys.secret.encode()
            self._socket.handshake_ivl = HANDSHAKE_MS
            self._socket.heartbeat_ivl = HEARTBEAT_MS
            self._socket.heartbeat_timeout = SILENCE_MS
        self._monitor = self._socket.get_monitor_socket(EVENTS)
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._poller.register(self._monitor, zmq.POLLIN)
        self._socket.connect(endpoint)

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self._monitor.close()
        self._context.destroy(LINGER_MS)

    def send(self, frame: bytes) -> None:
        while True:
            try:
                self._socket.send(frame, zmq.NOBLOCK)
                return
            except zmq.Again:  # there is no way out any more where the key was refused
                self._watch()

    def receive(self) -> bytes:
        while True:
            if self._socket in dict(self._poller.poll()):
                return self._socket.recv()
            try:
                self._watch()
            except Dropped:
                if self._socket.poll(0):  # it came before that
                    return self._socket.recv()
                raise

    def _watch(self) -> None:
        """Take one event of the connection."""
        (event,) = struct.unpack_from("=h", self._monitor.recv_multipart()[0])
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self._up = True
        elif event == zmq.EVENT_DISCONNECTED and self._up:
            raise Dropped
        elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
            stop(1, f"the arena at {self._endpoint} refused the bot: it does not know ARENA_PUBLIC_KEY")
        elif event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
            if self._keys is None:
                stop(1, f"the arena at {self._endpoint} wants keys: {', '.join(NAMES)}")
            stop(1, f"what listens at {self._endpoint} is no arena that takes keys")
        elif event == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL:
            self._closed += 1
            if self._closed == CLOSED_OFTEN:
                self._say_once(
                    f"{self._endpoint} closes the connection before it is ready; "
                    "is ARENA_SERVER_KEY the public key of that arena? I go on trying."
                )
        elif event == zmq.EVENT_CONNECT_RETRIED and self._keys is not None and not self._closed:
            self._say_once(f"waiting for the arena at {self._endpoint}")

    def _say_once(self, message: str) -> None:
        if message not in self._told:
            say(message)
        self._told.add(message)
