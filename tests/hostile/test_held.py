"""Bots that attack their host, at every level of the sandbox: what is prevented, and who pays."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.referee.sandbox import Bounds, Level, Sandbox
from tests.hostile.arena_of_three import ROOT, play_against
from tests.referee.levels import HOLDING, LEVELS, needs_bwrap
from tests.referee.processes import below, eventually

pytestmark = pytest.mark.realtime

IN_A_ROOM = Sandbox(Level.BWRAP)
WRITTEN = ROOT / "tests/hostile/bots/written"


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither processes nor files, whatever the bot did."""
    with tempfile.TemporaryDirectory(prefix="h") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        before = set(below(os.getpid()))
        yield
        assert eventually(lambda: set(below(os.getpid())) <= before)
        assert os.listdir(folder) == []
    WRITTEN.unlink(missing_ok=True)


@pytest.fixture
def targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What the bot tries to reach, as its arguments."""
    monkeypatch.setenv("SECRET_OF_THE_HOST", "1")
    files = [tmp_path / "home" / "diary", tmp_path / "bots" / "other.py", tmp_path / "run" / "secret"]
    for file in files:
        file.parent.mkdir()
        file.write_text("x")
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        port = tcp.getsockname()[1]
        abstract.bind(f"\0arena-test-{port}")
        abstract.listen()
        yield [str(os.getpid()), str(port), *map(str, files)]


TRIES = ("environment", "memory", "signal", "tcp", "abstract", "diary", "other.py", "secret", "write")


@pytest.mark.parametrize("level", [Level.NONE, Level.LIMITS])
def test_without_a_room_it_can_do_what_its_user_can(level: Level, targets: list[str]) -> None:
    """So the tries are worth something; and the host is told, in docs/2-hosting.md."""
    outcome = play_against("pries", *targets, games=1, sandbox=Sandbox(level))
    assert outcome.causes == []
    done = {line.split()[1] for line in outcome.output().splitlines() if line.startswith("DONE")}
    assert set(TRIES) - {"memory"} <= done  # whether it may look into memory is the kernel's setting


@needs_bwrap
def test_in_a_room_it_reaches_nothing(targets: list[str]) -> None:
    outcome = play_against("pries", *targets, games=1, sandbox=IN_A_ROOM)
    assert outcome.causes == []
    blocked = [line.split()[:2] for line in outcome.output().splitlines()]
    assert blocked == [["BLOCKED", name] for name in TRIES]


@needs_bwrap
def test_the_shadow_file_is_not_there() -> None:
    outcome = play_against("pries", "1", "1", "/etc/shadow", "/root/.bashrc", games=1, sandbox=IN_A_ROOM)
    assert "BLOCKED shadow FileNotFoundError" in outcome.output()
    assert "BLOCKED .bashrc FileNotFoundError" in outcome.output()


@needs_bwrap
def test_killing_everybody_kills_nobody() -> None:
    outcome = play_against("kills_all", sandbox=IN_A_ROOM)
    assert outcome.causes == []


@needs_bwrap
def test_in_a_room_the_warden_cannot_be_killed() -> None:
    outcome = play_against("kills_warden", sandbox=IN_A_ROOM)
    assert set(outcome.causes) == {"crash"}


@needs_bwrap
def test_in_a_room_an_impostor_finds_no_other_door() -> None:
    outcome = play_against("impostor", games=1, sandbox=IN_A_ROOM)
    assert outcome.causes in (["start"], ["crash"])
    assert "knocked" not in outcome.output()


@pytest.mark.parametrize("level", HOLDING)
def test_eating_memory(level: Level) -> None:
    held = Sandbox(level, Bounds(memory=200 << 20))
    outcome = play_against("eats_memory", games=2, sandbox=held)
    assert outcome.causes == ["crash"] * 2
    for fault in outcome.faults.values():
        assert fault.detail.startswith("the process was killed: it used ")
        assert fault.detail.endswith(" MiB of memory; the limit is 200 MiB")


@pytest.mark.parametrize("level", HOLDING)
def test_a_fork_bomb(level: Level) -> None:
    outcome = play_against("forks", games=2, sandbox=Sandbox(level))
    assert outcome.causes == ["crash"] * 2
    for fault in outcome.faults.values():
        assert fault.detail == "the process was killed: it ran more than 64 processes at once"


@needs_bwrap
def test_filling_the_home_in_a_room() -> None:
    outcome = play_against("fills_home", games=1, sandbox=IN_A_ROOM)
    assert outcome.causes == []
    assert outcome.output() == "No space left on device\n64 MiB\n"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("bot", ["good", "leaves_daemon", "chatty", "second_connection"])
def test_who_did_no_harm_is_not_harmed(level: Level, bot: str) -> None:
    outcome = play_against(bot, games=2, sandbox=Sandbox(level))
    assert outcome.causes == []
    assert outcome.result.launches == 3


@pytest.mark.parametrize("level", HOLDING)
@pytest.mark.parametrize(
    ("bot", "cause", "detail"),
    [
        ("leaves_midgame", "crash", "the process exited with code 7"),
        ("raises", "crash", "the process exited with code 1"),
        ("no_such_bot", "start", "the process exited with code 1 before its hello"),
    ],
)
def test_faults_read_the_same(level: Level, bot: str, cause: str, detail: str) -> None:
    outcome = play_against(bot, games=2, sandbox=Sandbox(level))
    assert outcome.causes == [cause] * 2
    assert outcome.faults[1].detail == detail
