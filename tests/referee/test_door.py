"""The door on its own: real sockets, with libzmq at the other end, or nothing but bytes."""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from collections.abc import Iterator

import pytest
import zmq

from arena.referee.door import ALLOWANCE, COMMAND, MAX_CONNECTIONS, MAX_VISITS, Door, Doors
from arena.referee.faults import BotFault, Cause
from arena.referee.transport import Heard
from arena.referee.wire import MAX_FRAME
from arena.referee.zmtp import GREETING, frame
from tests.referee.test_zmtp import DEALER

pytestmark = pytest.mark.realtime

PATIENCE = 20.0
Dealer = zmq.Socket[bytes]


@pytest.fixture
def endpoint() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="d") as folder:
        yield f"ipc://{folder}/door"


@pytest.fixture
def doors() -> Iterator[Doors]:
    opened = Doors()
    yield opened
    opened.close()


@pytest.fixture
def context() -> Iterator[zmq.Context[Dealer]]:
    with zmq.Context() as made:
        yield made


@pytest.fixture
def door(doors: Doors, endpoint: str) -> Door:
    return doors.open(endpoint)


def connect(context: zmq.Context[Dealer], endpoint: str, kind: int = zmq.DEALER) -> Dealer:
    peer = context.socket(kind)
    peer.linger = 0
    peer.rcvtimeo = int(PATIENCE * 1000)
    peer.connect(endpoint)
    return peer


def hear(door: Door, seconds: float = PATIENCE) -> tuple[int, Heard]:
    """What comes next. Fails if nothing does."""
    end = time.monotonic() + seconds
    while (got := door.receive(0.05)) is None:
        assert time.monotonic() < end, "nothing came"
    return got


def fault(door: Door) -> BotFault:
    """What comes next, which is wrong."""
    _, heard = hear(door)
    assert isinstance(heard, BotFault)
    return heard


def raw(endpoint: str) -> socket.socket:
    """A connection past its handshake, without a library."""
    link = socket.socket(socket.AF_UNIX)
    link.settimeout(PATIENCE)
    link.connect(endpoint.removeprefix("ipc://"))
    link.sendall(GREETING + DEALER)
    return link


def test_a_fast_conversation_loses_nothing(
    door: Door, endpoint: str, context: zmq.Context[Dealer]
) -> None:
    rounds = 20_000

    def echo() -> None:
        with connect(context, endpoint) as peer:
            peer.send(b"hello")
            for _ in range(rounds):
                peer.send(peer.recv())

    thread = threading.Thread(target=echo, daemon=True)
    thread.start()
    number, heard = hear(door)
    assert (number, heard) == (1, b"hello")
    for count in range(rounds):
        message = str(count).encode() * (count % 100)
        door.send(number, message)
        assert hear(door) == (number, message)
    thread.join(PATIENCE)


def test_a_peer_that_does_not_read_costs_no_time_and_raises_nothing(
    door: Door, endpoint: str, context: zmq.Context[Dealer]
) -> None:
    with connect(context, endpoint) as peer:
        peer.rcvhwm = 1
        peer.send(b"hello")
        number, _ = hear(door)
        for _ in range(5000):
            door.send(number, b"x" * 1000)
        door.send(number + 1, b"x")


def test_what_it_reads_late_is_whole_messages(door: Door, endpoint: str) -> None:
    """Where there is no room a message waits, and those after it are lost; none is cut."""
    with raw(endpoint) as peer:
        peer.sendall(frame(b"hello"))
        number, _ = hear(door)
        for letter in range(65, 85):
            door.send(number, bytes([letter]) * 50_000)
        for letter in range(97, 117):  # now it reads, and there is room for all of these
            end = bytes([letter]) * 50_000
            received = b""
            while not received.endswith(end):
                door.receive(0.001)
                door.send(number, end)
                received += peer.recv(1 << 20)
            size = len(frame(end))
            rest = received[len(received) % size :]
            for at in range(0, len(rest), size):
                assert rest[at : at + 9] == frame(end)[:9]
                assert len(set(rest[at + 9 : at + size])) == 1


def test_the_largest_messages_in_both_directions(
    door: Door, endpoint: str, context: zmq.Context[Dealer]
) -> None:
    with connect(context, endpoint) as peer:
        peer.send(bytes(MAX_FRAME))
        number, heard = hear(door)
        assert heard == bytes(MAX_FRAME)
        door.send(number, b"y" * MAX_FRAME)
        door.receive(0.0)  # what had no room leaves while it waits
        assert peer.recv() == b"y" * MAX_FRAME


def test_a_message_byte_by_byte(door: Door, endpoint: str) -> None:
    with raw(endpoint) as peer:
        *most, last = frame(b"x" * 300)
        for byte in most:
            peer.sendall(bytes([byte]))
            assert door.receive(0.0) is None
        peer.sendall(bytes([last]))
        assert hear(door) == (1, b"x" * 300)


@pytest.mark.parametrize(
    ("kind", "name"),
    [(zmq.REQ, "REQ"), (zmq.PAIR, "PAIR"), (zmq.ROUTER, "ROUTER"), (zmq.PUSH, "PUSH")],
)
def test_another_kind_of_socket(
    door: Door, endpoint: str, context: zmq.Context[Dealer], kind: int, name: str
) -> None:
    with connect(context, endpoint, kind):
        found = fault(door)
        assert found.cause is Cause.MALFORMED
        assert found.detail == f"a {name} socket connected; it must be a DEALER"


