"""How many games are enough: the numbers of `arena plan`, from a log or from what is usual."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, sqrt
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.rating.planning import (
    Expected,
    blocks_for_interval,
    blocks_of_test,
    blocks_to_find,
    mirrored_gain,
)
from arena.rating.score import MIN_BLOCKS
from arena.record.log import log_of, read_games
from arena.report.duel import find_pair, pair_blocks, read_log_header
from arena.report.duel_text import unit
from arena.report.results import results_of

MIRRORED = 0.75
"""Variance of a block of two players with mirrored deals relative to independent ones: measured as 0.62
for two versions of a bot and 0.83 for two different ones; from three players on nearly 1
(benchmarks/mirrored_deals.py)."""
MOST_PLAYERS = 4
"""At larger tables nearly every block has a circular order of its own, and what an order does to a pair
cannot be told from what a deal does."""
ERRORS = 0.05
"""alpha and beta of the sequential test that is planned."""


@dataclass(frozen=True)
class Spread:
    """The standard deviation `sd` of a block's score, and where it is known from.

    gain  (ratio, low, high) of the variance with mirrored deals to that with independent ones, or None
    """

    players: int
    deals: str
    sd: float
    source: str
    gain: tuple[float, float, float] | None = None


def usual_spread(players: int, deals: str) -> Spread:
    """For bots of about equal strength, whose games are decided like the toss of a coin."""
    ratio = MIRRORED if players == 2 and deals == "mirrored" else 1.0
    return Spread(players, deals, 0.5 * sqrt(ratio / players), "as is usual for equal bots")


def read_spread(folder: Path, names: tuple[str, str] | None, confidence: float) -> Spread:
    """As two bots of a log have it. Raises `ConfigError` where it tells too little."""
    header = read_log_header(folder)
    one, two = find_pair(header, names)
    played = pair_blocks(results_of(header, read_games(log_of(folder))), one, two)
    scores = played.points / 2
    blocks = len(scores)
    who = f"{header.bots[one].name} and {header.bots[two].name}"
    if blocks < MIN_BLOCKS:
        raise ConfigError(
            f"{folder} has {blocks} complete blocks of {who}; a plan needs at least {MIN_BLOCKS}"
        )
    sd = float(scores.mean(axis=1).std(ddof=1))
    if sd < 1e-9:
        raise ConfigError(f"every block of {who} in {folder} ended alike, so their spread is not known")
    gain = None
    if header.deals == "mirrored" and header.players <= MOST_PLAYERS:
        gain = mirrored_gain(scores, played.table, confidence)
        gain = None if isnan(gain[0]) else gain
    source = f"as in {blocks} {unit(header.players, blocks)} of {who}"
    return Spread(header.players, header.deals, sd, source, gain)


@dataclass(frozen=True)
class Plan:
    """Blocks for an interval of `elo` to both sides, to find a difference of `elo`, and the mean number
    that a sequential test of 0 against `elo` takes. Confidence and power in (0, 1).
    """

    elo: float
    confidence: float
    power: float
    spread: Spread
    interval: int
    find: int
    test: Expected

    def lines(self) -> list[str]:
        spread, sure = self.spread, f"{100 * self.confidence:g} %"
        lines = [
            f"{spread.players} players, {spread.deals} deals; the score of a block of {spread.players} "
            f"games has standard deviation {spread.sd:.3f}, {spread.source}",
            self._line(f"{sure} interval of ± {self.elo:g} Elo", self.interval),
            self._line(
                f"{sure} interval above 0 in {100 * self.power:g} % of cases, if it is {self.elo:g} Elo",
                self.find,
            ),
            self._line(
                f"SPRT elo0=0,elo1={self.elo:g}, on average, if the difference is 0", self.test.under0
            ),
            self._line(f"... if it is {self.elo:g}", self.test.under1),
            self._line("... if it lies in the middle", self.test.middle),
        ]
        if spread.gain:
            ratio, low, high = spread.gain
            lines.append(
                f"Mirrored deals: {ratio:.2f} of the variance that independent deals would have "
                f"({sure} interval {low:.2f} to {high:.2f}); "
                f"{_worth(ratio, low, high)}"
            )
        return lines

    def _line(self, what: str, blocks: int) -> str:
        return f"{what:64}{blocks:>9} blocks {blocks * self.spread.players:>9} games"

    def json(self) -> dict[str, Any]:
        spread = self.spread

        def cost(blocks: int) -> dict[str, int]:
            return {"blocks": blocks, "games": blocks * spread.players}

        return {
            "elo": self.elo,
            "confidence": self.confidence,
            "power": self.power,
            "players": spread.players,
            "deals": spread.deals,
            "block_sd": spread.sd,
            "source": spread.source,
            "interval": cost(self.interval),
            "find": cost(self.find),
            "sprt": {
                "alpha": ERRORS,
                "beta": ERRORS,
                "mean_if_0": cost(self.test.under0),
                "mean_if_elo": cost(self.test.under1),
                "mean_in_the_middle": cost(self.test.middle),
            },
            "mirrored_variance_ratio": spread.gain[0] if spread.gain else None,
            "mirrored_variance_ratio_interval": list(spread.gain[1:]) if spread.gain else None,
        }


def _worth(ratio: float, low: float, high: float) -> str:
    if low <= 1 <= high:
        return "no gain is proven"
    saved = 100 * (1 - ratio)
    return f"they save {saved:.0f} % of the games" if ratio < 1 else "they cost games here"


def make_plan(elo: float, confidence: float, power: float, spread: Spread) -> Plan:
    """The numbers of blocks for this spread."""
    return Plan(
        elo,
        confidence,
        power,
        spread,
        blocks_for_interval(spread.sd, elo, confidence),
        blocks_to_find(spread.sd, elo, confidence, power),
        blocks_of_test(spread.sd, 0.0, elo, ERRORS, ERRORS),
    )
