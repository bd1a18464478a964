"""Shell completion, as a shell asks for it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

ARENA = [sys.executable, "-c", "from arena.cli import main; main(prog_name='arena')"]


def complete(**environment: str) -> str:
    env = os.environ | environment
    return subprocess.run(ARENA, env=env, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell(shell: str) -> None:
    if shell == "bash" and subprocess.run(["sh", "-c", "command -v bash"], check=False).returncode:
        pytest.skip("bash is not installed")
    assert "_ARENA_COMPLETE" in complete(_ARENA_COMPLETE=f"{shell}_source")


def test_commands_and_options_are_offered() -> None:
    words = complete(_ARENA_COMPLETE="bash_complete", COMP_WORDS="arena ta", COMP_CWORD="1")
    assert words.strip() == "plain,table"
    options = complete(_ARENA_COMPLETE="bash_complete", COMP_WORDS="arena run --pl", COMP_CWORD="2")
    assert options.strip() == "plain,--players"
