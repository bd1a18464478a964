"""Runs of the command `arena` as a host starts it, and how to look at what they leave behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle.replay import check_log

ROOT = Path(__file__).parents[2]
RANDOM = str(ROOT / "sample_bots/python/random")
HONEST = str(ROOT / "sample_bots/python/honest")
CULPRIT = Path(__file__).with_name("culprit.py")
ARENA = (sys.executable, "-c", "from arena.cli import main; main(prog_name='arena')")
PATIENT = ("--move-time", "5s")
"""So that a busy machine costs nobody a game: for runs that are compared with others."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


@dataclass
class Workplace:
    """A folder of its own for a test's temporary files, so that what is left there can be seen.

    Every process of a run has `tmp` in its environment, bots too (their HOME is below it).
    """

    tmp: Path

    def start(self, *words: object, group: bool = True) -> subprocess.Popen[str]:
        """`arena WORDS`, in a session and process group of its own."""
        return subprocess.Popen(
            [*ARENA, *map(str, words)],
            env=os.environ | {"TMPDIR": str(self.tmp), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=group,
        )

    def arena(self, *words: object, timeout: float = 120.0) -> Ended:
        """`arena WORDS`, to its end."""
        process = self.start(*words)
        out, err = process.communicate(timeout=timeout)
        return Ended(process.returncode, out, err)

    def play(self, *words: object) -> Ended:
        """`arena run WORDS`, which has to succeed."""
        ended = self.arena("run", *words)
        assert ended.code == 0, ended.err
        return ended

    def processes(self) -> dict[int, str]:
        """Command lines of the living processes of this workplace's runs, by process id."""
        found = {}
        mark = str(self.tmp).encode()
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                try:
                    environment = (folder / "environ").read_bytes()
                    command = (folder / "cmdline").read_bytes()
                except OSError:
                    continue
                if mark in environment:
                    found[int(folder.name)] = command.replace(b"\0", b" ").decode("utf-8", "replace")
        return found

    def assert_clean(self, seconds: float = 5.0) -> None:
        """No process and no temporary folder of a run is left, or will be in a moment."""
        wait_until(lambda: not self.processes(), seconds, lambda: f"left behind: {self.processes()}")
        wait_until(lambda: not self.folders(), seconds, lambda: f"left behind: {self.folders()}")

    def folders(self) -> list[Path]:
        """The private folders of running bots."""
        return list(self.tmp.glob("arena-*"))


def wait_until(condition: Callable[[], bool], seconds: float, why: Callable[[], str]) -> None:
    """Look again and again; fail with `why` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, why()
        time.sleep(0.005)


def log_of(folder: Path) -> Path:
    zipped = folder / "games.jsonl.gz"
    return zipped if zipped.exists() else folder / "games.jsonl"


def text_of(log: Path) -> bytes:
    """What is written in a log so far; a compressed one may be open or torn."""
    data = log.read_bytes()
    if log.suffix != ".gz":
        return data
    text = b""
    while data.strip(b"\0"):
        member = zlib.decompressobj(31)
        text += member.decompress(data)
        data = member.unused_data
    return text


def discrepancies(folder: Path) -> list[str]:
    """What the oracle finds wrong in the log of a folder."""
    plain = folder / "plain.jsonl"
    plain.write_bytes(text_of(log_of(folder)))
    try:
        return [str(found) for found in check_log(plain)]
    finally:
        plain.unlink()


def lines_of(folder: Path) -> list[bytes]:
    """The whole lines of a log so far, header first; [] where there is none."""
    try:
        data = text_of(log_of(folder))
    except FileNotFoundError:
        return []
    return [line for line in data.splitlines(keepends=True) if line.endswith(b"\n")]


def game_lines(folder: Path) -> dict[int, bytes]:
    """The line of every game by its number. Fails where one is there twice."""
    found: dict[int, bytes] = {}
    for line in lines_of(folder):
        parsed = json.loads(line)
        if parsed["type"] == "game":
            assert parsed["game"] not in found
            found[parsed["game"]] = line
    return found


def games_of(folder: Path) -> list[Json]:
    """The games in the order of their numbers, without what the clock decided."""
    games = [json.loads(line) for _, line in sorted(game_lines(folder).items())]
    for game in games:
        del game["timing"]
    return games


def header_of(folder: Path) -> Json:
    header: Json = json.loads(lines_of(folder)[0])
    return header


def end_of(folder: Path) -> Json:
    end: Json = json.loads(lines_of(folder)[-1])
    assert end["type"] == "end"
    return end


def wait_for_games(folder: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Until the log of a run that is going on has this many games."""

    def enough() -> bool:
        assert process.poll() is None, f"the run ended too early: {process.communicate()}"
        return len(lines_of(folder)) > count

    wait_until(enough, 60, lambda: f"{len(lines_of(folder))} lines after a minute")
