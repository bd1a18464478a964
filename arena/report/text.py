"""Standings as a table on the terminal, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.errors import ConfigError
from arena.rating import Rating
from arena.record.schema import Settings
from arena.report.sections import Section, section_facts
from arena.report.standings import TIE_BREAKS, Row, Standings


@dataclass(frozen=True)
class Column:
    """A column of the table: its title, and the text of a row's cell. Names are left-aligned."""

    title: str
    text: Callable[[Row], str]
    left: bool = False


def _number(value: float | None, digits: int = 0, missing: str = "-") -> str:
    return missing if value is None else f"{value:.{digits}f}"


def _rating(row: Row) -> str:
    rating = row.rating
    return "-" if rating is None else _number(rating.rating, 0, rating.word)


def _interval(row: Row) -> str:
    rating = row.rating
    if rating is None:
        return "-"
    return say_interval(rating)


def say_interval(rating: Rating) -> str:
    """The interval in words, or the word that stands for it; "-" where the rating says it."""
    if rating.low is not None and rating.high is not None:
        return f"{rating.low:.0f} to {rating.high:.0f}"
    if rating.low is not None:
        return f"above {rating.low:.0f}"
    if rating.high is not None:
        return f"below {rating.high:.0f}"
    return "-" if rating.rating is None else rating.word


def say_faults(row: Row) -> str:
    """`cause:count` of every cause, or nothing."""
    return " ".join(f"{cause}:{count}" for cause, count in sorted(row.faults.items()))


COLUMNS: dict[str, Column] = {
    "rank": Column("#", lambda row: str(row.rank)),
    "bot": Column("bot", lambda row: row.bot, left=True),
    "rating": Column("rating", _rating),
    "interval": Column("95 % interval", _interval),
    "clean": Column(
        "without forfeits",
        lambda row: _number(row.clean.rating, 0, row.clean.word) if row.clean else "-",
    ),
    "blocks": Column("blocks", lambda row: str(row.rating.blocks if row.rating else 0)),
    "games": Column("games", lambda row: str(row.games)),
    "wins": Column("wins", lambda row: f"{row.wins:.1f}".removesuffix(".0")),
    "points": Column("points", lambda row: f"{row.points:.1f}".removesuffix(".0")),
    "place": Column("mean place", lambda row: _number(row.per_game(row.places), 2)),
    "score": Column("score %", lambda row: _number(row.per_game(100 * row.score), 1)),
    "faults": Column("faults", lambda row: say_faults(row) or "none", left=True),
    "mean": Column("mean ms", lambda row: _number(row.cells()["think_mean_ms"], 2)),
    "max": Column("max ms", lambda row: _number(row.cells()["think_max_ms"], 1)),
    "cpu": Column("cpu ms", lambda row: _number(row.cells()["cpu_mean_ms"], 2)),
    "pondering": Column(
        "pondering ms/game", lambda row: _number(row.cells()["pondering_ms_per_game"], 1)
    ),
}
DEFAULT_COLUMNS = (
    "rank",
    "bot",
    "rating",
    "interval",
    "score",
    "wins",
    "place",
    "games",
    "mean",
    "max",
    "cpu",
    "faults",
)


def choose_columns(names: str | None, table: Standings) -> list[str]:
    """The columns of a comma-separated text, or the default ones. Raises `ConfigError`."""
    if names is None:
        chosen = list(DEFAULT_COLUMNS)
        if table.forfeited_games:
            chosen.insert(4, "clean")
        if table.by == "points":
            chosen.insert(2, "points")
        return chosen
    chosen = [name.strip() for name in names.split(",")]
    for name in chosen:
        if name not in COLUMNS:
            raise ConfigError(f"--columns: there is no column {name!r}; columns: {', '.join(COLUMNS)}")
    return chosen


