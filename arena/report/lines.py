"""Line charts with one line per bot, a band around it and its name at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from arena.rating.results import Floats, Ints
from arena.report.style import (
    COLOURS,
    LINE,
    MARGIN,
    WIDTH,
    Page,
    names_room,
    plain,
    shorten,
    spread,
)

MANY = 12
"""With more lines than this, only the best few have a colour and a name."""
BEST = 5
DASHES = ("-", (0, (4, 1.5)))
HEIGHT = 3.1


def draw_lines(
    title: str,
    facts: str,
    notes: Sequence[str],
    names: Sequence[str],
    bots: Sequence[int],
    x: Ints,
    curves: tuple[Floats, Floats, Floats],
    scale: Callable[[Axes], None],
) -> Page:
    """Draw `bots` (indexes, best first) from `curves`: middle, low and high, each (len(x), bots).

    `scale` names the axes and adds what belongs behind the lines.
    """
    middle, low, high = curves
    named = bots if len(bots) <= MANY else bots[:BEST]
    others = bots[len(named) :]
    if others:
        notes = [*notes, f"Grey: the other {len(others)} bots, without their bands."]
    left = MARGIN + 0.55
    room = names_room([names[bot] for bot in named])
    right = WIDTH - MARGIN - room - 0.3
    page = Page(title, facts, HEIGHT + 0.55, notes)
    axes = page.axes(left, 0.1, right - left, HEIGHT)
    plain(axes, "y")
    scale(axes)
    for bot in others:
        axes.plot(x, middle[:, bot], color="#bdbdbd", linewidth=0.7, zorder=1)
    for number, bot in enumerate(named):
        colour = COLOURS[number % len(COLOURS)]
        style = DASHES[number // len(COLOURS) % len(DASHES)]
        axes.fill_between(x, low[:, bot], high[:, bot], color=colour, alpha=0.15, linewidth=0)
        marker = "o" if np.isfinite(middle[:, bot]).sum() == 1 else ""
        axes.plot(
            x, middle[:, bot], color=colour, linestyle=style, marker=marker, markersize=4, zorder=3
        )
    if len(x) == 1:
        axes.set_xlim(x[0] - 1, x[0] + 1)
    else:
        axes.set_xlim(x[0], x[-1])
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    _names(axes, names, named, middle, room)
    return page


def _names(axes: Axes, names: Sequence[str], named: Sequence[int], middle: Floats, room: float) -> None:
    """Each name beside the axes, level with the last known point of its line as far as there is room."""
    bottom, top = axes.get_ylim()
    axes.set_ylim(bottom, top)
    ends = [np.flatnonzero(np.isfinite(middle[:, bot]))[-1] for bot in named]
    wanted = [float(middle[end, bot]) for end, bot in zip(ends, named, strict=True)]
    gap = (top - bottom) * LINE / HEIGHT
    places = spread(wanted, gap, bottom + gap / 2, top - gap / 2)
    for number, (bot, y) in enumerate(zip(named, places, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        style = DASHES[number // len(COLOURS) % len(DASHES)]
        axes.plot(
            [1.0, 1.045],
            [wanted[number], y],
            color=colour,
            linestyle=style,
            transform=axes.get_yaxis_transform(),
            clip_on=False,
        )
        axes.text(
            1.055,
            y,
            shorten(names[bot], room),
            va="center_baseline",
            transform=axes.get_yaxis_transform(),
            clip_on=False,
        )
