"""Small logs written by hand: a header, and games of which only what matters is said."""

from __future__ import annotations

from collections.abc import Sequence

from arena.game import preset
from arena.record.schema import Bot, Fault, GameRecord, Header, Settings, Sprt, Timing
from arena.referee.table import ruleset_on_the_wire


def header(
    names: Sequence[str],
    players: int,
    games: int = 100,
    ruleset: str = "standard",
    sprt: Sprt | None = None,
) -> Header:
    bots = [Bot(name, "", "", "", "", "", 1, False, False, "") for name in names]
    settings = Settings(100, 10_000, 20, 1, 50, 1, "none", False)
    rules = ruleset_on_the_wire(preset(ruleset))
    made = Header(
        1, "0", "test", "", rules, players, bots, "mirrored", "secret", "", "", {}, games, settings, {}
    )
    made.sprt = sprt
    return made


def game(
    number: int,
    seats: Sequence[int],
    places: Sequence[int],
    *,
    us: Sequence[int] = (10, 20),
    fault: tuple[int, str] | None = None,
) -> GameRecord:
    """A game of one round, "1x2 dudo" with these times; block and rotation follow from the number.

    With a `fault` (seat, cause) that seat forfeits instead of the dudo.
    """
    players = len(seats)
    calls = "1x2 dudo" if fault is None else f"1x2 {fault[0]}:forfeit"
    return GameRecord(
        game=number,
        block=number // players,
        rotation=number % players,
        deal=number // players,
        seats=list(seats),
        commitment="",
        openers=[0],
        palifico=[0],
        hands=[" ".join(["12345"] * players)],
        calls=[calls],
        counts=[1],
        changes=["1-1"],
        places=list(places),
        faults=[] if fault is None else [Fault(fault[0], fault[1], 1, "")],
        timing=Timing(0.0, 1.0, [list(us)], 1.0, 0.0),
    )