def show_standings(table: Standings, columns: Sequence[str] | None = None) -> None:
    """Print the table and what belongs under it."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=500)
    names = list(columns) if columns else _that_fit(table, console.width)
    shown = Table(box=None, pad_edge=False, header_style="bold")
    chosen = [COLUMNS[name] for name in names]
    for column in chosen:
        shown.add_column(column.title, justify="left" if column.left else "right", no_wrap=True)
    for row in table.rows:
        shown.add_row(*[column.text(row) for column in chosen])
    console.print(shown, soft_wrap=True)
    if not columns and len(names) < len(choose_columns(None, table)):
        console.print("(more columns on a wider terminal, or with --columns)", style="dim")
    console.print()
    for line in footer(table):
        console.print(line, markup=False, soft_wrap=True)


def _that_fit(table: Standings, width: int) -> list[str]:
    """The default columns, without the less important ones where the terminal is too narrow."""
    names = choose_columns(None, table)
    sizes = {
        name: max(len(COLUMNS[name].title), *(len(COLUMNS[name].text(row)) for row in table.rows), 0)
        for name in names
    }
    for spare in ("cpu", "max", "wins", "mean", "place", "clean", "games"):
        if sum(sizes[name] + 2 for name in names) - 2 > width and spare in names:
            names.remove(spare)
    return names


def footer(table: Standings) -> list[str]:
    """Everything that a reader of the table must know to trust it."""
    header = table.header
    settings = header.settings
    flight = settings.games_in_flight
    sandbox = " and ".join(dict.fromkeys(each.settings.sandbox for each in table.headers))
    arena = " and ".join(dict.fromkeys(each.arena for each in table.headers))
    lines = [
        *[
            (f"{each.name}: " if len(table.headers) > 1 else "")
            + f"ruleset {each.ruleset['name']}, {each.players} players, {each.deals} deals, "
            f"{each.dice} dice, {say_limits(settings)}"
            + (f", {flight} games in flight" if flight > 1 else "")
            for each in table.headers
        ],
        f"{table.games} of {header.games} games; blocks: {table.complete_blocks} complete, "
        f"{table.incomplete_blocks} incomplete; {table.unrated_games} games unrated, "
        f"{table.forfeited_games} with a forfeit",
        f"ranked by {TIE_BREAKS[table.by]}; ratings: Plackett-Luce on the Elo scale, {say_scale(table)}",
        f"sandbox {sandbox}, arena {arena}",
    ]
    return [*lines, *(f"note: {note}" for note in table.notes)]


def say_limits(settings: Settings) -> str:
    """How long a bot may think; a bank may stand instead of a limit for each call, or beside it."""
    limits = [f"{settings.move_ms} ms per call"] if settings.move_ms else []
    if settings.bank_ms:
        more = f" + {settings.increment_ms} ms per call on turn" if settings.increment_ms else ""
        limits.append(f"a bank of {settings.bank_ms} ms per game{more}")
    return " and ".join(limits)


def say_scale(table: Standings) -> str:
    """What is held where."""
    held = table.ratings.anchor or "the mean of the rated bots"
    return f"{held} at {table.ratings.anchor_value:g}"


def write_json(table: Standings, sections: Sequence[Section] = ()) -> str:
    """All columns and facts; numbers unrounded, null where there is none."""
    return json.dumps(facts_of(table, sections), indent=2)


def facts_of(table: Standings, sections: Sequence[Section] = ()) -> dict[str, Any]:
    """What the JSON says."""
    header = table.header
    players = sorted({each.players for each in table.headers})
    facts: dict[str, Any] = {
        "name": header.name,
        "ruleset": header.ruleset["name"],
        "players": players[0] if len(players) == 1 else players,
        "deals": header.deals,
        "dice": header.dice,
        "sandbox": header.settings.sandbox,
        "arena": header.arena,
        "games": table.games,
        "games_planned": header.games,
        "blocks_complete": table.complete_blocks,
        "blocks_incomplete": table.incomplete_blocks,
        "games_unrated": table.unrated_games,
        "games_forfeited": table.forfeited_games,
        "ranked_by": TIE_BREAKS[table.by],
        "anchor": table.ratings.anchor,
        "anchor_value": table.ratings.anchor_value,
        "confidence": table.ratings.confidence,
        "prior_draws": table.ratings.prior,
        "notes": table.notes,
        "bots": [row.cells() for row in table.rows],
    }
    return facts | {section.name: section_facts(section) for section in sections}


def write_csv(table: Standings) -> str:
    """One line per bot; faults as `cause:count` separated by spaces; empty where there is no number."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(Row("").cells()), lineterminator="\n")
    writer.writeheader()
    for row in table.rows:
        writer.writerow(row.cells() | {"faults": say_faults(row)})
    return text.getvalue()
