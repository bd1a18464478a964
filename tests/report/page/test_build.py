"""The page as a file: the same bytes every time, nothing from elsewhere, words for what is not known."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec import structs

from arena.errors import ArenaError, ConfigError
from arena.game import preset
from arena.record.log import GAMES, LogError
from arena.record.schema import Line, Sprt, encode_line
from arena.report.charts import CHARTS
from arena.report.duel import read_duel
from arena.report.duel_text import verdict_lines
from arena.report.page import write_page
from arena.report.page.build import write_found
from arena.report.page.games import (
    CHUNK,
    choose_games,
    embedded,
    index_of,
    read_games_option,
    write_beside,
)
from arena.report.page.gather import Gathered, gather
from arena.report.page.play import play_tables
from arena.report.page.sections import bots_of, cross_table
from tests.record.played import play_log
from tests.report.logs import made_up
from tests.report.page.logs import NAMES, TITLE, hostile, read, write


class Reader(HTMLParser):
    """What a page holds: tags with their attributes, texts by tag, addresses."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.texts.append((self.tags[-1][0] if self.tags else "", data))

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self) -> str:
        return " ".join("".join(t for tag, t in self.texts if tag not in ("script", "style")).split())


@pytest.fixture(scope="module")
def text(page: Path) -> str:
    return page.read_text()


def test_the_same_log_gives_the_same_bytes_wherever_it_lies(
    folder: Path, text: str, tmp_path: Path
) -> None:
    other = write(hostile(), tmp_path / "elsewhere")
    assert write_page(other, tmp_path / "page.html").page.read_text() == text
    plain = other / GAMES
    (other / f"{GAMES}.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    assert write_page(other, tmp_path / "packed.html").page.read_text() == text
    assert str(folder) not in text


def test_hostile_texts_stay_texts(text: str) -> None:
    reader = Reader(text)
    assert len(reader.all("script")) == 3, "data, games, and our own"
    assert {image["src"][:26] for image in reader.all("img")} == {"data:image/svg+xml;base64,"}
    assert not any(name.startswith("on") for _, attributes in reader.tags for name in attributes)
    assert TITLE in reader.text()
    assert "</pre><script>window.pwned = 3</script>" in reader.text()
    assert "{{ 7 * 7 }}" in reader.text()
    assert "\\u202eevil\\u202c \\u0007" in reader.text()
    markup = text.split('<script type="application/json"', maxsplit=1)[0]
    assert not set("\u202e\u202c\u0007\u001b") & set(markup)


def test_the_policy_allows_our_style_and_scripts_alone(text: str) -> None:
    policy = next(meta["content"] for meta in Reader(text).all("meta") if "http-equiv" in meta)
    style = text.split("<style>")[1].split("</style>", maxsplit=1)[0]
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    for kind, own in (("style", style), ("script", script)):
        digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert "style=" not in "".join(f" {name}=" for _, a in Reader(text).tags for name in a)


def test_nothing_comes_from_elsewhere(text: str) -> None:
    reader = Reader(text)
    for _, attributes in reader.tags:
        assert attributes.get("src", "data:").startswith("data:")
        assert attributes.get("href", "#").startswith("#")
    own = "".join((files("arena.report.page") / f).read_text() for f in ("page.css", "page.html"))
    assert not re.search(r"url\(|@import|https?:", own)


def test_every_chart_is_in_it(text: str) -> None:
    assert len(Reader(text).all("img")) == len(CHARTS)


def test_links_lead_to_something(text: str) -> None:
    reader = Reader(text)
    known = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(known) == len(set(known))
    for link in reader.all("a"):
        assert link["href"][1:] in known or link["href"].startswith("#game=")
    for _, attributes in reader.tags:
        for name in ("aria-labelledby", "aria-describedby", "data-filter"):
            assert set(attributes.get(name, "").split()) <= set(known)


def test_faults_are_counted_and_the_first_of_each_kind_listed(text: str, folder: Path) -> None:
    _, games = read(folder)
    faults = [fault for game in games.values() for fault in game.faults]
    started = sum(fault.cause == "start" for fault in faults)
    assert started > 20
    listed = text.count("<li data-bot=")
    assert f"{listed} of {len(faults)}" in text
    assert text.count('data-cause="start"') == 20
    assert "arena replay &#39;results/&lt;/title&gt;" in text


def test_games_beside_the_page_replace_those_of_an_earlier_one(found: Gathered, tmp_path: Path) -> None:
    (tmp_path / "77.js").write_text("old")
    (tmp_path / "notes.js").write_text("kept")
    choice = choose_games("beside", found)
    write_beside(tmp_path, found, choice)
    assert {path.name for path in tmp_path.iterdir()} == {"0.js", "index.js", "notes.js"}
    assert "".join(embedded(found, choice)) == "[]"


@pytest.mark.parametrize("waiting", [10, 1000, 10**6])
def test_a_file_of_games_has_the_games_of_its_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waiting: int
) -> None:
    monkeypatch.setattr("arena.report.page.games.WAITING", waiting)
    folder = write(play_log(preset("openspiel"), 2, blocks=150, faults=0), tmp_path / "many")
    found = gather(folder)
    write_beside(tmp_path / "beside", found, choose_games("beside", found))
    read_back = {}
    for chunk in range(2):
        head, _, rest = (tmp_path / "beside" / f"{chunk}.js").read_text().partition(", ")
        assert head == f"arenaGames({chunk}"
        for game in json.loads(rest.strip().removesuffix("]);").rstrip().removesuffix(",") + "]"):
            assert game["game"] // CHUNK == chunk
            read_back[game["game"]] = game["calls"]
    _, games = read(folder)
    assert read_back == {number: game.calls for number, game in games.items()}


