"""Is the Elo of a run that stopped itself too high, and does its interval cover the truth?

    python -m benchmarks.stopped_elo [--tests 1000] [--elo1 50]

Run it from the root of the repository. It simulates sequential tests of 0 against `--elo1` Elo on pairs
of independent games, for three true differences. For the plain estimate and for the one that allows for
the stop: the share of tests in which it is above the truth (half of them, if it is not biased), and in
which its 95 % interval covers it.
"""

from __future__ import annotations

import argparse

import numpy as np

from arena.rating.score import Tally, estimate, score_of
from arena.rating.sprt import bounds, log_likelihood_ratio
from arena.rating.stopped import score_when_stopped
from benchmarks.sprt_errors import tilted

LAW, GAMES = [1.0, 0.0, 2.0, 0.0, 1.0], 2
LIMITS = bounds(0.05, 0.05)


def stopped(true: float, elo1: float, tests: int, rng: np.random.Generator) -> list[Tally]:
    """The blocks of each test when it ended."""
    law = tilted(LAW, GAMES, true, "logistic")
    counts = np.zeros((tests, len(law)), np.int64)
    ended: list[Tally] = []
    while len(counts):
        counts[np.arange(len(counts)), rng.choice(len(law), size=len(counts), p=law)] += 1
        ratio = log_likelihood_ratio(counts, GAMES, 0.0, elo1)
        out = (ratio <= LIMITS[0]) | (ratio >= LIMITS[1])
        ended += [Tally(tuple(each.tolist()), GAMES) for each in counts[out]]
        counts = counts[~out]
    return ended


def main() -> None:
    parser = argparse.ArgumentParser(description="The Elo of runs that stopped themselves.")
    parser.add_argument("--tests", type=int, default=1000, help="simulated tests (default 1000)")
    parser.add_argument("--elo1", type=float, default=50.0)
    given = parser.parse_args()
    rng = np.random.default_rng(3)
    print(f"tests of 0 against {given.elo1:g} Elo, {given.tests} each")
    print(f"{'true':>6}{'mean blocks':>13}{'plain: above, covers':>25}{'allowing: above, covers':>26}")
    for true in (0.0, given.elo1 / 2, given.elo1 * 1.5):
        score = score_of(true)
        tallies = stopped(true, given.elo1, given.tests, rng)
        plain = [(found.score, found.low, found.high) for each in tallies if (found := estimate(each))]
        allowing = [score_when_stopped(each, (0.5, score_of(given.elo1)), LIMITS) for each in tallies]
        told = []
        for estimates in (plain, allowing):
            above = np.mean([found is not None and found[0] > score for found in estimates])
            covers = np.mean([found is not None and _holds(found, score) for found in estimates])
            told.append(f"{100 * above:.0f} %, {100 * covers:.0f} %")
        blocks = np.mean([each.blocks for each in tallies])
        print(f"{true:6g}{blocks:13.0f}{told[0]:>25}{told[1]:>26}", flush=True)


def _holds(found: tuple[float, float | None, float | None], score: float) -> bool:
    _, low, high = found
    return low is not None and high is not None and low <= score <= high


if __name__ == "__main__":
    main()
