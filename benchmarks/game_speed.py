"""Decisions per second of `arena.game` alone, beside other programs' games, all in one process.

    python benchmarks/game_speed.py [--decisions N] [--repeats N]

Everybody calls at random among what is legal; nothing else is done. OpenSpiel's `liars_dice` (its
rules are the preset `openspiel`, two players) is driven from Python as its tutorial does it, and
PokerKit plays no-limit hold'em; each is left out where it is not installed (`pip install open-spiel
pokerkit`). "Dealt before" starts the clock after the dice are rolled and times the decisions alone;
"all" counts new games and dice too, which are no decisions. All contenders run in turn, so that what
else the machine does meets them alike. Ratios are medians over the repeats and can be compared
between machines; the figures cannot.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from arena.game import Ask, Bid, Call, Dice, Game, Ruleset, preset

Measured = tuple[int, float]
"""Decisions, and the seconds they took."""

Contender = Callable[[int, bool], Measured]
"""Plays at least so many decisions; whether the deals are made before the clock starts."""

chance = random.Random(1).random


def any_call(ask: Ask) -> Call:
    """A legal call, each as likely as the others. Tabba bids are left out, as OpenSpiel has none."""
    beyond = ask.maximum + 1
    bids = 6 * beyond - sum(ask.minimums)
    number = int(chance() * (bids + len(ask.words)))
    if number >= bids:
        return ask.words[number - bids]
    for face, least in enumerate(ask.minimums, 1):
        here = beyond - least
        if number < here:
            return Bid(least + number, face)
        number -= here
    raise AssertionError("no legal call")


def arena(rules: Ruleset, players: int) -> Contender:
    batch = 200

    def play(wanted: int, dealt: bool) -> Measured:
        done, spent = 0, 0.0
        while done < wanted:
            seeds = [int(chance() * 2**60).to_bytes(8) for _ in range(batch)]
            begun = time.process_time()
            games = [Game(rules, players, Dice(seed)) for seed in seeds]
            if dealt:
                begun = time.process_time()
            for game in games:
                while (ask := game.ask) is not None:
                    game.answer(any_call(ask))
                    done += 1
            spent += time.process_time() - begun
        return done, spent

    return play


def open_spiel(dice: int) -> Contender:
    import pyspiel

    game = pyspiel.load_game("liars_dice", {"numdice": dice})
    batch = 200

    def roll() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])
        return state

    def play(wanted: int, dealt: bool) -> Measured:
        done, spent = 0, 0.0
        while done < wanted:
            begun = time.process_time()
            states = [roll() for _ in range(batch)]
            if dealt:
                begun = time.process_time()
            for state in states:
                while not state.is_terminal():
                    actions = state.legal_actions()
                    state.apply_action(actions[int(chance() * len(actions))])
                    done += 1
            spent += time.process_time() - begun
        return done, spent

    return play


def poker_kit() -> Contender:
    from pokerkit import Automation, NoLimitTexasHoldem

    def play(wanted: int, dealt: bool) -> Measured:
        done = 0
        begun = time.process_time()
        while done < wanted:
            state = NoLimitTexasHoldem.create_state(
                tuple(Automation), True, 0, (1, 2), 2, 200, 2
            )  # all dealing and showing is automatic, so only decisions are left
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
        return done, time.process_time() - begun

    return play


def installed(make: Callable[[], Contender]) -> list[Contender]:
    try:
        return [make()]
    except ImportError as missing:
        print(f"left out: {missing}")
        return []


def main() -> None:
    parser = argparse.ArgumentParser(description="Decisions per second of the rules alone.")
    parser.add_argument("--decisions", type=int, default=40_000, help="of one run (default 40000)")
    parser.add_argument("--repeats", type=int, default=7, help="runs of each kind (default 7)")
    given = parser.parse_args()

    contenders: dict[str, tuple[Contender, str, float]] = {}
    """Name -> itself, with whom it is compared, and its share of the decisions of a run."""
    for dice in (1, 5):
        ours = f"arena.game, openspiel, 2 x {dice}"
        contenders[ours] = (arena(preset("openspiel").with_options({"dice": dice}), 2), ours, 1)
        for other in installed(lambda dice=dice: open_spiel(dice)):  # type: ignore[misc]
            contenders[f"OpenSpiel liars_dice, 2 x {dice}"] = (other, ours, 1)
    whole = "arena.game, standard, 2 x 5, whole games"
    contenders[whole] = (arena(preset("standard"), 2), whole, 1)
    most = "arena.game, santaba, 6 x 5, whole games"
    contenders[most] = (arena(preset("santaba"), 6), whole, 1)
    for other in installed(poker_kit):
        contenders["PokerKit hold'em, 2 players"] = (other, whole, 0.02)

    found: dict[tuple[str, bool], list[float]] = {}
    for _ in range(given.repeats):
        for dealt in (True, False):
            for name, (play, _, share) in contenders.items():
                if not dealt or "2 x" in name and "whole" not in name:
                    decisions, seconds = play(int(given.decisions * share), dealt)
                    found.setdefault((name, dealt), []).append(1e6 * seconds / decisions)

    print(f"{given.decisions} decisions a run, {given.repeats} runs; microseconds per decision")
    print(f"{'':42}{'us':>8}{'decisions/s':>13}{'x ours':>8}  lowest-highest")
    for (name, dealt), times in sorted(found.items(), key=lambda item: not item[0][1]):
        against = found[contenders[name][1], dealt]
        ratios = [one / other for one, other in zip(times, against, strict=True)]
        shown = f"{name}, {'dealt before' if dealt else 'all'}"
        usual = median(times)
        spread = f"{min(ratios):.2f}-{max(ratios):.2f}" if against is not times else ""
        print(f"{shown:55}{usual:8.2f}{1e6 / usual:13,.0f}{median(ratios):8.2f}  {spread}")


if __name__ == "__main__":
    main()
