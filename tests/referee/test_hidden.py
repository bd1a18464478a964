"""Nothing that a seat is told before the reveal depends on what others have in their hands.

The same game is played twice with the same calls: in the second, one round deals other dice to all
seats but one, behind the same commitment. Until the dice of that round are shown, that seat must have
got the same bytes both times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

import arena.referee.table
from arena.game import PRESETS, Dice
from arena.referee.task import Limits
from tests.referee.fake import FakeBot, Map, Played, play, unpack

LIMITS = Limits(move=0.1, start=1.0, games_in_flight=1)


class Curious(FakeBot):
    """Is told as much as one can be, and calls without looking at its hand."""

    out_of_turn = True
    past = True


class Sloppy(Curious):
    """Forfeits now and then: the void round must not tell anything either."""

    def call(self, act: Map) -> str:
        return "oops" if act["random"] % 29 == 0 else super().call(act)


class OtherDice(Dice):
    """Deals as `Dice`, but in round `number` other dice to every seat but `observer`."""

    number = 0
    observer = 0

    def __call__(self, number: int, dice: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        hands = super().__call__(number, dice)
        if number != self.number:
            return hands
        return tuple(
            hand if seat == self.observer else tuple(sorted(die % 6 + 1 for die in hand))
            for seat, hand in enumerate(hands)
        )


def until_shown(frames: Sequence[bytes], number: int) -> Iterator[bytes]:
    """The frames of the one game before round `number` was over."""
    for frame in frames:
        message = unpack(frame)
        if message["type"] == "ask" and (
            message["ends"] or any(act["round"] > number for act in message["acts"])
        ):
            return
        yield frame


@pytest.mark.parametrize("ruleset", [n for n, rules in PRESETS.items() if rules.seats(3)])
@pytest.mark.parametrize("observer", [0, 2])
def test_no_byte_depends_on_the_dice_of_others(
    ruleset: str, observer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played() -> Played:
        return play([Curious, Sloppy, Curious], ruleset=ruleset, limits=LIMITS)

    true = played()
    [record] = true.records
    asked = {act["round"] for ask in true.launches(observer)[0].asks for act in ask["acts"]}
    compared = 0
    for number in range(1, len(record.calls) + 1):
        if number not in asked:
            continue
        monkeypatch.setattr(OtherDice, "number", number)
        monkeypatch.setattr(OtherDice, "observer", observer)
        monkeypatch.setattr(arena.referee.table, "Dice", OtherDice)
        other = played()
        monkeypatch.undo()
        assert other.records[0].hands[number - 1] != record.hands[number - 1]
        assert other.records[0].calls[:number] == record.calls[:number]
        frames = [p.launches(observer)[0].frames for p in (true, other)]
        if record.counts[number - 1] is None:
            before, after = frames  # nobody ever showed the dice of this round
        else:
            before, after = (list(until_shown(told, number)) for told in frames)
        assert before == after
        compared += sum(number in [act["round"] for act in unpack(f).get("acts", [])] for f in before)
    assert compared, "the seat was asked in a round that was compared"


def test_the_test_would_see_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes of the seat whose own dice are others do differ."""
    true = play([Curious, Curious], limits=LIMITS)
    monkeypatch.setattr(OtherDice, "number", 1)
    monkeypatch.setattr(OtherDice, "observer", 1)
    monkeypatch.setattr(arena.referee.table, "Dice", OtherDice)
    other = play([Curious, Curious], limits=LIMITS)
    shown = [list(until_shown(p.launches(0)[0].frames, 1)) for p in (true, other)]
    assert shown[0] != shown[1]


def test_nothing_telling_is_on_the_wire() -> None:
    """Neither seed, nor key, nor the game's or deal's number in the tournament."""
    played = play([Curious, Curious, Curious], games=3, limits=LIMITS)
    for spec in played.task.games:
        for launch in played.transport.sessions:
            sent = b"".join(launch.frames)
            assert spec.deal_seed not in sent
            assert spec.deal_seed.hex().encode() not in sent
            assert spec.key not in sent
    for launch in played.transport.sessions:
        keys = {key for ask in launch.asks for start in ask["starts"] for key in start}
        assert keys == {"game", "seat", "names", "commitment", "ruleset", "dice"}
