"""The chart of how well doubts are judged: a reliability curve per bot."""

from __future__ import annotations

from math import ceil

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from arena.report.evidence import Evidence
from arena.report.facts import PERCENT_95, facts_of, from_here, say
from arena.report.style import MARGIN, MUTED, WIDTH, Page, page_of_words, plain, shorten, value_mark

MOST = 9
"""Bots that get a panel, best first."""
LEAST = 5
"""Doubts that a dot stands for, or more."""
SIDE, STEP = 1.55, 2.05


def doubts_chart(evidence: Evidence) -> Page:
    """A panel per bot: how often doubted bids were false, by how likely its own hand made that."""
    title = f"Doubts: their chance and how often they were right, with {PERCENT_95} intervals"
    doubts = evidence.play.doubts
    doubts = doubts[doubts["count"] >= LEAST]
    names = [evidence.results.bots[bot] for bot in evidence.ranked]
    doubting = [name for name in names if (doubts["bot"] == name).any()]
    if not doubting:
        why = from_here(
            evidence, f"No bot has made {LEAST} doubts that were about as likely to be right"
        )
        return page_of_words(title, facts_of(evidence), why)
    shown = doubting[:MOST]
    columns = min(3, len(shown))
    rows = ceil(len(shown) / columns)
    page = Page(
        title, facts_of(evidence), rows * STEP + 0.25, [*_notes(names, doubting), evidence.play.sample]
    )
    left = MARGIN + 0.6
    gap = (WIDTH - left - MARGIN - 3 * SIDE) / 2
    for number, name in enumerate(shown):
        row, column = divmod(number, columns)
        axes = page.axes(left + column * (SIDE + gap), 0.2 + row * STEP, SIDE, SIDE)
        axes.set_title(shorten(name, SIDE), loc="left", fontsize=8, pad=4)
        _curve(axes, doubts[doubts["bot"] == name])
        if column == 0:
            axes.set_ylabel("Doubts that were right (%)")
        if number + columns >= len(shown):
            axes.set_xlabel("Chance by its own hand (%)")
    return page


def _curve(axes: Axes, doubts: pd.DataFrame) -> None:
    plain(axes, "y")
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_yticks([0, 25, 50, 75, 100])
    axes.plot([0, 100], [0, 100], color=MUTED, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
    dots = 100 * doubts[["predicted", "value", "low", "high"]].to_numpy()
    for predicted, value, low, high in dots.tolist():
        ends = (max(0.0, low), min(100.0, high)) if np.isfinite(low) else (None, None)
        value_mark(axes, value, ends, predicted, upright=True)


def _notes(names: list[str], doubting: list[str]) -> list[str]:
    notes = [
        "Across: the chance that the doubted bid is false, for one who knows the own hand and reads "
        "nothing from the bids, in steps of ten. On the dashed line bids tell nothing more; above it "
        "the bot picks its doubts better than its hand alone can; below it the bids that it doubts are "
        "better than they look. Bar: Student's t over blocks; an open dot has no interval. Steps with "
        f"fewer than {LEAST} doubts are left out."
    ]
    if len(doubting) > MOST:
        notes.append(f"The best {MOST} bots of {len(doubting)}.")
    if (silent := len(names) - len(doubting)) and len(doubting) <= MOST:
        notes.append(f"Left out for want of doubts: {say(silent, 'bot')}.")
    return [" ".join(notes)]
