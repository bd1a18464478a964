"""The words and cells of the page. Numbers are rounded here to what is known, or replaced by a word."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from typing import Any

from arena.game.explain import GROUPS, SUMMARIES, matters, sentences
from arena.game.ruleset import Ruleset, write_value
from arena.record.schema import HOST_CAUSES, Bot
from arena.report.blocks import MIN_BLOCKS, by_seat
from arena.report.evidence import Evidence, Thinking
from arena.report.faults import readable
from arena.report.page.gather import Gathered
from arena.report.page.play import notable
from arena.report.standings import Row
from arena.report.text import COLUMNS, choose_columns, footer, say_faults

MOST_PAIRS = 60
"""Bots that the cross table has room for: the best ones."""
MISSING = "-"


# --- standings ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """A cell's text; `sort` is what it is sorted by where the text does not say it; `bot` is the
    number of the bot that it names."""

    text: str
    sort: str = ""
    left: bool = False
    bot: int | None = None


def standings_of(found: Gathered) -> dict[str, Any]:
    """The table that `arena table` shows, and what stands under it."""
    names = choose_columns(None, found.table)
    number = {name: i for i, name in enumerate(found.evidence.results.bots)}
    # Bots without a rating have their place among the others.
    shelf = {bot: -place for place, bot in enumerate(found.evidence.ranked)}
    rows = []
    for row in found.table.rows:
        bot = number[row.bot]
        sort = {"rating": str(shelf[bot]), "faults": str(sum(row.faults.values()))}
        rows.append([_cell(name, row, sort.get(name, ""), bot) for name in names])
    return {
        "titles": [(COLUMNS[name].title, COLUMNS[name].left) for name in names],
        "rows": rows,
        "footer": footer(found.table),
    }


def _cell(name: str, row: Row, sort: str, bot: int) -> Cell:
    column = COLUMNS[name]
    return Cell(column.text(row), sort, column.left, bot if name == "bot" else None)


# --- head to head ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """Row bot against column bot. `score` is a whole percentage or "-"; `words` tell all of it."""

    score: str
    words: str
    shade: str
    opponent: int


def cross_table(evidence: Evidence) -> dict[str, Any]:
    """The best bots against each other, in the order of their ratings; None on the diagonal."""
    shown = evidence.ranked[:MOST_PAIRS]
    return {
        "bots": shown,
        "rows": [[None if i == j else pair_of(evidence, i, j) for j in shown] for i in shown],
        "left_out": len(evidence.ranked) - len(shown),
    }


def pair_of(evidence: Evidence, i: int, j: int) -> Pair:
    pairs = evidence.pairs
    blocks = int(pairs.blocks[i, j])
    if not blocks:
        return Pair(MISSING, "never met in a complete block", "", j)
    score, low, high = (100 * float(values[i, j]) for values in (pairs.score, pairs.low, pairs.high))
    over = f"over {blocks} block{'s' * (blocks != 1)}"
    if math.isnan(low):
        why = "too few blocks" if blocks < MIN_BLOCKS else "every block ended alike"
        return Pair(f"{score:.0f}", f"{score:.0f} % {over}; no interval: {why}", "few", j)
    words = f"{score:.0f} % (95 % interval {low:.0f} to {high:.0f}) {over}"
    return Pair(f"{score:.0f}", words, _shade(score, bool(pairs.significant[i, j])), j)


def _shade(score: float, sure: bool) -> str:
    """The class of a cell: only a difference that is no luck has a colour, a strong one from 75 on."""
    if not sure:
        return ""
    return ("above" if score > 50 else "below") + (" far" if abs(score - 50) >= 25 else "")


# --- bots --------------------------------------------------------------------------------------------


def bots_of(found: Gathered) -> list[dict[str, Any]]:
    """A section for every bot, best first."""
    evidence = found.evidence
    seats = _seats(evidence)
    sections = []
    for row in found.table.rows:
        bot = evidence.results.index(row.bot)
        listed = evidence.header.bots[bot]
        opponents = sorted(
            (
                pair_of(evidence, bot, other)
                for other in evidence.ranked
                if evidence.pairs.blocks[bot, other]
            ),
            key=lambda pair: -int(evidence.pairs.blocks[bot, pair.opponent]),
        )
        sections.append(
            {
                "bot": bot,
                "rank": row.rank,
                "rating": COLUMNS["rating"].text(row),
                "interval": COLUMNS["interval"].text(row),
                "facts": _facts(row, listed, found),
                "seats": seats[bot],
                "opponents": opponents[:MOST_PAIRS],
                "opponents_left_out": len(opponents[MOST_PAIRS:]),
                "thinking": _thinking(evidence.thinking[bot]),
                "notable": notable(evidence.play, bot),
            }
        )
    return sections


def _facts(row: Row, listed: Bot, found: Gathered) -> list[tuple[str, str]]:
    pondered = COLUMNS["pondering"].text(row)
    facts = [
        ("Rated over", _count(row.rating.blocks if row.rating else 0, "block")),
        ("Played", _count(row.games, "game")),
        ("Wins", COLUMNS["wins"].text(row)),
        ("Points", COLUMNS["points"].text(row)),
        ("Mean place", COLUMNS["place"].text(row)),
        ("Score", _unit(COLUMNS["score"].text(row), "%")),
        ("Without forfeited games", COLUMNS["clean"].text(row) if found.table.forfeited_games else ""),
        ("Faults", say_faults(row) or "none"),
        ("Never started", listed.out),
        ("CPU time per question", _unit(COLUMNS["cpu"].text(row), "ms")),
        ("Pondering", "" if pondered in (MISSING, "0.0") else f"{pondered} ms per game"),
        ("Author", listed.author),
        ("Team", listed.team),
        ("Language", listed.language),
        ("Version", listed.version),
        ("Ran", "on another machine" if listed.remote else ""),
        ("Fingerprint", listed.fingerprint),
    ]
    return [(name, text) for name, text in facts if text]


def _seats(evidence: Evidence) -> list[list[dict[str, str]]]:
    """Per bot and seat: games, share of first places, and the score against the bot's own mean."""
    rated = evidence.rated
    bots = len(rated.bots)
    if not len(rated):
        return [[] for _ in range(bots)]
    _, each = by_seat(rated)
    tables = []
    for bot in range(bots):
        lines = []
        for seat in range(rated.seats.shape[1]):
            there = rated.seats[:, seat] == bot
            games = int(there.sum())
            if not games:
                continue
            first = 100 * float((rated.places[there, seat] == 1).mean())
            gain, half = 100 * float(each.mean[bot, seat]), 100 * float(each.half[bot, seat])
            digits = 1 if half < 10 else 0
            known = f"{gain:+.{digits}f} ±{half:.{digits}f}"
            if not math.isfinite(half):
                known = f"{gain:+.0f}, no interval"
            lines.append(
                {"seat": str(seat), "games": str(games), "first": f"{first:.0f}", "gain": known}
            )
        tables.append(lines)
    return tables


