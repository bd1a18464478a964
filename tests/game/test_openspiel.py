"""The preset `openspiel` against the program it is named after: OpenSpiel's `liars_dice`.

Thousands of its random playouts are replayed here. Its actions are numbered by the strength of the
bids, the last one is "Liar"; what a number means is asked of OpenSpiel itself (`action_to_string`:
``Roll 3``, ``2-6`` for two sixes, ``Liar``). Its highest face, the six, is wild and the highest to
bid, as in the preset; seats, faces and quantities are the same numbers on both sides.

Source: open_spiel/games/liars_dice/liars_dice.cc of google-deepmind/open_spiel; PyPI `open-spiel`.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from arena.game import Bid, Call, Deal, Game, Hand, Position, Ruleset, Word, preset

pyspiel: Any = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed: pip install open-spiel (not on every platform)"
)

PLAYOUTS = 2000
"""Per number of dice and bidding rule."""

RULES = ("reset-face", "reset-quantity")
DICE = (1, 2, 3, 5, 8)
"""Per player: OpenSpiel deals both as many."""


def spiel_game(rule: str, dice: int) -> Any:
    return pyspiel.load_game("liars_dice", {"bidding_rule": rule, "numdice": dice})


def our_rules(rule: str, dice: int) -> Ruleset:
    return preset("openspiel").with_options({"bidding_rule": rule, "dice": dice})


def call_of(state: Any, player: int, action: int) -> Call:
    """An action of OpenSpiel in our words."""
    text = state.action_to_string(player, action)
    if text == "Liar":
        return Word.DUDO
    quantity, face = text.split("-")
    return Bid(int(quantity), int(face))


def ours(game: Game) -> set[Call]:
    """Every legal call of the pending question."""
    ask = game.ask
    assert ask is not None
    return set(ask.calls)


def dealing(hands: list[Hand]) -> Deal:
    return lambda number, dice: hands


def rolled(state: Any, chance: random.Random, dice: int) -> list[Hand]:
    """Roll OpenSpiel's dice; the hands as OpenSpiel prints them (``33 25``)."""
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    hands = [tuple(int(die) for die in hand) for hand in str(state).split()]
    assert [len(hand) for hand in hands] == [dice, dice]
    return hands


@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("rule", RULES)
def test_random_playouts_agree_at_every_step(rule: str, dice: int) -> None:
    chance = random.Random(f"{rule} {dice}")
    spiel = spiel_game(rule, dice)
    rules = our_rules(rule, dice)
    meaning: dict[int, Call] = {}
    seen: set[Call] = set()
    for number in range(PLAYOUTS):
        # Every other one climbs in small steps: uniform playouts end after a few calls.
        stride = 1000 if number % 2 else chance.choice((1, 2, 5))
        state = spiel.new_initial_state()
        hands = rolled(state, chance, dice)
        game = Game(rules, 2, dealing(hands))
        while not state.is_terminal():
            player = state.current_player()
            assert game.ask is not None
            assert game.ask.seat == player
            actions = state.legal_actions()
            for action in actions:
                if action not in meaning:
                    meaning[action] = call_of(state, player, action)
            assert ours(game) == {meaning[action] for action in actions}
            action = chance.choice(actions if chance.random() < 0.02 else actions[:stride])
            state.apply_action(action)
            game.answer(meaning[action])
            seen.add(meaning[action])
        assert game.over
        assert state.returns() == [1.0 if place == 1 else -1.0 for place in game.places]
    every = {Bid(q, f) for f in range(1, 7) for q in range(1, 2 * dice + 1)} | {Word.DUDO}
    assert set(meaning.values()) == every
    assert seen == every


@pytest.mark.parametrize("rule", RULES)
def test_every_bid_is_judged_alike_under_every_hand(rule: str) -> None:
    """One die each, all 36 deals: any bid, doubted at once."""
    spiel = spiel_game(rule, 1)
    for deal in range(36):
        hands: list[Hand] = [(deal // 6 + 1,), (deal % 6 + 1,)]
        start = spiel.new_initial_state()
        for (die,) in hands:
            start.apply_action(die - 1)
        for action in start.legal_actions():
            state = start.clone()
            game = Game(our_rules(rule, 1), 2, dealing(hands))
            game.answer(call_of(state, 0, action))
            state.apply_action(action)
            game.answer(Word.DUDO)
            state.apply_action(state.legal_actions()[-1])
            assert state.returns() == [1.0 if place == 1 else -1.0 for place in game.places]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("dice", DICE)
def test_both_put_all_bids_in_one_order(rule: str, dice: int) -> None:
    """OpenSpiel's numbers rise with the bids; ours allow over a bid exactly those numbered higher."""
    state = spiel_game(rule, dice).new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    bids = [call_of(state, 0, action) for action in sorted(state.legal_actions())]
    assert len(bids) == 12 * dice
    hands: list[Hand] = [(1,) * dice] * 2
    for place, bid in enumerate(bids):
        assert isinstance(bid, Bid)
        start = Position((dice, dice), 0, bid)
        game = Game(our_rules(rule, dice), 2, dealing(hands), position=start)
        assert ours(game) == {*bids[place + 1 :], Word.DUDO}
