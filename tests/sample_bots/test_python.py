"""The Python sample bots: odds, policy, legality, strength."""

from __future__ import annotations

import random
import shlex
import sys
import tomllib
from collections.abc import Callable
from math import comb
from typing import Any

import msgspec
import pytest

from arena.game import PRESETS, Dice, Game, parse_call, preset
from arena.referee.wire import Act
from perudo_bot import Question
from tests.protocol.acts import act_of, questions
from tests.protocol.talk import talk
from tests.sample_bots.load import SAMPLES, load

HONEST = load("python/honest")
RANDOM = load("python/random")
Decide = Callable[[Question], str]


def to_question(act: Act) -> Question:
    return Question(msgspec.to_builtins(act))


def asked(**fields: Any) -> Question:
    """A question on turn in an ordinary round of two players, five dice each, with these changes."""
    usual = {
        "hand": (2, 3, 4, 5, 6),
        "wild": 1,
        "quantity": 0,
        "face": 0,
        "max_quantity": 10,
        "min_quantity": (1,) * 6,
        "words": (),
    }
    return Question(usual | fields)


# -- odds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [3, 6])
@pytest.mark.parametrize("dice", [0, 1, 5, 25, 179])
def test_odds_are_binomial(dice: int, sides: int) -> None:
    exactly, at_least = HONEST.odds(dice, sides)
    wanted = [comb(dice, k) * (sides - 1) ** (dice - k) / sides**dice for k in range(dice + 1)]
    assert exactly == pytest.approx(wanted, rel=1e-9, abs=0)
    assert at_least == pytest.approx([sum(wanted[k:]) for k in range(dice + 1)], rel=1e-9, abs=0)


def test_odds_count_wild_dice_in_ordinary_rounds_only() -> None:
    ordinary = asked(hand=(1, 1, 4), max_quantity=9, wild=1)
    palifico = asked(hand=(1, 1, 4), max_quantity=9, wild=0)
    assert HONEST.likely(ordinary, 3, 4)[1] == 1.0
    assert HONEST.likely(palifico, 3, 4)[1] == pytest.approx(0.263, abs=0.0005)
    assert HONEST.likely(ordinary, 2, 1)[1] == 1.0
    assert HONEST.likely(ordinary, 3, 1)[1] == pytest.approx(1 - (5 / 6) ** 6)
    assert HONEST.likely(ordinary, 10, 4) == (0.0, 0.0)


# -- policy ----------------------------------------------------------------------------------------


def test_it_never_doubts_what_it_holds() -> None:
    question = asked(
        hand=(1, 2, 3, 5, 5),
        quantity=3,
        face=5,
        min_quantity=(4, 4, 4, 4, 4, 3),
        words=("dudo",),
    )
    assert HONEST.decide(question) != "dudo"


def test_it_doubts_what_cannot_be() -> None:
    low = asked(
        hand=(2, 2, 3, 3, 4), quantity=6, face=5, min_quantity=(7, 7, 7, 7, 7, 6), words=("dudo",)
    )
    assert HONEST.decide(low) == "dudo"


def test_at_the_cap_it_doubts() -> None:
    top = asked(hand=(6, 6, 6, 6, 6), quantity=10, face=6, min_quantity=(11,) * 6, words=("dudo",))
    assert HONEST.decide(top) == "dudo"


def test_of_equally_likely_bids_it_makes_the_highest() -> None:
    """4x3, 2x4 and 2x6 all need one more die, 4x3 has the highest quantity; 2x6 beats 2x4."""
    assert HONEST.decide(asked(hand=(3, 3, 3, 4, 6))) == "4x3"
    assert HONEST.decide(asked(hand=(3, 3, 3, 4, 6), min_quantity=(1, 1, 5, 1, 1, 1))) == "2x6"


def test_it_says_palifico_and_tabba_when_offered() -> None:
    assert HONEST.decide(asked(words=("palifico",))) == "palifico"
    none = {"min_quantity": (11,) * 6, "quantity": 2, "face": 5}
    assert HONEST.decide(asked(words=("calza", "tabba", "pass"), **none)) == "tabba"
    assert HONEST.decide(asked(words=("dudo", "tabba"), **none)) == "tabba"


