"""Several results folders: the same bots, what may be pooled, and tables rated apart."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from arena.errors import ConfigError
from arena.record.log import GAMES, LogWriter, write_header
from arena.record.schema import encode_line
from arena.report.apart import show, standings_apart, write_csv, write_json
from arena.report.logs import read_logs
from arena.report.standings import read_standings, standings
from arena.report.text import facts_of, footer
from tests.report.logs import made_up


def folder(
    where: Path, name: str, bots: Sequence[str], players: int, blocks: int, seed: int = 1, **header: Any
) -> Path:
    """A results folder of made-up games; fingerprints are the names' first letters."""
    written, games = made_up(bots, players, blocks, seed)
    settings = structs.replace(written.settings, **header.pop("settings", {}))
    prints = header.pop("prints", {})
    listed = [
        structs.replace(bot, fingerprint=prints.get(bot.name, bot.name[0])) for bot in written.bots
    ]
    written = structs.replace(
        written, name=name, settings=settings, bots=listed, secret_hash=f"hash of {name}", **header
    )
    (where / name).mkdir()
    write_header(where / name / GAMES, written)
    writer = LogWriter(where / name / GAMES)
    writer.append(encode_line(game) for game in games)
    writer.close()
    return where / name


def test_folders_of_two_sizes_are_rated_together(tmp_path: Path) -> None:
    duels = folder(tmp_path, "duels", ["ann", "bob", "cat"], 2, 60)
    tables = folder(tmp_path, "tables", ["cat", "dan", "ann"], 3, 40)
    found = read_standings(duels, tables)
    assert found.games == 2 * 60 + 3 * 40
    assert found.complete_blocks == 100
    assert [bot.name for bot in found.header.bots] == ["ann", "bob", "cat", "dan"]
    alone = {row.bot: row.games for row in read_standings(duels).rows}
    also = {row.bot: row.games for row in read_standings(tables).rows}
    for row in found.rows:
        assert row.games == alone.get(row.bot, 0) + also.get(row.bot, 0)
        assert row.rating is not None
        assert row.rating.rating is not None
    assert facts_of(found)["players"] == [2, 3]
    assert facts_of(found)["name"] == "duels + tables"
    lines = footer(found)
    assert lines[0].startswith("duels: ruleset standard, 2 players")
    assert lines[1].startswith("tables: ruleset standard, 3 players")


def test_one_folder_split_in_two_gives_the_same_ratings(tmp_path: Path) -> None:
    header, games = made_up(["ann", "bob", "cat"], 2, 120)
    whole = standings(header, games)
    half = len(games) // 2
    parts = []
    for name, some in (("one", games[:half]), ("two", games[half:])):
        path = folder(tmp_path, name, ["ann", "bob", "cat"], 2, 0)
        writer = LogWriter(path / GAMES)
        writer.append(encode_line(game) for game in some)
        writer.close()
        parts.append(path)
    for one, other in zip(read_standings(*parts).rows, whole.rows, strict=True):
        assert one.bot == other.bot
        assert one.rating is not None
        assert other.rating is not None
        assert one.rating.rating == pytest.approx(other.rating.rating, abs=1e-6)
        assert one.points == other.points


def test_bots_that_share_only_their_name_are_two(tmp_path: Path) -> None:
    first = folder(tmp_path, "may", ["ann", "bob"], 2, 30)
    second = folder(tmp_path, "june", ["ann", "bob"], 2, 30, prints={"bob": "another"})
    found = read_standings(first, second)
    assert {row.bot for row in found.rows} == {"ann", "bob", "bob@june"}
    assert read_logs([first, second])[1].bots == ("ann", "bob@june")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"settings": {"games_in_flight": 8}},
            "games_in_flight 1 and 8; rate them apart with --each fol",
        ),
        ({"settings": {"move_ms": 50}}, "move_ms 100 and 50"),
        ({"settings": {"pondering": False}}, "pondering True and False"),
        ({"ruleset": {"name": "santaba"}}, "ruleset standard and santaba; .* or --each ruleset"),
        ({"ruleset": {"name": "standard", "wild_face": 2}}, "ruleset standard and with other options"),
    ],
)
def test_what_must_not_be_pooled(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    one = folder(tmp_path, "one", ["ann", "bob"], 2, 30)
    two = folder(tmp_path, "two", ["ann", "bob"], 2, 30, **change)
    with pytest.raises(ConfigError, match=message):
        read_standings(one, two)
    assert list(standings_apart(read_logs([one, two]), "folder", {})) == [str(one), str(two)]


def test_other_workers_and_deals_may_be_pooled(tmp_path: Path) -> None:
    one = folder(tmp_path, "one", ["ann", "bob"], 2, 30)
    two = folder(tmp_path, "two", ["ann", "bob"], 2, 30, settings={"workers": 9}, deals="independent")
    assert read_standings(one, two).games == 120


def test_the_same_dice_twice_are_no_new_evidence(tmp_path: Path) -> None:
    one = folder(tmp_path, "one", ["ann", "bob"], 2, 30)
    with pytest.raises(ConfigError, match="were played with the same dice"):
        read_standings(one, one)


def test_a_folder_without_a_log(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no tournament"):
        read_standings(folder(tmp_path, "one", ["ann", "bob"], 2, 3), tmp_path)


def test_by_size_of_the_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    three = folder(tmp_path, "three", ["ann", "bob", "cat"], 3, 40)
    two = folder(tmp_path, "two", ["ann", "bob"], 2, 30)
    more = folder(tmp_path, "more", ["ann", "bob"], 2, 30, seed=2)
    tables = standings_apart(read_logs([three, two, more]), "players", {"anchor_value": 1000.0})
    assert list(tables) == ["2", "3"]
    assert tables["2"].games == 120
    alone = read_standings(three, anchor_value=1000.0)
    assert [row.cells() for row in tables["3"].rows] == [row.cells() for row in alone.rows]

    show(tables, "players")
    shown = capsys.readouterr().out
    interval = ["95", "%", "interval"]
    assert shown.splitlines()[0].split() == ["bot", "2", "players", *interval, "3", "players", *interval]
    cat = next(line.split() for line in shown.splitlines() if line.startswith("cat"))
    assert cat[1:3] == ["-", "-"], "cat sat at tables of three only"
    assert "the mean of the rated bots at 1000" in shown

    told = json.loads(write_json(tables, "players"))
    assert told["each"] == "players"
    assert [group["players"] for group in told["tables"]] == [2, 3]
    rows = list(csv.DictReader(io.StringIO(write_csv(tables, "players"))))
    assert [(row["players"], row["bot"]) for row in rows] == [
        (size, row.bot) for size, table in tables.items() for row in table.rows
    ]


def test_by_ruleset(tmp_path: Path) -> None:
    one = folder(tmp_path, "one", ["ann", "bob"], 2, 30)
    two = folder(tmp_path, "two", ["ann", "bob"], 2, 30, ruleset={"name": "santaba"})
    tables = standings_apart(read_logs([one, two]), "ruleset", {})
    assert {name: table.games for name, table in tables.items()} == {"standard": 60, "santaba": 60}
