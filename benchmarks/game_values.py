"""What the opener wins in two-player games with few dice, under every preset: the table of the docs.

    python -m benchmarks.game_values [PRESET ...] [--error X]

Run it from the root of the repository, of which it needs the tests' solver. All presets take about a
quarter of an hour and 0.5 GB. How it is done and what is assumed stands in `docs/7-game-values.md`.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from fractions import Fraction
from typing import Any

from arena.game import PRESETS, Position, Ruleset, preset
from tests.game.solver import Solver, Value

STARTS = {
    "1 v 1": Position((1, 1)),
    "1 v 1, just dropped": Position((1, 1), palifico="yes", former=frozenset({0})),
    "2 v 1": Position((2, 1)),
    "1 v 2": Position((1, 2)),
}


def duel(rules: Ruleset) -> Ruleset:
    """The rules as far as they matter to two players, so that equal games are solved once."""
    with_palifico = rules.palifico != "off" and rules.palifico_min_players == 2
    same: dict[str, Any] = {
        "name": "duel",
        "players": (2, 2),
        "dice": 5,
        "opener": "agreed",
        "calza": "turn" if rules.calza == "turn" else "off",
        "calza_at_cap": True,
        "palifico": rules.palifico if with_palifico else "off",
        "palifico_min_players": 2,
    }
    if same["palifico"] == "off":
        same |= {"palifico_change": "nobody", "tabba": "reject", "palifico_once": False}
    if same["calza"] == "off":
        same |= {"calza_reward": "regain", "calza_in_palifico": True}
    return replace(rules, **same)


def start_of(rules: Ruleset, start: Position) -> Position | None:
    """None for a round after a drop where such a round is like any other."""
    if start.palifico == "no":
        return start
    if rules.palifico == "off":
        return None
    return Position(start.dice, palifico="may") if rules.palifico == "call" else start


def told(value: Value | None) -> str:
    """With as many digits as are certain; as a fraction where it is exact and a short one fits."""
    if value is None:
        return "="
    if value.error < 1e-9:
        fraction = Fraction(value.middle).limit_denominator(1000)
        exact = f" = {fraction}" if abs(fraction - value.middle) < 1e-9 else ""
        return f"{value.middle:.6f}{exact}".replace("-", "\u2212")
    return f"{value.middle:.4f} ± {value.error:.4f}".replace("-", "\u2212")


def main() -> None:
    parser = argparse.ArgumentParser(description="Values of two-player games, per preset.")
    parser.add_argument("preset", nargs="*", default=list(PRESETS), help="presets (default: all)")
    parser.add_argument(
        "--error", type=float, default=5e-4, help="most that a value may be off (default 0.0005)"
    )
    given = parser.parse_args()

    solved: dict[tuple[Ruleset, Position], Value] = {}
    solvers: dict[Ruleset, Solver] = {}
    print(f"| preset | {' | '.join(STARTS)} |\n|---{'|---' * len(STARTS)}|", flush=True)
    for name in given.preset:
        rules = duel(preset(name))
        solver = solvers.setdefault(rules, Solver(rules, error=given.error))
        cells = []
        for start in STARTS.values():
            position = start_of(rules, start)
            if position is not None and (rules, position) not in solved:
                solved[rules, position] = solver.value(position)
            cells.append(told(None if position is None else solved[rules, position]))
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
