"""How often does the sequential test decide wrongly, and after how many blocks?

    python benchmarks/sprt_errors.py [--tests 4000] [--elo1 50] [--model logistic] [--seed 1]

Simulates whole tests block by block. Block scores are drawn from laws in which the games of a block
depend on each other, as those of one deal do: tilted exponentially so that their score is exactly that
of H0 or of H1. A test that takes `--alpha` 0.05 should accept H1 in at most 5 % of the cases where H0
holds, and the other way round.
"""

from __future__ import annotations

import argparse
from math import log, sqrt

import numpy as np
from scipy.optimize import brentq

from arena.rating.results import Floats
from arena.rating.score import NELO, score_of
from arena.rating.sprt import bounds, log_likelihood_ratio

LAWS: dict[str, tuple[int, list[float]]] = {
    "2 players, games independent": (2, [1, 0, 2, 0, 1]),
    "2 players, mostly split": (2, [1, 0, 8, 0, 1]),
    "2 players, nearly always split": (2, [1, 0, 60, 0, 1]),
    "2 players, mostly swept": (2, [4, 0, 2, 0, 4]),
    "3 players, games alike": (3, [3, 0, 1, 0, 1, 0, 3]),
    "4 players, with ties": (4, [2, 1, 3, 2, 4, 2, 3, 1, 2]),
}
"""Games in a block, and how likely its scores 0 to 1 are, before they are tilted."""


def tilted(weights: list[float], games: int, elo: float, model: str) -> Floats:
    """The law of this shape whose score is that of an Elo difference."""
    scores = np.linspace(0, 1, len(weights))

    def law(theta: float) -> Floats:
        share = np.asarray(weights) * np.exp(theta * scores)
        return np.asarray(share / share.sum())

    def off(theta: float) -> float:
        share = law(theta)
        mean = float(share @ scores)
        if model == "logistic":
            return mean - score_of(elo)
        sigma = sqrt(float(share @ (scores - mean) ** 2))
        return (mean - 0.5) / sigma - sqrt(games) * elo / NELO

    return law(brentq(off, -50, 50))


def simulate(
    law: Floats,
    games: int,
    elo: tuple[float, float],
    model: str,
    limits: tuple[float, float],
    tests: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """The share of tests that accept H1, and the mean number of blocks to a decision."""
    counts = np.zeros((tests, len(law)), np.int64)
    accepted = blocks = 0
    number = 0
    while len(counts):
        number += 1
        drawn = rng.choice(len(law), size=len(counts), p=law)
        counts[np.arange(len(counts)), drawn] += 1
        ratio = log_likelihood_ratio(counts, games, *elo, model)
        over, under = ratio >= limits[1], ratio <= limits[0]
        accepted += int(over.sum())
        blocks += number * int((over | under).sum())
        counts = counts[~(over | under)]
    return accepted / tests, blocks / tests


def main() -> None:
    parser = argparse.ArgumentParser(description="Error probabilities of the sequential test.")
    parser.add_argument("--tests", type=int, default=4000, help="simulated tests (default 4000)")
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, default=50.0)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--beta", type=float, default=0.05)
    parser.add_argument("--model", choices=["logistic", "normalized"], default="logistic")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()

    rng = np.random.default_rng(given.seed)
    elo, limits = (given.elo0, given.elo1), bounds(given.alpha, given.beta)
    doubt = 1.96 * sqrt(given.alpha * (1 - given.alpha) / given.tests)
    print(f"{given.model}, H0 {elo[0]:g}, H1 {elo[1]:g}, LLR {limits[0]:.2f} to {limits[1]:.2f}")
    print(f"{given.tests} tests each: shares are certain to about {100 * doubt:.1f} percent points")
    print(f"{'':32}{'false H1':>10}{'false H0':>10}{'blocks, H0':>12}{'H1':>8}{'Wald':>8}")
    for name, (games, weights) in LAWS.items():
        found = []
        for true in elo:
            law = tilted(weights, games, true, given.model)
            found.append(simulate(law, games, elo, given.model, limits, given.tests, rng))
        (false1, blocks0), (true1, blocks1) = found
        wald = expected(weights, games, elo, given)
        print(
            f"{name:32}{100 * false1:9.1f}%{100 * (1 - true1):9.1f}%"
            f"{blocks0:12.0f}{blocks1:8.0f}{wald:8.0f}"
        )


def expected(
    weights: list[float], games: int, elo: tuple[float, float], given: argparse.Namespace
) -> float:
    """Wald's approximation to the mean number of blocks under H1."""
    low, high = (tilted(weights, games, each, given.model) for each in elo)
    scores = np.linspace(0, 1, len(weights))
    s0, s1 = float(low @ scores), float(high @ scores)
    drift: float = (s1 - s0) ** 2 / (2 * float(high @ (scores - s1) ** 2))
    gain: float = (1 - given.beta) * log((1 - given.beta) / given.alpha)
    return float((gain + given.beta * log(given.beta / (1 - given.alpha))) / drift)


if __name__ == "__main__":
    main()
