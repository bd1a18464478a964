"""Charts of the play itself: thinking time, and dice over the rounds."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from arena.report.evidence import Evidence
from arena.report.facts import NBSP, NO_BLOCKS, PERCENT_95, facts_of, from_here, say
from arena.report.lines import draw_lines
from arena.report.style import (
    BLUE,
    INK,
    MARGIN,
    ORANGE,
    WIDTH,
    Page,
    beside,
    bot_rows,
    names_room,
    page_of_words,
    plain,
    row_height,
)


def thinking_chart(evidence: Evidence) -> Page:
    """One row per bot on a logarithmic axis: median, quartiles, 99th percentile, longest."""
    title = "Thinking time of each bot per question"
    told = [times for times in evidence.thinking if times]
    if not told:
        return page_of_words(
            title, facts_of(evidence), from_here(evidence, "No bot has answered a question")
        )
    order = evidence.ranked
    names = [evidence.results.bots[bot] for bot in order]
    left = MARGIN + names_room(names) + 0.1
    room = 1.15
    high = row_height(len(names)) * len(names)
    limit = evidence.header.settings.move_ms
    page = Page(title, facts_of(evidence), high + 0.72, _notes_of_thinking(evidence))
    axes = page.axes(left, 0.27, WIDTH - left - room - MARGIN, high)
    plain(axes, "x")
    bot_rows(axes, names, left - MARGIN - 0.1)
    axes.set_xscale("log")
    shortest = max(0.001, min(times.lower for times in told))
    longest = max([limit, *(times.longest for times in told)])
    axes.set_xlim(shortest / 1.6, longest * 1.6)
    axes.xaxis.set_major_locator(LogLocator(numticks=8))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(which="minor", length=0)
    axes.set_xlabel("Time from question to answer (ms, logarithmic)")
    if limit:
        axes.axvline(limit, color=ORANGE, linewidth=1.2, linestyle=(0, (4, 2)), zorder=1)
        style: dict[str, Any] = {"color": ORANGE, "ha": "right" if limit > longest / 3 else "center"}
        axes.text(limit, -0.62, f"move limit {limit} ms", va="bottom", **style)
    for y, bot in enumerate(order):
        times = evidence.thinking[bot]
        count = "no answers"
        if times:
            axes.plot((times.upper, times.longest), (y, y), color="#bdbdbd", linewidth=0.8)
            axes.plot((times.upper, times.most), (y, y), color=BLUE, linewidth=1.2)
            axes.plot((times.lower, times.upper), (y, y), color=BLUE, linewidth=5, alpha=0.45)
            axes.plot(times.median, y, "o", color=BLUE, markersize=4.5)
            axes.plot(times.longest, y, "|", color=INK, markersize=6, markeredgewidth=1.2)
            count = say(times.questions, "answer")
            if times.timeouts:
                count = f"{times.questions}, {say(times.timeouts, 'timeout')}"
        beside(axes, y, count)
    return page


def _notes_of_thinking(evidence: Evidence) -> list[str]:
    notes = [
        "Dot: median. Thick bar: middle half. Thin bar: up to the 99th percentile. Tick: the longest.",
        "No intervals: these are all answers of all games, not a sample. Forfeits are no answers.",
    ]
    if (flight := evidence.header.settings.games_in_flight) > 1:
        notes.append(
            f"Up to {flight} games at once: the time of a message with several questions is shared."
        )
    return [" ".join(notes)]


def dice_chart(evidence: Evidence) -> Page:
    """Mean dice of every bot after each round; lines that stay high belong to bots that last."""
    title = f"Dice over the rounds: mean number held, with {PERCENT_95} intervals"
    if not len(evidence.rounds):
        return page_of_words(title, facts_of(evidence), from_here(evidence, NO_BLOCKS))
    mean, half = evidence.dice.mean, evidence.dice.half
    notes = [
        "Games that have ended go on counting with the dice that were left. "
        f"Shown until 99{NBSP}% of the games have ended."
    ]
    if np.isfinite(half).any():
        notes[0] += " Band: Student's t over blocks."
    else:
        notes[0] += " No bands: fewer than 20 blocks."

    def scale(axes: Axes) -> None:
        axes.set_ylim(0, 1.04 * float(np.nanmax(mean)))
        axes.set_xlabel("Rounds played")
        axes.set_ylabel("Dice held (mean)")

    bots = [bot for bot in evidence.ranked if np.isfinite(mean[:, bot]).all()]
    curves = mean, mean - half, mean + half
    return draw_lines(
        title, facts_of(evidence), notes, evidence.results.bots, bots, evidence.rounds, curves, scale
    )
