"""How many sequences of bids there are: chess programmers' perft, for every preset.

The numbers in `TABLE` are reached in two ways that share no code: by playing the bids in a `Game`,
and from the rules as the texts word them (`follows`), a yes or no for every pair of bids. Where the
numbers are small, a third count writes every sequence out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from arena.game import PRESETS, Bid, Game, Position, preset

Counts = tuple[int, int, int, int, int]
"""Sequences of 1, 2, 3 and 4 bids, and of any number of bids from 1 on."""


class Row(NamedTuple):
    """A round opened by seat 0, who alone was palifico before or is now; all seats bid in turn."""

    presets: str
    palifico: str
    dice: tuple[int, ...]
    counts: Counts


HALVING = "santaba pacos mso wikipedia bga"
PLAIN = "standard openspiel rdr snyd"
TABLE = [
    Row(HALVING, "no", (1, 1), (10, 65, 220, 495, 4092)),
    Row(HALVING, "no", (2, 1), (15, 145, 795, 3025, 262012)),
    Row(HALVING, "no", (2, 2), (20, 260, 1945, 10340, 16769016)),
    Row(HALVING, "no", (3, 2), (25, 405, 3860, 26380, 1073217272)),
    Row(HALVING, "no", (5, 5), (50, 1625, 31850, 457275, 1152358279641235392)),
    Row(HALVING, "no", (5, 5, 5), (75, 3655, 108485, 2372630, 1237335281083482189762387712)),
    Row(
        "pacos",
        "no",
        (5,) * 6,
        (150, 14625, 875675, 38870200, 1531746886473672986908245245505389638340957617971462144),
    ),
    Row(PLAIN, "no", (1, 1), (12, 66, 220, 495, 4095)),
    Row(PLAIN, "no", (2, 1), (18, 153, 816, 3060, 262143)),
    Row(PLAIN, "no", (2, 2), (24, 276, 2024, 10626, 16777215)),
    Row(PLAIN, "no", (3, 2), (30, 435, 4060, 27405, 1073741823)),
    Row(PLAIN, "no", (5, 5), (60, 1770, 34220, 487635, 1152921504606846975)),
    Row("standard rdr", "no", (5, 5, 5), (90, 4005, 117480, 2555190, 1237940039285380274899124223)),
    Row("palafico perudo_com", "no", (1, 1), (10, 55, 140, 210, 764)),
    Row("palafico perudo_com", "no", (2, 1), (15, 115, 455, 1215, 27772)),
    Row("palafico perudo_com", "no", (2, 2), (20, 200, 1035, 3645, 317944)),
    Row("palafico perudo_com", "no", (3, 2), (25, 305, 1990, 9055, 11527672)),
    Row("palafico perudo_com", "no", (5, 5), (50, 1175, 15150, 139100, 22748688990144)),
    Row("palafico perudo_com", "no", (5, 5, 5), (75, 2605, 50315, 697705, 142156337407167102720)),
    Row(
        "palafico",
        "no",
        (5,) * 6,
        (150, 10275, 395325, 10991050, 3459457950306897658867885235190410182656),
    ),
    Row("neller", "no", (1, 1), (12, 66, 220, 495, 4095)),
    Row("neller", "no", (2, 1), (18, 153, 816, 3060, 262143)),
    Row("neller", "no", (2, 2), (24, 276, 2024, 10626, 16777215)),
    Row("neller", "no", (3, 2), (30, 435, 4060, 27405, 1073741823)),
    Row("neller", "no", (5, 5), (60, 1770, 34220, 487635, 1152921504606846975)),
    Row("neller", "no", (5, 5, 5), (90, 4005, 117480, 2555190, 1237940039285380274899124223)),
    Row(
        "neller",
        "no",
        (5,) * 6,
        (180, 16110, 955860, 42296805, 1532495540865888858358347027150309183618739122183602175),
    ),
    Row("santaba bga", "yes", (1, 1), (12, 66, 220, 495, 4095)),
    Row("santaba bga", "yes", (1, 2), (18, 18, 81, 15, 152)),
    Row("santaba bga", "yes", (2, 2), (24, 36, 24, 6, 90)),
    Row("santaba bga", "yes", (1, 5), (36, 90, 945, 840, 13916)),
    Row("santaba bga", "yes", (1, 1, 2), (24, 276, 234, 1056, 7416)),
    Row("santaba bga", "yes", (1, 3, 1, 4), (54, 216, 3564, 5796, 1273689)),
    Row("santaba bga", "yes", (1, 5, 5), (66, 330, 990, 14355, 632755)),
    Row("palafico perudo_com", "yes", (1, 1), (12, 6, 0, 0, 18)),
    Row("palafico perudo_com", "yes", (1, 2), (18, 18, 36, 0, 72)),
    Row("palafico perudo_com", "yes", (2, 2), (24, 36, 144, 36, 240)),
    Row("palafico perudo_com", "yes", (1, 5), (36, 90, 720, 540, 2898)),
    Row("palafico perudo_com", "yes", (1, 1, 2), (24, 36, 24, 36, 120)),
    Row("palafico perudo_com", "yes", (1, 3, 1, 4), (54, 216, 504, 756, 10926)),
    Row("palafico perudo_com", "yes", (1, 5, 5), (66, 330, 990, 11880, 180882)),
    Row("standard pacos wikipedia", "yes", (1, 1), (12, 6, 0, 0, 18)),
    Row("standard pacos wikipedia", "yes", (1, 2), (18, 18, 6, 0, 42)),
    Row("standard pacos wikipedia", "yes", (2, 2), (24, 36, 24, 6, 90)),
    Row("standard pacos wikipedia", "yes", (1, 5), (36, 90, 120, 90, 378)),
    Row("standard pacos wikipedia", "yes", (1, 1, 2), (24, 36, 24, 6, 90)),
    Row("standard pacos wikipedia", "yes", (1, 3, 1, 4), (54, 216, 504, 756, 3066)),
    Row("standard pacos wikipedia", "yes", (1, 5, 5), (66, 330, 990, 1980, 12282)),
]


# -- by playing them -----------------------------------------------------------------------------------


def played(name: str, palifico: str, dice: tuple[int, ...]) -> Counts:
    """Nobody is asked out of turn; bids that break the face rule (tabba) are not counted."""
    start = Position(dice, palifico=palifico, former=frozenset({0} if palifico == "yes" else ()))
    hands = [(2,) * held for held in dice]
    game = Game(preset(name), len(dice), lambda number, held: hands, listeners=(), position=start)
    known: dict[tuple[int, Bid | None], Counts] = {}

    def count(game: Game) -> Counts:
        ask = game.ask
        assert ask is not None
        key = (ask.seat, game.standing)
        if key not in known:
            after = []
            for face, least in enumerate(ask.minimums, 1):
                for quantity in range(least, ask.maximum + 1):
                    twin = game.copy()
                    twin.answer(Bid(quantity, face))
                    after.append(count(twin))
            one, two, three, _, every = (sum(column) for column in zip(*after, (0,) * 5, strict=True))
            known[key] = (len(after), one, two, three, len(after) + every)
        return known[key]

    return count(game)


# -- from the rules as they are worded -----------------------------------------------------------------

Follows = Callable[[Bid | None, Bid, int], bool]
"""Whether a bid may follow another (None = it opens), with so many dice in play."""


def plain(old: Bid | None, new: Bid, cap: int) -> bool:
    """Raise the quantity with any face, or keep it and name a higher face; the ace is the lowest."""
    if old is None:
        return True
    return new.quantity > old.quantity or (new.quantity == old.quantity and new.face > old.face)


def neither_falls(old: Bid | None, new: Bid, cap: int) -> bool:
    """Raise the quantity, the face or both."""
    if old is None:
        return True
    return new != old and new.quantity >= old.quantity and new.face >= old.face


def halving(raising: Follows) -> Follows:
    """Aces at half the quantity or more; out of them at twice and one more; they may not open."""

    def follows(old: Bid | None, new: Bid, cap: int) -> bool:
        if old is None:
            return new.face != 1
        if old.face == 1 and new.face == 1:
            return new.quantity > old.quantity
        if old.face == 1:
            return new.quantity >= 2 * old.quantity + 1
        if new.face == 1:
            return 2 * new.quantity >= old.quantity
        return raising(old, new, cap)

    return follows


@cache
def claims(cap: int) -> list[Bid]:
    """All claims in Neller's order, put together as M. Lanctot's Bluff solver does (`initBids`).

    With so many dice in play: the five plain faces of each quantity, and after every odd quantity
    the next number of aces; the aces that remain come last.
    """
    order: list[Bid] = []
    aces = 1
    for quantity in range(1, cap + 1):
        order += [Bid(quantity, face) for face in range(2, 7)]
        if quantity % 2:
            order.append(Bid(aces, 1))
            aces += 1
    return order + [Bid(quantity, 1) for quantity in range(aces, cap + 1)]


def ordered(old: Bid | None, new: Bid, cap: int) -> bool:
    order = claims(cap)
    return old is None or order.index(new) > order.index(old)


def more_of_the_same(old: Bid | None, new: Bid, cap: int) -> bool:
    return old is None or (new.face == old.face and new.quantity > old.quantity)


def more_of_any(old: Bid | None, new: Bid, cap: int) -> bool:
    return old is None or new.quantity > old.quantity


ORDINARY: dict[str, Follows] = {
    **dict.fromkeys(HALVING.split(), halving(plain)),
    **dict.fromkeys(PLAIN.split(), plain),
    **dict.fromkeys(("palafico", "perudo_com"), halving(neither_falls)),
    "neller": ordered,
}
CHANGE: dict[str, Follows] = {
    **dict.fromkeys(("santaba", "bga"), plain),
    **dict.fromkeys(("palafico", "perudo_com"), more_of_any),
    **dict.fromkeys(("standard", "pacos", "wikipedia"), more_of_the_same),
}
"""In a palifico round, for the players who may change the face: those with one die, or seat 0."""


def rule_of(name: str, palifico: str, dice: tuple[int, ...], ply: int) -> Follows:
    """What the bidder of a ply may do; seat 0 makes the first bid."""
    if palifico == "no":
        return ORDINARY[name]
    seat = ply % len(dice)
    free = seat == 0 if name in ("palafico", "perudo_com") else dice[seat] == 1
    return CHANGE[name] if free else more_of_the_same


def every_bid(cap: int) -> list[Bid]:
    return [Bid(quantity, face) for quantity in range(1, cap + 1) for face in range(1, 7)]


def defined(name: str, palifico: str, dice: tuple[int, ...]) -> Counts:
    """Adds up, ply by ply, in how many ways each bid can be reached."""
    cap = sum(dice)
    bids = every_bid(cap)
    before: dict[Follows, dict[Bid, list[Bid]]] = {}
    ways = {bid: 1 for bid in bids if rule_of(name, palifico, dice, 0)(None, bid, cap)}
    sums = []
    ply = 0
    while any(ways.values()):
        sums.append(sum(ways.values()))
        ply += 1
        rule = rule_of(name, palifico, dice, ply)
        if rule not in before:
            before[rule] = {new: [old for old in bids if rule(old, new, cap)] for new in bids}
        ways = {new: sum(ways.get(old, 0) for old in olds) for new, olds in before[rule].items()}
    one, two, three, four = (sums + [0] * 4)[:4]
    return one, two, three, four, sum(sums)


def written_out(name: str, palifico: str, dice: tuple[int, ...]) -> Iterator[int]:
    """The length of every sequence, one by one."""
    cap = sum(dice)
    bids = every_bid(cap)

    def after(old: Bid | None, ply: int) -> Iterator[int]:
        rule = rule_of(name, palifico, dice, ply)
        for new in bids:
            if rule(old, new, cap):
                yield ply + 1
                yield from after(new, ply + 1)

    return after(None, 0)


# -- the two agree -------------------------------------------------------------------------------------


def cases_up_to(most: float) -> list[Any]:
    return [
        pytest.param(name, row, id=f"{name}-{row.palifico}-{'-'.join(map(str, row.dice))}")
        for row in TABLE
        if row.counts[4] <= most
        for name in row.presets.split()
    ]


CASES = cases_up_to(float("inf"))


@pytest.mark.parametrize(("name", "row"), CASES)
def test_a_game_allows_so_many_sequences(name: str, row: Row) -> None:
    assert played(name, row.palifico, row.dice) == row.counts


@pytest.mark.parametrize(("name", "row"), CASES)
def test_the_rules_allow_so_many_sequences(name: str, row: Row) -> None:
    assert defined(name, row.palifico, row.dice) == row.counts


@pytest.mark.parametrize(("name", "row"), cases_up_to(5000))
def test_so_many_can_be_written_out(name: str, row: Row) -> None:
    lengths = list(written_out(name, row.palifico, row.dice))
    one, two, three, four = (lengths.count(length) for length in (1, 2, 3, 4))
    assert (one, two, three, four, len(lengths)) == row.counts


def test_rules_that_put_all_bids_in_one_order_allow_every_subset() -> None:
    """Each set of bids can be made in one way: 2 ** (6 dice) - 1 sequences."""
    total = set(PLAIN.split()) | {"neller"}
    orders = [row for row in TABLE if row.palifico == "no" and total >= set(row.presets.split())]
    assert len(orders) == 13
    assert all(row.counts[4] == 2 ** (6 * sum(row.dice)) - 1 for row in orders)


def test_every_preset_is_counted() -> None:
    named = {(name, row.palifico) for row in TABLE for name in row.presets.split()}
    assert {name for name, palifico in named if palifico == "no"} == set(PRESETS)
    assert {name for name, palifico in named if palifico == "yes"} == {
        name for name, rules in PRESETS.items() if rules.palifico != "off"
    }
