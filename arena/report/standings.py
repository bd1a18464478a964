"""The standings of a tournament, from its log alone, one game at a time."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.record.columns import read_callers
from arena.record.log import GAMES, read_games, read_header
from arena.record.schema import GameRecord, Header


def score_of(places: Sequence[int], seat: int) -> float:
    """Share of the opponents that `seat` finished before, a shared place counting half: 0 to 1."""
    mine = places[seat]
    worse = sum(place > mine for place in places)
    ties = sum(place == mine for place in places) - 1
    return (worse + ties / 2) / (len(places) - 1)


@dataclass
class Row:
    """One bot's sums over its games. Thinking times in microseconds, per question."""

    bot: str
    games: int = 0
    wins: float = 0
    places: int = 0
    score: float = 0.0
    questions: int = 0
    thinking: int = 0
    longest: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    def cells(self) -> dict[str, Any]:
        """What the table shows of it. Shares in percent, times in milliseconds, None = nothing yet."""
        games, questions = self.games, self.questions
        return {
            "bot": self.bot,
            "games": games,
            "wins": self.wins,
            "mean_place": self.places / games if games else None,
            "score_percent": 100 * self.score / games if games else None,
            "faults": dict(sorted(self.faults.items())),
            "think_mean_ms": self.thinking / questions / 1000 if questions else None,
            "think_max_ms": self.longest / 1000 if questions else None,
        }


@dataclass
class Standings:
    """`rows` best score first; `header` of the log; games counted."""

    header: Header
    rows: list[Row]
    games: int


def standings(header: Header, games: Iterable[GameRecord]) -> Standings:
    """Add up the games of a log. A shared first place counts as a share of a win."""
    rows = [Row(bot.name) for bot in header.bots]
    count = 0
    for game in games:
        count += 1
        places = game.places
        seats = [rows[index] for index in game.seats]
        winners = places.count(1)
        for seat, row in enumerate(seats):
            row.games += 1
            row.places += places[seat]
            row.score += score_of(places, seat)
            if places[seat] == 1:
                row.wins += 1 / winners
        for fault in game.faults:
            seats[fault.seat].faults[fault.cause] += 1
        _add_thinking(game, seats)
    rows.sort(key=lambda row: (-(row.score / row.games if row.games else -1), row.bot))
    return Standings(header, rows, count)


def _add_thinking(game: GameRecord, seats: list[Row]) -> None:
    """Charge every call's time to the bot that made it; a forfeit is no call."""
    for opener, hands, calls, us in zip(
        game.openers, game.hands, game.calls, game.timing.us, strict=True
    ):
        for (seat, word), spent in zip(read_callers(opener, hands, calls), us, strict=True):
            if word != "forfeit":
                row = seats[seat]
                row.questions += 1
                row.thinking += spent
                row.longest = max(row.longest, spent)


def read_standings(folder: Path) -> Standings:
    """The standings of a results folder. Raises `LogError`."""
    log = folder / GAMES
    return standings(read_header(log), read_games(log))


def write_json(table: Standings) -> str:
    header = table.header
    return json.dumps(
        {
            "name": header.name,
            "ruleset": header.ruleset["name"],
            "players": header.players,
            "deals": header.deals,
            "dice": header.dice,
            "games": table.games,
            "games_planned": header.games,
            "bots": [row.cells() for row in table.rows],
        },
        indent=2,
    )


def write_csv(table: Standings) -> str:
    """One line per bot; faults as `cause:count` separated by spaces."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(Row("").cells()), lineterminator="\n")
    writer.writeheader()
    for row in table.rows:
        writer.writerow(row.cells() | {"faults": _faults(row)})
    return text.getvalue()


def _faults(row: Row) -> str:
    return " ".join(f"{cause}:{count}" for cause, count in sorted(row.faults.items()))


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def show_standings(table: Standings) -> None:
    """Print the table on the terminal."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=200)
    shown = Table(box=None, pad_edge=False, header_style="bold")
    shown.add_column("bot")
    for title in ("games", "wins", "mean place", "score %", "mean ms", "max ms"):
        shown.add_column(title, justify="right")
    shown.add_column("faults")
    for row in table.rows:
        cells = row.cells()
        shown.add_row(
            row.bot,
            str(row.games),
            f"{row.wins:g}" if row.wins == int(row.wins) else f"{row.wins:.1f}",
            _number(cells["mean_place"], 2),
            _number(cells["score_percent"], 1),
            _number(cells["think_mean_ms"], 2),
            _number(cells["think_max_ms"], 1),
            _faults(row) or "none",
        )
    console.print(shown)
    header = table.header
    console.print(
        f"{table.games} of {header.games} games, {header.ruleset['name']}, {header.players} players, "
        f"{header.deals} deals, {header.dice} dice",
        markup=False,
    )
