"""All charts of a tournament, from its log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena.report.chart_difficulty import difficulty_chart
from arena.report.chart_doubts import doubts_chart
from arena.report.chart_measures import bids_chart, openings_chart, swings_chart
from arena.report.chart_pairs import pairs_chart
from arena.report.chart_places import places_chart, seats_chart
from arena.report.chart_play import dice_chart, thinking_chart
from arena.report.chart_ratings import ratings_chart, settling_chart
from arena.report.evidence import Evidence, read_evidence
from arena.report.style import Page, house_style

REPORT = "report"
"""Folder of the charts in a results folder."""

CHARTS: dict[str, Callable[[Evidence], Page]] = {
    "ratings": ratings_chart,
    "head_to_head": pairs_chart,
    "places": places_chart,
    "seats": seats_chart,
    "rating_over_blocks": settling_chart,
    "thinking_time": thinking_chart,
    "thinking_by_difficulty": difficulty_chart,
    "dice_over_rounds": dice_chart,
    "bids": bids_chart,
    "openings": openings_chart,
    "doubts": doubts_chart,
    "swings": swings_chart,
}
"""Name of the files, and what draws them. Every chart is always drawn: one for which there is nothing
to show says why."""


def draw_charts(folder: Path) -> list[Path]:
    """Write every chart of the results folder as PNG and SVG into `folder/report/`.

    The same log gives the same files, byte for byte, with the same matplotlib. Raises `LogError`.
    """
    return draw_evidence(read_evidence(folder), folder / REPORT)


def draw_evidence(evidence: Evidence, folder: Path) -> list[Path]:
    """Write every chart into `folder`, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    bots = "Bots: " + ", ".join(evidence.results.bots)
    written = []
    with house_style():
        for name, draw in CHARTS.items():
            written += draw(evidence).save(folder, name, bots)
    return written
