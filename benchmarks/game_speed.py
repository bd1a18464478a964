"""Decisions per second of `arena.game` alone, beside other programs' games, all in one process.

    python benchmarks/game_speed.py [--decisions N] [--repeats N]

Everybody calls at random among what is legal; nothing else is done. OpenSpiel's `liars_dice` (its
rules are the preset `openspiel`, two players) is driven from Python as its tutorial does it, and
PokerKit plays no-limit hold'em; each is left out where it is not installed (`pip install open-spiel
pokerkit`). With the compiled rules installed (see `hatch_build.py`) those are measured.

Figures are given with the time of new games and their dice, which are no decisions, and without.
They are of processor time, and all contenders run in turn, so that what else the machine does meets
them alike. Ratios are medians over the repeats and can be compared between machines; the figures
cannot.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from statistics import median
from typing import Any

import arena.game.game as rules
from arena.game import Dice, Game, preset

chance = random.Random(1).random


@dataclass
class Contender:
    """`deal` makes a new game, `play` plays it to its end and says how many decisions that took."""

    name: str
    deal: Callable[[], Any]
    play: Callable[[Any], int]
    against: str = ""
    share: float = 1.0
    """Of the decisions of a run, for who is slow."""

    def measure(self, wanted: int) -> tuple[float, float]:
        """Microseconds per decision over about so many of them: with the deals and without."""
        games = max(1, int(self.share * wanted / self.length))
        begun = time.process_time()
        decisions = sum(self.play(self.deal()) for _ in range(games))
        played = time.process_time()
        for _ in range(games):
            self.deal()
        dealt = time.process_time()
        whole, deals = played - begun, dealt - played
        return 1e6 * whole / decisions, 1e6 * (whole - deals) / decisions

    def __post_init__(self) -> None:
        self.length = sum(self.play(self.deal()) for _ in range(20)) / 20


def arena(name: str, dice: int, players: int, against: str = "") -> Contender:
    ruleset = preset(name).with_options({"dice": dice})

    def play(game: Game) -> int:
        done = 0
        while (ask := game.ask) is not None:
            calls = ask.calls
            game.answer(calls[int(chance() * len(calls))])
            done += 1
        return done

    return Contender(
        f"arena.game, {name}, {players} x {dice}",
        lambda: Game(ruleset, players, Dice(int(chance() * 2**60).to_bytes(8, "big"))),
        play,
        against,
    )


def open_spiel(dice: int, against: str) -> Contender:
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game("liars_dice", {"numdice": dice})

    def deal() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])
        return state

    def play(state: Any) -> int:
        done = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])
            done += 1
        return done

    return Contender(f"OpenSpiel liars_dice, 2 x {dice}", deal, play, against)


def poker_kit(against: str) -> Contender:
    kit: Any = import_module("pokerkit")
    automatic = tuple(kit.Automation)

    def deal() -> Any:
        """All dealing, posting and showing is automatic: only decisions are left."""
        return kit.NoLimitTexasHoldem.create_state(automatic, True, 0, (1, 2), 2, 200, 2)

    def play(state: Any) -> int:
        done = 0
        while state.status:
            calls: list[Callable[[], Any]] = []
            if state.can_fold():
                calls.append(state.fold)
            if state.can_check_or_call():
                calls.append(state.check_or_call)
            if state.can_complete_bet_or_raise_to():
                calls.append(state.complete_bet_or_raise_to)
            calls[int(chance() * len(calls))]()
            done += 1
        return done

    return Contender("PokerKit no-limit hold'em, 2 players", deal, play, against, share=0.05)


def contenders() -> list[Contender]:
    one, five = arena("openspiel", 1, 2), arena("openspiel", 5, 2)
    whole = arena("standard", 5, 2)
    found = [one, five, whole, arena("santaba", 5, 6, whole.name)]
    for make in (
        partial(open_spiel, 1, one.name),
        partial(open_spiel, 5, five.name),
        partial(poker_kit, whole.name),
    ):
        try:
            found.append(make())
        except ImportError as missing:
            print(f"left out: {missing}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Decisions per second of the rules alone.")
    parser.add_argument("--decisions", type=int, default=40_000, help="of one run (default 40000)")
    parser.add_argument("--repeats", type=int, default=7, help="runs of each kind (default 7)")
    given = parser.parse_args()

    everybody = contenders()
    found: dict[str, list[tuple[float, float]]] = {each.name: [] for each in everybody}
    for _ in range(given.repeats):
        for each in everybody:
            found[each.name].append(each.measure(given.decisions))

    form = "compiled" if str(rules.__file__).endswith(".so") else "plain Python"
    print(f"about {given.decisions} decisions a run, {given.repeats} runs; arena.game is {form}")
    for column, title in enumerate(("with the deals", "decisions alone")):
        print(f"\n{title:40}{'us/decision':>12}{'decisions/s':>13}{'x ours':>8}   lowest-highest")
        for each in everybody:
            times = [run[column] for run in found[each.name]]
            usual = median(times)
            line = f"{each.name:40}{usual:12.2f}{1e6 / usual:13,.0f}"
            if each.against:
                ours = [run[column] for run in found[each.against]]
                ratios = [one / other for one, other in zip(times, ours, strict=True)]
                line += f"{median(ratios):8.2f}   {min(ratios):.2f}-{max(ratios):.2f}"
            print(line)


if __name__ == "__main__":
    main()
