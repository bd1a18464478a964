"""Runs in a sandbox: which level is used, where it is said, and that a run keeps to it."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.referee.sandbox import Level
from arena.tournament.bots import build, find_bot, load_bot, programs
from arena.tournament.config import Config
from tests.referee.levels import HOLDING, LEVELS, NO_BWRAP, needs_bwrap
from tests.tournament.runs import HONEST, PATIENT, RANDOM, ROOT, Workplace, header_of

realtime = pytest.mark.realtime

RULES = (RANDOM, HONEST, "--budget", 4, "--workers", 1, *PATIENT)


def config(**settings: str) -> Config:
    from arena.game import preset

    bots = (find_bot(RANDOM), find_bot(HONEST))
    return Config(bots, preset("standard"), 2, budget=4, **settings)  # type: ignore[arg-type]


# -- configuration ---------------------------------------------------------------------------------


def test_the_level_is_no_part_of_the_name_but_of_the_frozen_file() -> None:
    auto, limits = config(), config(sandbox="limits")
    assert auto.default_name == limits.default_name
    assert "sandbox" not in auto.as_table(Path())
    assert limits.as_table(Path())["sandbox"] == "limits"


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ConfigError, match="sandbox: 'strict' is not one of auto, none, limits, bwrap"):
        config(sandbox="strict")


def test_what_a_bot_must_not_see_is_told_to_its_room(tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copytree(RANDOM, tmp_path / "bots" / name)
    for run in ("now", "another", "over"):
        (tmp_path / "results" / run).mkdir(parents=True)
    (tmp_path / "results" / "another" / "secret").touch()
    bots = [find_bot(f"{name}={tmp_path}/bots/{name}") for name in ("a", "b")]
    bots.append(replace(find_bot("c=python3 bots/b/bot.py"), folder=tmp_path))
    a, b, c = programs(bots, tmp_path / "results" / "now")
    runs = (str(tmp_path / "results" / "now"), str(tmp_path / "results" / "another"))
    assert a.hidden == (*runs, str(tmp_path / "bots" / "b"))
    assert b.hidden == (*runs, str(tmp_path / "bots" / "a"))
    assert c.hidden == a.hidden[:2] + b.hidden[2:], "but for the one that its command is in"


# -- runs ------------------------------------------------------------------------------------------


@realtime
@pytest.mark.parametrize("level", LEVELS)
def test_the_level_stands_in_the_log_and_under_the_table(place: Workplace, level: Level) -> None:
    out = place.tmp / "out"
    ended = place.play(*RULES, "--out", out, "--sandbox", level)
    assert header_of(out)["settings"]["sandbox"] == level
    assert f"sandbox {level}, arena" in ended.out
    assert json.loads(place.arena("table", out, "--json").out)["sandbox"] == level
    assert place.arena("verify", out).code == 0


NODE = r"""
const net = require("net");
const tries = [() => require("fs").writeFileSync("x", ""), () => process.kill(PID, 0)];
for (const act of tries) {
  try { act(); console.log("DONE"); } catch (error) { console.log("BLOCKED", error.code); }
}
console.log(process.version, process.env.HOME, require("os").tmpdir() === process.env.HOME);
"""


@realtime
@needs_bwrap
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_node_works_in_a_room(place: Workplace) -> None:
    folder = place.tmp / "js"
    folder.mkdir()
    (folder / "bot.js").write_text(NODE.replace("PID", str(os.getpid())))
    (folder / "bot.toml").write_text('name = "js"\ncommand = ["node", "bot.js"]\n')
    out = place.tmp / "out"
    place.play(folder, *RULES, "--players", 2, "--out", out)
    printed = (out / "bots" / "js.stderr").read_text().splitlines()
    assert printed[:2] == ["BLOCKED EROFS", "BLOCKED ESRCH"]
    assert printed[2].startswith("v")
    assert printed[2].endswith("true")


@realtime
def test_a_run_keeps_to_its_level(place: Workplace) -> None:
    out = place.tmp / "out"
    place.play(*RULES, "--seed", 3, "--out", out, "--sandbox", "limits")
    log = out / "games.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))
    ended = place.arena("run", *RULES, "--seed", 3, "--out", out, "--sandbox", "none")
    assert ended.code == 2
    assert "began with sandbox limits, now it is none; give --sandbox limits" in ended.err
    place.play(*RULES, "--seed", 3, "--out", out)  # auto: as it began
    assert header_of(out)["settings"]["sandbox"] == "limits"


@pytest.fixture
def without_bwrap(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """On a PATH with little more than Python."""
    folder = place.tmp / "path"
    folder.mkdir()
    for name in ("true", "sh"):
        (folder / name).symlink_to(shutil.which(name) or "")
    monkeypatch.setenv("PATH", str(folder))
    return place


@realtime
def test_a_level_that_does_not_work_is_an_error_if_it_was_asked_for(without_bwrap: Workplace) -> None:
    ended = without_bwrap.arena("run", *RULES, "--out", without_bwrap.tmp / "out", "--sandbox", "bwrap")
    assert ended.code == 2
    assert ended.err == "arena: sandbox bwrap is asked for, but bwrap is not installed\n"
    assert not (without_bwrap.tmp / "out").exists()


@realtime
def test_and_else_the_next_best_is_used_and_said(without_bwrap: Workplace) -> None:
    out = without_bwrap.tmp / "out"
    ended = without_bwrap.play(*RULES, "--out", out)
    assert "sandbox: limits; bwrap is not installed\n" in ended.err
    assert header_of(out)["settings"]["sandbox"] == "limits"


@realtime
@needs_bwrap
def test_a_log_whose_level_does_not_work_here_is_not_gone_on_with(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = place.tmp / "out"
    place.play(*RULES, "--out", out)
    (place.tmp / "true").symlink_to(shutil.which("true") or "")
    monkeypatch.setenv("PATH", str(place.tmp))
    ended = place.arena("run", *RULES, "--out", out)
    assert ended.code == 2
    assert f"sandbox bwrap began {out}/games.jsonl, but bwrap is not installed" in ended.err


@realtime
def test_the_best_is_the_default(place: Workplace) -> None:
    place.play(*RULES, "--out", place.tmp / "out")
    level = header_of(place.tmp / "out")["settings"]["sandbox"]
    assert level == ("limits" if NO_BWRAP else "bwrap")


# -- builds ----------------------------------------------------------------------------------------

BUILDS = """
import os, socket
open("built", "w").write("x")
open(os.environ["HOME"] + "/cache", "w").write("x")
print(os.environ.get("SECRET_OF_THE_HOST"), os.environ["HTTPS_PROXY"])
print(len(socket.if_nameindex()))
for path in PATHS:
    try:
        open(path)
        print("DONE")
    except OSError as error:
        print(type(error).__name__)
