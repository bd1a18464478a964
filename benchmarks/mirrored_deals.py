"""What mirrored deals gain, and whether the luck of the dice could be taken out of the results.

    python benchmarks/mirrored_deals.py [--blocks 400] [--seed 1]

Sample bots play whole games in this process through `arena.game`, at the standard rules: once with one
deal for all rotations of a block, once with new dice for every game. For the first two bots of each
table it compares the variance of their block scores:

measured  variance with mirrored deals / variance with independent ones, from both kinds of games
derived   the same from the mirrored games alone, as `arena plan --from` does it
luck      share of the variance of block scores that the luck of the dice explains (adjusted R^2), for
          the first round and for all rounds: of each hand the ones and the best group (a face and the
          ones), less their exact means for so many dice, first bot less second.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations_with_replacement
from math import exp, factorial, prod, sqrt
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from arena.game import preset
from arena.game.seeds import commitment, deal_seed, game_key, secret_of_seed
from arena.rating.planning import mirrored_gain
from arena.rating.results import Floats
from arena.referee.table import Table
from arena.referee.task import GameSpec
from perudo_bot import Question

ROOT = Path(__file__).parents[1]
RULES = preset("standard")
Decide = Callable[[Any], str]


def load(bot: str, **changes: float) -> Decide:
    """The decisions of a sample bot, with other values of its constants."""
    spec = spec_from_file_location(f"{bot}{changes}", ROOT / "sample_bots" / "python" / bot / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, value in changes.items():
        assert hasattr(module, name)
        setattr(module, name, value)
    decide: Decide = module.decide
    return decide


HONEST, BLUFFER = load("honest"), load("bluffer")
KIN = load("bluffer", DOUBT=0.3, BLUFF_RATE=0.15)
"""A bluffer with other settings: what an author compares with its predecessor."""

TABLES: dict[str, tuple[Decide, ...]] = {
    "2: bluffer, its kin": (BLUFFER, KIN),
    "2: bluffer, honest": (BLUFFER, HONEST),
    "3: bluffer, its kin; honest": (BLUFFER, KIN, HONEST),
    "3: bluffer, honest; bluffer": (BLUFFER, HONEST, BLUFFER),
    "4: bluffer, its kin; honest x 2": (BLUFFER, KIN, HONEST, HONEST),
    "4: bluffer, honest; both again": (BLUFFER, HONEST, BLUFFER, HONEST),
}


def play(
    bots: tuple[Decide, ...], seats: tuple[int, ...], secret: bytes, number: int, deal: int
) -> Table:
    """One game to its end."""
    seed = deal_seed(secret, deal)
    spec = GameSpec(
        number=number,
        block=number // len(seats),
        rotation=number % len(seats),
        deal=deal,
        seats=seats,
        deal_seed=seed,
        key=game_key(secret, number),
        commitment=commitment(secret, number, seed),
    )
    table = Table(spec, RULES, ())
    while table.game.ask is not None:
        act = table.question(0, None)
        table.answer(bots[table.asked](Question(msgspec.to_builtins(act))), 0, 1)
    return table


def worth(hand: Sequence[int]) -> tuple[int, int]:
    """The ones of a hand, and its best group."""
    ones = hand.count(1)
    return ones, ones + max(hand.count(face) for face in range(2, 7))


@cache
def usual(dice: int) -> Floats:
    """The mean of `worth` over all hands of so many dice."""
    total = np.zeros(2)
    for hand in combinations_with_replacement(range(1, 7), dice):
        ways = factorial(dice) // prod(factorial(hand.count(face)) for face in range(1, 7))
        total += ways * np.array(worth(hand))
    return np.asarray(total / 6**dice)


def luck(hand: Sequence[int]) -> Floats:
    return np.asarray(np.array(worth(hand)) - usual(len(hand)) if hand else np.zeros(2))


def block_of(bots: tuple[Decide, ...], secret: bytes, block: int, mirrored: bool) -> Floats:
    """(rotations, 5): the first bot's score against the second, its luck in round 1, in all rounds."""
    n = len(bots)
    found = []
    for rotation in range(n):
        seats = tuple((rotation + seat) % n for seat in range(n))
        number = block * n + rotation
        table = play(bots, seats, secret, number, block if mirrored else number)
        one, two = seats.index(0), seats.index(1)
        places = table.game.places
        score = (1 + int(np.sign(places[two] - places[one]))) / 2
        rounds = np.array([luck(each.hands[one]) - luck(each.hands[two]) for each in table.game.rounds])
        found.append([score, *rounds[0], *rounds.sum(axis=0)])
    return np.array(found)


def variance_ratio(one: Floats, two: Floats) -> tuple[float, float, float]:
    """var(one) / var(two) of independent samples, and its 95 % interval on the log scale."""
    ratio = float(one.var(ddof=1) / two.var(ddof=1))
    spread = 0.0
    for each in (one, two):
        away = (each - each.mean()) ** 2
        spread += float(away.var() / away.mean() ** 2 / len(each))
    half = 1.96 * sqrt(spread)
    return ratio, ratio * exp(-half), ratio * exp(half)


def explained(score: Floats, by: Floats) -> str:
    """R^2 of the regression on the columns of `by`, adjusted for what chance alone would explain."""
    if by.std() < 1e-9:
        return "0, always"
    n, columns = by.shape
    design = np.column_stack([np.ones(n), by])
    rest = score - design @ np.linalg.lstsq(design, score, rcond=None)[0]
    r2 = 1 - float(rest @ rest) / (n * float(score.var()))
    return f"{100 * (1 - (1 - r2) * (n - 1) / (n - columns - 1)):.1f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description="What mirrored deals gain.")
    parser.add_argument("--blocks", type=int, default=400, help="of each kind (default 400)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()

    noise = 100 * (1 - 0.05 ** (2 / (given.blocks - 3)))
    print(
        f"{given.blocks} blocks of each kind; ratios with 95 % intervals; R^2 by chance: {noise:.1f} %"
    )
    print("\n| table | measured | derived | sd | luck, round 1 | luck, all rounds | with new dice |")
    print("|---|---|---|---|---|---|---|")
    for name, bots in TABLES.items():
        played = []
        for mirrored in (True, False):
            secret = secret_of_seed(2 * given.seed + mirrored)
            blocks = [block_of(bots, secret, block, mirrored) for block in range(given.blocks)]
            played.append(np.array(blocks))
        mirror, fresh = (each.mean(axis=1) for each in played)
        cells = [name]
        ratios = variance_ratio(mirror[:, 0], fresh[:, 0]), mirrored_gain(played[0][:, :, 0])
        cells += [f"{ratio:.2f} ({low:.2f} to {high:.2f})" for ratio, low, high in ratios]
        cells.append(f"{mirror[:, 0].std(ddof=1):.3f}")
        cells += [explained(mirror[:, 0], mirror[:, 1:3]), explained(mirror[:, 0], mirror[:, 3:])]
        cells.append(explained(fresh[:, 0], fresh[:, 3:]))
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
