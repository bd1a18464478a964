"""Charts of the ratings: the table as dots and bars, and how the ratings settled."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from arena.rating import Ratings, Results, rate
from arena.rating.results import Bools, Floats, Ints
from arena.report.evidence import Evidence
from arena.report.facts import NO_BLOCKS, facts_of, from_here, percent_interval
from arena.report.lines import draw_lines
from arena.report.style import (
    FAINT,
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
    value_mark,
)

POINTS = 16
REPLICATES = 200
"""Of the bands over the blocks; the last point is the table's own, with all its replicates."""


def ratings_chart(evidence: Evidence) -> Page:
    """One row per bot: rating and interval, or the word that stands for them."""
    ratings = evidence.ratings
    title = f"Rating of each bot, with its {percent_interval(ratings)}"
    if not any(row.rating is not None for row in ratings.rows):
        return page_of_words(title, facts_of(evidence), _nobody(evidence))
    rows = ratings.ranked()
    names = [row.bot for row in rows]
    left = MARGIN + names_room(names) + 0.1
    room = 1.2
    high = row_height(len(rows)) * len(rows)
    page = Page(title, facts_of(evidence), high + 0.55, _notes_of_ratings(ratings))
    axes = page.axes(left, 0.1, WIDTH - left - room - MARGIN, high)
    plain(axes, "x")
    bot_rows(axes, names, left - MARGIN - 0.1)
    axes.axvline(ratings.anchor_value, color=MUTED, linewidth=0.8, zorder=1)
    rated = [row for row in rows if row.rating is not None]
    low, top = _span([end for row in rated for end in (row.rating, row.low, row.high)])
    axes.set_xlim(low, top)
    for y, row in enumerate(rows):
        if row.rating is None:
            axes.axhspan(y - 0.42, y + 0.42, color="#f7f7f7", zorder=0)
        else:
            value_mark(axes, row.rating, (row.low, row.high), y)
        beside(axes, y, _in_numbers(row.rating, row.low, row.high))
        if row.word and row.rating is None:
            axes.text(
                (low + top) / 2,
                y,
                row.word,
                va="center_baseline",
                ha="center",
                color=MUTED,
                style="italic",
            )
    held = f"{ratings.anchor} held" if ratings.anchor else "mean of the rated bots"
    axes.set_xlabel(f"Rating in Elo points ({held} at {ratings.anchor_value:g})")
    return page


def _in_numbers(rating: float | None, low: float | None, high: float | None) -> str:
    if rating is None:
        if low is not None:
            return f"above {low:.0f}"
        return "no number" if high is None else f"below {high:.0f}"
    if low is None and high is None:
        return f"{rating:.0f}"
    ends = ("…" if end is None else f"{end:.0f}" for end in (low, high))
    return f"{rating:.0f}  ({'–'.join(ends)})"


def _span(numbers: list[float | None]) -> tuple[float, float]:
    known = [number for number in numbers if number is not None]
    low, high = min(known), max(known)
    edge = max((high - low) * 0.05, 10.0)
    return low - edge, high + edge


def _notes_of_ratings(ratings: Ratings) -> list[str]:
    notes = ["Dot: joint fit of all tables in complete blocks."]
    rated = [row for row in ratings.rows if row.rating is not None]
    if any(row.low is not None or row.high is not None for row in rated):
        notes.append("Bar: bootstrap over blocks.")
    without = {
        row.word
        for row in ratings.rows
        if row.rating is not None and row.low is None and row.high is None
    }
    without.discard("")
    if without:
        notes.append(f"Open dot: a rating without an interval ({'; '.join(sorted(without))}).")
    if any(row.rating is None for row in ratings.rows):
        notes.append(
            "Bots without a number stand where they belong in the order; the results give them none."
        )
    return notes + list(ratings.notes)


def _nobody(evidence: Evidence) -> str:
    """Why there is no rating to show."""
    why = from_here(evidence, "No bot has a rating")
    words: dict[str, list[str]] = {}
    if len(evidence.rated):
        for row in evidence.ratings.ranked():
            words.setdefault(row.word, []).append(row.bot)
    return why + "".join(f" {', '.join(bots)}: {word}." for word, bots in words.items())


# --- over the blocks ---------------------------------------------------------------------------------


def settling_chart(evidence: Evidence) -> Page:
    """The ratings as they would have been after fewer blocks."""
    ratings = evidence.ratings
    title = f"How the ratings settled over the blocks, with {percent_interval(ratings)}s"
    if not len(evidence.rated):
        return page_of_words(title, facts_of(evidence), from_here(evidence, NO_BLOCKS))
    at, middle, low, high = _over_blocks(evidence)
    rated = [bot for bot in evidence.ranked if np.isfinite(middle[:, bot]).any()]
    if not rated:
        return page_of_words(title, facts_of(evidence), _nobody(evidence))
    notes = ["The fit is repeated at each point."]
    if not np.isfinite(low).any():
        notes.append("No bands: every bot has fewer than 20 blocks, or its blocks all ended alike.")
    else:
        notes.append(
            "Band: bootstrap over these blocks; none where a bot has fewer than 20 or no bound."
        )
    unrated = len(ratings.rows) - len(rated)
    if unrated:
        notes.append(f"{unrated} of {len(ratings.rows)} bots never had a rating and are left out.")
    if not np.isfinite(middle[:, rated]).all():
        notes.append(
            "A line begins where its bot has a rating; the mean held is of the bots that have one."
        )

    def scale(axes: Axes) -> None:
        axes.axhline(ratings.anchor_value, color=FAINT, linewidth=0.8, zorder=0)
        axes.set_xlabel("Complete blocks played, in the order of their numbers")
        axes.set_ylabel("Rating in Elo points")

    names = evidence.results.bots
    return draw_lines(title, facts_of(evidence), notes, names, rated, at, (middle, low, high), scale)


def _over_blocks(evidence: Evidence) -> tuple[Ints, Floats, Floats, Floats]:
    """Numbers of blocks (K,), and rating, low and high (K, bots), nan where there is none."""
    rated = evidence.rated
    blocks = np.unique(rated.block)
    first = min(len(blocks), max(2, len(blocks) // (2 * POINTS)))
    at = np.unique(np.linspace(first, len(blocks), POINTS).round().astype(np.int64))
    tables = [
        evidence.ratings
        if count == len(blocks)
        else rate(_only(rated, rated.block <= blocks[count - 1]), replicates=REPLICATES)
        for count in at
    ]
    numbers = np.array(
        [[(row.rating, row.low, row.high) for row in table.rows] for table in tables], np.float64
    )
    numbers[np.isnan(numbers[..., 0])] = np.nan  # a bound alone is no band
    return at, numbers[..., 0], numbers[..., 1], numbers[..., 2]


def _only(results: Results, games: Bools) -> Results:
    return Results(
        results.bots,
        results.seats[games],
        results.places[games],
        results.lineup[games],
        results.block[games],
        results.complete[games],
        results.forfeited[games],
    )
