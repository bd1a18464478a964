"""Why a call is not legal: a sentence for every refusal, and none for a legal call."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game import Bid, Game, Hand, IllegalCall, Position, Word, parse_call, parse_option, preset
from arena.game.why import reach, why_not
from tests.game.test_laws import choose, games


def deal(number: int, dice: Sequence[int]) -> list[Hand]:
    return [(2,) * held for held in dice]


def why(setting: str, calls: str, call: str, seat: int | None = None, **more: Any) -> str:
    """The reason after some calls in a position; `setting` is a preset and options."""
    name, *options = setting.split()
    rules = preset(name).with_options(dict(parse_option(option) for option in options))
    start = Position(**{"dice": (5, 5, 5), **more})
    game = Game(rules, len(start.dice), deal, position=start)
    for said in calls.split():
        there = reach(game, game.on_turn)
        assert there is not None
        game = there
        game.answer(parse_call(said))
    return why_not(game, parse_call(call), game.on_turn if seat is None else seat)


TABLE = {"palifico": "yes", "dice": (1, 5, 4)}
HAD = {"dice": (1, 5), "former": frozenset({0})}
FORMER = {**TABLE, "former": frozenset({0})}
REASONS: list[tuple[str, str, str, int | None, dict[str, Any], str]] = [
    # bids
    ("santaba", "3x4", "2x6", None, {}, "2x6 is not a raise over 3x4: the quantity may not"),
    ("santaba", "3x4", "2x6", None, {}, "the quantity may not fall (reset-face)"),
    ("santaba", "3x4", "3x3", None, {}, "with a lower face the quantity must rise (reset-face)"),
    ("santaba", "3x4", "3x4", None, {}, "on the same face the quantity must rise (reset-face)"),
    ("palafico", "3x4", "4x3", None, {}, "over 3x4: the face may not fall (no-reset)"),
    ("palafico", "3x4", "2x5", None, {}, "the quantity may not fall (no-reset)"),
    ("standard bidding_rule=reset-quantity", "3x4", "9x3", None, {}, "may not fall (reset-quantity)"),
    ("pacos", "", "1x1", None, {}, "1x1 may not open: aces may not open an ordinary round (halve)"),
    ("pacos", "5x4", "2x1", None, {}, "aces need half the quantity, rounded up: 3x1 or more (halve)"),
    ("pacos", "5x4 3x1", "6x2", None, {}, "twice the quantity and one more: 7x2 (halve)"),
    ("neller", "3x6", "1x1", None, {}, "in Neller's order the next one on face 1 is 2x1 (double)"),
    ("neller", "15x1", "15x6", None, {}, "in Neller's order no bid on face 6 follows it (double)"),
    ("standard", "", "16x3", None, {}, "15 dice are in play, 16x3 is more: no bid may be"),
    ("standard", "", "0x3", None, {}, "0x3 is no bid: the quantity is 1 or more"),
    ("standard", "", "1x7", None, {}, "1x7 is no bid: the faces are 1 to 6"),
    ("standard", "", "1x6", 2, {}, "seat 2 is not on turn to bid; seat 0 is"),
    ("standard", "", "1x6", 1, {"dice": (5, 0, 5)}, "seat 1 has no dice left"),
    ("standard", "", "1x6", 7, {}, "seat 7 has no dice left"),
    # palifico rounds
    ("bga", "2x4", "4x6", None, TABLE, "(one-die)"),
    ("bga", "2x4", "4x6", None, TABLE, "face is locked in this palifico round: seat 1 has 5 dice"),
    ("pacos", "2x4", "3x5", None, TABLE, "locked in this palifico round: nobody may change it (nobody)"),
    ("palafico", "2x4", "3x5", None, FORMER, "seat 1 is not and was not palifico (ex-palifico)"),
    ("palafico", "2x4 3x4 4x4", "4x5", None, FORMER, "must rise in a palifico round (ex-palifico)"),
    ("santaba", "3x3", "2x2", None, TABLE, "with a lower face the quantity must rise (reset-face)"),
    ("santaba", "3x3", "3x3", None, TABLE, "on the same face the quantity must rise (reset-face)"),
    # words
    ("standard", "", "dudo", None, {}, "dudo needs a standing bid"),
    ("standard", "1x2", "dudo", 2, {}, "dudo is for the player on turn: seat 2 is not, seat 1 is"),
    ("standard", "1x2", "calza", None, {}, "calza is not played (off)"),
    ("mso", "", "calza", None, {}, "calza needs a standing bid"),
    ("mso", "3x2", "calza", 0, {"dice": (4, 4, 4)}, "nor next; seat 0 made the bid (others)"),
    ("mso", "3x2", "calza", 1, {"dice": (4, 4, 4)}, "neither bidder nor next; seat 1 is next (others)"),
    ("mso", "3x2", "calza", 2, {}, "calza: seat 2 has all 5 dice (calza_at_cap)"),
    ("rdr", "3x2", "calza", 2, {}, "calza is for the player on turn: seat 2 is not, seat 1 is (turn)"),
    ("perudo_com", "3x2", "calza", 2, TABLE, "not be called in a palifico round (calza_in_palifico)"),
    ("mso", "", "palifico", None, {}, "there are no palifico rounds (off)"),
    ("standard", "", "palifico", None, {}, "palifico is not called: it comes by itself (auto)"),
    ("santaba", "", "palifico", None, TABLE, "this is a palifico round already"),
    ("santaba", "1x2", "palifico", None, {}, "palifico is called before the first bid (call)"),
    ("santaba", "", "palifico", 1, {}, "only the opener may call palifico; seat 0 opens (call)"),
    ("santaba", "", "palifico", None, {}, "palifico: seat 0 has not just dropped to one die (call)"),
    (
        "standard palifico=call palifico_once=true", "", "palifico", None, HAD,
        "seat 0 has had his palifico round (palifico_once)",
    ),
    (
        "palafico palifico=call", "", "palifico", None, {"dice": (1, 5)},
        "palifico needs 3 players, 2 are left (palifico_min_players)",
    ),
    ("standard", "1x2", "tabba", None, {}, "tabba is not played (reject)"),
    ("santaba", "", "tabba", None, {}, "tabba needs a standing bid"),
    ("santaba", "1x2", "tabba", None, {}, "1x2 is no tabba: it broke no face rule (call)"),
    ("santaba", "1x2 2x4", "tabba", 1, TABLE, "tabba: seat 1 made the bid (call)"),
    ("standard", "1x2", "pass", None, {}, "seat 1 is on turn and may not pass"),
    ("standard", "1x2", "pass", 2, {}, "seat 2 is not asked: there is nothing to pass on"),
]  # fmt: skip


@pytest.mark.parametrize(("setting", "calls", "call", "seat", "more", "told"), REASONS)
def test_every_reason(
    setting: str, calls: str, call: str, seat: int | None, more: dict[str, Any], told: str
) -> None:
    assert told in why(setting, calls, call, seat, **more)


def test_who_has_passed_may_not_call_any_more() -> None:
    game = Game(preset("mso"), 4, deal, position=Position((4, 4, 4, 4)))
    game.answer(Bid(3, 2))
    assert why_not(game, Word.CALZA, 3) == ""
    game.answer(Word.PASS)
    assert why_not(game, Word.CALZA, 2) == "seat 2 has passed"
    assert why_not(game, Word.CALZA, 3) == ""
    santaba = Game(preset("santaba"), 3, deal, position=Position((1, 5, 5), palifico="yes"))
    santaba.answer(Bid(3, 3))
    there = reach(santaba, 1)
    assert there is not None
    there.answer(Bid(4, 2))
    there.answer(Word.PASS)
    assert why_not(there, Word.TABBA, 0) == "seat 0 has passed"
    assert why_not(there, Word.TABBA, 2) == ""


def test_names_stand_for_seats() -> None:
    game = Game(preset("standard"), 2, deal)
    assert why_not(game, Bid(1, 2), 1, ["Ann", "Bob"]) == "Bob is not on turn to bid; Ann is"


def test_a_game_that_is_over() -> None:
    game = Game(preset("snyd"), 2, deal)
    game.answer(Bid(3, 2))
    game.answer(Word.DUDO)
    assert why_not(game, Word.DUDO) == "the game is over"


def test_what_is_no_call_at_all() -> None:
    game = Game(preset("standard"), 2, deal)
    assert why_not(game, Bid(True, 2)) == "Truex2 is no bid: quantity and face are whole numbers"
    assert why_not(game, "x") == "'x' is no call"  # type: ignore[arg-type]


def test_an_illegal_call_tells_the_reason() -> None:
    game = Game(preset("pacos"), 2, deal)
    with pytest.raises(IllegalCall) as error:
        game.answer(Bid(1, 1))
    assert str(error.value) == why_not(game, Bid(1, 1))


@settings(max_examples=60, deadline=None)
@given(games(), st.integers(0, 40))
def test_there_is_a_reason_exactly_for_what_is_not_allowed(
    new: tuple[Game, random.Random], calls: int
) -> None:
    game, chance = new
    for _ in range(calls):
        if game.ask is not None:
            game.answer(choose(game.ask, chance))
    if game.ask is None:
        return
    bids = [Bid(quantity, face) for quantity in range(game.ask.maximum + 2) for face in range(8)]
    before = repr((game.ask, game.rounds))
    for seat in range(game.players):
        there = reach(game, seat)
        for call in [*Word, *bids]:
            allowed = there is not None and there.ask is not None and there.ask.allows(call)
            reason = why_not(game, call, seat)
            assert (reason == "") == allowed
            assert len(reason) <= 200
            assert "\n" not in reason
    assert repr((game.ask, game.rounds)) == before
