"""`arena table`: scales, priors, and what it shows beside the standings."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.rating import head_to_head
from arena.report.standings import read_standings

EXAMPLE = "results/example"


def table(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["table", EXAMPLE, *arguments])


def ratings(*arguments: str) -> dict[str, float | None]:
    result = table(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return {bot["bot"]: bot["rating"] for bot in json.loads(result.output)["bots"]}


def test_an_offset_moves_the_mean() -> None:
    plain, moved = ratings(), ratings("--offset", "1000")
    for bot, rating in plain.items():
        assert moved[bot] == (None if rating is None else pytest.approx(rating - 500))
    shown = table("--offset", "1000").output
    assert "the mean of the rated bots at 1000" in shown
    line = table("--offset", "1000", "--csv").output.splitlines()[1].split(",")
    assert float(line[2]) == pytest.approx(moved["bluffer"])


def test_an_anchor_has_its_points() -> None:
    assert ratings("--anchor", "honest")["honest"] == 1500
    assert ratings("--anchor", "honest=2000")["honest"] == 2000
    assert "honest at 2000" in table("--anchor", "honest=2000").output
    facts = json.loads(table("--anchor", "honest=-3.5", "--json").output)
    assert (facts["anchor"], facts["anchor_value"]) == ("honest", -3.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--anchor", "honest", "--offset", "3"], "give one of the two"),
        (["--anchor", "honest=much"], "expected BOT or BOT=POINTS, got 'honest=much'"),
        (["--anchor", "honest=inf"], "expected BOT or BOT=POINTS"),
        (["--anchor", "nobody=3"], "no bot 'nobody'"),
        (["--anchor", ""], "no bot ''"),
        (["--anchor", "honest", "--exclude", "honest"], "cannot be the anchor and be left out"),
        (["--offset", "nan"], "'nan' is not a valid number"),
        (["--offset", "inf"], "--offset: expected a number of points"),
        (["--prior", "-1"], "--prior"),
        (["--prior", "nan"], "'nan' is not a valid number"),
        (["--csv", "--seats", "--upsets"], "CSV holds one table"),
        (["--csv", "--seats", "--each", "folder"], "CSV holds one table"),
        (["--each", "folder", "--columns", "bot"], "--columns is for one table"),
    ],
)
def test_contradictions_are_refused_in_a_line(arguments: list[str], message: str) -> None:
    result = table(*arguments)
    assert result.exit_code == 2
    assert message in result.output + str(result.exception)


def test_a_bot_that_lost_everything_has_a_bound_and_with_a_prior_a_number() -> None:
    plain, prior = ratings(), ratings("--prior", "2")
    assert plain["random"] is None
    assert prior["random"] is not None
    shown = table().output
    assert "last in every game" in shown
    assert "below 6" in shown
    assert "one-sided 95 % bound" in shown
    assert "Prior: each bot has 2 virtual draws" in table("--prior", "2").output
    assert json.loads(table("--prior", "2", "--json").output)["prior_draws"] == 2


def test_superiority_is_in_the_order_of_ranks() -> None:
    result = table("--superiority", "--csv")
    rows = list(csv.reader(io.StringIO(result.output)))
    ranked = [row.bot for row in read_standings(Path(EXAMPLE)).rows]
    assert rows[0] == ["row bot", *ranked]
    assert [row[0] for row in rows[1:]] == ranked
    assert float(rows[2][3]) == pytest.approx(1 - float(rows[3][2]))
    assert rows[1][1] == ""
    shown = table("--superiority").output
    assert "how sure the order is, not how often it wins" in " ".join(shown.split())
    assert ["bot", "#1", "#2", "#3", "#4"] in [line.split() for line in shown.splitlines()]
    facts = json.loads(table("--superiority", "--json").output)["superiority"]
    assert facts["draws"] == 1000
    assert facts["rows"][1]["honest"] == float(rows[2][3])


def test_upsets_of_the_excluded_are_gone_and_all_is_told() -> None:
    facts = json.loads(table("--upsets", "--json").output)["upsets"]
    assert 0 < facts["one_scale_p"] <= 1
    pairs = head_to_head(read_standings(Path(EXAMPLE)).results)
    for row in facts["rows"]:
        i, j = pairs.bots.index(row["bot"]), pairs.bots.index(row["beats"])
        assert row["score"] == pairs.score[i, j]
    assert "too few pairs met" in table("--upsets", "--exclude", "bluffer").output


def test_seats() -> None:
    rows = list(csv.DictReader(io.StringIO(table("--seats", "--csv").output)))
    assert [(row["players"], row["seat"]) for row in rows] == [("4", str(seat)) for seat in range(4)]
    assert sum(float(row["worth"]) for row in rows) == pytest.approx(0, abs=1e-6)
    for row in rows:
        assert float(row["low"]) < float(row["worth"]) < float(row["high"])
    assert "What a seat is worth" in table("--seats").output


def test_each_shows_the_sections_of_every_group() -> None:
    shown = table("--each", "players", "--seats").output
    assert "4 players" in shown
    assert "What a seat is worth" in shown
