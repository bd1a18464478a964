"""The chart of thinking time against the difficulty of the question."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from arena.report.evidence import Evidence
from arena.report.facts import PERCENT_95, facts_of, from_here
from arena.report.lines import draw_lines
from arena.report.play.read import DIFFICULTY_BINS
from arena.report.style import Page, page_of_words


def difficulty_chart(evidence: Evidence) -> Page:
    """A line per bot: the usual time for an answer to a standing bid, from clear cases to coin flips."""
    title = f"Thinking time by difficulty, with {PERCENT_95} intervals"
    found = evidence.play.difficulty
    if not len(found):
        return page_of_words(
            title, facts_of(evidence), from_here(evidence, "No bid was answered in a complete block")
        )
    steps = np.arange(DIFFICULTY_BINS)
    bots = evidence.results.bots
    curves = tuple(
        found.pivot(index="bin", columns="bot", values=column)
        .reindex(index=steps / DIFFICULTY_BINS, columns=list(bots))
        .to_numpy()
        for column in ("value", "low", "high")
    )
    middle, low, high = curves

    def scale(axes: Axes) -> None:
        axes.set_ylim(0, 1.1 * float(np.nanmax(np.fmax(middle, high))))
        axes.set_xlabel("Difficulty: how open it is whether the standing bid is true (% of a bit)")
        axes.set_ylabel("Time to answer (ms, geometric mean)")

    notes = [
        "Difficulty: the entropy of the chance that the standing bid is true, as the own hand tells, in "
        "five steps: left the hand settles it, right it is near one half. Raises, doubts and calzas; no "
        "passes. Band: Student's t over blocks, on the logarithm of the time."
    ]
    if (flight := evidence.header.settings.games_in_flight) > 1:
        notes.append(
            f"Up to {flight} games at once: the time of a message with several questions is shared."
        )
    shown = [bot for bot in evidence.ranked if np.isfinite(middle[:, bot]).any()]
    return draw_lines(
        title,
        facts_of(evidence),
        [" ".join(notes), evidence.play.sample],
        bots,
        shown,
        (100 * steps + 50) // DIFFICULTY_BINS,
        (middle, low, high),
        scale,
    )
