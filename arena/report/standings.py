"""The standings of a tournament, from its log alone, in one pass over its games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs

from arena.errors import ConfigError
from arena.rating import Rating, Ratings, Results, rate
from arena.rating.pool import pool
from arena.record.columns import times_by_seat
from arena.record.schema import GameRecord, Header
from arena.report.logs import Log, names_of, read_logs, refuse_to_pool
from arena.report.results import results_of
from arena.report.sequential import PAIR, Sequential

TIE_BREAKS = {
    "rating": "rating, then points per game, then wins per game",
    "points": "points per game (opponents left behind), then wins per game, then rating",
    "wins": "wins per game, then points per game, then rating",
}
"""What standings may be ordered by, and what decides between equals."""


def score_of(places: Sequence[int], seat: int) -> float:
    """Share of the opponents that `seat` finished before, a shared place counting half: 0 to 1."""
    mine = places[seat]
    worse = sum([place > mine for place in places])
    ties = sum([place == mine for place in places]) - 1
    return (worse + ties / 2) / (len(places) - 1)


@dataclass
class Row:
    """One bot. Sums over its games; times in microseconds per question; `clean` is its rating
    without forfeited games.

    CPU time is known for `cpu_games` with one game in flight; `pondering` is what a game's CPU time
    exceeds its thinking time by: at least so much was computed while others were asked (or in threads).
    """

    bot: str
    games: int = 0
    wins: float = 0
    places: int = 0
    score: float = 0.0
    points: float = 0.0
    questions: int = 0
    thinking: int = 0
    longest: int = 0
    cpu_games: int = 0
    cpu_questions: int = 0
    cpu_ms: float = 0.0
    pondering_ms: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    rank: int = 0
    rating: Rating | None = None
    clean: Rating | None = None

    def per_game(self, total: float) -> float | None:
        return total / self.games if self.games else None

    def cells(self) -> dict[str, Any]:
        """Every value by its column: shares in percent, times in milliseconds, None = no number."""
        rating, clean = self.rating, self.clean
        return {
            "rank": self.rank,
            "bot": self.bot,
            "rating": rating.rating if rating else None,
            "low": rating.low if rating else None,
            "high": rating.high if rating else None,
            "word": rating.word if rating else "",
            "rating_without_forfeits": clean.rating if clean else None,
            "blocks": rating.blocks if rating else 0,
            "games": self.games,
            "wins": self.wins,
            "points": self.points,
            "mean_place": self.per_game(self.places),
            "score_percent": self.per_game(100 * self.score),
            "faults": dict(sorted(self.faults.items())),
            "think_mean_ms": self.thinking / self.questions / 1000 if self.questions else None,
            "think_max_ms": self.longest / 1000 if self.questions else None,
            "cpu_mean_ms": self.cpu_ms / self.cpu_questions if self.cpu_questions else None,
            "pondering_ms_per_game": self.pondering_ms / self.cpu_games if self.cpu_games else None,
        }


@dataclass
class Standings:
    """`rows` in their order, best first; what stands under the table in `notes`.

    Of several tournaments rated together `header` is that of the first, with the name of all, all
    bots and all games; `headers` are their own.
    """

    header: Header
    rows: list[Row]
    games: int
    complete_blocks: int
    incomplete_blocks: int
    unrated_games: int
    forfeited_games: int
    by: str
    notes: list[str]
    headers: list[Header]
    results: Results
    ratings: Ratings


def standings(
    header: Header,
    games: Iterable[GameRecord],
    **options: Any,
) -> Standings:
    """Add up and rate the games of a log, with the options of `standings_of`."""
    names = tuple(bot.name for bot in header.bots)
    return standings_of([Log(header.name, header, names, games)], **options)


def read_standings(*folders: Path, **options: Any) -> Standings:
    """The standings of one or several results folders, with the options of `standings_of`.

    Raises `ConfigError` for a folder that holds no log or must not be rated together with another,
    `LogError` for one that cannot be read.
    """
    return standings_of(read_logs(folders), **options)


def standings_of(
    logs: Sequence[Log],
    *,
    by: str = "rating",
    exclude: Collection[str] = (),
    anchor: str | None = None,
    anchor_value: float = 1500.0,
    prior: float = 0.0,
    replicates: int = 1000,
) -> Standings:
    """Add up and rate the games of one or several logs together.

    `exclude` leaves out the games of these bots; `by` is a key of `TIE_BREAKS`; `anchor`,
    `anchor_value` and `prior` are those of `arena.rating.rate`. A shared first place counts as a
    share of a win. Raises `ConfigError` for a bot that is not there, and for logs that must not be
    rated together.
    """
    refuse_to_pool(logs)
    header = _joint(logs)
    names = names_of(logs)
    for name in (*exclude, *(() if anchor is None else (anchor,))):
        if name not in names:
            raise ConfigError(f"there is no bot {name!r} in {header.name}; bots: {', '.join(names)}")
        if name == anchor and name in exclude:
            raise ConfigError(f"{name!r} cannot be the anchor and be left out")
    rows = {name: Row(name) for name in names}
    parts, notes = [], []
    for log in logs:
        out = {index for index, name in enumerate(log.bots) if name in exclude}
        test = Sequential(log.header.sprt, log.header.players) if log.header.sprt else None
        games = test.watch(log.games) if test else log.games
        counted = (game for game in games if out.isdisjoint(game.seats))
        strain = Strain(log.header.settings.grace_ms)
        seated = [rows[name] for name in log.bots]
        results = results_of(log.header, _added(seated, strain, counted))
        parts.append(replace(results, bots=log.bots))
        where = f"{log.folder}: " if len(logs) > 1 else ""
        own = *_stop_note(test, log.bots), *_order_note(results, log.header.players), *strain.notes()
        notes += [where + note for note in own]
    results = parts[0] if len(parts) == 1 else pool(parts)
    if exclude and not len(results):
        notes.append(f"no game is left without {' and '.join(sorted(exclude))}")
    held: dict[str, Any] = {"anchor": anchor, "anchor_value": anchor_value, "prior": prior}
    ratings = rate(results, replicates=replicates, **held)
    forfeited = int(results.forfeited.sum())
    clean = rate(results.without_forfeits(), replicates=0, **held) if forfeited else ratings
    kept = [row for name, row in rows.items() if name not in exclude]
    for row in kept:
        row.rating = ratings[row.bot]
        row.clean = clean[row.bot]
    complete, incomplete = _blocks(results)
    return Standings(
        header=header,
        rows=_ranked(kept, by, ratings),
        games=len(results),
        complete_blocks=complete,
        incomplete_blocks=incomplete,
        unrated_games=ratings.left_out,
        forfeited_games=forfeited,
        by=by,
        notes=[*ratings.notes, *notes],
        headers=[log.header for log in logs],
        results=results,
        ratings=ratings,
    )


def _joint(logs: Sequence[Log]) -> Header:
    """The header of all logs together."""
    first = logs[0].header
    if len(logs) == 1:
        return first
    bots = {
        name: structs.replace(bot, name=name)
        for log in logs
        for name, bot in zip(log.bots, log.header.bots, strict=True)
    }
    return structs.replace(
        first,
        name=" + ".join(log.header.name for log in logs),
        bots=list(bots.values()),
        games=sum(log.header.games for log in logs),
    )


@dataclass
class Strain:
    """How often the machine was too busy for its own clock: delays above the grace, in games."""

    grace_ms: float
    games: int = 0
    longest_ms: float = 0.0

    def add(self, lag_ms: float) -> None:
        if lag_ms > self.grace_ms:
            self.games += 1
            self.longest_ms = max(self.longest_ms, lag_ms)

    def notes(self) -> list[str]:
        if not self.games:
            return []
        games = f"{self.games} game{'s' * (self.games != 1)}"
        return [
            f"in {games} the referee itself was held up for more than "
            f"{self.grace_ms:.0f} ms (at most {self.longest_ms:.0f} ms): thinking times and timeouts "
            "there are not to be trusted; use fewer workers or a quieter machine"
        ]


def _added(rows: list[Row], strain: Strain, games: Iterable[GameRecord]) -> Iterator[GameRecord]:
    """The same games, each added to the rows of its bots as it passes."""
    for game in games:
        strain.add(game.timing.lag_ms)
        places = game.places
        seats = [rows[index] for index in game.seats]
        winners = places.count(1)
        for seat, row in enumerate(seats):
            score = score_of(places, seat)
            row.games += 1
            row.places += places[seat]
            row.score += score
            row.points += score * (len(places) - 1)
            if places[seat] == 1:
                row.wins += 1 / winners
        for fault in game.faults:
            seats[fault.seat].faults[fault.cause] += 1
        _add_thinking(game, seats)
        yield game


def _add_thinking(game: GameRecord, seats: list[Row]) -> None:
    """Charge every call's time to the bot that made it; a forfeit is no call."""
    times = times_by_seat(game)
    for row, spent in zip(seats, times, strict=True):
        row.questions += len(spent)
        row.thinking += sum(spent)
        row.longest = max(row.longest, max(spent, default=0))
    for seat, cpu in enumerate(game.timing.cpu_ms):
        row = seats[seat]
        row.cpu_games += 1
        row.cpu_questions += len(times[seat])
        row.cpu_ms += cpu
        row.pondering_ms += max(0.0, cpu - sum(times[seat]) / 1000)


