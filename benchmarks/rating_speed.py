"""How long the ratings take, and how much memory.

    python benchmarks/rating_speed.py [--only TEXT]

Each row is a made-up tournament of 50 bots, measured in a process of its own: checking the results, the
sums that a fit needs, the fit from these sums, and 200 bootstrap refits, in seconds of CPU time, so that
a busy machine does little harm; "MB" is the peak of the process less what its input takes. Line-ups
"once" means that nearly every block has another line-up, as in a schedule with a budget. The last rows
set the fit beside choix, another library, on the same data in the same run.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from arena.rating import Results
from arena.rating.blocks import aggregate
from arena.rating.bootstrap import Fit, draw
from arena.rating.plackett_luce import fit
from arena.rating.pool import lineups
from arena.rating.results import Floats, Ints

BOTS = 50
CASES = {
    "1000000 games of two": (1_000_000, 2, 1225),
    "100000 games of six, 1000 line-ups": (100_000, 6, 1000),
    "100000 games of six, line-ups once": (100_000, 6, 0),
    "1000000 games of six, 1000 line-ups": (1_000_000, 6, 1000),
    "1000000 games of six, line-ups once": (1_000_000, 6, 0),
}
COLUMNS = ("check", "sums", "fit", "200 refits")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="rows with this in their name")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.case:
        measure(*CASES[args.case])
        return
    print(f"{'CPU seconds':<40}" + "".join(f"{column:>12}" for column in COLUMNS) + f"{'MB':>8}")
    for name in CASES:
        if args.only in name:
            command = [sys.executable, __file__, "--case", name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            print(f"{name:<40}{done.stdout.strip() or done.stderr.strip()[-200:]}", flush=True)
    if args.only in "choix":
        beside_choix()


def measure(games: int, players: int, tables: int) -> None:
    """One row: seconds of each step, and the memory."""
    columns = made_up(games, players, tables)
    before = peak()
    took = []
    results, seconds = timed(lambda: Results(*columns))
    took.append(seconds)
    blocks, seconds = timed(lambda: aggregate(results))
    took.append(seconds)
    count = blocks.count[:, None].astype(np.float64)
    sums = blocks.exits.leavers.T @ count, blocks.exits.stages.T @ count
    nothing = np.zeros(BOTS)
    theta, seconds = timed(lambda: fit(blocks.exits.sets, *sums, nothing[:, None], nothing)[:, 0])
    took.append(seconds)
    whole = Fit(theta, np.ones(BOTS, np.bool_))
    took.append(timed(lambda: draw(blocks, whole, 200, seed=0))[1])
    print("".join(f"{seconds:12.3f}" for seconds in took) + f"{peak() - before:8.0f}")


def made_up(games: int, players: int, tables: int) -> tuple[Any, ...]:
    """What `Results` takes, of blocks of all rotations; `tables` line-ups in turn, 0: drawn anew."""
    rng = np.random.default_rng(0)
    theta = rng.normal(0, 0.6, BOTS)
    blocks = games // players
    if tables == BOTS * (BOTS - 1) // 2 and players == 2:
        chosen = np.column_stack(np.triu_indices(BOTS, 1))
    else:
        chosen = rng.permuted(np.tile(np.arange(BOTS), (tables or blocks, 1)), axis=1)[:, :players]
    order = chosen[np.arange(blocks) % len(chosen)]
    seats = np.stack([np.roll(order, turn, axis=1) for turn in range(players)], axis=1)
    seats = seats.reshape(-1, players)
    stays = rng.exponential(np.exp(theta[seats]))
    places = (-stays).argsort(axis=1).argsort(axis=1) + 1
    whole = np.ones(len(seats), bool)
    names = tuple(f"bot{i}" for i in range(BOTS))
    return names, seats, places, lineups(seats), np.repeat(np.arange(blocks), players), whole, ~whole


def beside_choix() -> None:
    """From the sums of two-player games, and from 10000 finishing orders of six."""
    import choix

    blocks = aggregate(Results(*made_up(1_000_000, 2, 1225)))
    exits = blocks.exits
    count = blocks.count[:, None].astype(np.float64)
    sums = exits.leavers.T @ count, exits.stages.T @ count
    wins = wins_of(*made_up(1_000_000, 2, 1225)[1:3])
    ours = timed(lambda: fit(exits.sets, *sums, np.zeros((BOTS, 1)), np.zeros(BOTS)))
    theirs = timed(lambda: choix.ilsr_pairwise_dense(wins, alpha=0, tol=1e-9))
    compare("fit from the sums of a million games of two", ours, theirs)

    columns = made_up(10_000, 6, 1000)
    orders = np.take_along_axis(columns[1], columns[2].argsort(axis=1), axis=1)[:, ::-1].tolist()
    ours = timed(lambda: ratings_of(Results(*columns)))
    theirs = timed(lambda: -choix.ilsr_rankings(BOTS, orders, alpha=0, tol=1e-9))
    compare("10000 orders of six, from the games", ours, theirs)


def wins_of(seats: Ints, places: Ints) -> Floats:
    """(B, B), how often the row bot beat the column bot, in games of two."""
    order = np.take_along_axis(seats, places.argsort(axis=1), axis=1)
    return np.bincount(order @ [BOTS, 1], minlength=BOTS**2).reshape(BOTS, BOTS).astype(np.float64)


def ratings_of(results: Results) -> Floats:
    blocks = aggregate(results)
    count = blocks.count[:, None].astype(np.float64)
    sums = blocks.exits.leavers.T @ count, blocks.exits.stages.T @ count
    return fit(blocks.exits.sets, *sums, np.zeros((BOTS, 1)), np.zeros(BOTS))


def compare(what: str, ours: tuple[Floats, float], theirs: tuple[Floats, float]) -> None:
    apart = np.abs((ours[0].ravel() - ours[0].mean()) - (theirs[0] - theirs[0].mean())).max()
    print(
        f"{what}: {ours[1]:.4f} s, choix {theirs[1]:.4f} s, {theirs[1] / ours[1]:.1f} times as long; "
        f"largest difference {apart:.0e}"
    )


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = process_time()
    done = work()
    return done, process_time() - start


def peak() -> float:
    """Peak resident memory of this process, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
