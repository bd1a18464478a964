"""What several commands share."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.errors import ConfigError

if TYPE_CHECKING:
    from arena.record.schema import GameRecord, Header

results_folder = click.argument(
    "folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
"""The argument DIR: the results folder of a tournament."""


class Whole(click.IntRange):
    """An integer within bounds, which click would call an `integer range`."""

    name = "integer"


class Number(click.FloatRange):
    """A number within bounds. `nan` is none: click lets it through, as no comparison with it holds."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is not a valid number.", param, ctx)
        return found


PERCENT = Number(0, 100, min_open=True, max_open=True)


def logged_game(log: Path, number: int) -> tuple[Header, GameRecord]:
    """The header of a log and one game of it. Raises `ConfigError` if that is not there, `LogError`."""
    from arena.record.log import read_game, read_header

    header, record = read_header(log), read_game(log, number)
    if record is None:
        planned = number < header.games
        why = "was not played to its end" if planned else f"has numbers 0 to {header.games - 1}"
        raise ConfigError(f"game {number} is not in {log}; it {why}")
    return header, record
