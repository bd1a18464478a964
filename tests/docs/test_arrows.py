"""Imports point only where the architecture page says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ARENA = Path(__file__).parents[2] / "arena"
ALLOWED = {
    "game": set[str](),
    "rating": set[str](),
    "record": {"game"},
    "referee": {"game", "record"},
    "tournament": {"game", "record", "referee"},
    "report": {"game", "record", "rating"},
    "check": {"game", "record", "referee", "tournament"},
}


def imported(path: Path) -> Iterator[str]:
    """The rooms that a module imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom) and node.module == "arena":
            names = [f"arena.{alias.name}" for alias in node.names]
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            first, _, rest = name.partition(".")
            room = rest.partition(".")[0]
            if first == "arena" and (ARENA / room).is_dir() and room:
                yield room


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_a_room_imports_only_what_it_may(room: str) -> None:
    for path in (ARENA / room).rglob("*.py"):
        assert set(imported(path)) <= ALLOWED[room] | {room}, path.name


def test_every_room_is_known() -> None:
    rooms = {path.parent.name for path in ARENA.glob("*/__init__.py")}
    assert rooms == set(ALLOWED) | {"cli"}
