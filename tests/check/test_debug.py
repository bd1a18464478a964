"""`arena debug`: a game of the log put to a bot again."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "results" / "example"
BOTS = ROOT / "sample_bots" / "python"

pytestmark = pytest.mark.realtime


def debug(*words: object, code: int = 0) -> tuple[str, str]:
    result = CliRunner().invoke(main, ["debug", *map(str, words)])
    assert result.exit_code == code, result.output
    return result.stdout, result.stderr


@pytest.mark.parametrize("game", [0, 17])
def test_the_same_bot_makes_the_same_calls(game: int) -> None:
    out, _ = debug(BOTS / "honest", EXAMPLE, game)
    lines = out.splitlines()
    assert len(lines) > 5
    assert lines[-1] == "the same calls as then"
    assert re.match(r"round 1, .* may call: .*; hand [1-6]{5}: \w+", lines[0])


def test_another_bot_in_its_seat_is_compared() -> None:
    out, _ = debug(BOTS / "random", EXAMPLE, 17, "--seat", 1)
    assert "   then " in out
    assert out.splitlines()[-1].endswith("calls differ from those of the log")


def test_a_bot_may_be_started_by_hand() -> None:
    """As a person would: read the endpoint from the screen, start the bot, watch."""
    command = [sys.executable, "-c", "from arena.cli import main; main(prog_name='arena')"]
    words = ["debug", str(BOTS / "honest"), str(EXAMPLE), "17", "--attach"]
    with subprocess.Popen(
        [*command, *words], stdout=subprocess.PIPE, text=True, cwd=ROOT, bufsize=1
    ) as arena:
        assert arena.stdout is not None
        assert "start your bot" in arena.stdout.readline()
        told = dict(word.split("=", 1) for word in shlex.split(arena.stdout.readline()))
        bot = subprocess.run(
            [sys.executable, "bot.py"],
            cwd=BOTS / "honest",
            env=os.environ | told,
            timeout=60,
            check=False,
        )
        assert arena.stdout.read().endswith("the same calls as then\n")
    assert (arena.returncode, bot.returncode) == (0, 0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((f"me={BOTS / 'honest'}", EXAMPLE, 17), "no bot called me played game 17 (seats: "),
        ((BOTS / "honest", EXAMPLE, 17, "--seat", 4), "game 17 has the seats 0 to 3"),
        ((BOTS / "honest", EXAMPLE, 480), "it has numbers 0 to 479"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(words: tuple[object, ...], told: str) -> None:
    _, err = debug(*words, code=2)
    assert told in err
    assert err.count("\n") == 1


def test_a_bot_that_dies_is_named_with_its_output() -> None:
    _, err = debug("honest=python3 -c 'raise SystemExit(\"no more\")'", EXAMPLE, 17, code=1)
    assert "no more" in err
