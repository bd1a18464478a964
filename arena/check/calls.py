"""Every kind of question, in every situation that the rules know: only legal calls may come."""

from __future__ import annotations

from collections.abc import Iterable

from arena.check.cases import Fits, always, says, scenes
from arena.check.room import Room
from arena.check.step import Registry
from arena.game import PRESETS, Game, Ruleset, Word, preset

registry = Registry()

EACH = 12
"""Questions of each sort."""
ALL = tuple(PRESETS.values())
HALVING = tuple(rules for rules in ALL if rules.ace_bids == "halve")
PALIFICO = tuple(rules for rules in ALL if rules.palifico != "off")


def try_each(room: Room, rulesets: Iterable[Ruleset], *sorts: Fits, count: int = EACH) -> str:
    """Ask questions of these sorts, so many of each."""
    visit = room.visit()
    asked = 0
    for fits in sorts:
        for case in scenes(rulesets, fits, count, out_of_turn=room.out_of_turn()):
            visit.scenes([case])
            asked += 1
    return f"{asked} questions"


# -- what a question is like -------------------------------------------------------------------------


def faces(game: Game) -> list[int]:
    """The faces that may be bid."""
    assert game.ask is not None
    return [face for face, least in enumerate(game.ask.minimums, 1) if least <= game.ask.maximum]


def ordinary(game: Game) -> bool:
    return not game.round.palifico and not says(game, Word.PASS)


def raising(game: Game) -> bool:
    return ordinary(game) and game.standing is not None and bool(faces(game))


def bound(game: Game) -> bool:
    standing = game.standing
    return game.round.palifico and standing is not None and faces(game) == [standing.face]


def free(game: Game) -> bool:
    standing = game.standing
    return game.round.palifico and standing is not None and bool(set(faces(game)) - {standing.face})


def tabba_bid(game: Game) -> bool:
    """Whether a bid may be made that stands unless somebody calls tabba."""
    ask = game.ask
    if ask is None or ask.tabba_minimums is None:
        return False
    pairs = zip(ask.tabba_minimums, ask.minimums, strict=True)
    return any(tabba < least and tabba <= ask.maximum for tabba, least in pairs)


# -- the steps ---------------------------------------------------------------------------------------


@registry.step("opens a round with a bid")
def opens(room: Room) -> str:
    return try_each(room, ALL, lambda game: ordinary(game) and game.standing is None)


@registry.step("raises a bid, or doubts it")
def raises(room: Room) -> str:
    return try_each(room, ALL, raising, count=2 * EACH)


@registry.step("says dudo where no higher bid is left")
def only_dudo(room: Room) -> str:
    return try_each(
        room,
        ALL,
        lambda game: game.ask is not None and game.ask.words == (Word.DUDO,) and not faces(game),
    )


@registry.step("goes into aces and out of them")
def aces(room: Room) -> str:
    def into(game: Game) -> bool:
        return raising(game) and game.standing is not None and game.standing.face != 1

    def out_of(game: Game) -> bool:
        return raising(game) and game.standing is not None and game.standing.face == 1

    return try_each(room, HALVING, into, out_of)


@registry.step("may call calza on its turn")
def calza(room: Room) -> str:
    rules = [rules for rules in ALL if rules.calza == "turn"]
    return try_each(room, rules, lambda game: says(game, Word.CALZA) and not says(game, Word.PASS))


@registry.step("is offered palifico, and opens a palifico round")
def palifico(room: Room) -> str:
    offered = [rules for rules in ALL if rules.palifico == "call"]
    try_each(room, offered, lambda game: says(game, Word.PALIFICO))
    return try_each(room, PALIFICO, lambda game: game.round.palifico and game.standing is None)


@registry.step("keeps to the face of a palifico round")
def palifico_bound(room: Room) -> str:
    return try_each(room, PALIFICO, bound, count=2 * EACH)


@registry.step("may change the face of a palifico round")
def palifico_free(room: Room) -> str:
    return try_each(room, [rules for rules in PALIFICO if rules.palifico_change != "nobody"], free)


@registry.step("may make tabba bids, and call tabba on its turn")
def tabba(room: Room) -> str:
    rules = [preset("santaba")]
    return try_each(
        room, rules, tabba_bid, lambda game: says(game, Word.TABBA) and not says(game, Word.PASS)
    )


@registry.step("is asked for calza when another is on turn")
def calza_out_of_turn(room: Room) -> str:
    room.need("out_of_turn")
    rules = [rules for rules in ALL if rules.calza == "others"]
    return try_each(room, rules, lambda game: says(game, Word.PASS) and says(game, Word.CALZA))


@registry.step("is asked for tabba when another is on turn")
def tabba_out_of_turn(room: Room) -> str:
    room.need("out_of_turn")
    return try_each(
        room, [preset("santaba")], lambda game: says(game, Word.PASS) and says(game, Word.TABBA)
    )


@registry.step("plays under every ruleset")
def rulesets(room: Room) -> str:
    visit = room.visit()
    for rules in ALL:
        for players in {rules.players[0], rules.players[1]}:
            visit.scenes(scenes([rules], always, 3, players=[players], out_of_turn=room.out_of_turn()))
    return f"{len(ALL)} of them"