def games_in(found: Gathered, games: str | int) -> list[int]:
    text = "".join(embedded(found, choose_games(games, found)))
    return sorted(game["game"] for game in json.loads(text))


def test_a_sample_is_spread_evenly_and_said(found: Gathered, tmp_path: Path) -> None:
    built = write_found(found, tmp_path / "s.html", 7)
    assert (built.held, built.total) == (7, 140)
    assert "7 of 140 games are in this page" in Reader(built.page.read_text()).text()
    assert games_in(found, 7) == [i * 140 // 7 for i in range(7)]
    assert games_in(found, 500) == games_in(found, "all") == list(range(140))
    assert games_in(found, 0) == []
    index = index_of(found, choose_games(7, found))
    assert len(index["seats"]) == len(index["places"]) == 7 * 4
    assert {int(game) for game in index["faults"]} <= set(index["numbers"])


def test_large_ones_go_beside_by_themselves(found: Gathered, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not choose_games("auto", found).beside
    assert found.size == sum(len(encode_line(game)) for game in found.games())
    monkeypatch.setattr("arena.report.page.games.SMALL", found.size)
    assert not choose_games("auto", found).beside
    monkeypatch.setattr("arena.report.page.games.SMALL", found.size - 1)
    assert choose_games("auto", found).beside


@pytest.mark.parametrize("wrong", ["-1", "some", "", "1.5", "\u0663", "99999999999999999999"])
def test_a_wrong_number_of_games_is_named(wrong: str) -> None:
    with pytest.raises(ConfigError, match=r"--games: .*auto, all, beside, or a number"):
        read_games_option(wrong)


def test_a_page_that_cannot_be_written_is_named(found: Gathered, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for games in ("all", "beside"):
        with pytest.raises(ArenaError, match="cannot write"):
            write_found(found, tmp_path / "file" / "index.html", games)


def test_a_game_that_contradicts_itself_is_named(tmp_path: Path) -> None:
    log = play_log(preset("openspiel"), 2, blocks=2, faults=0)
    log.games[0]["rotation"] = 7
    with pytest.raises(LogError, match=r"games.jsonl: game \d+: there is no rotation 7"):
        write_page(write(log, tmp_path / "wrong"))


def test_while_a_tournament_runs_there_is_a_page_too(tmp_path: Path) -> None:
    log = hostile()
    log.games = log.games[:30]
    log.header["games"] = 140
    folder = write(log, tmp_path / "running", end=False)
    with (folder / GAMES).open("a") as file:
        file.write('{"type":"game","game":99,')
    text = Reader(write_page(folder).page.read_text()).text()
    assert "30 games of 140 planned" in text
    assert "published at the end of the run" in text
    assert "not yet" in text


def write_lines(folder: Path, lines: Sequence[Line]) -> None:
    folder.mkdir()
    (folder / GAMES).write_bytes(b"".join(map(encode_line, lines)))


def test_words_where_there_are_no_numbers(tmp_path: Path) -> None:
    header, games = made_up(["Ann", "Bob"], 2, 3)
    for number, (records, expected) in enumerate(
        [([], "No game has been played yet."), (games[:1], "never met in a complete block")]
    ):
        folder = tmp_path / str(number)
        write_lines(folder, [header, *records])
        text = Reader(write_page(folder).page.read_text()).text()
        assert expected in text
        assert "No bot failed in any game." in text
        assert "nan" not in text.lower()
    few = tmp_path / "few"
    write_lines(few, [header, *games])
    assert "no interval: too few blocks" in Reader(write_page(few).page.read_text()).text()


def test_of_many_bots_the_best_have_a_table(found: Gathered, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.report.page.sections.MOST_PAIRS", 3)
    table = cross_table(found.evidence)
    assert (table["bots"], table["left_out"]) == (found.evidence.ranked[:3], 2)
    assert [len(row) for row in table["rows"]] == [3, 3, 3]
    assert [section["opponents_left_out"] for section in bots_of(found)] == [1] * 5


def test_the_verdict_of_a_sequential_test_is_told(tmp_path: Path) -> None:
    header, games = made_up(["Ann", "Bob"], 2, 90, weakness=[1, 1.5])
    header = structs.replace(header, sprt=Sprt(elo0=0, elo1=50))
    folder = tmp_path / "tested"
    write_lines(folder, [header, *games])
    told = read_duel(folder).verdict
    assert told is not None
    assert told.block is not None
    text = Reader(write_page(folder).page.read_text()).text()
    for line in verdict_lines(told, ["Ann", "Bob"]):
        assert " ".join(line.split()) in text
    assert "H1 accepted at block" in text


def test_the_play_is_that_of_the_statistics(found: Gathered, text: str) -> None:
    measures = found.evidence.play.measures
    shown = {
        (NAMES[bot], measure.name): cell
        for table in play_tables(found.evidence.play, found.evidence.ranked)
        for bot, cells in table.rows
        for measure, cell in zip(table.measures, cells, strict=True)
    }
    bluffs = measures[measures["measure"] == "bluff"].set_index("bot")["value"]
    for bot, share in bluffs.dropna().items():
        assert float(shown[str(bot), "bluff"].split()[0]) == pytest.approx(100 * share, abs=0.51)
    assert shown[NAMES[4], "bluff"] == "-", "it never bid"
    told = Reader(text).text()
    assert "bluff (%)" in told
    assert "after a chance of" in told


def test_the_names_are_those_of_the_log(text: str) -> None:
    data = json.loads(text.split('id="data">')[1].split("</script>", maxsplit=1)[0])
    assert data["bots"] == NAMES
