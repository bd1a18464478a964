"""What the pages show of the command is what the command prints."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main

ROOT = Path(__file__).parents[2]


def consoles() -> Iterator[tuple[str, str, str]]:
    """(page, command, output) of every block ```console: "$ arena ...", and what it prints."""
    for page in sorted(ROOT.glob("docs/*.md")):
        for block in re.findall(r"```console\n(.*?)```", page.read_text(), re.DOTALL):
            command, _, output = block.partition("\n")
            yield page.name, command, output


@pytest.mark.parametrize(("page", "command", "output"), list(consoles()))
def test_the_output_is_real(
    page: str, command: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command.startswith("$ arena "), page
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, shlex.split(command)[2:])
    assert result.exit_code == 0, result.output
    assert result.stdout == output


def test_there_are_some() -> None:
    assert len({command for _, command, _ in consoles()}) >= 5
