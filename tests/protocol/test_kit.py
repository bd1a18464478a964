"""`perudo_bot`: what a question tells, against the game itself."""

from __future__ import annotations

import msgpack
import msgspec
import pytest

import perudo_bot
from arena.game import PRESETS, Game, Position, preset
from arena.game.calls import Bid, Word
from arena.referee.wire import Act
from perudo_bot import Question
from tests.protocol.acts import act_of, questions


def to_question(act: Act) -> Question:
    """The act as the kit hands it to a bot."""
    return Question(msgpack.unpackb(msgspec.msgpack.encode(act), use_list=False))


@pytest.mark.parametrize("name", PRESETS)
def test_legal_calls_are_those_of_the_game(name: str) -> None:
    rules = PRESETS[name]
    for players in {rules.players[0], rules.players[1]}:
        for act in questions(rules, players, seed=1, most=150):
            question = to_question(act)
            calls = question.legal_calls()
            assert calls
            assert len(set(calls)) == len(calls)
            assert set(question.words) <= set(calls)
            assert question.unseen + len(question.hand) == sum(question.dice) == question.max_quantity
            for face in range(1, 7):
                least = question.minimum(face)
                bids = (
                    {f"{q}x{face}" for q in range(least, question.max_quantity + 1)} if least else set()
                )
                assert bids == {call for call in calls if call.endswith(f"x{face}")}
                assert question.count(face) == sum(die in (face, question.wild) for die in question.hand)


def test_everything_that_the_game_allows_and_nothing_else() -> None:
    hands = ((2, 3, 3), (4,), (1, 5, 5, 6))
    game = Game(
        preset("santaba"), 3, lambda _n, _d: hands, position=Position((3, 1, 4), 1, palifico="may")
    )
    bidder = None
    for made in (Word.PALIFICO, Bid(1, 3), Word.PASS, Bid(2, 5), Word.PASS):
        question = to_question(act_of(game))
        assert game.ask is not None
        every = [Bid(q, f) for q in range(10) for f in range(8)]
        for call in [*every, *Word]:
            assert question.allows(str(call)) == game.ask.allows(call), call
        assert question.out_of_turn == (made == Word.PASS)
        assert question.standing == (str(game.standing) if game.standing else None)
        assert question.bidder == bidder
        tabba = question.tabba_bids()
        assert ("2x5" in tabba) == (made == Bid(2, 5))
        assert "2x3" not in tabba
        bidder = game.ask.seat if isinstance(made, Bid) else bidder
        game.answer(made)
    assert to_question(act_of(game)).words == ("dudo", "tabba")


def test_no_tabba_where_the_rules_have_none() -> None:
    question = to_question(next(questions("standard", 2, 1, 1)))
    assert question.min_tabba is None
    assert question.tabba_bids() == []


def test_unknown_fields_are_there() -> None:
    fields = msgspec.to_builtins(next(questions("standard", 2, 1, 1))) | {"weather": "fine"}
    assert Question(fields).weather == "fine"  # type: ignore[attr-defined]
    assert "weather='fine'" in repr(Question(fields))


def test_bids_as_text() -> None:
    assert perudo_bot.bid(12, 6) == "12x6"
    assert perudo_bot.parse_bid("12x6") == (12, 6)
    assert [perudo_bot.parse_bid(text) for text in ("dudo", "x", "3x", "-1x3", "")] == [None] * 5
