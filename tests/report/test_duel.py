"""One bot against another, from a log."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena.errors import ConfigError
from arena.rating import head_to_head
from arena.rating.score import Tally
from arena.record.log import GAMES, read_games, read_header
from arena.record.schema import GameRecord, Header, Sprt, encode_line
from arena.report.duel import Duel, pair_blocks, read_duel
from arena.report.duel_text import duel_json, duel_lines, unit
from arena.report.results import results_of
from tests.report.records import game, header

EXAMPLE = Path(__file__).parents[2] / "results" / "example"


def write(folder: Path, head: Header, games: list[GameRecord]) -> Path:
    (folder / GAMES).write_bytes(encode_line(head) + b"".join(map(encode_line, games)))
    return folder


def pairs(points: list[int]) -> list[GameRecord]:
    """Blocks of two games in which ada gets so many of two points."""
    games = []
    for block, won in enumerate(points):
        games.append(game(2 * block, [0, 1], [1, 2] if won >= 1 else [2, 1]))
        games.append(game(2 * block + 1, [1, 0], [2, 1] if won == 2 else [1, 2]))
    return games


def duel_of(folder: Path, points: list[int], head: Header | None = None) -> Duel:
    return read_duel(write(folder, head or header(["ada", "ben"], 2), pairs(points)))


@pytest.mark.parametrize(("one", "two"), [(2, 1), (1, 3), (0, 2)])
def test_it_agrees_with_the_table_of_pairs(one: int, two: int) -> None:
    log = EXAMPLE / GAMES
    names = [bot.name for bot in read_header(log).bots]
    pairs = head_to_head(results_of(read_header(log), read_games(log)))
    found = read_duel(EXAMPLE, (names[one], names[two]))
    assert found.estimate is not None
    assert found.tally.blocks == pairs.blocks[one, two]
    assert found.estimate.score == pytest.approx(pairs.score[one, two])
    assert found.estimate.low == pytest.approx(pairs.low[one, two])
    assert found.estimate.high == pytest.approx(pairs.high[one, two])


def test_no_difference_has_no_minus(tmp_path: Path) -> None:
    text = duel_lines(duel_of(tmp_path, [1]))
    assert text[-1].split() == ["Elo", "+0"]
    assert duel_json(duel_of(tmp_path, [1] * 30))["elo"] == 0
    rounded = duel_lines(duel_of(tmp_path, [1] * 400 + [0]))
    assert "-0 " not in "\n".join(rounded)


def test_text_and_json(tmp_path: Path) -> None:
    found = duel_of(tmp_path, [2] * 12 + [1] * 10 + [0] * 3)
    assert found.tally == Tally((3, 0, 10, 0, 12), 2)
    text = duel_lines(found)
    assert text[0] == "ada against ben: standard rules, 2 players, mirrored deals"
    assert text[1] == "25 pairs, 50 games; points 0: 3, 1: 10, 2: 12"
    assert text[2].split() == ["95", "%", "interval"]
    assert text[3].split()[:3] == ["score", "68.0", "%"]
    assert text[4].split()[:2] == ["Elo", "+131"]
    told = duel_json(found)
    assert told["score"] == pytest.approx(0.68)
    assert told["counts"] == {"0": 3, "0.5": 0, "1": 10, "1.5": 0, "2": 12}
    assert told["elo_interval"][0] < told["elo"] < told["elo_interval"][1]
    assert (told["blocks"], told["games"], told["sprt"]) == (25, 50, None)


def test_few_blocks_are_said(tmp_path: Path) -> None:
    text = "\n".join(duel_lines(duel_of(tmp_path, [2, 1, 0, 1])))
    assert "no interval: fewer than 20 blocks" in text
    assert " to " not in text
    assert "LOS" not in text


def test_all_won_is_a_bound(tmp_path: Path) -> None:
    found = duel_of(tmp_path, [2] * 30)
    text = "\n".join(duel_lines(found))
    assert "at least +353" in text
    assert "won every game" in text
    assert "inf" not in text
    assert duel_json(found)["elo"] is None
    lost = duel_of(tmp_path, [0] * 30)
    assert "at most -353" in "\n".join(duel_lines(lost))


def test_no_block_at_all(tmp_path: Path) -> None:
    found = read_duel(write(tmp_path, header(["ada", "ben"], 2), pairs([2])[:1]))
    text = "\n".join(duel_lines(found))
    assert "0 pairs, 0 games: nothing to say" in text
    assert "left out: 1 block not complete or spoilt by the host (1 game)" in text
    assert duel_json(found)["score"] is None


def test_incomplete_blocks_and_forfeits_are_counted(tmp_path: Path) -> None:
    games = pairs([2, 1, 0])[:-1]
    games += [game(6, [0, 1], [2, 1], fault=(0, "crash")), game(7, [1, 0], [1, 2])]
    found = read_duel(write(tmp_path, header(["ada", "ben"], 2), games))
    assert (found.tally.blocks, found.incomplete, found.left_out, found.forfeits) == (3, 1, 1, 1)


def test_ties_count_half_at_a_shared_table(tmp_path: Path) -> None:
    seats = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    games = [game(n, row, [2 if bot < 2 else 1 for bot in row]) for n, row in enumerate(seats)]
    folder = write(tmp_path, header(["ada", "ben", "cat"], 3), games)
    found = read_duel(folder, ("ada", "ben"))
    assert found.tally == Tally((0, 0, 0, 1, 0, 0, 0), 3)
    assert "points 0: 0, 0.5: 0, 1: 0, 1.5: 1" in "\n".join(duel_lines(found))
    assert read_duel(folder, ("cat", "ben")).tally == Tally((0, 0, 0, 0, 0, 0, 1), 3)


def test_tables_and_rotations_are_told_apart(tmp_path: Path) -> None:
    rows = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]]
    games = [game(n, row, [bot + 1 for bot in row]) for n, row in enumerate(rows)]
    head = header(["ada", "ben", "cat"], 3)
    found = pair_blocks(results_of(head, games), 0, 1)
    assert found.points.tolist() == [[2, 2, 2], [2, 2, 2]]
    assert len(np.unique(found.table)) == 2


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (None, "name two bots of demo: random, honest, bluffer, honest-js"),
        (("honest", "nobody"), "there is no bot 'nobody' in demo; bots: random"),
        (("honest", "honest"), "honest does not play against itself"),
    ],
)
def test_names_that_do_not_fit(names: tuple[str, str] | None, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        read_duel(EXAMPLE, names)


def test_a_folder_without_a_log(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no tournament"):
        read_duel(tmp_path, ("a", "b"))


def test_the_test_of_the_run_is_told_for_its_pair_only(tmp_path: Path) -> None:
    head = header(["ada", "ben"], 2)
    head.sprt = Sprt(0, 200)
    found = duel_of(tmp_path, [2] * 25, head)
    assert found.verdict is not None
    assert found.verdict.accepted == "H1"
    assert found.verdict.block is not None
    text = "\n".join(duel_lines(found))
    assert "SPRT of ada against ben: H0 0 Elo, H1 200 Elo, alpha 0.05, beta 0.05 (logistic)" in text
    assert f"H1 accepted at block {found.verdict.block}" in text
    assert "allowing for the stop" not in text, "all blocks ended alike"
    assert duel_json(found)["sprt"]["verdict"] == "H1"
    same = read_duel(tmp_path, ("ben", "ada"))
    assert same.verdict == found.verdict
    assert same.estimate is not None
    assert same.estimate.score == 0


def test_the_elo_of_a_stopped_run_allows_for_it(tmp_path: Path) -> None:
    head = header(["ada", "ben"], 2)
    head.sprt = Sprt(0, 50)
    found = duel_of(tmp_path, [2, 1, 2, 1, 2, 0, 2, 1] * 20, head)
    told = duel_json(found)["sprt"]
    assert told["verdict"] == "H1"
    assert found.estimate is not None
    low, high = told["elo_allowing_for_stop_interval"]
    assert low < told["elo_allowing_for_stop"] < found.estimate.elo < high
    assert f"allowing for the stop: Elo {told['elo_allowing_for_stop']:+.0f}, 95 % interval" in (
        "\n".join(duel_lines(found))
    )
    head.sprt = Sprt(0, 300)
    short = duel_of(tmp_path, [1, 0] * 20, head)
    assert "fewer than 20 blocks: how large the difference is stays open" in "\n".join(duel_lines(short))


@pytest.mark.parametrize(
    ("games", "one", "many"),
    [(1, "game", "games"), (2, "pair", "pairs"), (4, "block of 4 games", "blocks of 4 games")],
)
def test_units(games: int, one: str, many: str) -> None:
    assert (unit(games, 1), unit(games)) == (one, many)
