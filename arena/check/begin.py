"""How a bot begins: it builds, starts, says hello, and answers its first questions."""

from __future__ import annotations

from arena.check.cases import Case
from arena.check.problem import Kind, Problem
from arena.check.reading import BIGGEST, wrong_in_hello
from arena.check.room import Room
from arena.check.step import Registry
from arena.errors import ConfigError
from arena.game import preset
from arena.tournament.bots import build

registry = Registry()


@registry.step("builds", asks=False)
def builds(room: Room) -> str:
    if not room.bot.build:
        return "nothing to build"
    try:
        ran = build(room.bot, tell=room.say)
    except ConfigError as error:
        raise Problem(
            str(error),
            "The build command of bot.toml must work in the bot's folder, without a shell.",
            Kind.START,
        ) from None
    return "built" if ran else "built before, and nothing has changed since"


@registry.step("starts and says hello in time", asks=False)
def starts(room: Room) -> str:
    talk = room.launch()
    talk.hear_hello()
    room.keep(talk)
    return f"after {room.notes.starts[-1]:.2f} s of {room.limits.start:g} s"


@registry.step("its hello is well formed", asks=False)
def hello(room: Room) -> str:
    room.visit()
    talk = room.first
    assert talk is not None
    wrong = wrong_in_hello(talk.said, talk.hello, talk.token)
    if wrong:
        raise Problem(
            "in the hello " + "; ".join(wrong),
            "Compare it with the table of hello in the SPEC, and with vectors/hello.",
            received=talk.said,
        )
    offers = [f"games {talk.games}"]
    offers += [what for what in ("out_of_turn", "past") if talk.claims(what)]
    return ", ".join(offers)


@registry.step("answers its first question")
def first_question(room: Room) -> str:
    visit = room.visit()
    case = Case(preset("standard"), 2, 1)
    visit.put([case])
    visit.close(case)
    return f"after {(room.notes.first or [0.0])[-1]:.2f} s"


@registry.step("answers with the id of the ask")
def ids(room: Room) -> str:
    visit = room.greet()
    rules = preset("standard")
    for number, next_id in enumerate((1, 2, 3, 127, 128, 255, 256, 65535, 65536, BIGGEST)):
        visit.talk.next_id = next_id
        case = Case(rules, 2, number)
        visit.put([case])
        visit.close(case)
    if room.notes.wrong_ids:
        words, asked, received = room.notes.wrong_ids[0]
        raise Problem(
            words,
            "Copy the id of the ask into the answer, as an integer; do not count asks yourself.",
            asked=asked,
            received=received,
        )
    return "from 1 to 2147483647"
