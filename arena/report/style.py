"""One style for all charts: a page with title, line of facts, body and notes; colours; saving.

Sizes are inches, type sizes points. A page is 6.5 inches wide, half a sheet of paper, and its type is
8 points or more there. Everything is laid out by measuring texts, so that the same input gives the
same file: nothing here depends on a display, a user's settings, the fonts of the machine or the date.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, cast

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.textpath import text_to_path

WIDTH = 6.5
MARGIN = 0.12
SMALL, TITLE = 8.0, 11.0
LINE = 0.15
"""Height of a line of small type."""
DPI = 200

INK, MUTED, FAINT, HATCH = "#222222", "#5f5f5f", "#d9d9d9", "#c4c4c4"
BLUE, ORANGE, INTERVAL = "#0072B2", "#D55E00", "#7fb8d8"
# Okabe and Ito, "Color Universal Design" (2008), without the yellow that white paper swallows.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#222222")
AROUND_HALF = LinearSegmentedColormap.from_list(
    "around_half", ["#b35806", "#f1a340", "#fee0b6", "#f7f7f7", "#c6dbef", "#6baed6", "#08519c"]
)
BLUES = LinearSegmentedColormap.from_list(
    "blues", ["#08519c", "#3f8ac4", "#85b9dd", "#bdd7ec", "#dde8f3"]
)

_SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": SMALL,
    "text.color": INK,
    "text.parse_math": False,  # a bot may be called $x$
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.labelsize": SMALL,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "axes.formatter.useoffset": False,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "lines.solid_capstyle": "butt",
    "hatch.linewidth": 0.5,
    "svg.fonttype": "none",  # texts stay texts: small files that can be searched
    "svg.hashsalt": "perudo-arena",
}


@contextmanager
def house_style() -> Iterator[None]:
    """Matplotlib's defaults with our settings, whatever the user's own are; they come back after."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(cast(Any, _SETTINGS))
        yield


