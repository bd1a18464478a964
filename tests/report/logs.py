"""Logs of made-up games: no referee, but records of the right form."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, permutations
from typing import Any

import numpy as np

from arena.game import Game
from arena.record.columns import write_calls, write_change, write_hands
from arena.record.schema import Bot, Fault, GameRecord, Header, Settings, Timing
from arena.referee.table import ruleset_on_the_wire

Rows = Sequence[tuple[int, str, str, str]]


def make_header(names: Sequence[str], players: int, games: int, **more: Any) -> Header:
    values: dict[str, Any] = {
        "format": 1,
        "arena": "0",
        "name": "made-up",
        "created": "",
        "ruleset": {"name": "standard", "wild_face": 1, "opener": "agreed"},
        "players": players,
        "bots": [Bot(name, "", "", "", "", "", 1, True, False, "") for name in names],
        "deals": "mirrored",
        "dice": "secret",
        "secret_hash": "",
        "public_salt": "",
        "schedule": {},
        "games": games,
        "settings": Settings(100, 1000, 20, 1, 50, 1, "none", False),
        "host": {},
    }
    return Header(**(values | more))


def make_record(
    rows: Rows, places: list[int], us: list[list[int]] | None = None, **more: Any
) -> GameRecord:
    """Rows of opener, hands, calls, changes; every call took 10 µs unless `us` says otherwise."""
    openers, hands, calls, changes = ([row[i] for row in rows] for i in range(4))
    spent = us or [[10] * len(row[2].split()) for row in rows]
    values: dict[str, Any] = {
        "game": 0,
        "block": 0,
        "rotation": 0,
        "deal": 0,
        "seats": list(range(len(places))),
        "commitment": "",
        "openers": openers,
        "palifico": [0] * len(rows),
        "hands": hands,
        "calls": calls,
        "counts": [None] * len(rows),
        "changes": changes,
        "places": places,
        "faults": [],
        "timing": Timing(started=0.0, seconds=0.0, us=spent, batch=1.0, lag_ms=0.0),
    }
    return GameRecord(**(values | more))


def fault(seat: int, cause: str) -> Fault:
    return Fault(seat, cause, 1, "")


def made_up(
    names: Sequence[str], players: int, blocks: int, seed: int = 1, weakness: Sequence[float] = ()
) -> tuple[Header, list[GameRecord]]:
    """Whole blocks, of every line-up in turn. Who loses a die is drawn in proportion to `weakness`
    (growing with the number of the bot); 0: never, so that the bot wins all its games.
    """
    rng = np.random.default_rng(seed)
    weak = np.asarray(weakness or np.linspace(1, 3, len(names)))
    orders = list(islice(permutations(range(len(names)), players), 500))
    games = []
    for block in range(blocks):
        order = orders[block * 7 % len(orders)]
        for rotation in range(players):
            seats = [*order[rotation:], *order[:rotation]]
            number = block * players + rotation
            rows, places, us = _game(weak[seats], rng)
            games.append(
                make_record(rows, places, us, game=number, block=block, rotation=rotation, seats=seats)
            )
    return make_header(names, players, len(games)), games


def _game(
    weak: np.ndarray[Any, Any], rng: np.random.Generator
) -> tuple[list[tuple[int, str, str, str]], list[int], list[list[int]]]:
    seats = len(weak)
    dice, places = [3] * seats, [1] * seats
    rows, us = [], []
    opener = 0
    while sum(held > 0 for held in dice) > 1:
        live = [seat for seat in range(seats) if dice[seat]]
        chance = weak[live] / weak[live].sum()
        loser = live[int(rng.choice(len(live), p=chance))]
        hands = " ".join("4" * held if held else "-" for held in dice)
        calls = " ".join([f"{quantity}x4" for quantity in range(1, len(live) + 1)] + ["dudo"])
        rows.append((opener, hands, calls, f"{loser}-1"))
        us.append([int(t) for t in rng.lognormal(5, 1, len(live) + 1)])
        dice[loser] -= 1
        if not dice[loser]:
            places[loser] = len(live)
        opener = next(s % seats for s in range(loser, loser + seats) if dice[s % seats])
    return rows, places, us


def logged(
    game: Game, faults: Sequence[Fault] = (), names: Sequence[str] = ()
) -> tuple[Header, GameRecord]:
    """A finished game as the referee logs it."""
    rounds = game.rounds
    rows = [(r.opener, write_hands(r.hands), write_calls(r), write_change(r.change)) for r in rounds]
    header = make_header(
        names or "abcdef"[: game.players], game.players, 1, ruleset=ruleset_on_the_wire(game.ruleset)
    )
    palifico = [int(r.palifico) for r in rounds]
    counts = [r.count for r in rounds]
    return header, make_record(rows, game.places, palifico=palifico, counts=counts, faults=list(faults))
