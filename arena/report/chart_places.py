"""Charts of how games ended: places of each bot, and what the seat is worth."""

from __future__ import annotations

from math import ceil

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from arena.rating.results import Floats
from arena.report.blocks import Estimate, PerBot, by_seat
from arena.report.evidence import Evidence
from arena.report.facts import NBSP, NO_BLOCKS, PERCENT_95, facts_of, from_here
from arena.report.style import (
    BLUES,
    MARGIN,
    MUTED,
    WIDTH,
    Page,
    beside,
    bot_rows,
    names_room,
    page_of_words,
    plain,
    row_height,
    shorten,
    value_mark,
    width_of,
)

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")
SMALL_MULTIPLES = 9
"""Most bots that get a panel of their own in the chart of seats."""


def places_chart(evidence: Evidence) -> Page:
    """Shares of the places as stacked bars, the mean place with its interval beside them."""
    title = f"Places: share of games, and mean place with its {PERCENT_95} interval"
    if not len(evidence.rated):
        return page_of_words(title, facts_of(evidence), from_here(evidence, NO_BLOCKS))
    rated, order = evidence.rated, evidence.ranked
    players = rated.seats.shape[1]
    names = [rated.bots[bot] for bot in order]
    mean = PerBot(rated).mean(rated.places.astype(np.float64))
    count = np.bincount(
        rated.seats.ravel() * players + rated.places.ravel() - 1, minlength=len(names) * players
    ).reshape(-1, players)

    left = MARGIN + names_room(names) + 0.1
    high = row_height(len(names)) * len(names)
    narrow, room = 1.3, 0.8
    wide = WIDTH - left - narrow - room - MARGIN - 0.28
    page = Page(title, facts_of(evidence), high + 0.85, _notes_of_places(mean))
    shares = page.axes(left, 0.35, wide, high)
    means = page.axes(left + wide + 0.28, 0.35, narrow, high)
    plain(shares)
    bot_rows(shares, names, left - MARGIN - 0.1)
    shares.set_xlim(0, 100)
    shares.set_xlabel("Share of games (%)")
    plain(means, "x")
    bot_rows(means, [""] * len(names), 0.1)
    means.set_xlim(0.9, players + 0.1)
    means.set_xticks(range(1, players + 1))
    means.set_xlabel("Mean place (1 = winner)")
    colours = [BLUES(place / max(1, players - 1)) for place in range(players)]
    for y, bot in enumerate(order):
        games = int(count[bot].sum())
        if not games:
            shares.text(1, y, "no game in a complete block", va="center", color=MUTED, style="italic")
            continue
        part = 100 * count[bot] / games
        shares.barh(y, part, left=np.cumsum(part) - part, height=0.78, color=colours, linewidth=0)
        if (first := f"{part[0]:.0f}") and part[0] / 100 * wide > width_of(first) + 0.08:
            shares.text(part[0] / 2, y, first, va="center_baseline", ha="center", color="white")
        value, half = float(mean.mean[bot]), float(mean.half[bot])
        value_mark(means, value, _ends(value, half), y)
        beside(means, y, f"{value:.2f} ±{half:.2f}" if np.isfinite(half) else f"{value:.2f}")
    _legend(page, left, colours)
    return page


def _ends(mean: float, half: float) -> tuple[float | None, float | None]:
    return (mean - half, mean + half) if np.isfinite(half) else (None, None)


def _legend(page: Page, left: float, colours: list[tuple[float, float, float, float]]) -> None:
    axes = page.axes(left, 0.08, WIDTH - left - MARGIN, 0.15)
    axes.set_axis_off()
    axes.set_xlim(0, WIDTH - left - MARGIN)
    axes.set_ylim(0, 0.15)
    for place, colour in enumerate(colours):
        axes.add_patch(Rectangle((0.52 * place, 0.01), 0.14, 0.13, color=colour, linewidth=0))
        axes.text(0.52 * place + 0.18, 0.07, ORDINALS[place], va="center")


def _notes_of_places(mean: Estimate) -> list[str]:
    notes = [
        "Games of complete blocks, bots in the order of their ratings. White: first places (%).",
        "Bots that share a place count in the better one.",
    ]
    if not np.isfinite(mean.half).any():
        notes.append("Open dot: no interval, for want of 20 blocks or because all blocks ended alike.")
    else:
        notes.append("Interval: Student's t over blocks; an open dot has none.")
    return notes


