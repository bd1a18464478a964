"""The command starts fast because what is heavy is imported where it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("matplotlib", "msgspec", "numpy", "pandas", "rich", "scipy", "zmq")


def loaded_after(code: str) -> set[str]:
    """Which heavy packages a fresh interpreter has after this code."""
    code += f"\nimport sys\nprint(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_importing_the_command_line_imports_nothing_heavy() -> None:
    assert loaded_after("import arena.cli") == set()


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["--version"],
        *([word, "--help"] for word in ("run", "table", "duel", "sprt", "plan")),
    ],
)
def test_help_needs_nothing_heavy(words: list[str]) -> None:
    assert loaded_after(f"from arena.cli import main\nmain({words}, standalone_mode=False)") == set()


def test_the_game_imports_nothing_but_the_standard_library() -> None:
    assert loaded_after("import arena.game") == set()


def test_playing_needs_no_numbers() -> None:
    """What a worker process loads: it starts with every pool."""
    assert loaded_after("import arena.tournament.executor") == {"msgspec"}
    assert loaded_after("import arena.tournament.run") == {"msgspec"}
