"""Charts of made-up logs, from none to fifty bots: they are drawn, whole, readable and repeatable."""

from __future__ import annotations

import logging
import struct
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from arena.record.log import GAMES, LogError
from arena.record.schema import GameRecord, Header, Line, encode_line
from arena.report.charts import CHARTS, draw_charts, draw_evidence
from arena.report.evidence import evidence_of
from arena.report.style import DPI, WIDTH, house_style, shorten, spread, width_of, wrap
from tests.report.logs import fault, made_up, make_header

Log = tuple[Header, list[GameRecord]]

FIFTY = [f"Bot.number-{n}_with-a-name_".ljust(60, "x") + f"{n:04}" for n in range(50)]


def forfeits() -> Log:
    header, games = made_up("ABC", 3, 25)
    games[4].faults = [fault(1, "timeout")]
    games[7].faults = [fault(0, "host")]
    del games[-1]
    return header, games


LOGS: dict[str, Log] = {
    "no games": made_up(["Ann", "Bob"], 2, 0),
    "one game": (made_up(["Ann", "Bob"], 2, 1)[0], made_up(["Ann", "Bob"], 2, 1)[1][:1]),
    "one block": made_up(["Ann", "Bob"], 2, 1),
    "few blocks": made_up(["Ann", "Bob", "Cid"], 2, 12),
    "two bots": made_up(["Ann", "Bob"], 2, 60),
    "one-sided": made_up(["Ann", "Bob"], 2, 30, weakness=[0, 1]),
    "one wins all": made_up(["Ann", "Bob", "Cid", "Dan"], 3, 60, weakness=[0, 1, 1, 2]),
    "one never plays": (make_header(["Ann", "Bob", "Zoe"], 2, 90), made_up(["Ann", "Bob"], 2, 45)[1]),
    "faults": forfeits(),
    "eight bots": made_up([f"Bot-{n}" for n in range(8)], 4, 150),
    "six at a table": made_up([f"Bot-{n}" for n in range(13)], 6, 60),
    "fifty bots": made_up(FIFTY, 4, 250),
    "odd names": made_up(["$x_1$", "<&>'\"", "骰子", "_hidden", "tab\tname"], 3, 30),
}


@pytest.fixture(autouse=True)
def _no_warnings(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING, "matplotlib"):
        warnings.simplefilter("error")
        yield
    assert not caplog.records


def write(folder: Path, log: Log) -> None:
    folder.mkdir()
    lines: list[Line] = [log[0], *log[1]]
    (folder / GAMES).write_bytes(b"".join(map(encode_line, lines)))


@pytest.mark.parametrize("name", LOGS)
def test_every_chart_is_drawn_whole(name: str, tmp_path: Path) -> None:
    header, games = LOGS[name]
    evidence = evidence_of(header, games)
    names = [bot.name for bot in header.bots]
    with house_style():
        for chart, draw in CHARTS.items():
            page = draw(evidence)
            nothing_is_cut_off_and_no_type_is_too_small(page.figure)
            png, svg = page.save(tmp_path, chart, ", ".join(names))
            width, height = struct.unpack(">II", png.read_bytes()[16:24])
            assert width == round(WIDTH * DPI)
            assert 0.5 * DPI < height < 11 * DPI
            words = "".join(ET.parse(svg).getroot().itertext())
            assert "made-up: standard rules" in words
            if all(bot.isascii() for bot in names):
                assert all(bot in words for bot in names)


def nothing_is_cut_off_and_no_type_is_too_small(figure: Figure) -> None:
    FigureCanvasAgg(figure)
    drawn = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert drawn.x0 >= 0
    assert drawn.y0 >= 0
    assert drawn.x1 <= width
    assert drawn.y1 <= height
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        assert not text.get_text() or float(text.get_fontsize()) >= 8