def test_several_parts_and_too_much(door: Door, endpoint: str, context: zmq.Context[Dealer]) -> None:
    with connect(context, endpoint) as peer:
        peer.send_multipart([b"one", b"two"])
        assert "several frames" in fault(door).detail
    with connect(context, endpoint) as peer:
        peer.send(bytes(20 << 20))
        found = fault(door)
        assert found.cause is Cause.OVERSIZE
        assert found.detail == f"a message of {20 << 20} bytes; the largest is 65536"


def test_a_peer_that_wants_heartbeats_keeps_its_connection(
    door: Door, endpoint: str, context: zmq.Context[Dealer]
) -> None:
    with context.socket(zmq.DEALER) as peer:
        peer.linger = 0
        peer.heartbeat_ivl, peer.heartbeat_timeout = 20, 500
        peer.connect(endpoint)
        peer.send(b"hello")
        number, _ = hear(door)
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            assert door.receive(0.05) is None
        peer.send(b"still the same")
        assert hear(door) == (number, b"still the same")


def test_what_somebody_said_before_it_left_counts(door: Door, endpoint: str) -> None:
    with raw(endpoint) as peer:
        peer.sendall(frame(b"last words"))
    assert hear(door) == (1, b"last words")
    door.send(1, b"nobody reads this")
    assert door.receive(0.0) is None


def test_connections_are_numbered_and_not_mixed_up(
    door: Door, endpoint: str, context: zmq.Context[Dealer]
) -> None:
    with connect(context, endpoint) as first, connect(context, endpoint) as second:
        first.send(b"first")
        second.send(b"second")
        numbers = {heard: number for number, heard in (hear(door), hear(door))}
        assert sorted(numbers.values()) == [1, 2]
        for text, peer in ((b"first", first), (b"second", second)):
            door.send(numbers[text], text)
            assert peer.recv() == text


def flood(peer: socket.socket, doors: Doors) -> None:
    while True:
        peer.send(frame(b"?") * 1000)
        doors.wait(0.0)


def test_a_flood_of_bytes_is_cut_off(door: Door, doors: Doors, endpoint: str) -> None:
    with raw(endpoint) as peer, pytest.raises(OSError, match=r"Broken pipe|reset"):
        flood(peer, doors)
    heard = list(door.heard)
    found = heard[-1][1]
    assert isinstance(found, BotFault)
    assert found.cause is Cause.FLOOD
    assert found.detail == "more than 131072 bytes, or 4096 heartbeats, that nobody asked for"
    assert 3 * len(heard) <= ALLOWANCE + 4 * MAX_FRAME


@pytest.mark.parametrize("command", [b"\4\7\4PING\0\0", b"\4\0"], ids=["heartbeats", "the smallest"])
def test_a_flood_of_commands_is_one_long_before_it_costs_much_time(
    door: Door, endpoint: str, command: bytes
) -> None:
    most = ALLOWANCE // (COMMAND + len(command)) - len(GREETING + DEALER)
    with raw(endpoint) as peer:
        peer.sendall(command * most)
        peer.sendall(frame(b"still here"))
        number, heard = hear(door)
        assert heard == b"still here"
        door.send(number, b"go on")
        peer.sendall(command * most)
        peer.sendall(frame(b"and here"))
        assert hear(door) == (number, b"and here")
        peer.sendall(command * 300)
        assert fault(door).cause is Cause.FLOOD


def test_after_a_flood_nothing_is_taken_apart(door: Door, endpoint: str) -> None:
    """It would take the referee's time, which others then have less of."""
    with raw(endpoint) as first, raw(endpoint) as second:
        door.receive(PATIENCE)
        door.receive(0.0)
        first.sendall(b"\4\0" * 5000)
        assert fault(door).cause is Cause.FLOOD
        second.sendall(frame(b"not read"))
        assert fault(door).cause is Cause.FLOOD


def test_what_nobody_took_goes_with_the_door(door: Door, endpoint: str) -> None:
    with raw(endpoint) as peer:
        peer.sendall(frame(b"") * 1000)
        hear(door)
        assert door.heard
        door.close()
        assert not door.heard


def test_every_message_to_it_allows_it_as_much_again(door: Door, endpoint: str) -> None:
    with raw(endpoint) as peer:
        for _ in range(10):
            peer.sendall(frame(bytes(MAX_FRAME)))
            number, heard = hear(door)
            assert heard == bytes(MAX_FRAME)
            door.send(number, b"go on")


def test_only_so_many_are_let_in(door: Door, endpoint: str) -> None:
    path = endpoint.removeprefix("ipc://")
    opened = []
    for _ in range(MAX_CONNECTIONS):
        opened.append(raw(endpoint))
        door.receive(0.0)
    with socket.socket(socket.AF_UNIX) as one_more:
        one_more.connect(path)
        door.receive(0.0)
        assert one_more.recv(100) == b""
    opened[0].sendall(frame(b"still here"))
    assert hear(door) == (1, b"still here")
    for link in opened:
        link.close()


def test_only_so_many_visits(door: Door, endpoint: str) -> None:
    path = endpoint.removeprefix("ipc://")
    for _ in range(MAX_VISITS):
        with socket.socket(socket.AF_UNIX) as visitor:
            visitor.connect(path)
            door.receive(0.0)
        door.receive(0.0)
    with socket.socket(socket.AF_UNIX) as visitor, pytest.raises(ConnectionRefusedError):
        visitor.connect(path)


def test_closing_twice(doors: Doors, door: Door, endpoint: str) -> None:
    with raw(endpoint):
        door.receive(PATIENCE)
        door.close()
        assert not doors.opened
        door.close()
        doors.wait(0.0)