def _thinking(clock: Thinking | None) -> list[tuple[str, str]]:
    if clock is None:
        return []
    return [
        ("Questions answered", str(clock.questions)),
        ("Half of them between", f"{_ms(clock.lower)} and {_ms(clock.upper)} ms"),
        ("Median", f"{_ms(clock.median)} ms"),
        ("99 % within", f"{_ms(clock.most)} ms"),
        ("Longest", f"{_ms(clock.longest)} ms"),
        *([("Timeouts", str(clock.timeouts))] if clock.timeouts else []),
    ]


# --- faults ------------------------------------------------------------------------------------------


def faults_of(found: Gathered) -> dict[str, Any]:
    """The faults listed, how many of which kind there are, and the names of bots and causes."""
    counts = found.faults.counts
    shown = [
        {
            "game": game,
            "bot": bot,
            "fault": fault,
            "blame": "nobody: the host's" if fault.cause in HOST_CAUSES else "",
            "received": readable(fault.received),
            "used": f"{fault.used_ms:.1f}",
            "replay": shlex.join(["arena", "replay", folder_of(found), str(game)]),
        }
        for game, bot, fault in found.faults.shown
    ]
    return {
        "shown": shown,
        "total": sum(counts.values()),
        "sums": sorted((bot, cause, n) for (bot, cause), n in counts.items()),
        "bots": sorted({bot for bot, _ in counts}),
        "causes": sorted({cause for _, cause in counts}),
        "command": shlex.join(["arena", "faults", folder_of(found), "--details"]),
    }


