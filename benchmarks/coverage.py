"""Do 95 % intervals hold the truth 95 % of the time?

    python benchmarks/coverage.py [--runs 400] [--seed 1] [--replicates 1000] [--only TEXT]

Plays made-up tournaments whose true ratings are known, rates them, and counts. A seat's luck in a deal
is a normal variable; with mirrored deals part of it (`--luck`, as a correlation) is shared by all bots
that sit there in the rotations of the block, so the games of a block depend on each other, but every
game by itself is Plackett-Luce with the true ratings. "held" is the share of intervals that hold the
truth, with the Monte Carlo error of that share (one standard error, from whole tournaments, as the
intervals of one are not independent); a missing bound counts as infinite. The last line is the share of
tournaments in which the one-sided bound of a bot that won everything was above its true rating, for a
bot chosen so that this happens as often as it can.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

from arena.rating import Results, rate, seat_worth
from arena.rating.plackett_luce import ELO
from arena.rating.pool import lineups
from arena.rating.results import Floats

FOUR = np.array([0.5, 0.2, -0.1, -0.6])
EIGHT = np.linspace(-0.7, 0.7, 8)
ELEVEN = np.linspace(-0.7, 0.7, 11)
SIX = np.linspace(-0.7, 0.7, 6)
PAIRS = tuple(combinations(range(4), 2))


@dataclass(frozen=True)
class Setting:
    """`blocks` of each line-up; of `draw` line-ups out of those, drawn anew each time, if not 0."""

    name: str
    theta: Floats
    lineups: Sequence[tuple[int, ...]]
    blocks: int
    draw: int = 0


SETTINGS = [
    Setting("2 players, 2 equal bots, 20 blocks", np.zeros(2), [(0, 1)], 20),
    Setting("2 players, 2 bots 104 points apart, 20 blocks", np.array([0.3, -0.3]), [(0, 1)], 20),
    Setting("2 players, 2 bots 208 points apart, 20 blocks", np.array([0.6, -0.6]), [(0, 1)], 20),
    Setting("2 players, 2 bots 208 points apart, 40 blocks", np.array([0.6, -0.6]), [(0, 1)], 40),
    Setting("2 players, 4 bots, 7 blocks a pair", FOUR, PAIRS, 7),
    Setting("2 players, 4 bots, 20 blocks a pair", FOUR, PAIRS, 20),
    Setting("2 players, 8 bots, 3 blocks a pair", EIGHT, tuple(combinations(range(8), 2)), 3),
    Setting("2 players, 11 bots, 2 blocks a pair", ELEVEN, tuple(combinations(range(11), 2)), 2),
    Setting("3 players, 6 bots, 2 blocks each", SIX, tuple(combinations(range(6), 3)), 2),
    Setting("4 players, 4 bots, 20 blocks", FOUR, [(0, 1, 2, 3)], 20),
    Setting("4 players, 4 bots, 60 blocks", FOUR, [(0, 1, 2, 3)], 60),
    Setting("4 players, 8 bots, 40 line-ups once", EIGHT, tuple(combinations(range(8), 4)), 1, 40),
    Setting("2 players, 2 bots 676 points apart, 100 blocks", np.array([1.946, -1.946]), [(0, 1)], 100),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=400, help="tournaments of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--luck", type=float, default=0.6, help="shared luck with mirrored deals")
    parser.add_argument("--only", default="", metavar="TEXT", help="settings with this in their name")
    args = parser.parse_args()
    print(f"{args.runs} tournaments each, seed {args.seed}, {args.replicates} resamples\n")
    print(f"{'setting':<48}{'deals':<14}{'ratings held':>18}{'seats held':>18}")
    worst = []
    for setting in SETTINGS:
        for deals, luck in (("mirrored", args.luck), ("independent", 0.0)):
            if args.only in setting.name:
                rng = np.random.default_rng([args.seed, SETTINGS.index(setting), int(luck > 0)])
                ratings, seats = coverage(setting, luck, args.runs, args.replicates, rng)
                worst.append(ratings)
                print(f"{setting.name:<48}{deals:<14}{said(ratings):>18}{said(seats):>18}", flush=True)
    if worst:
        low, high = (pick(np.mean(shares) for shares in worst) for pick in (min, max))
        print(f"\nratings held between {low:.1%} and {high:.1%} of the time")
    if not args.only:
        print(
            "bound of a bot that won everything, wrong (5 % are allowed): "
            + said(wrong(args.runs, args.seed))
        )


def coverage(
    setting: Setting, luck: float, runs: int, replicates: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """For each tournament the share of its intervals that hold the truth: of ratings and of seats."""
    truth = 1500 + ELO * (setting.theta - setting.theta.mean())
    ratings, seats = np.full(runs, np.nan), np.full(runs, np.nan)
    for run in range(runs):
        results = play(setting, luck, rng)
        held = []
        rows = rate(results, replicates=replicates, seed=run).rows
        for row, value in zip(rows, truth, strict=True):
            if row.rating is not None and row.word in ("", "no lower bound", "no upper bound"):
                low, high = row.low or -np.inf, row.high or np.inf
                held.append(low <= value <= high)
        ratings[run] = np.mean(held) if held else np.nan
        worth = seat_worth(results, results.seats.shape[1])
        if np.isfinite(worth.low).all():
            seats[run] = np.mean((worth.low <= 0) & (worth.high >= 0))
    return ratings[~np.isnan(ratings)], seats[~np.isnan(seats)]


def play(setting: Setting, luck: float, rng: np.random.Generator) -> Results:
    """All rotations of every block; a bot stays for an exponential time of mean exp(theta)."""
    chosen = np.array(setting.lineups)
    if setting.draw:
        chosen = chosen[rng.choice(len(chosen), setting.draw, replace=False)]
    tables = np.repeat(chosen, setting.blocks, axis=0)
    blocks, players = tables.shape
    seats = np.stack([np.roll(tables, turn, axis=1) for turn in range(players)], axis=1)
    shared = rng.standard_normal((blocks, 1, players))
    own = rng.standard_normal((blocks, players, players))
    stays = -stats.norm.logsf(np.sqrt(luck) * shared + np.sqrt(1 - luck) * own)
    places = (-stays * np.exp(setting.theta[seats])).argsort(axis=2).argsort(axis=2) + 1
    seats = seats.reshape(-1, players)
    whole = np.ones(len(seats), bool)
    names = tuple(f"bot{i}" for i in range(len(setting.theta)))
    block = np.repeat(np.arange(blocks), players)
    return Results(names, seats, places.reshape(-1, players), lineups(seats), block, whole, ~whole)


def wrong(runs: int, seed: int) -> Floats:
    """Whether the bound of a bot of three was above its rating, for each tournament."""
    rng = np.random.default_rng([seed, 99])
    strong = Setting("", np.array([2.45, 0.2, -0.2]), [(0, 1), (0, 2), (1, 2)], 20)
    found = []
    for run in range(runs):
        games = play(strong, 0.0, rng)
        first = np.arange(0, len(games), 2)  # every block a single game: nothing is left to spare
        whole = np.ones(len(first), bool)
        results = Results(
            games.bots,
            games.seats[first],
            games.places[first],
            games.lineup[first],
            games.block[first],
            whole,
            ~whole,
        )
        row = rate(results, replicates=200, seed=run).rows[0]
        found.append(row.rating is None and row.low is not None and row.low > 1500 + ELO * 2.45)
    return np.array(found, float)


def said(shares: Floats) -> str:
    """Mean and Monte Carlo error in percent."""
    if len(shares) < 2:
        return "-"
    return f"{100 * shares.mean():.1f} ± {100 * shares.std(ddof=1) / np.sqrt(len(shares)):.1f} %"


if __name__ == "__main__":
    main()
