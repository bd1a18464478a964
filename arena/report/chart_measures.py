"""Charts of rates and means of the play: a row per bot, a panel per measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from arena.report.evidence import Evidence
from arena.report.facts import NBSP, NO_BLOCKS, PERCENT_95, facts_of, from_here
from arena.report.style import (
    LINE,
    MARGIN,
    MUTED,
    WIDTH,
    Page,
    bot_rows,
    names_room,
    page_of_words,
    plain,
    row_height,
    value_mark,
)

GAP = 0.24
INTERVALS = "Bar: Student's t over blocks; an open dot has no interval."


class Panel(NamedTuple):
    """`measure` is a name of `arena.report.play.MEASURES`; shares are shown in percent."""

    measure: str
    label: str
    scale: int = 100


def bids_chart(evidence: Evidence) -> Page:
    """How bold the bids are, and how many are bluffs."""
    return _panels(
        evidence,
        f"Bids: bluffs and boldness, with {PERCENT_95} intervals",
        (
            Panel("bluff", "Bluffs\n(% of bids)"),
            Panel("over", "More dice than it\ncan expect (% of bids)"),
            Panel("excess", "Dice beyond those it\ncan expect (mean)", 1),
        ),
        [
            "A player can expect the dice of its hand that count, and of the hidden dice one in six, or "
            "one in three with the wild face. A bluff names more than that, on a face of which the hand "
            "has less than an average one.",
            INTERVALS,
        ],
    )


def openings_chart(evidence: Evidence) -> Page:
    """What the first bid of a round is like."""
    return _panels(
        evidence,
        f"Opening bids: how high, how likely, on which face, with {PERCENT_95} intervals",
        (
            Panel("open_part", "Quantity, as a share\nof the dice in play (%)"),
            Panel("open_chance", "Chance to be true,\nas its own hand tells (%)"),
            Panel("open_aces", "On aces\n(% of openings)"),
        ),
        [INTERVALS],
    )


def swings_chart(evidence: Evidence) -> Page:
    """Where the chance to win came from and went to."""
    calling = evidence.play.calling
    not_shown = "forfeits and calls of others on its bids" if calling else "forfeits"
    start = f"{100 / evidence.header.players:.0f}{NBSP}%"
    return _panels(
        evidence,
        f"Swings: chance to win gained per game, with {PERCENT_95} intervals",
        (
            Panel("by_doubting", "By its own doubts\n(% points)"),
            Panel("when_doubted", "When its bids were\ndoubted (% points)"),
            *([Panel("by_calling", "By its own calzas\nor tabbas (% points)")] if calling else []),
            Panel("looking_on", "While others lost or\ngained dice (% points)"),
        ),
        [
            "The chance to win is that of the dice alone, as if every player lost the next die alike. "
            f"With {not_shown}, which are not shown, a row adds up to the share of games won less the "
            f"chance at the start ({start} with equal dice).",
            INTERVALS,
        ],
    )


def _panels(evidence: Evidence, title: str, panels: Sequence[Panel], notes: list[str]) -> Page:
    if not evidence.play.blocks:
        return page_of_words(title, facts_of(evidence), from_here(evidence, NO_BLOCKS))
    order = evidence.ranked
    names = [evidence.results.bots[bot] for bot in order]
    left = MARGIN + names_room(names, 1.4) + 0.1
    wide = (WIDTH - left - MARGIN - 0.1 - GAP * (len(panels) - 1)) / len(panels)
    high = row_height(len(names)) * len(names)
    page = Page(
        title,
        facts_of(evidence),
        high + 0.3 + 2 * LINE + 0.1,
        [" ".join([*notes, evidence.play.sample])],
    )
    for number, panel in enumerate(panels):
        axes = page.axes(left + number * (wide + GAP), 0.08, wide, high)
        plain(axes, "x")
        bot_rows(axes, [""] * len(names) if number else names, left - MARGIN - 0.1)
        axes.set_xlabel(panel.label)
        _values(axes, evidence, panel, names)
    return page


def _values(axes: Axes, evidence: Evidence, panel: Panel, names: list[str]) -> None:
    rows = evidence.play.measures
    found = rows[rows["measure"] == panel.measure].set_index("bot")[["value", "low", "high"]]
    found = panel.scale * found.loc[[name for name in names if name in found.index]]
    ends = found.to_numpy().ravel()
    ends = np.append(ends[np.isfinite(ends)], 0.0)
    margin = 0.06 * float(np.ptp(ends)) or 1.0
    axes.set_xlim(ends.min() - margin, ends.max() + margin)
    axes.xaxis.set_major_locator(MaxNLocator(3))
    axes.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
    for name, (value, low, high) in zip(found.index, found.to_numpy().tolist(), strict=True):
        known = np.isfinite(low)
        value_mark(axes, value, (low, high) if known else (None, None), names.index(str(name)))
