"""The private doors of the launches: each listens on an endpoint of its own.

Who comes through a door can only be this bot or somebody it let in, so a flood or a garbage message has
a culprit. Whether the one who speaks may speak is decided in `link`.
"""

from __future__ import annotations

import select
import socket
from collections import deque
from collections.abc import Callable
from typing import Final

from arena.referee.faults import BotFault, Cause
from arena.referee.transport import Heard
from arena.referee.wire import MAX_FRAME
from arena.referee.zmtp import GREETING, Reader, frame

CHUNK: Final = 2 * MAX_FRAME
"""Bytes read at once: any message is whole with one look, once it is there."""
MAX_CONNECTIONS = 16
"""Open at once at one door. More are turned away."""
MAX_VISITS = 1000
"""Connections of one launch, after which nobody is let in."""
ALLOWANCE: Final = 2 * MAX_FRAME
"""Bytes that may come through a door between two messages sent, before it is a flood."""
COMMAND: Final = 32
"""Of that a command takes so much more than its bytes: it may have two, and costs a microsecond."""
_FLOOD: Final = (
    f"more than {ALLOWANCE} bytes, or {ALLOWANCE // COMMAND} heartbeats, that nobody asked for"
)

_IN: Final = select.EPOLLIN
_OUT: Final = select.EPOLLOUT


class Doors:
    """All doors of one worker, and the one wait for whatever comes to any of them."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._ready: dict[int, Callable[[int], None]] = {}
        self.opened: set[Door] = set()
        """Those that are not closed yet."""

    def open(self, endpoint: str) -> Door:
        """A door at this ipc:// endpoint. Raises OSError."""
        door = Door(self, endpoint.removeprefix("ipc://"))
        self.opened.add(door)
        return door

    def wait(self, seconds: float) -> None:
        """Take in what comes, after at most `seconds`; often earlier, with nothing worth mention."""
        for descriptor, events in self._epoll.poll(seconds):
            self._ready[descriptor](events)

    def watch(self, descriptor: int, ready: Callable[[int], None], events: int = _IN) -> None:
        """From now on `ready(events)` is called by `wait` where this is readable or writable."""
        self._epoll.register(descriptor, events)
        self._ready[descriptor] = ready

    def change(self, descriptor: int, events: int) -> None:
        self._epoll.modify(descriptor, events)

    def forget(self, descriptor: int) -> None:
        self._epoll.unregister(descriptor)
        del self._ready[descriptor]

    def close(self) -> None:
        for door in list(self.opened):
            door.close()
        self._epoll.close()


class Door:
    """One launch's. `heard` is what came, each with the number of its connection, from 1."""

    __slots__ = ("_connections", "_doors", "_listener", "_visits", "allowance", "heard")

    def __init__(self, doors: Doors, path: str) -> None:
        self.heard: deque[tuple[int, Heard]] = deque()
        self.allowance = ALLOWANCE
        self._doors = doors
        self._connections: dict[int, _Connection] = {}
        self._visits = 0
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        self._listener.bind(path)
        self._listener.listen(MAX_CONNECTIONS)
        doors.watch(self._listener.fileno(), self._admit)

    def send(self, peer: int, message: bytes) -> None:
        """Send without waiting. A peer that is gone or does not read misses it: the deadline tells."""
        connection = self._connections.get(peer)
        if connection is not None:
            self.allowance = ALLOWANCE
            connection.send(frame(message))

    def receive(self, seconds: float) -> tuple[int, Heard] | None:
        """What comes next, after at most `seconds`; may return early with nothing."""
        if not self.heard:
            self._doors.wait(seconds)
        return self.heard.popleft() if self.heard else None

    def hang_up(self, peer: int) -> None:
        """Close a connection. What it said before still counts."""
        self._connections.pop(peer).close()

    def close(self) -> None:
        """Close everything. May be called twice."""
        for peer in list(self._connections):
            self.hang_up(peer)
        if self._listener.fileno() >= 0:
            self._doors.forget(self._listener.fileno())
            self._listener.close()
        self.heard.clear()  # what nobody took would stay as long as somebody knows this launch
        self._doors.opened.discard(self)

    def _admit(self, _events: int) -> None:
        try:
            link, _ = self._listener.accept()
        except OSError:  # it is gone again
            return
        self._visits += 1
        if self._visits >= MAX_VISITS:
            self._doors.forget(self._listener.fileno())
            self._listener.close()
        if len(self._connections) >= MAX_CONNECTIONS:
            link.close()
        else:
            connection = _Connection(self._doors, self, self._visits, link)
            self._connections[self._visits] = connection
            connection.ready(_IN)  # it may have said all that it will, and be gone


class _Connection:
    """What is read and not yet sent on one connection."""

    __slots__ = ("_door", "_doors", "_link", "_number", "_reader", "_unsent")

    def __init__(self, doors: Doors, door: Door, number: int, link: socket.socket) -> None:
        link.setblocking(False)
        self._doors = doors
        self._door = door
        self._number = number
        self._link = link
        self._reader = Reader()
        self._unsent = b""
        doors.watch(link.fileno(), self.ready)
        self.send(GREETING)

    def send(self, data: bytes) -> None:
        """All of it, now or when there is room, or nothing where something waits for room already."""
        if not self._unsent:
            self._push(data)
            if self._unsent:
                self._doors.change(self._link.fileno(), _IN | _OUT)

    def _push(self, data: bytes) -> None:
        try:
            self._unsent = data[self._link.send(data) :]
        except BlockingIOError:
            self._unsent = data
        except OSError:  # it is gone, which reading will tell
            self._unsent = b""

    def close(self) -> None:
        self._doors.forget(self._link.fileno())
        self._link.close()

    def ready(self, events: int) -> None:
        if events & _OUT:
            self._push(self._unsent)
            if not self._unsent:
                self._doors.change(self._link.fileno(), _IN)
        try:
            data = self._link.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        reader, door, number = self._reader, self._door, self._number
        if door.allowance >= 0:  # else it is not even looked at, which would take time of all others
            for message in reader.feed(data):
                door.heard.append((number, message))
            if reader.replies:
                self.send(bytes(reader.replies))
                reader.replies.clear()
            door.allowance -= len(data) + COMMAND * reader.commands
            reader.commands = 0
        if door.allowance < 0:
            door.heard.append((number, BotFault(Cause.FLOOD, _FLOOD)))
        if not data or reader.over or door.allowance < 0:
            door.hang_up(number)
