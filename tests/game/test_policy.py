"""What the rules imply for the course of a game: who is asked when, and what stays as it is."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from arena.game import (
    PRESETS,
    Ask,
    Bid,
    Call,
    Dice,
    Game,
    Hand,
    IllegalCall,
    Position,
    Round,
    Ruleset,
    Word,
    preset,
)
from tests.game.people import Table

CALZA_FOR_OTHERS = [name for name, rules in PRESETS.items() if rules.calza == "others"]


def pending(game: Game) -> Ask:
    assert game.ask is not None
    return game.ask


def new_game(rules: Ruleset, players: int, seed: int = 1) -> Game:
    return Game(rules, players, Dice(bytes([seed])))


def any_call(ask: Ask, chance: random.Random) -> Call:
    """A legal call: often a word, else a low bid."""
    bids = [Bid(q, f) for f in range(1, 7) for q in range(ask.minimums[f - 1], ask.maximum + 1)]
    if ask.words and (not bids or chance.random() < 0.35):
        return chance.choice(ask.words)
    return min(chance.choices(bids, k=3))


# -- who is asked, and in which order ----------------------------------------------------------------


@pytest.mark.parametrize("rules", CALZA_FOR_OTHERS)
def test_calza_is_asked_clockwise_from_the_seat_after_next_and_the_next_acts_last(rules: str) -> None:
    table = Table(rules, "A: 2 2", "B: 2 3", "C: 2 4", "D: 2 5", "E: 2 6", opens="B")
    table.play("B: 1x2")
    asked = []
    while Word.PASS in table.asked.words:
        asked.append("ABCDE"[table.asked.seat])
        assert table.asked.words == (Word.CALZA, Word.PASS)
        table.game.answer(Word.PASS)
    assert asked == ["D", "E", "A"]  # not B, the bidder, and not C, who is next
    table.may("C: dudo 2x2")
    table.may_not("C: calza pass")


@pytest.mark.parametrize("rules", CALZA_FOR_OTHERS)
def test_the_first_calza_ends_the_round_before_anybody_else_speaks(rules: str) -> None:
    table = Table(rules, "A: 2 3 4", "B: 3 3 5", "C: 4 4 4", "D: 5 5 2", "E: 6 6 6", opens="B")
    table.play("B: 2x2", "D: pass", "E: calza")
    assert table.game.rounds[0].calls == [(1, Bid(2, 2)), (3, Word.PASS), (4, Word.CALZA)]
    table.ends(count=2, gains="E", opens="E")


@pytest.mark.parametrize("rules", CALZA_FOR_OTHERS)
def test_where_nobody_calls_calza_the_next_seat_acts(rules: str) -> None:
    table = Table(rules, "A: 2 3 4", "B: 3 3 5", "C: 4 4 4", opens="B")
    table.play("B: 2x3", "A: pass", "C: dudo")
    table.ends(count=3, loses="C", opens="C")


def test_a_seat_is_asked_once_for_calza_and_tabba_and_the_next_one_for_tabba_last() -> None:
    table = Table("santaba", "A: 2 2 2", "B: 3 3", "C: 4", "D: 5 5 5 5 5", opens="C", palifico="may")
    table.play("C: calzone", "C: 1x3", "D: 1x4")
    questions = []
    while Word.PASS in table.asked.words:
        questions.append(("ABCD"[table.asked.seat], table.asked.words))
        table.game.answer(Word.PASS)
    both = (Word.CALZA, Word.TABBA, Word.PASS)
    assert questions == [("B", both), ("C", both)]
    assert (table.asked.seat, table.asked.words) == (0, (Word.DUDO, Word.TABBA))


# -- what an illegal call leaves as it is ------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS)
def test_after_a_refused_first_dudo_no_die_is_lost_and_the_same_seat_must_still_open(rules: str) -> None:
    game = new_game(preset(rules), 2)
    before = pending(game)
    for word in (Word.DUDO, Word.CALZA, Word.TABBA, Word.PASS):
        with pytest.raises(IllegalCall):
            game.answer(word)
    assert game.dice == [preset(rules).dice_cap] * 2
    assert game.ask == before
    assert before.seat == 0
    assert game.standing is None
    assert game.round.calls == []


@pytest.mark.parametrize("rules", PRESETS)
def test_after_an_illegal_bid_the_same_bid_stands_and_the_same_seat_is_on_turn(rules: str) -> None:
    players = preset(rules).players[1]
    game = new_game(preset(rules).with_options({"dice": 4}), players)
    game.answer(Bid(3, 4))
    while Word.PASS in pending(game).words:
        game.answer(Word.PASS)
    before, calls = pending(game), list(game.round.calls)
    for bid in (Bid(3, 4), Bid(2, 2), Bid(0, 5), Bid(-1, 5), Bid(4 * players + 1, 4), Bid(4, 7)):
        with pytest.raises(IllegalCall):
            game.answer(bid)
    assert (game.ask, game.standing, game.round.calls) == (before, Bid(3, 4), calls)
    assert game.dice == [4] * players
    game.answer(Bid(4, 4))  # and it may still play
    assert game.standing == Bid(4, 4)


# -- dice --------------------------------------------------------------------------------------------


def test_three_dice_each_for_four_players() -> None:
    game = new_game(preset("standard").with_options({"dice": 3}), 4)
    assert game.dice == [3, 3, 3, 3]
    assert [len(hand) for hand in game.round.hands] == [3, 3, 3, 3]
    assert pending(game).maximum == 12


def one_die_moves(this: Round, rules: Ruleset) -> bool:
    """Whether the total changed as the four texts allow: -1; or +1 or 0 on a right calza."""
    total = sum(this.change)
    _, last = this.calls[-1]
    bid = next(call for _, call in reversed(this.calls) if isinstance(call, Bid))
    if last == Word.CALZA and this.count == bid.quantity:
        return total == 1 or (total == 0 and rules.calza_at_cap)
    return total == -1


TEXTS = [
    preset("santaba"),
    preset("standard"),
    preset("standard").with_options({"calza": "turn"}),
    preset("pacos"),
    preset("palafico"),
]


@pytest.mark.parametrize("rules", TEXTS, ids=lambda rules: rules.name)
def test_one_die_moves_in_every_round_and_every_hand_has_its_seats_dice(rules: Ruleset) -> None:
    for seed in range(40):
        game, chance = new_game(rules, 2 + seed % 5, seed), random.Random(seed)
        while game.ask is not None:
            assert [len(hand) for hand in game.round.hands] == game.dice
            game.answer(any_call(game.ask, chance))
        held = [5] * game.players
        for this in game.rounds:
            assert [len(hand) for hand in this.hands] == held
            assert one_die_moves(this, rules)
            held = [dice + change for dice, change in zip(held, this.change, strict=True)]
        assert sorted(held)[:-1] == [0] * (game.players - 1)


def test_a_calzone_call_does_not_roll_again_and_hides_nothing() -> None:
    dealt: list[int] = []

    def deal(number: int, dice: Sequence[int]) -> list[Hand]:
        dealt.append(number)
        return [(number,) * held for held in dice]

    start = Position((3, 2, 1), to_act=2, palifico="may")
    game = Game(preset("santaba"), 3, deal, position=start)
    before = list(game.round.hands)
    game.answer(Word.PALIFICO)
    assert game.round.palifico
    assert list(game.round.hands) == before
    assert dealt == [1]
    assert pending(game).seat == 2  # the caller opens


# -- seats that leave --------------------------------------------------------------------------------


def test_one_of_two_forfeits_at_its_first_question_and_the_other_wins() -> None:
    game = new_game(preset("standard"), 2)
    game.forfeit(pending(game).seat)
    assert game.over
    assert game.places == [2, 1]


@pytest.mark.parametrize("rules", [name for name in PRESETS if preset(name).seats(4)])
@pytest.mark.parametrize("leaves", [0, 1, 2, 3])
def test_a_forfeit_in_mid_round_voids_it_and_the_next_live_seat_opens(rules: str, leaves: int) -> None:
    game = new_game(preset(rules), 4)
    game.answer(Bid(2, 3))
    while Word.PASS in pending(game).words:
        game.answer(Word.PASS)
    game.answer(Bid(3, 3))
    first = game.round.hands
    game.forfeit(leaves)
    void = game.rounds[0]
    assert void.void
    assert void.calls[-1] == (leaves, None)
    assert not void.revealed  # nobody has shown dice
    assert game.dice == [0 if seat == leaves else 5 for seat in range(4)]
    assert game.places[leaves] == 4
    assert len(game.rounds) == 2
    assert game.round.opener == pending(game).seat == (leaves + 1) % 4
    assert game.standing is None
    assert game.round.hands != first  # a new deal
    assert game.round.hands[leaves] == ()


def test_the_next_live_seat_is_not_one_that_is_out() -> None:
    game = Game(preset("standard"), 4, Dice(b"x"), position=Position((2, 3, 0, 3), to_act=0))
    game.answer(Bid(2, 3))
    game.forfeit(1)
    assert game.round.opener == 3


def test_a_palifico_round_that_a_forfeit_voids_is_not_made_up_for() -> None:
    table = Table("standard", "A: 2 3", "B: 5 5 5", "C: 6 6", "D: 4 4")
    table.play("A: 7x2", "B: dudo")
    assert (table.game.round.palifico, table.game.round.opener) == (True, 0)
    table.play("A: 1x5")
    table.game.forfeit(1)
    assert not table.game.round.palifico
    assert table.game.round.opener == 2
    assert table.game.dice == [1, 0, 2, 2]