raise SystemExit(3)
"""


def buildable(folder: Path, code: str) -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "b"\ncommand = "python3 bot.py"\nbuild = "python3 b.py"\n')
    (folder / "bot.py").touch()
    (folder / "b.py").write_text(code)
    return folder


@realtime
@pytest.mark.parametrize("level", HOLDING)
def test_a_build_is_held_too(level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_HOST", "1")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy")
    (tmp_path / "diary").touch()
    paths = [str(tmp_path / "diary"), str(ROOT / "pyproject.toml")]
    bot = load_bot(buildable(tmp_path / "bot", BUILDS.replace("PATHS", repr(paths))))
    with pytest.raises(ConfigError, match="failed with code 3") as error:
        build(bot, level)
    first, interfaces, *tries = str(error.value).splitlines()[1:]
    assert first == "None http://proxy"
    assert int(interfaces) >= 1
    assert tries == (["FileNotFoundError"] * 2 if level is Level.BWRAP else ["DONE"] * 2)
    assert (bot.folder / "built").exists()
    assert not (Path.home() / "cache").exists()


@realtime
@pytest.mark.parametrize("level", LEVELS)
def test_nothing_of_a_build_goes_on(level: Level, tmp_path: Path) -> None:
    code = "import os, time\nif os.fork() == 0:\n    time.sleep(1)\n    open('late', 'w')\n"
    bot = load_bot(buildable(tmp_path / "bot", code))
    assert build(bot, level) is True
    assert build(bot, level) is False
    assert not (bot.folder / "late").exists()