def _ranked(rows: list[Row], by: str, ratings: Ratings) -> list[Row]:
    """The rows in their order, with ranks; equal in all that decides means equal rank."""
    shelf = {rating.bot: place for place, rating in enumerate(ratings.ranked())}
    keys: dict[str, Callable[[Row], float]] = {
        "rating": lambda row: shelf[row.bot],
        "points": lambda row: -(row.per_game(row.points) or 0.0),
        "wins": lambda row: -(row.per_game(row.wins) or 0.0),
    }
    order = [keys[by], *(key for name, key in keys.items() if name not in (by, "rating"))]
    if by != "rating":
        order.append(keys["rating"])

    def key(row: Row) -> tuple[float, ...]:
        return tuple(part(row) for part in order)

    rows = sorted(rows, key=lambda row: (not row.games, key(row), row.bot))
    for place, row in enumerate(rows, 1):
        before = rows[place - 2] if place > 1 else None
        row.rank = before.rank if before is not None and key(before) == key(row) else place
    return rows


def _blocks(results: Results) -> tuple[int, int]:
    """How many blocks are complete, and how many are not."""
    complete = len(np.unique(results.block[results.complete]))
    return complete, len(np.unique(results.block)) - complete


def _stop_note(test: Sequential | None, bots: Sequence[str]) -> list[str]:
    """A run that ended because it looked good, or bad, is no fair sample of its bots."""
    if test is None or test.decided is None:
        return []
    one, other = (bots[index] for index in PAIR)
    return [
        f"the sequential test of {one} against {other} ended the run at block {test.decided}, when it "
        "looked clear: ratings lean to its side, with intervals a little too narrow; arena duel allows "
        "for that"
    ]


def _order_note(results: Results, players: int) -> list[str]:
    """Up to four players each line-up should have played all its circular orders equally often."""
    orders = factorial(players - 1)
    if players not in (3, 4) or not len(results):
        return []
    _, first = np.unique(results.block[results.complete], return_index=True)
    _, blocks = np.unique(results.lineup[results.complete][first], return_counts=True)
    uneven = int((blocks % orders != 0).sum())
    if not uneven:
        return []
    return [
        f"{uneven} of {len(blocks)} line-ups have not played all {orders} circular orders equally "
        "often: neighbours matter a little"
    ]
