"""Questions that are unusual in form: very large or small, with more in them, or with none at all."""

from __future__ import annotations

import random
from typing import Any

from arena.check.cases import Case, after_calls, after_rounds, always, creep, hasten, scenes
from arena.check.room import Room
from arena.check.step import Registry
from arena.game import Game, preset
from arena.game.ruleset import MAX_DICE
from arena.referee.task import Limits
from arena.referee.wire import MAX_FRAME, Ask, encode

registry = Registry()

LARGEST = MAX_FRAME - 100
"""Bytes of the largest message that is tried, or a few less."""
FILLER = "this text is as long as it is so that the message is large; "


@registry.step("plays at a table of six")
def six_players(room: Room) -> str:
    def few_left(game: Game) -> bool:
        return game.dice.count(0) >= 3

    rules = [preset("standard"), preset("santaba"), preset("neller")]
    visit = room.visit()
    for fits in (always, few_left):
        visit.scenes(scenes(rules, fits, 6, players=[6], out_of_turn=room.out_of_turn()))
    return "also when seats are out"


@registry.step("plays with one die each")
def one_die(room: Room) -> str:
    rules = [preset(name).with_options({"dice": 1}) for name in ("standard", "mso", "bga", "rdr")]
    room.visit().scenes(scenes([*rules, preset("openspiel")], always, 12, share=0.0))
    return ""


@registry.step("reads hundreds of calls in a round")
def long_round(room: Room) -> str:
    visit = room.visit()
    rules = preset("standard").with_options({"dice": MAX_DICE})
    for players, calls in ((2, 150), (6, 500), (6, 1000)):
        case = Case(rules, players, calls, player=creep)
        assert case.until(after_calls(calls))
        visit.put([case])
        case.desert()
        visit.close(case)
    return f"up to {calls}"


@registry.step("reads the rounds that are over")
def past(room: Room) -> str:
    room.need("past")
    visit = room.visit()
    for number in range(6):
        case = Case(preset("santaba"), 5, 100 + number, out_of_turn=room.out_of_turn())
        case.until(after_rounds(3))
        case.forfeit()  # a void round, perhaps without a bid
        if case.until(after_rounds(6)):
            visit.scenes([case])
    case = Case(preset("standard").with_options({"dice": 12}), 6, 1, player=hasten)
    rounds = 65
    assert case.until(after_rounds(rounds + 1))
    visit.put([case])
    case.desert()
    visit.close(case)
    return f"up to {rounds} at once"


@registry.step(f"reads the largest messages, of {LARGEST} bytes")
def largest(room: Room) -> str:
    visit = room.visit()
    old = Case(preset("standard"), 2, 7)
    visit.put([old])
    old.finish()
    rules = preset("standard").with_options({"dice": MAX_DICE, "calza": "others"})
    case = Case(rules, 6, 9, player=creep, out_of_turn=True)  # all those passes make it long
    assert case.until(after_calls(4000))
    acts, starts = visit.compose([case])
    end = old.end(visit.past, "illegal", "")
    size = len(encode(Ask(visit.talk.next_id, 0, acts, starts, [*visit.ends, end])))
    end.detail = (FILLER * 2000)[: LARGEST - size - 6]
    visit.ends.append(end)
    visit.put([case])
    case.desert()
    visit.close(case)
    return ""


@registry.step("takes keys that it does not know, in any order")
def unknown_keys(room: Room) -> str:
    rng = random.Random(1)
    more: dict[str, Any] = {
        "later": 1,
        "x_text": "of a later arena",
        "x_list": [1, "2"],
        "x_map": {"a": 1},
    }

    def change(value: Any) -> Any:
        if isinstance(value, dict):
            items = [*((key, change(each)) for key, each in value.items()), *more.items()]
            rng.shuffle(items)
            return dict(items)
        return [change(each) for each in value] if isinstance(value, list | tuple) else value

    visit = room.greet(change=change)
    visit.scenes(scenes([preset("santaba"), preset("standard")], always, 8))
    visit.play([Case(preset("standard"), 3, 5)])
    return ""


@registry.step("answers an ask without acts")
def no_acts(room: Room) -> str:
    visit = room.visit()
    for number, fault in enumerate(("", "illegal")):
        case = Case(preset("standard"), 3, number)
        visit.put([case])
        case.finish()
        visit.ends.append(case.end(visit.past, fault, fault and "there are fewer dice"))
        visit.tell_ends()
    return "which tells that a game is over"


@registry.step("hears of ends and starts together, and joins games under way")
def ends_and_starts(room: Room) -> str:
    visit = room.visit()
    for number in range(4):
        case = Case(preset("standard"), 4, 40 + number)
        if case.until(after_rounds(3 * number + 1)):
            visit.scenes([case])
    at_once = min(3, visit.talk.games)
    for first in (60, 70, 80):
        together = [Case(preset("bga"), 2, first + number) for number in range(at_once)]
        visit.put(together)
        for case in together:
            visit.close(case)
    return ""


@registry.step("plays with a time bank")
def bank(room: Room) -> str:
    limits = Limits(0.0, room.limits.start, room.limits.grace, bank=60.0, increment=1.0)
    visit = room.greet(limits)
    visit.play(Case(preset("standard"), 3, 80 + number, bank=60.0) for number in range(2))
    return "where move_ms is 0"