# --- seats -------------------------------------------------------------------------------------------


def seats_chart(evidence: Evidence) -> Page:
    """Score in each seat against the mean over all seats: of all bots, and of each if they are few."""
    title = f"What a seat is worth: score against the mean, with {PERCENT_95} intervals"
    if not len(evidence.rated):
        return page_of_words(title, facts_of(evidence), from_here(evidence, NO_BLOCKS))
    overall, each = by_seat(evidence.rated)
    order = [bot for bot in evidence.ranked if each.blocks[bot].any()]
    small = order if 2 < len(order) <= SMALL_MULTIPLES else []  # two mirror each other
    columns = min(3, max(2, len(small)))
    rows = ceil(len(small) / columns)
    tall, step = 2.0, 1.55
    page = Page(
        title,
        facts_of(evidence),
        0.25 + tall + 0.4 + rows * step + (0.2 if rows else 0),
        _notes_of_seats(evidence, overall, small),
    )
    left = MARGIN + 0.68
    axes = page.axes(left, 0.25, WIDTH - left - MARGIN, tall)
    axes.set_title("All bots", loc="left", fontsize=8, fontweight="bold", pad=4)
    _seats(axes, overall.mean * 100, overall.half * 100, labels=True)
    axes.set_ylabel(f"Score minus 50{NBSP}%\n(percentage points)")
    axes.set_xlabel("Seat, in the order of turns")
    if not small:
        return page
    shown = np.array([np.abs(each.mean[small]) + np.nan_to_num(each.half[small])])
    limit = max(1.0, 115 * float(shown.max()))
    gap = 0.18
    wide = (WIDTH - left - MARGIN - gap * (columns - 1)) / columns
    for number, bot in enumerate(small):
        row, column = divmod(number, columns)
        top = 0.25 + tall + 0.65 + row * step
        panel = page.axes(left + column * (wide + gap), top, wide, step - 0.55)
        name = shorten(evidence.results.bots[bot], wide)
        panel.set_title(name, loc="left", fontsize=8, pad=4)
        _seats(panel, each.mean[bot] * 100, each.half[bot] * 100)
        panel.set_ylim(-limit, limit)
        if column:
            panel.tick_params(labelleft=False)
        else:
            panel.set_ylabel("Score minus\nown mean (pp)")
        if number + columns >= len(small):
            panel.set_xlabel("Seat, in the order of turns")
    return page


def _seats(axes: Axes, mean: Floats, half: Floats, labels: bool = False) -> None:
    plain(axes, "y")
    axes.axhline(0, color=MUTED, linewidth=0.8, zorder=1)
    axes.set_xlim(-0.5, len(mean) - 0.5)
    axes.set_xticks(range(len(mean)))
    limit = max(1.0, 1.15 * float(np.max(np.abs(mean) + np.nan_to_num(half))))
    axes.set_ylim(-limit, limit)
    for seat, (value, error) in enumerate(zip(mean.tolist(), half.tolist(), strict=True)):
        value_mark(axes, value, _ends(value, error), seat, upright=True)
        if labels:
            text = f"{value:+.1f}".replace("-", "−") if abs(value) >= 0.05 else "0.0"
            axes.annotate(text, (seat, value), (6, 2), textcoords="offset points")


def _notes_of_seats(evidence: Evidence, overall: Estimate, small: list[int]) -> list[str]:
    notes = [
        "Score: share of the opponents that a bot finishes above.",
        "In a block every bot sits once in each seat.",
    ]
    opener = evidence.header.ruleset.get("opener")
    if opener == "agreed":
        notes.append("Seat 0 opens the first round.")
    if not np.isfinite(overall.half).any():
        notes.append("Open dots: no intervals, for want of 20 blocks or because all blocks ended alike.")
    else:
        notes.append("Intervals: Student's t over blocks, not corrected for looking at many.")
    if len(evidence.results.bots) > SMALL_MULTIPLES:
        notes.append(f"Panels for each bot are left out for more than {SMALL_MULTIPLES} bots.")
    return [" ".join(notes)]
