"""Launches as the loop sees them, with real processes and sockets."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from arena.referee import sessions
from arena.referee.launch import Launcher
from arena.referee.sessions import BotSession, RealTransport
from arena.referee.transport import Message
from tests.referee.processes import SOON, eventually, python

pytestmark = pytest.mark.realtime

ECHOES = """
import os, zmq
socket = zmq.Context().socket(zmq.DEALER)
socket.heartbeat_ivl, socket.heartbeat_timeout = 50, 300
socket.connect(os.environ["ARENA_ENDPOINT"])
socket.send(b"hello")
while True:
    socket.send(socket.recv())
"""
STAYS = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
time.sleep(60)
"""
HELPED = """
import subprocess, sys
helper = subprocess.Popen([sys.executable, "-c", "import time; print(1, flush=True); time.sleep(60)"])
helper.wait()
"""


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    with Launcher() as made:
        yield made


@pytest.fixture
def transport(launcher: Launcher) -> Iterator[RealTransport]:
    programs = {at: python(code) for at, code in enumerate([ECHOES, STAYS, HELPED])}
    made = RealTransport(launcher, programs)
    yield made
    made.close()


def hear(transport: RealTransport, session: BotSession) -> Message:
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        for message in transport.receive([session], 0.1):
            return message
    raise AssertionError("nothing came")


def test_a_bot_that_does_not_leave_costs_the_others_no_connection(
    transport: RealTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "PATIENCE", 0.6)
    echoes, stays = transport.launch(0, "a"), transport.launch(1, "b")
    _, peer, said = hear(transport, echoes)
    assert said == b"hello"
    assert eventually(lambda: "deaf" in stays.output())
    transport.end([stays], polite=True)
    assert stays.ended() == "was killed by signal 9"
    echoes.send(peer, b"still there?")
    assert hear(transport, echoes) == (echoes, peer, b"still there?")


def test_processes_are_those_of_now(transport: RealTransport) -> None:
    session = transport.launch(2, "c")
    assert eventually(lambda: transport.receive([], 0.01) == [] and session.process.pid is not None)
    assert session.cpu() >= 0  # which looks at the processes too, and remembers them
    assert eventually(lambda: "1" in session.output())
    assert len(transport.processes()) == 2
