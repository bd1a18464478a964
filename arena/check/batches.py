"""Several games at once, for bots that offer it; many games one after another, for all."""

from __future__ import annotations

from collections.abc import Iterator

from arena.check.cases import Case, scenes
from arena.check.problem import Problem, Remark
from arena.check.room import Room
from arena.check.step import Registry
from arena.game import PRESETS, Game, preset
from arena.referee.wire import Act

registry = Registry()

MANY = 50
"""Whole games that are played one after the other."""
ALL = tuple(PRESETS.values())


def whole_games(room: Room, first: int, count: int) -> Iterator[Case]:
    """Games of all rulesets and numbers of players, the bot in any seat."""
    for number in range(first, first + count):
        rules = ALL[number % len(ALL)]
        low, high = rules.players
        players = low + number // len(ALL) % (high - low + 1)
        yield Case(rules, players, number, seat=number % players, out_of_turn=room.out_of_turn())


def opening(game: Game) -> bool:
    return game.standing is None and game.ask is not None and not game.ask.words


def top(game: Game) -> bool:
    """Whether only words may be said, on turn."""
    ask = game.ask
    return ask is not None and min(ask.minimums) > ask.maximum and game.on_turn == ask.seat


@registry.step("answers the questions of two games in one ask, in their order")
def two_games(room: Room) -> str:
    room.need("games")
    visit = room.visit()
    bids = scenes(ALL, opening, 10)
    words = scenes(ALL, top, 10)  # no call fits both: a wrong order shows
    for number, (one, other) in enumerate(zip(bids, words, strict=True)):
        pair = [one, other] if number % 2 else [other, one]
        visit.put(pair)
        for case in pair:
            visit.close(case)
    return ""


@registry.step("plays as many games at once as it offers")
def all_games(room: Room) -> str:
    room.need("games")
    visit = room.visit()
    most = visit.talk.games
    largest = visit.play(whole_games(room, 1000, 2 * most), most)
    return f"up to {largest} questions in one ask, of {most} games"


@registry.step(f"plays {MANY} whole games without an illegal call")
def many_games(room: Room) -> str:
    visit = room.visit()
    notes, process = room.notes, visit.talk.process
    cpu, answers = process.cpu_seconds(), len(notes.times)
    visit.play(whole_games(room, 2000, MANY))
    notes.cpu += process.cpu_seconds() - cpu
    notes.calls += len(notes.times) - answers
    return f"{len(notes.times) - answers} answers"


@registry.step("gives the same call to the same question in a fresh launch")
def same_calls(room: Room) -> str:
    def answers() -> list[tuple[bytes, Act, str]]:
        visit, found = room.greet(), []
        for case in scenes(ALL, lambda game: game.round.number > 1, 30, out_of_turn=room.out_of_turn()):
            acts, starts = visit.compose([case])
            ends, visit.ends = visit.ends, []
            [call] = visit.talk.ask(acts, starts, ends)
            found.append((visit.talk.asked, acts[0], call))
            case.heard()
            visit.close(case)
        return found

    first, second = answers(), answers()
    for (asked, _, one), (_, _, other) in zip(first, second, strict=True):
        if one != other:
            raise Remark(
                f"one launch called {one[:40]!r}, the next {other[:40]!r}",
                "Take all chance from the act's random, as the seed of a generator if need be: then "
                "games can be replayed exactly. (A search that stops by the clock does this too.)",
                asked=asked,
                act=0,
            )
    return f"{len(first)} questions"


@registry.step("two copies of it run side by side")
def two_copies(room: Room) -> str:
    one, other = room.visit(), room.greet()
    try:
        for number in range(5):
            for visit in (other, one):
                case = Case(preset("standard"), 2, number)
                visit.put([case])
                visit.close(case)
    except Problem as problem:
        problem.advice += (
            " This happened while two launches ran at once: do they share a file or a port?"
        )
        raise
    return "and a second launch works as the first"
