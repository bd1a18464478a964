"""The documents tell the truth: their code runs, their tables match the code."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from arena.game import PRESETS
from arena.record.tables import COLUMNS
from arena.report.play import MEASURES, Play

ROOT = Path(__file__).parents[2]


def code_of(page: str) -> str:
    text = (ROOT / "docs" / page).read_text()
    return "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))


def test_the_analysis_page_answers_its_five_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found: dict[str, Any] = {}
    exec(compile(code_of("4-analysis.md"), "4-analysis.md", "exec"), found)
    assert len(found["seat"]) == found["t"].header.players
    assert found["seat"]["mean"].mean() == pytest.approx(0.5, abs=0.02)
    for name in ("doubt", "bare", "opening"):
        assert found[name]["mean"].between(0, 1).all()
        assert (found[name]["half_width"] >= 0).all()
    assert (found["time"][0.99] >= found["time"][0.5]).all()
    assert found["bluffs"].set_index("bot")["value"].between(0.01, 0.5).all()
    assert found["last_die"]["mean"].between(0, 1).all()
    assert found["palifico"]["mean"].between(-1, 1).all()
    assert len(found["turns"]) == 480
    assert found["sharpest"]["moved"].min() >= 0.5


def test_the_analysis_page_lists_every_measure_and_table_of_the_play() -> None:
    text = (ROOT / "docs" / "4-analysis.md").read_text()
    listed = re.findall(r"^\| `(\w+)` \| (\w*) \| (.+) \|$", text, re.MULTILINE)
    assert listed == [(measure.name, measure.unit, measure.meaning) for measure in MEASURES]
    tables = re.findall(r"^\| `(\w+)` \| `", text, re.MULTILINE)
    assert tables == [f.name for f in fields(Play) if f.type == "pd.DataFrame"]


def test_the_tables_page_lists_every_column() -> None:
    text = (ROOT / "docs" / "3-tables.md").read_text()
    for table, columns in COLUMNS.items():
        section = text.split(f"## {table}\n")[1].split("\n## ")[0]
        listed = re.findall(r"^\| `(\w+)` \| (.*?) \|", section, re.MULTILINE)
        assert listed == [(column.name, column.dtype) for column in columns]


def test_links_between_pages_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("results/*.md")]:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_preset_has_a_summary() -> None:
    from arena.game.explain import SUMMARIES

    assert list(SUMMARIES) == list(PRESETS)
