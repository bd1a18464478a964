"""The line of facts under every title, and what is said where a chart cannot be drawn."""

from __future__ import annotations

from arena.rating import Ratings
from arena.report.evidence import Evidence
from arena.report.style import shorten

NO_BLOCKS = "Nothing to show"
NBSP = "\u00a0"
PERCENT_95 = f"95{NBSP}%"


def facts_of(evidence: Evidence) -> str:
    """Tournament, ruleset, players, deals, dice, games and blocks, in words."""
    header = evidence.header
    games = len(evidence.results)
    played = f"{games} of {header.games} games" if games < header.games else say(games, "game")
    left_out = games - len(evidence.rated)
    parts = [
        f"{shorten(header.name, 2.0)}: {header.ruleset.get('name', 'unknown')} rules",
        f"{header.players} players",
        f"{header.deals} deals",
        f"{header.dice} dice",
        played,
        say(evidence.blocks, "block"),
    ]
    if left_out:
        parts[-1] += f" complete ({say(left_out, 'game')} outside them)"
    return ", ".join(parts)


def from_here(evidence: Evidence, what: str) -> str:
    """`what`, and the reason if it is that there is too little."""
    if not len(evidence.results):
        return f"{what}: no game has been played yet."
    if not len(evidence.rated):
        n = evidence.header.players
        block = f"A block is one deal, played in each of the {n} rotations of the seats"
        return f"{what}: no block is complete yet. {block}."
    return f"{what}."


def percent_interval(ratings: Ratings) -> str:
    return f"{100 * ratings.confidence:g}{NBSP}% interval"


def say(count: int, what: str) -> str:
    """ "1 game", "2 games"."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
