"""The bluffer: evidence, bluffs, legality, strength."""

from __future__ import annotations

import random
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from math import comb
from typing import Any

import msgspec
import pytest

from arena.game import PRESETS, Dice, Game, parse_call, preset
from arena.referee.wire import Act
from perudo_bot import Question, parse_bid
from tests.protocol.acts import act_of, questions
from tests.protocol.talk import talk
from tests.sample_bots.load import SAMPLES, load

BLUFFER = load("python/bluffer")
HONEST = load("python/honest")
RANDOM = load("python/random")
Decide = Callable[[Question], str]


def to_question(act: Act) -> Question:
    return Question(msgspec.to_builtins(act))


def random_questions(name: str, most: int) -> Iterator[Question]:
    """Questions of random games under a preset, at tables of every size, out of turn too."""
    low, high = PRESETS[name].players
    for players in range(low, high + 1):
        for act in questions(name, players, seed=players, most=most):
            yield to_question(act)


def play(game: Game, seats: list[Decide], seed: int) -> Iterator[tuple[Question, str]]:
    """Every question of a game and the answer to it."""
    rng = random.Random(seed)
    while game.ask is not None:
        question = to_question(act_of(game, chance=rng.getrandbits(31)))
        call = seats[game.ask.seat](question)
        game.answer(parse_call(call))
        yield question, call


def asked(*calls: tuple[int, str], **fields: Any) -> Question:
    """Seat 0 of three is on turn in an ordinary round, five dice each, after these calls."""
    bids = [bid for _, call in calls if (bid := parse_bid(call))]
    quantity, face = bids[-1] if bids else (0, 0)
    usual = {
        "seat": 0,
        "dice": (5, 5, 5),
        "hand": (2, 3, 4, 5, 6),
        "wild": 1,
        "quantity": quantity,
        "face": face,
        "calls": calls,
        "max_quantity": 15,
        "min_quantity": tuple(quantity + (other <= face) for other in range(1, 7)),
        "words": ("dudo",) if bids else (),
        "random": 0,
    }
    return Question(usual | fields)


# -- evidence --------------------------------------------------------------------------------------


def chance(question: Question, quantity: int, face: int) -> float:
    """P(at least `quantity` dice count for `face`), as the bluffer sees it."""
    true: float = BLUFFER.Table(question).likely(quantity, face)[1]
    return true


@pytest.mark.parametrize("sides", [3, 6])
@pytest.mark.parametrize("dice", [0, 1, 5, 25])
def test_without_evidence_the_odds_are_binomial(dice: int, sides: int) -> None:
    exactly, at_least = BLUFFER.odds(0, 0, dice, sides)
    wanted = [comb(dice, k) * (sides - 1) ** (dice - k) / sides**dice for k in range(dice + 1)]
    assert exactly == pytest.approx(wanted, rel=1e-9, abs=0)
    assert at_least == pytest.approx([sum(wanted[k:]) for k in range(dice + 1)], rel=1e-9, abs=0)


@pytest.mark.parametrize("seats", [(5, 0, 0), (0, 5, 0), (3, 4, 5), (25, 5, 0)])
def test_odds_are_a_distribution_with_the_mean_of_their_dice(seats: tuple[int, int, int]) -> None:
    for sides in (3, 6):
        exactly, at_least = BLUFFER.odds(*seats, sides)
        odds = [factor / (sides - 1) for factor in (BLUFFER.NAMED, BLUFFER.SILENT, 1)]
        mean = sum(dice * odd / (1 + odd) for dice, odd in zip(seats, odds, strict=True))
        assert sum(exactly) == pytest.approx(1)
        assert sum(k * p for k, p in enumerate(exactly)) == pytest.approx(mean)
        assert at_least == sorted(at_least, reverse=True)


def test_a_bid_makes_its_face_likelier_and_the_others_less_likely() -> None:
    nothing, one, two = asked(), asked((1, "2x5")), asked((1, "2x5"), (2, "3x5"))
    for quantity in range(2, 12):
        assert chance(nothing, quantity, 5) < chance(one, quantity, 5) < chance(two, quantity, 5)
        for face in (2, 3, 4, 6):
            assert chance(nothing, quantity, face) > chance(one, quantity, face)
            assert chance(one, quantity, face) > chance(two, quantity, face)


def test_who_named_two_faces_is_believed_in_both() -> None:
    question = asked((1, "2x4"), (2, "2x5"), (0, "2x6"), (1, "3x5"), (2, "4x5"))
    assert chance(question, 6, 4) > chance(asked((1, "2x5"), (2, "3x5")), 6, 4)
    assert BLUFFER.Table(question).heard == {1: {4, 5}, 2: {5}}


def test_own_bids_and_words_are_no_evidence() -> None:
    plain = asked((1, "2x5"), (2, "3x5"))
    more = asked((0, "1x6"), (1, "2x5"), (0, "pass"), (2, "3x5"), (1, "pass"))
    assert BLUFFER.Table(plain).heard == BLUFFER.Table(more).heard
    assert chance(plain, 5, 6) == chance(more, 5, 6)


def test_evidence_decides_whether_it_doubts() -> None:
    """Six fives of which it holds one: two seats named fives, or one did and the other had sixes."""
    hand = (2, 2, 3, 4, 5)
    assert BLUFFER.decide(asked((2, "4x5"), (1, "5x5"), (2, "6x5"), hand=hand, random=999)) != "dudo"
    assert BLUFFER.decide(asked((1, "2x6"), (2, "9x5"), hand=hand, random=999)) == "dudo"


# -- bluffs ----------------------------------------------------------------------------------------


