"""The door on its own: a real socket."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator

import pytest
import zmq

from arena.referee.door import Door

pytestmark = pytest.mark.realtime


@pytest.fixture
def endpoint() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="d") as folder:
        yield f"ipc://{folder}/door"


def test_a_fast_conversation_loses_nothing(endpoint: str) -> None:
    """A ROUTER that thinks its queue full while its peer has read all would drop an ask."""
    rounds = 20_000

    def echo() -> None:
        with zmq.Context() as context, context.socket(zmq.DEALER) as peer:
            peer.connect(endpoint)
            peer.send(b"hello")
            for _ in range(rounds):
                peer.send(peer.recv())

    with zmq.Context() as context:
        door = Door(context, endpoint)
        thread = threading.Thread(target=echo, daemon=True)
        thread.start()
        first = door.receive(10_000)
        assert first is not None
        for number in range(rounds):
            frame = str(number).encode()
            door.send(first[0], frame)
            assert door.receive(10_000) == (first[0], frame, True)
        thread.join(10)
        door.close()


def test_a_peer_that_does_not_read_costs_no_time_and_raises_nothing(endpoint: str) -> None:
    with zmq.Context() as context, context.socket(zmq.DEALER) as peer:
        door = Door(context, endpoint)
        peer.rcvhwm = 1
        peer.linger = 0
        peer.connect(endpoint)
        peer.send(b"hello")
        first = door.receive(10_000)
        assert first is not None
        for _ in range(5000):
            door.send(first[0], b"x" * 1000)
        door.send(b"nobody", b"x")
        door.close()
