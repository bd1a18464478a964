"""A round as the log writes it, and what is read out of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from arena.game import PRESETS, preset
from arena.record.columns import read_callers, times_by_seat
from arena.record.schema import GameRecord
from tests.record.played import play_log


def records(name: str, **options: Any) -> list[GameRecord]:
    players = min(4, preset(name).players[1])
    games = play_log(preset(name), players, **options).games
    return [msgspec.convert(game, GameRecord) for game in games]


@pytest.mark.parametrize("name", PRESETS)
def test_the_times_of_a_seat_are_those_of_its_calls(name: str) -> None:
    for game in records(name, faults=0.05):
        wanted: list[list[int]] = [[] for _ in game.seats]
        for at, (opener, hands, calls) in enumerate(
            zip(game.openers, game.hands, game.calls, strict=True)
        ):
            # Times that tell which call they belong to.
            game.timing.us[at] = [1000 * at + i for i in range(len(calls.split()))]
            for i, (seat, word) in enumerate(read_callers(opener, hands, calls)):
                if word != "forfeit":
                    wanted[seat].append(1000 * at + i)
        assert times_by_seat(game) == wanted


def test_times_that_do_not_fit_the_calls_are_refused() -> None:
    game = records("standard", faults=0)[0]
    timing = msgspec.structs.replace(game.timing, us=[[*us, 1] for us in game.timing.us])
    with pytest.raises(ValueError, match="times for the calls"):
        times_by_seat(msgspec.structs.replace(game, timing=timing))
