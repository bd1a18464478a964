"""How many games are enough, from a log or from what is usual."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.record.log import GAMES
from arena.record.schema import GameRecord, encode_line
from arena.report.plan import Spread, make_plan, read_spread, usual_spread
from tests.report.records import game, header


def write(folder: Path, points: list[int], deals: str = "mirrored") -> Path:
    """A log of pairs of games that gave the first bot so many of two points."""
    head = header(["ada", "ben"], 2)
    head.deals = deals
    games: list[GameRecord] = []
    for block, won in enumerate(points):
        first = won == 2 or (won == 1 and block % 4 < 2)  # which of the two it won
        games.append(game(2 * block, [0, 1], [1, 2] if first else [2, 1]))
        games.append(game(2 * block + 1, [1, 0], [2, 1] if won - first else [1, 2]))
    (folder / GAMES).write_bytes(encode_line(head) + b"".join(map(encode_line, games)))
    return folder


SPLIT = [1, 1, 1, 1, 0, 1, 1, 1, 1, 2] * 20
SWEPT = [2, 0, 2, 0, 1, 2, 0, 1, 2, 0] * 20


def test_the_spread_is_that_of_the_blocks(tmp_path: Path) -> None:
    spread = read_spread(write(tmp_path, SPLIT), None, 0.95)
    assert (spread.players, spread.deals) == (2, "mirrored")
    assert spread.sd == pytest.approx(0.05**0.5, rel=0.01)
    assert spread.source == "as in 200 pairs of ada and ben"
    assert spread.gain is not None
    assert spread.gain[0] == pytest.approx(0.05 / 0.125, rel=0.03)


@pytest.mark.parametrize(("points", "told"), [(SPLIT, "they save 6"), (SWEPT, "they cost games here")])
def test_what_mirrored_deals_were_worth(tmp_path: Path, points: list[int], told: str) -> None:
    plan = make_plan(20, 0.95, 0.8, read_spread(write(tmp_path, points), None, 0.95))
    assert told in plan.lines()[-1]


def test_independent_deals_have_no_such_line(tmp_path: Path) -> None:
    spread = read_spread(write(tmp_path, SPLIT, "independent"), ("ben", "ada"), 0.95)
    assert spread.gain is None
    assert len(make_plan(20, 0.95, 0.8, spread).lines()) == 6


@pytest.mark.parametrize(
    ("points", "told"),
    [([1, 2, 0], "has 3 complete blocks"), ([1] * 40, "every block of ada and ben in .* ended alike")],
)
def test_a_log_that_tells_too_little(tmp_path: Path, points: list[int], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        read_spread(write(tmp_path, points), None, 0.95)


def test_usual_spreads() -> None:
    assert usual_spread(4, "independent").sd == 0.25
    assert (
        usual_spread(2, "mirrored").sd
        < usual_spread(2, "independent").sd
        == pytest.approx(0.3536, abs=1e-4)
    )


def test_games_are_blocks_times_players() -> None:
    told = make_plan(30, 0.95, 0.8, Spread(3, "mirrored", 0.3, "made up")).json()
    for cost in (told["interval"], told["find"], *list(told["sprt"].values())[2:]):
        assert cost["games"] == 3 * cost["blocks"]
    assert told["mirrored_variance_ratio"] is None
