"""The heat map of who finishes above whom."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle

from arena.report.blocks import MIN_BLOCKS
from arena.report.evidence import Evidence
from arena.report.facts import NBSP, NO_BLOCKS, PERCENT_95, facts_of, from_here
from arena.report.style import (
    AROUND_HALF,
    FAINT,
    HATCH,
    INK,
    LINE,
    MARGIN,
    WIDTH,
    Page,
    names_room,
    page_of_words,
    shorten,
    width_of,
)

BIGGEST, ROW = 1.0, 0.17
TITLE = "Head to head: how often the row finishes above the column"


def pairs_chart(evidence: Evidence) -> Page:
    """Bots in the order of their ratings on both axes; the column is named by its bot's number."""
    if not len(evidence.rated):
        return page_of_words(TITLE, facts_of(evidence), from_here(evidence, NO_BLOCKS))
    bots = len(evidence.ranked)
    names = [evidence.results.bots[bot] for bot in evidence.ranked]
    numbers_room = width_of(f"  {bots}")
    left = MARGIN + names_room(names, 1.5) + numbers_room + 0.08
    wide = min(BIGGEST, (WIDTH - left - MARGIN) / bots)
    tall = max(min(wide, 0.42), ROW)
    intervals = wide >= width_of("100–100") + 0.06 and tall >= 2 * LINE + 0.04
    numbers = wide >= width_of("100", bold=True) + 0.03
    page = Page(TITLE, facts_of(evidence), tall * bots + 0.9, _notes(evidence, numbers, intervals))
    axes = page.axes(left, 0.2, wide * bots, tall * bots)
    _frame(axes, names, wide, left - MARGIN - numbers_room - 0.08)
    _cells(axes, evidence, numbers, intervals)
    width = max(2.4, min(wide * bots, 3.6))
    at = max(MARGIN, min(left, WIDTH - MARGIN - width - 0.1))
    _key(page.axes(at, tall * bots + 0.38, width, 0.11))
    return page


def _frame(axes: Axes, names: list[str], wide: float, room: float) -> None:
    bots = len(names)
    axes.set_xlim(-0.5, bots - 0.5)
    axes.set_ylim(bots - 0.5, -0.5)
    axes.set_yticks(range(bots), [f"{shorten(name, room)}  {row}" for row, name in enumerate(names, 1)])
    step = next(step for step in (1, 2, 5, 10) if step * wide >= width_of(str(bots)) + 0.04)
    columns = [number for number in range(1, bots + 1) if number == 1 or number % step == 0]
    axes.set_xticks([number - 1 for number in columns], [str(number) for number in columns])
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=3)
    axes.spines[["left", "bottom"]].set_visible(False)


def _cells(axes: Axes, evidence: Evidence, numbers: bool, intervals: bool) -> None:
    order = np.array(evidence.ranked)
    pairs = evidence.pairs
    score, low, high, sure = (
        100 * np.asarray(array, np.float64)[np.ix_(order, order)]
        for array in (pairs.score, pairs.low, pairs.high, pairs.significant)
    )
    axes.patch.set(facecolor="white", edgecolor=HATCH, hatch="/////", linewidth=0)
    bots = len(order)
    edges = np.arange(bots + 1) - 0.5
    axes.pcolormesh(
        edges,
        edges,
        np.ma.masked_invalid(score),
        cmap=AROUND_HALF,
        norm=Normalize(0, 100),
        edgecolors="white",
        linewidth=0.8 if bots <= 20 else 0.3,
    )
    for row, column in np.argwhere(np.isnan(score)):
        if row == column:
            axes.add_patch(
                Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=FAINT, edgecolor="white")
            )
    for row, column in np.argwhere(np.isfinite(score)):
        value = score[row, column]
        ink = _ink(value)
        known = np.isfinite(low[row, column])
        if numbers:
            style: dict[str, Any] = {
                "ha": "center",
                "color": ink,
                "fontweight": "bold" if sure[row, column] else "normal",
            }
            if intervals and known:
                span = f"{low[row, column]:.0f}–{high[row, column]:.0f}"
                axes.text(column, row, f"{value:.0f}", va="bottom", **style)
                axes.text(column, row, span, va="top", ha="center", color=ink)
            else:
                axes.text(column, row, f"{value:.0f}", va="center", **style)
        elif sure[row, column]:
            axes.plot(column, row, ".", color=ink, markersize=2.2)


def _ink(percent: float) -> str:
    """White or dark, whichever reads better on the colour of the cell (WCAG 2.1, contrast ratio)."""
    part = np.array(AROUND_HALF(percent / 100)[:3])
    linear = np.where(part <= 0.03928, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return INK if float(linear @ (0.2126, 0.7152, 0.0722)) > 0.21 else "white"


def _key(axes: Axes) -> None:
    axes.pcolormesh(
        np.linspace(0, 100, 101),
        [0, 1],
        np.arange(100)[None, :] + 0.5,
        cmap=AROUND_HALF,
        norm=Normalize(0, 100),
        rasterized=True,
    )
    axes.set_yticks([])
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.tick_params(length=2)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xlabel(
        "Score of the row against the column (%), a tie counting half", color=INK, loc="left"
    )


def _notes(evidence: Evidence, numbers: bool, intervals: bool) -> list[str]:
    pairs = evidence.pairs
    met = pairs.blocks[~np.eye(len(pairs.bots), dtype=bool)]
    notes = ["Columns carry the numbers of the rows, which are in the order of the ratings."]
    some = bool(np.isfinite(pairs.low).any())
    mark = "Bold" if numbers else "Dot"
    if some:
        notes.append(
            f"{mark}: the {PERCENT_95} interval over blocks excludes 50{NBSP}% "
            "(not corrected for many pairs)."
        )
        if intervals:
            notes.append("Below the score: its interval.")
        else:
            notes.append("The intervals are left out for want of room.")
    most = int(met.max())
    if most < MIN_BLOCKS:
        notes.append(f"No intervals: no pair shares {MIN_BLOCKS} blocks, the most is {most}.")
    elif not np.isfinite(pairs.low[pairs.blocks > 0]).all():
        notes.append(
            f"No interval for pairs that share fewer than {MIN_BLOCKS} blocks or always ended alike."
        )
    if (met == 0).any():
        notes.append("Hatched cells: never met in a complete block.")
    return [" ".join(notes)]