class Page:
    """A figure whose body is `body` inches high; under it the notes, as one paragraph."""

    def __init__(self, title: str, facts: str, body: float, notes: Sequence[str] = ()) -> None:
        self.title = printable(title)
        room = WIDTH - 2 * MARGIN
        heading = wrap(title, room, TITLE, bold=True)
        told = wrap(facts, room)
        under = wrap(" ".join(note for note in notes if note), room)
        self._top = MARGIN + 0.2 * len(heading) + LINE * len(told) + 0.08
        bottom = (0.1 + LINE * len(under) if under else 0) + MARGIN
        self.height = self._top + body + bottom
        self.figure = Figure(figsize=(WIDTH, self.height), dpi=DPI)
        y = MARGIN
        for line in heading:
            self._line(y, line, fontsize=TITLE, fontweight="bold")
            y += 0.2
        for line in told:
            self._line(y, line, color=MUTED)
            y += LINE
        y = self.height - MARGIN - LINE * len(under)
        for line in under:
            self._line(y, line, color=MUTED)
            y += LINE

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Axes whose frame has its upper left corner there in the body."""
        below = self.height - self._top - top - height
        box = (left / WIDTH, below / self.height, width / WIDTH, height / self.height)
        return self.figure.add_axes(box)

    def text(self, left: float, top: float, text: str, **style: Any) -> None:
        """A text whose upper left corner is there in the body."""
        self._line(self._top + top, text, left, **style)

    def _line(self, y: float, text: str, x: float = MARGIN, **style: Any) -> None:
        at = x / WIDTH, 1 - y / self.height
        self.figure.text(*at, printable(text), **{"va": "top", "ha": "left", **style})

    def save(self, folder: Path, name: str, description: str = "") -> list[Path]:
        """Write NAME.png and NAME.svg; `description` is for readers that cannot see the chart."""
        png, svg = folder / f"{name}.png", folder / f"{name}.svg"
        FigureCanvasAgg(self.figure).print_figure(png, format="png", metadata={"Software": None})
        self.write_svg(svg, description)
        return [png, svg]

    def write_svg(self, target: Path | IO[bytes], description: str = "") -> None:
        """Write the SVG alone."""
        told = {"Title": self.title, "Description": printable(description), "Creator": "perudo-arena"}
        self.figure.savefig(target, format="svg", metadata={**told, "Date": None})


def value_mark(
    axes: Axes, value: float, ends: tuple[float | None, float | None], at: float, upright: bool = False
) -> None:
    """A dot with a bar from end to end; an open dot without a bar where there is no interval.

    Where one end is missing, the bar runs to the edge of the axes and ends in an arrow.
    """
    low, high = ends
    if low is not None or high is not None:
        edges = axes.get_ylim() if upright else axes.get_xlim()
        span = [edges[0] if low is None else low, edges[1] if high is None else high]
        _mark(axes, span, [at, at], upright, linewidth=3.2, color=INTERVAL)
        for end, edge, arrow in ((low, span[0], "<v"), (high, span[1], ">^")):
            if end is None:
                _mark(axes, [edge], [at], upright, marker=arrow[upright], markersize=4, color=INTERVAL)
    known = low is not None or high is not None
    face = BLUE if known else "white"
    _mark(axes, [value], [at], upright, marker="o", markersize=3.6, color=BLUE, markerfacecolor=face)


def _mark(axes: Axes, along: list[float], across: list[float], upright: bool, **style: Any) -> None:
    x, y = (across, along) if upright else (along, across)
    axes.plot(x, y, clip_on=False, **style)


def beside(axes: Axes, row: float, text: str) -> None:
    """A text to the right of the axes, level with a row."""
    place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    axes.annotate(text, (1, row), (8, 0), va="center_baseline", **place)


def page_of_words(title: str, facts: str, why: str) -> Page:
    """What stands in the place of a chart for which there is nothing to show yet."""
    lines = wrap(why, WIDTH - 4 * MARGIN)
    page = Page(title, facts, 0.3 + LINE * len(lines))
    for number, line in enumerate(lines):
        page.text(2 * MARGIN, 0.1 + LINE * number, line)
    return page


def plain(axes: Axes, grid: str = "") -> None:
    """No tick marks, and grid lines for the ticks of `grid` ("x" or "y")."""
    axes.tick_params(length=0)
    if grid:
        axes.grid(axis="x" if grid == "x" else "y")


def bot_rows(axes: Axes, names: Sequence[str], room: float) -> None:
    """One row per bot from the top down, names shortened to `room` inches beside the axes."""
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), [shorten(name, room) for name in names])
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0, pad=4)


def row_height(bots: int) -> float:
    """Height of a row, less where there are many."""
    return 0.32 if bots <= 4 else 0.25 if bots <= 16 else 0.175


def names_room(names: Sequence[str], most: float = 1.6) -> float:
    """The width that the names need, at most `most`."""
    return min(most, max((width_of(name) for name in names), default=0.0) + 0.02)


# --- texts -------------------------------------------------------------------------------------------


def printable(text: str) -> str:
    """The text with a box where the font has no sign for a character."""
    known = _signs()
    return "".join(char if ord(char) in known else "\u25a1" for char in text)


def width_of(text: str, size: float = SMALL, bold: bool = False) -> float:
    """The width in inches, as the PNG shows it."""
    return _width(printable(text), size, bold)


def shorten(text: str, room: float, size: float = SMALL) -> str:
    """The text, with its middle left out if it is wider than `room`: ends tell names apart."""
    text = printable(text)
    wide = width_of(text, size)
    if wide <= room:
        return text
    keep = min(len(text) - 1, int(1.5 * len(text) * room / wide))
    while keep > 1:
        short = f"{text[: (keep + 1) // 2].rstrip()}…{text[len(text) - keep // 2 :].lstrip()}"
        if width_of(short, size) <= room:
            return short
        keep -= 1
    return "…"


def wrap(text: str, room: float, size: float = SMALL, bold: bool = False, most: int = 9) -> list[str]:
    """Lines no wider than `room`, at most `most` of them."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and width_of(longer, size, bold) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    if line:
        lines.append(line)
    lines = [shorten(line, room, size) for line in lines]
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1].rstrip(".,;") + " …"]
    return lines


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions nearest to the wanted ones that are at least `gap` apart and within low..high.

    Least squares by pooling neighbours that would overlap (Barlow and others 1972, isotonic regression).
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    pools: list[tuple[float, int]] = []  # mean position, less the gaps before it, and how many share it
    for rank, i in enumerate(order):
        mean, size = wanted[i] - rank * gap, 1
        while pools and pools[-1][0] > mean:
            other, count = pools.pop()
            mean = (mean * size + other * count) / (size + count)
            size += count
        pools.append((mean, size))
    last = high - gap * (len(wanted) - 1)
    level = [min(max(mean, low), last) for mean, size in pools for _ in range(size)]
    found = [0.0] * len(wanted)
    for rank, i in enumerate(order):
        found[i] = level[rank] + rank * gap
    return found


@lru_cache(maxsize=1)
def _signs() -> frozenset[int]:
    return frozenset(get_font(findfont(FontProperties(family="DejaVu Sans"))).get_charmap())


@lru_cache(maxsize=4096)
def _width(text: str, size: float, bold: bool) -> float:
    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal", size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, False)
    return float(width) / 72
