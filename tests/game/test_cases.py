"""The worked rule cases of `cases.json`, put to `arena.game` through a small adapter.

`cases.json` knows no program: each kind of case is translated once, here. `cases.md` beside it says
what each kind gives and expects.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.game import (
    Ask,
    Bid,
    Call,
    Game,
    Hand,
    IllegalCall,
    InvalidCall,
    Position,
    Ruleset,
    RulesetError,
    Word,
    count_dice,
    first_opener,
    parse_call,
    preset,
)

Case = dict[str, Any]
DATA = json.loads((Path(__file__).parent / "cases.json").read_text())


def expand(kind: str) -> list[Any]:
    """Every case of a kind once per preset it holds for."""
    return [
        pytest.param(name, case, id=f"{case['id']}-{name}")
        for case in DATA["cases"]
        if case["kind"] == kind
        for name in case.get("presets", [case.get("preset")])
    ]


def rules(name: str, case: Case) -> Ruleset:
    return preset(name).with_options(case.get("options", {}))


def to_call(raw: Any) -> Call:
    """A call of the file. Raises InvalidCall for what cannot even be written."""
    if isinstance(raw, str):
        return parse_call(raw)
    if len(raw) != 2 or any(type(part) is not int for part in raw):
        raise InvalidCall(raw)
    return Bid(*raw)


def hidden(number: int, dice: Sequence[int]) -> list[Hand]:
    """A deal for cases in which the dice never matter."""
    return [(2,) * held for held in dice]


def position(state: Case) -> Position:
    standing = state.get("standing")
    return Position(
        dice=tuple(state["dice"]),
        to_act=state["to_act"] if "to_act" in state else state.get("opener", 0),
        standing=Bid(*standing) if standing else None,
        palifico=state.get("palifico", "no"),
        former=frozenset(state.get("ex_palifico", ())),
    )


def game_at(name: str, case: Case, start: Position, deal: Any = hidden) -> Game:
    return Game(rules(name, case), len(start.dice), deal, position=start)


def pending(game: Game) -> Ask:
    assert game.ask is not None
    return game.ask


def play(game: Game, calls: Sequence[Any]) -> None:
    """Make each [seat, call]; seats asked before it pass."""
    for seat, raw in calls:
        while pending(game).seat != seat:
            game.answer(Word.PASS)
        game.answer(to_call(raw))


def is_legal(game: Game, raw: Any) -> bool:
    """Whether the asked seat may make this call, tabba bids aside; `answer` must agree."""
    try:
        call = to_call(raw)
    except InvalidCall:
        return False
    ask = pending(game)
    twin = game.copy()
    try:
        twin.answer(call)
    except IllegalCall:
        assert not ask.allows(call)
        return False
    assert ask.allows(call)
    return not (isinstance(call, Bid) and call.quantity < ask.minimums[call.face - 1])


@pytest.mark.parametrize("name", DATA["presets"])
def test_presets_hold_the_option_values_of_the_file(name: str) -> None:
    given = {k: tuple(v) if isinstance(v, list) else v for k, v in DATA["presets"][name].items()}
    assert preset(name).options() == given


@pytest.mark.parametrize(("name", "case"), expand("legal"))
def test_legal(name: str, case: Case) -> None:
    game = game_at(name, case, position(case["state"]))
    expect = case["expect"]
    assert [c for c in expect.get("legal", []) if not is_legal(game, c)] == []
    assert [c for c in expect.get("illegal", []) if is_legal(game, c)] == []
    for raw in expect.get("tabba", []):
        ask = pending(game)
        assert ask.allows(to_call(raw))
        assert raw[0] < ask.minimums[raw[1] - 1]
        assert ask.tabba_minimums is not None
        assert raw[0] >= ask.tabba_minimums[raw[1] - 1]


@pytest.mark.parametrize(("name", "case"), expand("set"))
def test_set(name: str, case: Case) -> None:
    ask = pending(game_at(name, case, position(case["state"])))
    bids = {(q, f) for f in range(1, 7) for q in range(ask.minimums[f - 1], ask.maximum + 1)}
    expect = case["expect"]
    if "bids" in expect:
        assert bids == {tuple(bid) for bid in expect["bids"]}
    assert len(bids) == expect.get("size", len(bids))
    assert sorted(ask.words) == expect.get("calls", sorted(ask.words))


@pytest.mark.parametrize(("name", "case"), expand("seats"))
def test_seats(name: str, case: Case) -> None:
    game = game_at(name, case, position(case["state"]))
    play(game, case["state"]["calls"])
    call = to_call(case["expect"]["call"])
    seats = set()
    while True:
        ask = pending(game)
        if ask.allows(call):
            seats.add(ask.seat)
        if Word.PASS not in ask.words:
            break
        game.answer(Word.PASS)
    assert seats == set(case["expect"]["seats"])


@pytest.mark.parametrize(("name", "case"), expand("count"))
def test_count(name: str, case: Case) -> None:
    wild = 0 if case["palifico"] == "yes" else preset(name).wild_face or 0
    hands = [tuple(hand) for hand in case["hands"]]
    for face, count in case["expect"].items():
        assert count_dice(hands, int(face), wild) == count


def check_round(game: Game, index: int, expect: Case) -> None:
    """The round at `index` of game.rounds has ended as `expect` says."""
    ended = game.rounds[index]
    found = {
        "count": ended.count,
        "losers": [seat for seat, gain in enumerate(ended.change) if gain < 0],
        "gainers": [seat for seat, gain in enumerate(ended.change) if gain > 0],
        "dice": game.dice,
        "opener": None if game.over else game.round.opener,
        "palifico": "no" if game.over else game.palifico,
        "winner": game.places.index(1) if game.over else None,
    }
    assert {key: found[key] for key in expect} == expect


def dealing(hands: Sequence[Sequence[Sequence[int]]]) -> Any:
    """Deals the given hands round by round; dice of rounds beyond them do not matter."""

    def deal(number: int, dice: Sequence[int]) -> list[Hand]:
        if number > len(hands):
            return hidden(number, dice)
        dealt = [tuple(sorted(hand)) for hand in hands[number - 1]]
        assert [len(hand) for hand in dealt] == list(dice)
        return dealt

    return deal


@pytest.mark.parametrize(("name", "case"), expand("round"))
def test_round(name: str, case: Case) -> None:
    dice = tuple(len(hand) for hand in case["hands"])
    start = position({"dice": dice, **case})
    game = game_at(name, case, start, dealing([case["hands"]]))
    play(game, case["calls"])
    check_round(game, 0, case["expect"])


@pytest.mark.parametrize(("name", "case"), expand("game"))
def test_game(name: str, case: Case) -> None:
    rounds = case["rounds"]
    dice = tuple(len(hand) for hand in rounds[0]["hands"])
    start = position({"dice": dice, **case})
    game = game_at(name, case, start, dealing([r["hands"] for r in rounds]))
    for index, told in enumerate(rounds):
        play(game, told["calls"])
        check_round(game, index, told["expect"])


@pytest.mark.parametrize(("name", "case"), expand("next"))
def test_next(name: str, case: Case) -> None:
    """Before the Dudo the loser held one die more; he doubts a bid that turns out right."""
    loser = case["loser"]
    dice = tuple(held + (seat == loser) for seat, held in enumerate(case["dice"]))
    start = Position(dice, loser, Bid(1, 2), former=frozenset(case.get("ex_palifico", ())))
    game = game_at(name, case, start)
    game.answer(Word.DUDO)
    assert game.dice == case["dice"]
    check_round(game, 0, case["expect"])


@pytest.mark.parametrize(("name", "case"), expand("chain"))
def test_chain(name: str, case: Case) -> None:
    game = game_at(name, case, Position(tuple(case["dice"])))
    for bid in case["bids"]:
        while Word.PASS in pending(game).words:
            game.answer(Word.PASS)
        assert is_legal(game, bid), bid
        game.answer(Bid(*bid))


@pytest.mark.parametrize(("name", "case"), expand("order"))
def test_order(name: str, case: Case) -> None:
    bids = case["bids"]
    for place, standing in enumerate(bids):
        start = Position(tuple(case["dice"]), standing=Bid(*standing))
        game = game_at(name, case, start)
        assert [bid for bid in bids if is_legal(game, bid)] == bids[place + 1 :]


@pytest.mark.parametrize(("name", "case"), expand("opener"))
def test_opener(name: str, case: Case) -> None:
    rolls = [[None if die == "all" else die for die in roll] for roll in case["rolls"]]
    assert preset(name).opener == "roll"
    assert first_opener(rolls) == case["expect"]["opener"]


@pytest.mark.parametrize(("name", "case"), expand("options"))
def test_options(name: str, case: Case) -> None:
    try:
        rules(name, case)
        accepted = True
    except RulesetError:
        accepted = False
    assert accepted is case["expect"]["accepted"]


def bid_counts(name: str, dice: int, palifico: str, free: list[bool]) -> Iterator[int]:
    """Legal bid sequences of length 1, 2, ..., by counting the ways to each bid.

    Two seats take turns, so ply k's bidder is made free or bound by his dice or his past.
    """
    ruleset = preset(name)

    @cache
    def successors(standing: Bid | None, bound: bool) -> tuple[Bid, ...]:
        # The seat to act holds one die (free under `one-die`) unless bound; the other, the rest.
        held = 2 if bound and dice > 2 else 1
        hands = (held, dice - held) if not bound or dice > 2 else (2, 1)
        cap = dice
        start = Position(
            hands,
            0,
            standing,
            palifico,
            frozenset() if bound else frozenset({0}),
        )
        ask = pending(Game(ruleset.with_options({"dice": 30}), 2, hidden, position=start))
        return tuple(Bid(q, f) for f in range(1, 7) for q in range(ask.minimums[f - 1], cap + 1))

    ways: dict[Bid | None, int] = {None: 1}
    ply = 0
    while ways:
        bound = palifico == "yes" and ply > 0 and not free[ply % len(free)]
        after: dict[Bid | None, int] = {}
        for standing, count in ways.items():
            for bid in successors(standing, bound):
                after[bid] = after.get(bid, 0) + count
        ways = after
        if ways:
            yield sum(ways.values())
        ply += 1


@pytest.mark.parametrize(("name", "case"), expand("perft"))
def test_perft(name: str, case: Case) -> None:
    found = list(bid_counts(name, case["dice_in_play"], case["palifico"], case.get("free", [True])))
    wanted = case["counts"]
    padded = found + [0] * len(wanted)
    assert padded[: len(wanted)] == wanted
    if "sequences" in case:
        assert sum(found) == case["sequences"]