def test_it_bluffs_at_the_stated_rate() -> None:
    """Of its bids in games against itself, out of those where it finds a plausible bluff."""
    seen: Counter[bool] = Counter()
    for number in range(120):
        game = Game(preset("standard"), 3, Dice(number.to_bytes(32)))
        for question, call in play(game, [BLUFFER.decide] * 3, seed=number):
            table = BLUFFER.Table(question)
            _, quantity, face = table.best()
            bluffs = table.bluffs(face)
            if parse_bid(call) and bluffs:
                seen[call in bluffs] += 1
                assert call in bluffs or call == f"{quantity}x{face}"
    assert seen.total() > 1500
    assert seen[True] / seen.total() == pytest.approx(BLUFFER.BLUFF_RATE, abs=0.04)


def test_bluffs_name_what_it_lacks_and_are_plausible() -> None:
    found = 0
    for question in random_questions("standard", most=500):
        table = BLUFFER.Table(question)
        for bluff in table.bluffs(0):
            bid = parse_bid(bluff)
            assert bid is not None
            expected = len(question.hand) / (6 if question.wild in (0, bid[1]) else 3)
            assert question.count(bid[1]) <= expected
            assert table.likely(*bid, outside=True)[1] >= BLUFFER.PLAUSIBLE
            found += 1
    assert found > 300


def test_nothing_but_the_question_decides() -> None:
    """The same calls from a module that has seen nothing, in another order."""
    asks = list(random_questions("santaba", most=200))
    fresh = load("python/bluffer")
    later = [fresh.decide(question) for question in reversed(asks)]
    assert [BLUFFER.decide(question) for question in asks] == later[::-1]


# -- every ruleset ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_calls_are_legal(name: str) -> None:
    for question in random_questions(name, most=1000):
        assert BLUFFER.decide(question) in question.legal_calls()


@pytest.mark.parametrize("name", PRESETS)
def test_calls_are_legal_in_its_own_games(name: str) -> None:
    """`Game.answer` refuses illegal calls; here come the long rounds and small hands."""
    low, high = PRESETS[name].players
    for players in range(low, high + 1):
        for number in range(4):
            game = Game(PRESETS[name], players, Dice(number.to_bytes(32)), opener=number % players)
            assert len(list(play(game, [BLUFFER.decide] * players, seed=number))) > 1
            assert min(game.places) == 1


@pytest.mark.parametrize("name", PRESETS)
def test_it_never_doubts_what_it_holds(name: str) -> None:
    held = 0
    for question in random_questions(name, most=1000):
        if 0 < question.quantity <= question.count(question.face):
            held += 1
            assert BLUFFER.decide(question) != "dudo"
    assert held > 10


def test_at_the_cap_it_doubts() -> None:
    top = asked((2, "15x6"), hand=(6,) * 5, min_quantity=(16,) * 6)
    assert BLUFFER.decide(top) == "dudo"


def test_it_says_palifico_and_tabba_when_offered() -> None:
    assert BLUFFER.decide(asked(words=("palifico",))) == "palifico"
    none = (16,) * 6
    tabba = asked((1, "2x5"), words=("calza", "tabba", "pass"), min_quantity=none)
    assert BLUFFER.decide(tabba) == "tabba"


@pytest.mark.parametrize(("quantity", "call"), [(2, "calza"), (1, "pass"), (3, "pass")])
def test_out_of_turn_it_says_calza_if_likelier_than_not(quantity: int, call: str) -> None:
    """Two own fives in a palifico round and two dice unseen, one of a seat that named fives."""
    question = asked(
        (1, f"{quantity}x5"),
        dice=(2, 1, 1),
        hand=(5, 5),
        wild=0,
        max_quantity=4,
        min_quantity=(5,) * 6,
        words=("calza", "pass"),
    )
    assert BLUFFER.decide(question) == call


# -- strength --------------------------------------------------------------------------------------


def score(others: list[Decide], blocks: int) -> float:
    """The bluffer's share of the others that it outlasts, all rotations of `blocks` deals."""
    beaten = games = 0
    for block in range(blocks):
        for at in range(len(others) + 1):
            seats = [*others[:at], BLUFFER.decide, *others[at:]]
            game = Game(preset("standard"), len(seats), Dice(block.to_bytes(32)))
            for _ in play(game, seats, seed=block):
                pass
            beaten += sum(place > game.places[at] for place in game.places)
            games += 1
    return beaten / games / len(others)


def test_it_beats_honest() -> None:
    """Measured over thousands of games: 0.77, and 0.7 at a table of three."""
    assert score([HONEST.decide], blocks=150) > 0.65
    assert score([HONEST.decide] * 2, blocks=60) > 0.55


def test_it_beats_random() -> None:
    assert score([RANDOM.call], blocks=20) > 0.9


def test_bluffs_pay_against_who_reads_bids() -> None:
    """Against itself without bluffs; measured over thousands of games: 0.6."""
    sincere = load("python/bluffer")
    sincere.BLUFF_RATE = 0  # type: ignore[attr-defined]
    assert score([sincere.decide], blocks=250) > 0.53


# -- as a program ----------------------------------------------------------------------------------


def test_the_bot_runs_as_its_file_says() -> None:
    folder = SAMPLES / "python" / "bluffer"
    manifest = tomllib.loads((folder / "bot.toml").read_text())
    with talk([sys.executable, *manifest["command"][1:]], folder) as it:
        hello = it.greet()
        assert (hello.name, hello.games, hello.out_of_turn) == (manifest["name"], 64, True)
        acts = list(questions("santaba", 4, seed=1, most=60))
        assert it.ask(acts) == [BLUFFER.decide(to_question(act)) for act in acts]
        assert it.bye() == (0, "")
