"""The notation of games: what is read, what is refused and where, and nothing lost on the way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game import PRESETS, Bid, Dice, Game, Word, preset
from arena.record.columns import write_hands
from arena.record.log import GAMES, read_games, read_header
from arena.record.notation import NotationError, parse, write
from arena.record.schema import Fault, GameRecord, Header
from arena.record.told import Notation, Said, ToldFault, ToldRound, of_record
from tests.game.test_laws import games, play_on
from tests.report.logs import logged

EXAMPLE = Path(__file__).parents[2] / "results" / "example" / GAMES

GAME = """\
rules santaba calza=turn   # a preset and changes
seats Ann bob "cid the 3rd"
game  17
places 1 3 2

round 4 palifico?
opener bob
former BOB 2
hands 11346 2 -
palifico 1x3 Ann:2x3     # calls go on
  2:calza dudo           # in the next line
result 3 bob-1 2+1

round
dice 5 1 0
standing 3x4
bob:forfeit
fault bob timeout "no answer # in \\"time\\"\\n"
"""


def test_a_text_with_everything() -> None:
    told = parse(GAME)
    assert told.ruleset == preset("santaba").with_options({"calza": "turn"})
    assert told.seats == ("Ann", "bob", "cid the 3rd")
    assert (told.game, told.places) == (17, (1, 3, 2))
    first, second = told.rounds
    assert first == ToldRound(
        number=4,
        palifico="may",
        opener=1,
        former=frozenset({1, 2}),
        hands=((1, 1, 3, 4, 6), (2,), ()),
        calls=(
            Said(None, Word.PALIFICO),
            Said(None, Bid(1, 3)),
            Said(0, Bid(2, 3)),
            Said(2, Word.CALZA),
            Said(None, Word.DUDO),
        ),
        count=3,
        change={1: -1, 2: 1},
    )
    assert first.held == (5, 1, 0)
    assert [said.line for said in first.calls] == [10, 10, 10, 11, 11]
    assert second == ToldRound(
        number=5,
        dice=(5, 1, 0),
        standing=Bid(3, 4),
        calls=(Said(1, None),),
        faults=(ToldFault(1, "timeout", 'no answer # in "time"\n'),),
    )
    assert parse(write(told)) == told


def test_as_little_as_possible() -> None:
    told = parse("\ufeffhands 12? 44\r\n3x4 dudo")
    assert told == Notation(
        PRESETS["standard"],
        ("0", "1"),
        (ToldRound(hands=((1, 2, 0), (4, 4)), calls=(Said(None, Bid(3, 4)), Said(None, Word.DUDO))),),
    )
    assert parse(write(told)) == told
    assert parse("seats a b").rounds == ()


def test_the_line_of_the_first_round_may_come_late_or_not_at_all() -> None:
    whole = parse("round 4 palifico\ndice 1 5\n1x2 dudo\nround\n1x3")
    assert parse("dice 1 5\nround 4 palifico\n1x2 dudo\nround\n1x3") == whole
    assert [r.number for r in parse("dice 1 5\n1x2 dudo\nround\n1x3").rounds] == [1, 2]
    assert [r.number for r in parse("seats a b\nresult 3 a-1\nround 2\nround 3").rounds] == [
        1,
        2,
        3,
    ]


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("", 1, "who plays? Give the names with `seats`"),
        ("rules satnaba\nseats a b", 1, "did you mean santaba?"),
        ("\nrules\nseats a b", 2, "name a preset"),
        ("rules standard calza=x\nseats a b", 1, "calza: 'x' is not one of off, turn, others"),
        ("rules standard calza\nseats a b", 1, "write option=value"),
        ("rules snyd\nseats a b c", 2, "3 players cannot play snyd"),
        ("dice 5", 1, "1 players cannot play standard"),
        ("seats a A", 1, "two seats have the same name"),
        ("seats a b:c", 1, "is no name"),
        ('seats a "b', 1, "is no"),
        ('seats a "b\\x"', 1, "is not quoted as it should be"),
        ("seats a b\nseats a b", 2, "seats is there twice; give one game at a time"),
        ("seats a b\n1x2\nrules mso", 3, "rules belongs before the first round"),
        ("seats a b\nplaces 1 2 3", 2, "places takes 2 of them here, not 3"),
        ("seats a b\ngame x", 2, "'x' is not a number"),
        ("seats a b\ndduo", 2, "'dduo' is not a call"),
        ("seats a b\ndduo", 2, "nor does a line begin so: rules, seats"),
        ("seats a b\n3x4 1.5x3", 2, "'1.5x3' is not a call"),
        ("seats a b\nround 1\nround 3", 3, "this is round 2, not 3"),
        ("seats a b\nround maybe", 2, "neither the round's number nor ordinary, palifico, palifico?"),
        ("seats a b\nopener c", 2, "nobody is called 'c': the seats are a, b"),
        ("seats a b\nopener 2", 2, "nobody is called '2'"),
        ("seats a b\nopener", 2, "opener takes 1 of them here, not 0"),
        ("seats a b\ndice 5 5\ndice 5 5", 3, "dice is there twice in round 1"),
        ("seats a b\ndice 5 five", 2, "'five' is not a number"),
        ("seats a b\ndice 5 5\nhands 12345 1234", 3, "other numbers of dice than the line `dice`"),
        ("seats a b\nhands 1237 12", 2, "'1237' is no hand"),
        ("seats a b\nhands 12", 2, "hands takes 2 of them here, not 1"),
        ("seats a b\nstanding dudo", 2, "only a bid can stand, not dudo"),
        ("seats a b\nstanding forfeit", 2, "only a bid can stand, not forfeit"),
        ("seats a b\nresult 3 a", 2, "'a' is neither the count nor a change such as a-1"),
        ("seats a b\nresult 3 4", 2, "'4' is neither"),
        ("seats a b\nresult 3 c-1", 2, "nobody is called 'c'"),
        ("seats a b\nresult 3\nresult 3", 3, "result is there twice"),
        ("seats a b\nfault a", 2, "write fault SEAT CAUSE"),
        ("seats a b\nc:dudo", 2, "nobody is called 'c'"),
    ],
)
def test_what_cannot_be_read(text: str, line: int, told: str) -> None:
    with pytest.raises(NotationError) as error:
        parse(text)
    assert error.value.line == line
    assert str(error.value).startswith(f"line {line}: ")
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert error.value.exit_code == 2


@settings(deadline=None)
@given(st.text('rules eats\n12345x#:?-+"\\dicehandopulfm', max_size=200))
def test_no_text_is_worse_than_unreadable(text: str) -> None:
    with suppress(NotationError):
        parse("seats a b\n" + text)


# -- games of the log --------------------------------------------------------------------------------


def assert_nothing_is_lost(header: Header, record: GameRecord) -> None:
    """What the text holds of a game is all of it, its times aside."""
    told = parse(write(of_record(header, record)))
    assert told == of_record(header, record)
    rounds = told.rounds
    assert told.game == record.game
    assert list(told.places or ()) == record.places
    assert list(told.seats) == [header.bots[index].name for index in record.seats]
    assert [r.opener for r in rounds] == record.openers
    called = [any(said.call == Word.PALIFICO for said in r.calls) for r in rounds]
    palifico = [r.palifico == "yes" or by_call for r, by_call in zip(rounds, called, strict=True)]
    assert palifico == list(map(bool, record.palifico))
    assert [write_hands(r.hands or ()) for r in rounds] == record.hands
    assert [" ".join(map(str, r.calls)) for r in rounds] == record.calls
    assert [r.count for r in rounds] == record.counts
    changes = [" ".join(f"{seat}{gain:+d}" for seat, gain in r.change.items()) for r in rounds]
    assert changes == record.changes
    faults = [(f.seat, f.cause, r.number, f.detail) for r in rounds for f in r.faults]
    assert faults == [(f.seat, f.cause, f.round, f.detail) for f in record.faults]


def faults_of(game: Game, details: Sequence[str] = ("",)) -> list[Fault]:
    left = [(r.number, r.calls[-1][0]) for r in game.rounds if r.void]
    return [Fault(seat, "crash", number, details[number % len(details)]) for number, seat in left]


@settings(max_examples=60, deadline=None)
@given(games(), st.sampled_from([0.0, 0.05]), st.text(max_size=20))
def test_random_games_of_any_rules(
    new: tuple[Game, random.Random], forfeits: float, detail: str
) -> None:
    game, chance = new
    play_on(game, chance, forfeits)
    assert_nothing_is_lost(*logged(game, faults_of(game, [detail, "b # c"])))


@pytest.mark.parametrize("name", PRESETS)
def test_games_of_every_preset(name: str) -> None:
    rules = PRESETS[name]
    for seed in range(10):
        game = Game(rules, rules.players[seed % 2], Dice(bytes([seed])))
        play_on(game, random.Random(seed), 0.02)
        header, record = logged(game, faults_of(game))
        assert of_record(header, record).ruleset == rules
        assert_nothing_is_lost(header, record)


def test_the_example() -> None:
    header = read_header(EXAMPLE)
    for record in list(read_games(EXAMPLE))[:50]:
        assert_nothing_is_lost(header, record)


def test_names_that_are_no_words() -> None:
    game = Game(preset("standard"), 3, Dice(b"x"))
    play_on(game, random.Random(1), 0.2)
    assert_nothing_is_lost(*logged(game, faults_of(game), names=["a b", "1", "x-2"]))


def test_changed_rules_and_unequal_dice() -> None:
    rules = preset("rdr").with_options({"dice": [3, 2], "wild_face": 6, "calza_at_cap": False})
    game = Game(rules, 2, Dice(b"x"))
    play_on(game, random.Random(1))
    header, record = logged(game)
    told = parse(write(of_record(header, record)))
    assert told.ruleset.options() == rules.options() | {"dice": 3}
    assert told.rounds[0].held == (3, 2)
