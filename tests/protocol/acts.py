"""Questions without a referee: acts of the wire made from games in progress."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from msgspec import UNSET

from arena.game import Dice, Game, Ruleset, parse_call, preset
from arena.referee.wire import Act

Decide = Callable[[Act], str]


def act_of(game: Game, number: int = 1, chance: int = 0) -> Act:
    """The pending question of `game` as the referee would put it; `chance` is its `random`."""
    ask = game.ask
    assert ask is not None
    quantity, face = game.standing or (0, 0)
    return Act(
        game=number,
        seat=ask.seat,
        dice=list(game.dice),
        round=game.round.number,
        hand=game.round.hands[ask.seat],
        palifico=game.round.palifico,
        wild=game.wild,
        quantity=quantity,
        face=face,
        calls=[(seat, str(call)) for seat, call in game.round.calls],
        min_quantity=ask.minimums,
        max_quantity=ask.maximum,
        words=ask.words,
        random=chance,
        bank_ms=0,
        min_tabba=UNSET if ask.tabba_minimums is None else ask.tabba_minimums,
    )


def any_call(act: Act, rng: random.Random) -> str:
    """A legal call that keeps rounds going: mostly a low bid, sometimes any word or a tabba bid."""
    lows = act.min_quantity
    if act.min_tabba is not UNSET and rng.random() < 0.3:
        lows = tuple(map(min, lows, act.min_tabba))
    bids = [
        f"{min(low + rng.choice((0, 0, 0, 1, 1, 3)), act.max_quantity)}x{face}"
        for face, low in enumerate(lows, 1)
        if low <= act.max_quantity
    ]
    if not bids or (act.words and rng.random() < 0.25):
        return rng.choice(act.words)
    return rng.choice(bids)


def questions(ruleset: Ruleset | str, players: int, seed: int, most: int) -> Iterator[Act]:
    """Every question of random games, over and over, until there were `most`."""
    rng = random.Random(seed)
    rules = preset(ruleset) if isinstance(ruleset, str) else ruleset
    number = 0
    while most > 0:
        number += 1
        game = Game(rules, players, Dice(rng.randbytes(32)), opener=rng.randrange(players))
        while not game.over and most > 0:
            act = act_of(game, number, rng.getrandbits(31))
            yield act
            most -= 1
            game.answer(parse_call(any_call(act, rng)))
