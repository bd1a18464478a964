"""One hostile tournament and its page, for all tests here."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.report.page.build import write_found
from arena.report.page.gather import Gathered, gather
from tests.report.page.logs import hostile, write


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(hostile(), tmp_path_factory.mktemp("page") / "cup")


@pytest.fixture(scope="session")
def found(folder: Path) -> Gathered:
    return gather(folder)


@pytest.fixture(scope="session")
def page(found: Gathered, folder: Path) -> Path:
    """With the games in it."""
    return write_found(found, folder / "report" / "index.html", "auto").page