@pytest.mark.parametrize(("quantity", "call"), [(2, "calza"), (1, "pass"), (3, "pass")])
def test_out_of_turn_it_says_calza_if_likelier_than_not(quantity: int, call: str) -> None:
    """Two own fives and two dice unseen: exactly two fives has 4/9 with wilds, 25/36 without."""
    rest = {"hand": (5, 5), "face": 5, "max_quantity": 4, "min_quantity": (5,) * 6}
    assert HONEST.decide(asked(words=("calza", "pass"), quantity=quantity, wild=0, **rest)) == call
    assert HONEST.decide(asked(words=("calza", "pass"), quantity=quantity, wild=1, **rest)) == "pass"


def test_on_turn_calza_must_beat_every_other_call() -> None:
    rest = {"hand": (5, 5), "face": 5, "quantity": 2, "wild": 0, "words": ("dudo", "calza")}
    nothing_safe = asked(max_quantity=4, min_quantity=(3, 3, 3, 3, 3, 3), **rest)
    assert HONEST.decide(nothing_safe) == "calza"
    safe = asked(max_quantity=4, min_quantity=(3, 3, 3, 3, 2, 3), **rest)
    assert HONEST.decide(safe).endswith("x5")


# -- every bot, every ruleset ----------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("decide", [HONEST.decide, RANDOM.call], ids=["honest", "random"])
def test_calls_are_legal(name: str, decide: Decide) -> None:
    rules = PRESETS[name]
    for players in range(rules.players[0], rules.players[1] + 1):
        for act in questions(rules, players, seed=players, most=250):
            question = to_question(act)
            assert decide(question) in question.legal_calls()


def wins(rules: str, seats: list[Decide], mine: Decide, games: int) -> float:
    """Share of games that `mine`, among these, wins; seats rotated."""
    rng, won = random.Random(1), 0
    for number in range(games):
        at = number % len(seats)
        order = seats[at:] + seats[:at]
        game = Game(preset(rules), len(order), Dice(rng.randbytes(32)))
        while game.ask is not None:
            act = act_of(game, chance=rng.getrandbits(31))
            game.answer(parse_call(order[game.ask.seat](to_question(act))))
        won += game.places[order.index(mine)] == 1
    return won / games


def timid(question: Question) -> str:
    """The likeliest lowest bid; doubts what is more likely false than that is true."""
    if question.out_of_turn:
        return "pass"
    bids = [(q, face) for face in range(1, 7) if (q := question.minimum(face))]
    best = max(((HONEST.likely(question, *bid)[1], bid) for bid in bids), default=(-1.0, (0, 0)))
    if question.quantity:
        false = 1 - HONEST.likely(question, question.quantity, question.face)[1]
        if false > best[0]:
            return "dudo"
    return f"{best[1][0]}x{best[1][1]}"


@pytest.mark.parametrize("rules", ["standard", "santaba"])
def test_honest_is_strong(rules: str) -> None:
    """Measured over thousands of games: 100 % against random, 67-75 % against timid, and about
    twice its share at a table of timid bots. The bounds leave more than four standard errors.
    """
    assert wins(rules, [HONEST.decide, RANDOM.call], HONEST.decide, 60) > 0.9
    assert wins(rules, [HONEST.decide, timid], HONEST.decide, 300) > 0.53
    assert wins(rules, [HONEST.decide, timid, timid, timid], HONEST.decide, 200) > 0.27


# -- as programs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["python/random", "python/honest"])
def test_the_bot_runs_as_its_file_says(bot: str) -> None:
    manifest = tomllib.loads((SAMPLES / bot / "bot.toml").read_text())
    assert manifest["build"] == ""
    command = [sys.executable, *manifest["command"][1:]]
    with talk(command, SAMPLES / bot) as it:
        hello = it.greet()
        assert hello.name == manifest["name"]
        assert hello.games == 64
        acts = list(questions("santaba", 4, seed=1, most=20))
        module = load(bot)
        decide = module.decide if bot == "python/honest" else module.call
        assert it.ask(acts) == [decide(to_question(act)) for act in acts]
        assert it.bye() == (0, "")


def test_the_smallest_bot_is_small() -> None:
    assert len((SAMPLES / "python/random/bot.py").read_text().splitlines()) <= 12


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/*/bot.toml")), ids=lambda p: p.parent.name)
def test_manifests_are_complete(path: Any) -> None:
    manifest = tomllib.loads(path.read_text())
    assert set(manifest) >= {"name", "author", "language", "build", "command"}
    build, command = manifest["build"], manifest["command"]
    assert isinstance(build, list) or shlex.split(build) is not None
    assert command
