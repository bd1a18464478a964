"""Workplaces for real runs."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tournament.runs import Workplace


@pytest.fixture
def place() -> Iterator[Workplace]:
    """A workplace whose runs must leave nothing behind. Its path is short: sockets lie below it."""
    tmp = Path(tempfile.mkdtemp(prefix="perudo-"))
    workplace = Workplace(tmp)
    yield workplace
    workplace.assert_clean()
    shutil.rmtree(tmp)


@pytest.fixture(scope="module")
def shared_place() -> Iterator[Workplace]:
    """The same for what a whole module shares."""
    tmp = Path(tempfile.mkdtemp(prefix="perudo-"))
    workplace = Workplace(tmp)
    yield workplace
    workplace.assert_clean()
    shutil.rmtree(tmp)
