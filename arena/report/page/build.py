"""The page itself: a template, filled; style and scripts inlined; a policy that allows only them."""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena.errors import ArenaError
from arena.report.charts import CHARTS, REPORT
from arena.report.duel_text import verdict_lines
from arena.report.evidence import Evidence
from arena.report.page.games import (
    CHUNK,
    Choice,
    as_json,
    choose_games,
    embedded,
    index_of,
    read_games_option,
    write_beside,
)
from arena.report.page.gather import Gathered, gather
from arena.report.page.play import play_tables, unit_of
from arena.report.page.sections import (
    bots_of,
    cross_table,
    faults_of,
    folder_of,
    rules_of,
    settings_of,
    standings_of,
)
from arena.report.style import WIDTH, house_style

SCRIPTS = ("tables.js", "games.js", "replay.js")


@dataclass(frozen=True)
class Built:
    """What was written. `beside` is the folder of the games where they are not in the page;
    `held` of the `total` games can be replayed."""

    page: Path
    beside: Path | None
    held: int
    total: int


def write_page(folder: Path, out: Path | None = None, games: str = "auto", by: str = "rating") -> Built:
    """Write the page of the results folder to `out` (`folder/report/index.html`).

    `games` is what `read_games_option` reads, `by` what the standings are ordered by. Raises
    `ConfigError`, `LogError`, and `ArenaError` where the page cannot be written.
    """
    wanted = read_games_option(games)
    return write_found(gather(folder, by), out or folder / REPORT / "index.html", wanted)


def write_found(found: Gathered, out: Path, wanted: str | int) -> Built:
    """Write the page of what was gathered, with the games that `choose_games` chooses."""
    choice = choose_games(wanted, found)
    beside = out.parent / f"{out.stem}-games" if choice.beside else None
    if beside is not None:
        write_beside(beside, found, choice)
    fresh = out.with_name(out.name + ".new")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("w", encoding="utf-8", newline="\n") as file:
            for text in _render(found, choice, beside.name if beside else ""):
                file.write(text)
        fresh.replace(out)
    except OSError as error:
        raise ArenaError(f"cannot write {out}: {error.strerror}") from None
    return Built(out, beside, len(choice.chosen), choice.total)


def _render(found: Gathered, choice: Choice, beside: str) -> Iterator[str]:
    """The page, piece by piece: the games in it may be many."""
    environment = Environment(
        loader=PackageLoader("arena.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=visible,
    )
    style = _text("page.css")
    script = "\n".join(_text(name) for name in SCRIPTS)
    evidence = found.evidence
    return environment.get_template("page.html").generate(
        header=evidence.header,
        blocks=evidence.blocks,
        names=list(evidence.results.bots),
        folder=folder_of(found),
        standings=standings_of(found),
        cross=cross_table(evidence),
        verdict=verdict_lines(found.verdict, list(evidence.results.bots)) if found.verdict else [],
        charts=list(_charts(evidence)),
        play=play_tables(evidence.play, evidence.ranked),
        sample=evidence.play.sample,
        unit_of=unit_of,
        bots=bots_of(found),
        faults=faults_of(found),
        settings=settings_of(found),
        rules=rules_of(found.ruleset),
        choice=choice,
        policy=_policy(style, script, bool(beside)),
        style=Markup(style),
        script=Markup(script),
        data=Markup(as_json(_data(found, choice, beside))),
        games=map(Markup, embedded(found, choice)),
    )


def _data(found: Gathered, choice: Choice, beside: str) -> dict[str, Any]:
    """What the scripts need to know; the index of games only if the games are in the page."""
    return {
        "bots": list(found.evidence.results.bots),
        "players": found.evidence.header.players,
        "wild": found.ruleset.wild_face or 0,
        "calza": found.ruleset.calza != "off",
        "chunk": CHUNK,
        "beside": beside,
        "index": None if choice.beside else index_of(found, choice),
    }


def _policy(style: str, script: str, beside: bool) -> str:
    """No connection, no markup that runs: just this style, these scripts and, beside the page, the
    games. A page opened as a file is no origin of its own, hence the scheme."""
    more = " 'self' file:" if beside else ""
    parts = {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": _hash(style),
        "script-src": _hash(script) + more,
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{what} {where}" for what, where in parts.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _text(name: str) -> str:
    return (files("arena.report.page") / name).read_text(encoding="utf-8")


class Picture(NamedTuple):
    """A chart as a data URI; its size in points of the screen keeps its place while it loads."""

    title: str
    uri: str
    width: int
    height: int


def _charts(evidence: Evidence) -> Iterator[Picture]:
    """Every chart that `arena charts` draws."""
    with house_style():
        for draw in CHARTS.values():
            chart = draw(evidence)
            buffer = io.BytesIO()
            chart.write_svg(buffer)
            # Not every reader has the font that the chart was laid out for; these are as wide.
            drawn = buffer.getvalue().replace(b"'DejaVu Sans'", b"'DejaVu Sans', Verdana, sans-serif")
            uri = "data:image/svg+xml;base64," + base64.b64encode(drawn).decode()
            yield Picture(chart.title, uri, round(96 * WIDTH), round(96 * chart.height))


def visible(value: Any) -> Any:
    """A text with its control characters and those that turn the writing direction made visible."""
    return value.translate(_HIDDEN) if type(value) is str else value


_CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {0x09, 0x0A}
_TURNS = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_HIDDEN = {code: f"\\u{code:04x}" for code in _CONTROLS | _TURNS}