def folder_of(found: Gathered) -> str:
    """Where a run puts its results unless told otherwise: the reader's folder is not known, and the
    host's own is nobody's business."""
    return f"results/{found.evidence.header.name}"


# --- settings ----------------------------------------------------------------------------------------


def settings_of(found: Gathered) -> list[tuple[str, list[tuple[str, str]]]]:
    """Groups of facts about how it was played."""
    header = found.evidence.header
    settings = header.settings
    secret = found.end.secret if found.end else ""
    clock = (
        f"{settings.bank_ms} ms for a game, and {settings.increment_ms} ms more for an answer on turn"
    )
    schedule = ", ".join(
        SCHEDULES.get(name, name + " {}").format(n) for name, n in header.schedule.items()
    )
    played = [
        ("Games", f"{len(found.numbers)} of {header.games}"),
        ("Schedule", schedule),
        ("Players at a table", str(header.players)),
        ("Deals", DEALS.get(header.deals, header.deals)),
        ("Begun", header.created),
        ("Finished", found.end.finished if found.end else "not yet"),
    ]
    dice = [
        ("Dice", DICE.get(header.dice, header.dice)),
        ("SHA-256 of the secret", header.secret_hash),
        ("Secret", secret or "published at the end of the run"),
        ("Public salt", header.public_salt or "none"),
    ]
    limits = [
        ("Per call", f"{settings.move_ms} ms" if settings.move_ms else "no limit"),
        ("Bank", clock if settings.bank_ms else "none"),
        ("Start-up", f"{settings.start_ms} ms"),
        ("Grace before a bot is late", f"{settings.grace_ms} ms"),
        ("Games in flight", str(settings.games_in_flight)),
        ("Games per launch", str(settings.games_per_launch)),
        ("Names of opponents", "shown" if settings.names_shown else "hidden from the bots"),
        ("Bots that are not asked", "may compute" if settings.pondering else "are stopped"),
        ("Sandbox", settings.sandbox),
        ("Workers", str(settings.workers)),
    ]
    host = [("Arena", header.arena), *((str(name), str(value)) for name, value in header.host.items())]
    groups = [("Played", played), ("Dice", dice), ("Limits", limits), ("Machine", host)]
    return [(title, [(name, text) for name, text in facts if text]) for title, facts in groups]


SCHEDULES = {"budget": "a budget of {} games", "blocks": "{} blocks for every line-up"}
DEALS = {
    "mirrored": "mirrored: all games of a block have the same dice",
    "independent": "independent: every game has its own dice",
}
DICE = {
    "secret": "secret until the end",
    "predictable": "predictable: they follow from a seed that was chosen by hand",
}


def rules_of(ruleset: Ruleset) -> dict[str, Any]:
    """The ruleset in words: what always holds, and a sentence per option that has an effect."""
    meaning = sentences(ruleset)
    return {
        "name": ruleset.name,
        "summary": SUMMARIES.get(ruleset.name, ""),
        "groups": [
            {
                "title": group.title,
                "always": group.holds(ruleset),
                "options": [
                    (
                        f"{option} = {write_value(getattr(ruleset, option))}",
                        f"{meaning[option][0].upper()}{meaning[option][1:]}.",
                    )
                    for option in group.options
                    if matters(ruleset, option)
                ],
            }
            for group in GROUPS
        ],
    }


# --- numbers -----------------------------------------------------------------------------------------


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _unit(number: str, unit: str) -> str:
    return number if number == MISSING else f"{number} {unit}"


def _ms(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"