def test_the_charts_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "made-up"
    write(folder, LOGS["two bots"])
    written = draw_charts(folder)
    assert [path.relative_to(folder / "report").as_posix() for path in written] == [
        f"{chart}.{kind}" for chart in CHARTS for kind in ("png", "svg")
    ]
    words = "".join(ET.parse(written[-1]).getroot().itertext())
    assert "Bots: Ann, Bob" in words


def test_same_log_same_files_whatever_the_users_settings(tmp_path: Path) -> None:
    evidence = evidence_of(*LOGS["eight bots"])
    once = draw_evidence(evidence, tmp_path / "a")
    with mpl.rc_context({"font.size": 20, "axes.facecolor": "red", "svg.fonttype": "path"}):
        again = draw_evidence(evidence_of(*LOGS["eight bots"]), tmp_path / "b")
        assert mpl.rcParams["font.size"] == 20
    for one, other in zip(once, again, strict=True):
        assert one.read_bytes() == other.read_bytes()


def words(name: str, chart: str) -> str:
    with house_style():
        texts = CHARTS[chart](evidence_of(*LOGS[name])).figure.findobj(Text)
    return " ".join(text.get_text() for text in texts if isinstance(text, Text))


def test_words_instead_of_numbers() -> None:
    assert "no game has been played yet" in words("no games", "head_to_head")
    assert "no block is complete yet" in words("one game", "places")
    assert "1 of 2 games" in words("one game", "ratings")
    assert "fewer than 20 blocks" in words("few blocks", "ratings")
    assert "No intervals: no pair shares 20 blocks" in words("few blocks", "head_to_head")
    assert "No bands" in words("few blocks", "dice_over_rounds")
    assert "Ann: won every game." in words("one-sided", "ratings")
    assert "won every game" in words("one wins all", "ratings")
    assert "1 timeout" in words("faults", "thinking_time")
    assert "no answers" in words("one never plays", "thinking_time")
    assert "no block is complete yet" in words("one game", "bids")
    assert "no game has been played yet" in words("no games", "doubts")
    assert "Left out for want of doubts: 1 bot." in words("one never plays", "doubts")
    assert "The best 9 bots of 50." in words("fifty bots", "doubts")
    assert "an open dot has no interval" in words("few blocks", "swings")


def test_no_log(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="there is no log"):
        draw_charts(tmp_path)


# --- the layout's own tools --------------------------------------------------------------------------


def test_shorten_keeps_both_ends() -> None:
    assert shorten("short", 1.0) == "short"
    short = shorten("a-long-name-that-ends-in-7", 1.0)
    assert width_of(short) <= 1.0
    assert short.startswith("a-l")
    assert short.endswith("-7")
    assert "…" in short
    assert shorten("abc", 0.0) == "…"


def test_wrap() -> None:
    assert wrap("", 1.0) == []
    assert wrap("one two", 10.0) == ["one two"]
    lines = wrap("word " * 40, 2.0)
    assert len(lines) == 9 or " ".join(lines).count("word") == 40
    assert all(width_of(line) <= 2.0 for line in lines)
    assert wrap("95\u00a0% of it", width_of("95\u00a0%") + 0.01)[0] == "95\u00a0%"


@pytest.mark.parametrize("wanted", [[], [0.5], [0.5, 0.5, 0.5], [9.0, 0.0, 9.0, 8.9], [3.0] * 30])
def test_spread(wanted: list[float]) -> None:
    placed = spread(wanted, 1.0, 0.0, 10.0)
    gaps = np.diff(sorted(placed))
    assert (gaps >= min(1.0, 10 / max(1, len(wanted) - 1)) - 1e-9).all()
    assert all(-1e-9 <= place <= 10 + 1e-9 for place in placed)
    assert [np.argsort(wanted, kind="stable").tolist()] == [np.argsort(placed, kind="stable").tolist()]


def test_spread_stays_centred() -> None:
    assert spread([5.0, 5.0, 5.0], 1.0, 0.0, 10.0) == pytest.approx([4.0, 5.0, 6.0])
