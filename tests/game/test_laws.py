"""Laws of the game that hold for any rules, any dice and any play.

Random games under presets and under random rulesets; what each rule says in detail is in the worked
cases. `tests.oracle` judges the same games by a second implementation of the rules.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.game import (
    CHOICES,
    OPTIONS,
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
    RulesetError,
    Word,
    count_dice,
    preset,
)
from arena.game.bidding import Freedom, bidding_of
from arena.game.game import MAX_ROUNDS
from arena.record.columns import write_calls, write_change, write_hands
from tests.oracle.replay import replay

# -- random rules, random play -----------------------------------------------------------------------


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    """A preset, or any other ruleset."""
    if draw(st.booleans()):
        return PRESETS[draw(st.sampled_from(sorted(PRESETS)))]
    options: dict[str, Any] = {name: draw(st.sampled_from(list(CHOICES[name]))) for name in CHOICES}
    for name in ("calza_at_cap", "calza_in_palifico", "palifico_once", "one_round"):
        options[name] = draw(st.booleans())
    options["palifico_min_players"] = draw(st.integers(2, 4))
    options["wild_face"] = draw(st.sampled_from([1, 1, 1, None, 6, 3]))
    options["dice"] = draw(st.integers(1, 6))
    try:
        return Ruleset("random", **options)
    except RulesetError:
        assume(False)
        raise


@st.composite
def games(draw: st.DrawFn) -> tuple[Game, random.Random]:
    """A new game of any rules, and what decides how it is played."""
    rules = draw(rulesets())
    low, high = rules.players
    players = draw(st.integers(low, high))
    listeners = draw(st.one_of(st.none(), st.sets(st.integers(0, players - 1))))
    seed = draw(st.integers(0, 2**32))
    opener = draw(st.integers(0, players - 1))
    deal = Dice(seed.to_bytes(8, "big"))
    return Game(rules, players, deal, opener=opener, listeners=listeners), random.Random(seed)


def pending(game: Game) -> Ask:
    assert game.ask is not None
    return game.ask


def legal_calls(ask: Ask) -> list[Call]:
    tabba = ask.tabba_minimums or ask.minimums
    bids = [
        Bid(quantity, face)
        for face in range(1, 7)
        for quantity in range(min(ask.minimums[face - 1], tabba[face - 1]), ask.maximum + 1)
    ]
    return [*ask.words, *bids]


def choose(ask: Ask, chance: random.Random) -> Call:
    """Words often, low bids more often than high ones, so that rounds are neither short nor endless."""
    calls = legal_calls(ask)
    bids = calls[len(ask.words) :]
    if ask.words and (not bids or chance.random() < 0.35):
        return chance.choice(ask.words)
    return min(chance.choices(bids, k=3))


def play_on(game: Game, chance: random.Random, forfeits: float = 0.0) -> None:
    """To the end; before each call any live seat may be made to leave."""
    while game.ask is not None:
        if chance.random() < forfeits:
            game.forfeit(chance.choice([seat for seat, held in enumerate(game.dice) if held]))
        else:
            game.answer(choose(game.ask, chance))


def state(game: Game) -> str:
    """All that a caller can see of a game, as text."""
    seen = (game.dice, game.rounds, game.places, sorted(game.former), game.ask, game.standing)
    return repr(seen) + (game.palifico if game.rounds else "")


@pytest.fixture(params=sorted(PRESETS))
def rules(request: pytest.FixtureRequest) -> Ruleset:
    return PRESETS[str(request.param)]


# -- bidding -----------------------------------------------------------------------------------------

ORDINARY = [
    pytest.param(Ruleset(bidding_rule=rule, ace_bids=aces), id=f"{rule}-{aces}")
    for rule in CHOICES["bidding_rule"]
    for aces in CHOICES["ace_bids"]
    if (rule, aces) != ("reset-quantity", "halve")
]


def edges(
    rules: Ruleset, cap: int, freedoms: Sequence[Freedom]
) -> Iterator[tuple[tuple[int, int], list[tuple[int, int]]]]:
    """Every bid with all that may follow it, whatever freedom the next seat has."""
    for quantity in range(1, cap + 1):
        for face in range(1, 7):
            bid = Bid(quantity, face)
            minimums = [bidding_of(rules).minimums(bid, cap, freedom) for freedom in freedoms]
            yield (
                bid,
                [
                    (q, f)
                    for f in range(1, 7)
                    for q in range(min(least[f - 1] for least in minimums), cap + 1)
                ],
            )


def assert_acyclic(graph: dict[tuple[int, int], list[tuple[int, int]]]) -> None:
    """Take away bids that nothing follows, until none is left."""
    left = {bid: set(following) for bid, following in graph.items()}
    while left:
        ends = {bid for bid, following in left.items() if not following & left.keys()}
        assert ends, f"these bids go round in circles: {sorted(left)}"
        for bid in ends:
            del left[bid]


@pytest.mark.parametrize("ruleset", ORDINARY)
@pytest.mark.parametrize("cap", [1, 2, 3, 7, 10, 30])
def test_no_chain_of_bids_comes_back(ruleset: Ruleset, cap: int) -> None:
    assert_acyclic(dict(edges(ruleset, cap, [Freedom.ORDINARY])))


@pytest.mark.parametrize("ruleset", ORDINARY)
@pytest.mark.parametrize("change", CHOICES["palifico_change"])
def test_no_chain_of_bids_comes_back_in_a_palifico_round(ruleset: Ruleset, change: str) -> None:
    """Bound and free seats in any order; a tabba bid is what a free seat could bid."""
    rules = replace(ruleset, palifico_change=change)
    for cap in (2, 5, 12):
        assert_acyclic(dict(edges(rules, cap, [Freedom.BOUND, Freedom.FREE])))


@pytest.mark.parametrize("ruleset", ORDINARY)
def test_minimums_are_a_quantity_or_one_more_than_the_cap(ruleset: Ruleset) -> None:
    bidding = bidding_of(ruleset)
    for cap in (1, 4, 9):
        bids = [None, *(Bid(q, f) for q in range(1, cap + 1) for f in range(1, 7))]
        for bid in bids:
            for freedom in Freedom:
                minimums = bidding.minimums(bid, cap, freedom)
                assert len(minimums) == 6
                assert all(1 <= least <= cap + 1 for least in minimums)
                if bid is not None:
                    assert minimums[bid.face - 1] > bid.quantity


# -- a whole game ------------------------------------------------------------------------------------


@given(games())
def test_a_game_ends_with_a_winner_or_a_stated_tie(new: tuple[Game, random.Random]) -> None:
    game, chance = new
    play_on(game, chance)
    assert game.over
    live = [seat for seat, held in enumerate(game.dice) if held]
    winners = [seat for seat, place in enumerate(game.places) if place == 1]
    assert_ranking(game.places)
    if game.ruleset.one_round:
        assert len(game.rounds) == 1
        unhurt = [seat for seat in live if game.round.change[seat] >= 0]
        assert winners == unhurt
    elif len(game.rounds) < MAX_ROUNDS:
        assert winners == live
        assert len(winners) == 1
    with pytest.raises(ValueError, match="over"):
        game.answer(Word.DUDO)


def assert_ranking(places: Sequence[int]) -> None:
    """A place is one more than the number of seats before it: 1, 2, 2, 4."""
    assert all(place == 1 + sum(other < place for other in places) for place in places)


@given(games())
def test_every_round_ends_and_moves_dice_as_its_options_say(new: tuple[Game, random.Random]) -> None:
    game, chance = new
    start = list(game.dice)
    play_on(game, chance)
    held = start
    for number, this in enumerate(game.rounds, 1):
        assert this.number == number
        assert [len(hand) for hand in this.hands] == held
        bids = [(seat, call) for seat, call in this.calls if isinstance(call, Bid)]
        assert len(bids) == len(set(bids)) <= 6 * sum(held)
        assert_change(game.ruleset, this, held)
        held = [dice + change for dice, change in zip(held, this.change, strict=True)]
        assert all(0 <= dice <= game.ruleset.dice_cap for dice in held)
    assert held == game.dice


def assert_change(rules: Ruleset, this: Round, held: Sequence[int]) -> None:
    """The dice that change hands at the end of a round, from options, hands and the last two calls."""
    caller, last = this.calls[-1]
    bidder, bid = next((s, c) for s, c in reversed(this.calls) if isinstance(c, Bid))
    live = {seat for seat, dice in enumerate(held) if dice}
    wild = 0 if this.palifico else rules.wild_face or 0
    shown = [die for hand in this.hands for die in hand]
    count = sum(die in (bid.face, wild) for die in shown)
    expected: dict[int, int] = {}
    if last == Word.TABBA:
        assert this.count is None
        expected = {bidder: -1}
    else:
        assert this.count == count == count_dice(this.hands, bid.face, wild)
        exact = count == bid.quantity
        if last == Word.DUDO:
            loser = caller if count >= bid.quantity else bidder
            if rules.loss == "one":
                expected = {loser: -1}
            elif exact:
                expected = dict.fromkeys(live - {bidder}, -1)
            else:
                expected = {loser: -min(held[loser], abs(count - bid.quantity))}
        else:
            assert last == Word.CALZA
            if not exact:
                expected = {caller: -1}
            elif rules.calza_reward == "others-lose":
                expected = dict.fromkeys(live - {caller}, -1)
            elif rules.calza_reward == "bidder-loses":
                expected = {bidder: -1}
            elif held[caller] < rules.dice_cap:
                expected = {caller: 1}
    assert {seat: change for seat, change in enumerate(this.change) if change} == expected


def as_logged(game: Game, faults: Sequence[tuple[int, int]] = ()) -> dict[str, Any]:
    """A finished game as the log has it; faults are (round, seat)."""
    return {
        "seats": list(range(game.players)),
        "openers": [r.opener for r in game.rounds],
        "palifico": [int(r.palifico) for r in game.rounds],
        "hands": [write_hands(r.hands) for r in game.rounds],
        "calls": [write_calls(r) for r in game.rounds],
        "counts": [r.count for r in game.rounds],
        "changes": [write_change(r.change) for r in game.rounds],
        "places": game.places,
        "faults": [{"round": number, "seat": seat} for number, seat in faults],
    }


@settings(max_examples=300)
@given(games(), st.sampled_from([0.0, 0.01, 0.1]))
def test_a_second_implementation_agrees(new: tuple[Game, random.Random], forfeits: float) -> None:
    game, chance = new
    rules = replace(game.ruleset, opener="roll")  # the oracle need not know who opens
    listeners = {seat for seat in range(game.players) if seat in game._listeners}
    play_on(game, chance, forfeits)
    left = [(r.number, r.calls[-1][0]) for r in game.rounds if r.void]
    options = rules.options() | {"wild_face": rules.wild_face or 0}
    assert replay(as_logged(game, left), options, listeners) == []


@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_preset_is_played_to_the_end(rules: Ruleset, players: int) -> None:
    if not rules.seats(players):
        pytest.skip(f"{rules.name} does not seat {players}")
    for seed in range(20):
        game = Game(rules, players, Dice(bytes([seed])), opener=seed % players)
        play_on(game, random.Random(seed))
        assert game.over
        assert_ranking(game.places)
        assert not game.ask


# -- what is legal -----------------------------------------------------------------------------------


@settings(max_examples=60)
@given(games(), st.integers(0, 60))
def test_allows_is_what_answer_accepts(new: tuple[Game, random.Random], calls: int) -> None:
    game, chance = new
    for _ in range(calls):
        if game.ask is None:
            return
        game.answer(choose(game.ask, chance))
    if game.ask is None:
        return
    ask = game.ask
    bids = [Bid(quantity, face) for quantity in range(ask.maximum + 2) for face in range(8)]
    before = state(game)
    legal = legal_calls(ask)
    assert Counter(ask.calls) == Counter(legal)
    for call in [*Word, *bids, Bid(-1, 3), Bid(True, 3), Bid(2, True)]:
        twin = game.copy()
        if ask.allows(call):
            assert call in legal
            twin.answer(call)
            last = next(r for r in twin.rounds if r.number == game.round.number).calls[-1]
            assert last == (ask.seat, call)
        else:
            with pytest.raises(IllegalCall):
                twin.answer(call)
            assert state(twin) == before
    assert all(ask.allows(call) for call in legal)
    assert legal, "a seat that is asked can always answer"
    assert game.dice[ask.seat] > 0


@given(games())
def test_questions_have_a_form(new: tuple[Game, random.Random]) -> None:
    game, chance = new
    while game.ask is not None:
        ask = game.ask
        assert ask.maximum == sum(game.dice)
        assert list(ask.words) == [word for word in Word if word in ask.words]
        if Word.PASS in ask.words:
            assert len(ask.words) > 1
            assert set(ask.words) <= {Word.CALZA, Word.TABBA, Word.PASS}
            assert min(ask.minimums) > ask.maximum
            assert ask.seat in game._listeners
        elif game.standing is None:
            assert set(ask.words) <= {Word.PALIFICO}
            assert min(ask.minimums) == 1
        else:
            assert Word.DUDO in ask.words
        assert (ask.tabba_minimums is not None) == (game.ruleset.tabba == "call")
        game.answer(choose(ask, chance))


# -- what the outcome depends on ---------------------------------------------------------------------


@given(games(), st.integers(0, 40))
def test_a_copy_is_independent(new: tuple[Game, random.Random], calls: int) -> None:
    game, chance = new
    for _ in range(calls):
        if game.ask is not None:
            game.answer(choose(game.ask, chance))
    before = state(game)
    seed = chance.random()
    twin = game.copy()
    assert state(twin) == before
    play_on(twin, random.Random(seed), 0.02)
    assert state(game) == before
    after = state(twin)
    play_on(game, random.Random(seed), 0.02)
    assert state(game) == after
    assert state(twin) == after


@given(games())
def test_dice_and_calls_decide_everything(new: tuple[Game, random.Random]) -> None:
    game, chance = new
    again = Game(
        game.ruleset, game.players, game._deal, opener=game.round.opener, listeners=game._listeners
    )
    play_on(game, chance, 0.01)
    for this in game.rounds:
        for seat, call in this.calls:
            if call is None:
                again.forfeit(seat)
            else:
                assert pending(again).seat == seat
                again.answer(call)
    assert state(again) == state(game)


@given(games())
def test_seats_that_only_pass_might_as_well_not_be_asked(new: tuple[Game, random.Random]) -> None:
    game, chance = new
    deaf = Game(game.ruleset, game.players, game._deal, opener=game.round.opener, listeners=())
    while game.ask is not None:
        call: Call = Word.PASS if Word.PASS in game.ask.words else choose(game.ask, chance)
        if call != Word.PASS:
            assert deaf.ask == game.ask
            deaf.answer(call)
        game.answer(call)
    assert deaf.over
    assert deaf.places == game.places
    for quiet, this in zip(deaf.rounds, game.rounds, strict=True):
        said: list[tuple[int, Call | None]] = [c for c in this.calls if c[1] != Word.PASS]
        assert quiet == replace(this, calls=said)


# -- seats that leave --------------------------------------------------------------------------------


@given(games(), st.floats(0.0, 0.3))
def test_forfeits_at_any_moment(new: tuple[Game, random.Random], rate: float) -> None:
    game, chance = new
    play_on(game, chance, rate)
    assert_ranking(game.places)
    held = [len(hand) for hand in game.rounds[0].hands]
    for this, following in zip(game.rounds, [*game.rounds[1:], None], strict=True):
        assert [len(hand) for hand in this.hands] == held
        if this.void:
            seat = this.calls[-1][0]
            assert this.count is None
            assert not this.revealed
            assert this.change == tuple(-held[seat] if s == seat else 0 for s in range(game.players))
            if following is not None:
                opener = next(
                    s % game.players
                    for s in range(seat + 1, seat + game.players)
                    if held[s % game.players]
                )
                assert following.opener == opener
                assert not following.palifico or game.ruleset.palifico == "call"
        held = [dice + change for dice, change in zip(held, this.change, strict=True)]
    assert game.dice == held


@given(games(), st.randoms(use_true_random=False))
def test_if_all_leave_but_one_they_are_placed_in_that_order(
    new: tuple[Game, random.Random], chance: random.Random
) -> None:
    game, _ = new
    order = list(range(game.players))
    chance.shuffle(order)
    for seat in order[:-1]:
        assert not game.over
        game.forfeit(seat)
        with pytest.raises(ValueError, match="not playing"):
            game.forfeit(seat)
    assert game.over
    assert [game.places[seat] for seat in order] == list(range(game.players, 0, -1))
    with pytest.raises(ValueError, match="not playing"):
        game.forfeit(order[-1])


# -- the limit of rounds -----------------------------------------------------------------------------


def all_twos(number: int, dice: Sequence[int]) -> tuple[Hand, ...]:
    return tuple((2,) * held for held in dice)


def exact_for_ever(game: Game, caller: int) -> None:
    """Only `caller` calls calza, always rightly: the dice stay as they are if he has all of his."""
    while game.ask is not None:
        total = Bid(sum(game.dice), 2)
        if game.ask.seat == caller and game.standing == total and Word.CALZA in game.ask.words:
            game.answer(Word.CALZA)
        elif game.standing == total:
            game.answer(Word.PASS if Word.PASS in game.ask.words else Word.DUDO)
        else:
            before_caller = (caller - 1) % game.players if game.ruleset.calza == "turn" else -1
            ready = game.ask.seat == before_caller
            game.answer(total if ready else Bid((game.standing or Bid(0, 2)).quantity + 1, 2))


@pytest.mark.parametrize(
    ("dice", "places"),
    [((5, 5), [1, 1]), ((5, 3), [1, 2]), ((5, 3, 4), [1, 3, 2]), ((5, 2, 5, 2), [1, 3, 1, 3])],
)
def test_after_a_thousand_rounds_dice_decide(dice: tuple[int, ...], places: list[int]) -> None:
    rules = Ruleset(calza="turn", dice=5)
    game = Game(rules, len(dice), all_twos, position=Position(dice))
    exact_for_ever(game, caller=0)
    assert len(game.rounds) == MAX_ROUNDS
    assert game.dice == list(dice)
    assert game.places == places


def test_dice_that_come_and_go_for_ever_end_too() -> None:
    """Both sides lose a die by a wrong doubt and regain it by a right calza, again and again."""
    game = Game(Ruleset(calza="turn", palifico="off"), 2, all_twos)
    while game.ask is not None:
        total = sum(game.dice)
        if game.standing is None:
            game.answer(Bid(total, 2))
        else:
            game.answer(Word.CALZA if game.dice[game.ask.seat] < 5 else Word.DUDO)
    assert len(game.rounds) == MAX_ROUNDS
    assert_ranking(game.places)
    assert sum(game.dice) in (9, 10)


def test_a_forfeit_in_the_last_round_ends_it() -> None:
    game = Game(Ruleset(calza="turn", palifico="off"), 3, all_twos)
    while len(game.rounds) < MAX_ROUNDS:
        ask = pending(game)
        game.answer(Bid(15, 2) if game.standing is None else Word.CALZA if ask.words else Word.DUDO)
    game.forfeit(1)
    assert game.over
    assert game.places == [1, 3, 1]


# -- found by the second implementation ----------------------------------------------------------------


@pytest.mark.parametrize("opens", ["loser", "winner"])
def test_who_is_caught_at_tabba_opens_whoever_opens_after_a_dudo(opens: str) -> None:
    rules = preset("santaba").with_options({"next_opener": opens, "calza": "off"})
    game = Game(rules, 3, all_twos, position=Position((1, 3, 3), 0, palifico="yes"))
    game.answer(Bid(1, 2))
    game.answer(Bid(2, 4))
    assert pending(game).words == (Word.TABBA, Word.PASS)
    game.answer(Word.TABBA)
    assert game.dice == [1, 2, 3]
    assert game.round.opener == 1


# -- the beginning -----------------------------------------------------------------------------------


def test_an_impossible_number_of_players(rules: Ruleset) -> None:
    for players in (0, 1, 7, *([3] if rules.players == (2, 2) else [])):
        with pytest.raises(RulesetError) as error:
            Game(rules, players, all_twos)
        assert error.value.option == "players"


def test_rounds_are_dealt_in_order_and_once() -> None:
    dealt: list[tuple[int, tuple[int, ...]]] = []

    def deal(number: int, dice: Sequence[int]) -> tuple[Hand, ...]:
        dealt.append((number, tuple(dice)))
        return all_twos(number, dice)

    game = Game(preset("santaba"), 4, deal)
    play_on(game, random.Random(3), 0.01)
    assert [number for number, _ in dealt] == list(range(1, len(game.rounds) + 1))
    assert [list(held) for _, held in dealt] == [[len(hand) for hand in r.hands] for r in game.rounds]


def test_options_are_all_random() -> None:
    """`rulesets` draws every option there is: a new one must be added there."""
    drawn = {*CHOICES, "calza_at_cap", "calza_in_palifico", "palifico_once", "one_round"}
    drawn |= {"palifico_min_players", "wild_face", "dice", "players"}
    assert drawn == set(OPTIONS)
