"""A full disk stops a run with a clear word, and costs no finished game."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.oracle.replay import check_log
from tests.tournament.runs import HONEST, PATIENT, RANDOM, Workplace, game_lines, log_of

pytestmark = pytest.mark.realtime


@pytest.fixture
def small_disk(place: Workplace) -> Iterator[Path]:
    """A file system of 24 kilobytes."""
    disk = place.tmp / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a small file system")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_it_stops_and_goes_on_when_there_is_room(place: Workplace, small_disk: Path) -> None:
    out = small_disk / "out"
    rules = [
        RANDOM,
        HONEST,
        "--budget",
        60,
        "--games-per-launch",
        3,
        "--seed",
        6,
        *PATIENT,
        "--out",
        out,
    ]
    stopped = place.arena("run", *rules)
    assert stopped.code == 1, stopped.err
    assert stopped.err.splitlines()[-1].startswith(f"arena: cannot write {log_of(out)}: No space left")
    assert "Traceback" not in stopped.err
    before = game_lines(out)
    assert 0 < len(before) < 60
    subprocess.run(["mount", "-o", "remount,size=10m", str(small_disk)], check=True)
    place.play(*rules)
    after = game_lines(out)
    assert len(after) == 60
    assert {number: after[number] for number in before} == before
    assert check_log(log_of(out)) == []
