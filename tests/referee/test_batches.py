"""Many games at once: batches, what a fault costs, and that nothing of a game depends on them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from arena.game import PRESETS
from arena.referee.faults import BotFault, Cause
from arena.referee.task import Limits
from arena.referee.wire import SPLIT_AT
from tests.referee.fake import FakeBot, Map, Played, Reply, pack, play


class Many(FakeBot):
    games = 64
    out_of_turn = True
    past = True


def limits(in_flight: int) -> Limits:
    return Limits(move=0.1, start=1.0, grace=0.02, games_in_flight=in_flight)


@pytest.mark.parametrize("in_flight", [1, 2, 5, 64])
def test_at_most_so_many_games_and_all_of_them_at_once(in_flight: int) -> None:
    played = play([Many, Many, Many], games=8, limits=limits(in_flight))
    sizes = [len(ask["acts"]) for ask in played.launches(0)[0].asks]
    assert max(sizes) == min(in_flight, 8)
    assert {launch.messages[0]["games"] for launch in played.transport.sessions} == {in_flight}
    played.check()


def test_the_smallest_hello_decides() -> None:
    class Three(FakeBot):
        games = 3

    played = play([Many, Three], games=8, limits=limits(8))
    assert played.launches(0)[0].messages[0]["games"] == 3
    played.check()


def test_k_acts_have_k_moves_time() -> None:
    played = play([Many, Many, FakeBot], games=8, limits=limits(8), ruleset="santaba")
    assert all(len(ask["acts"]) <= 1 for ask in played.launches(0)[0].asks)
    played = play([Many, Many, Many], games=8, limits=limits(8), ruleset="santaba")
    for launch in played.transport.sessions:
        for ask in launch.asks[1:]:
            assert ask["time_ms"] == 100 * max(1, len(ask["acts"]))


@pytest.mark.parametrize(("extra", "late"), [(0.02, False), (0.0201, True)])
def test_and_not_more(extra: float, late: bool) -> None:
    class Slow(Many):
        def ask(self, ask: Map) -> Reply:
            slow = ask["id"] == 2 and self.launch == 1
            return Reply(0.1 * len(ask["acts"]) + extra if slow else 0.001, [self.answer(ask)])

    played = play([Slow, Many], games=6, limits=limits(6))
    assert len(played.launches(0)[0].asks[1]["acts"]) > 2
    assert bool(played.faults()) == late


FAULTY: list[tuple[str, Reply]] = [
    ("malformed", Reply(0.001, [b"nonsense"])),
    ("malformed", Reply(0.001, [pack({"type": "answer", "id": 2, "calls": ["dudo"]})])),
    ("malformed", Reply(0.001, [pack({"type": "answer", "id": 99, "calls": []})])),
    ("malformed", Reply(0.001, [BotFault(Cause.MALFORMED, "several frames")])),
    ("oversize", Reply(0.001, [BotFault(Cause.OVERSIZE, "much")])),
    ("timeout", Reply()),
    ("crash", Reply(dies=0.01)),
]


@pytest.mark.parametrize(("cause", "reply"), FAULTY, ids=lambda value: getattr(value, "value", None))
def test_a_fault_costs_exactly_the_games_of_the_open_ask(cause: str, reply: Reply) -> None:
    class FailsOnce(Many):
        def ask(self, ask: Map) -> Reply:
            return reply if ask["id"] == 2 and self.launch == 1 else super().ask(ask)

    class Slow(Many):
        think = 0.02

    played = play([FailsOnce, Many, Slow], games=9, limits=limits(8), rotate=True)
    first, second = played.launches(0)
    lost = [act["game"] for act in first.asks[1]["acts"]]
    assert 1 < len(lost) < 8
    commitments = {start["game"]: start["commitment"] for ask in first.asks for start in ask["starts"]}
    expected = {commitments[game] for game in lost}
    assert {r.commitment for r in played.records if r.faults} == expected
    assert {(bot, told) for _, bot, told in played.faults()} == {(0, cause)}
    assert len(second.asks) > 1
    assert played.referee.players[0].failed_starts == 0
    played.check()


def test_a_fault_right_behind_an_answer_costs_the_game_too() -> None:
    """Else each of its calls would have the time of a start, and cost no more than a launch."""

    class Adds(FakeBot):
        def ask(self, ask: Map) -> Reply:
            return Reply(0.001, [self.answer(ask), b"nonsense"])

    played = play([FakeBot, Adds], games=3)
    assert played.faults() == [(game, 1, "malformed") for game in (1, 2, 3)]
    assert len(played.launches(1)) == 3
    played.check()


@pytest.mark.parametrize(
    "call", ["banana", "", "0x9", "31x1", "calza", "DUDO", "1x1 ", "9999x9999", "é"]
)
def test_an_illegal_call_costs_its_game_only(call: str) -> None:
    class OneWrong(Many):
        def answer(self, ask: Map) -> bytes:
            calls = [self.call(act) for act in ask["acts"]]
            if ask["id"] == 1:
                calls[2] = call
            return pack({"type": "answer", "id": ask["id"], "calls": calls})

    played = play([OneWrong, Many, Many], games=6, limits=limits(6))
    assert played.faults() == [(3, 0, "illegal")]
    assert len(played.launches(0)) == 1
    fault = played.records[2].faults[0]
    assert fault.received == call.encode().hex()
    assert fault.round == 1
    assert fault.asked.startswith("round 1, no bid stands")
    ends = {end["game"]: end for ask in played.launches(0)[0].asks for end in ask["ends"]}
    assert [end["fault"] for _, end in sorted(ends.items())] == ["", "", "illegal", "", "", ""]
    assert ends[3]["detail"] == fault.detail
    assert ends[3]["places"][0] == 3
    played.check()


def test_all_calls_of_an_answer_may_be_illegal() -> None:
    class AllWrong(Many):
        def call(self, act: Map) -> str:
            return "37x7"

    played = play([Many, AllWrong, Many], games=5, limits=limits(5))
    assert played.faults() == [(game, 1, "illegal") for game in range(1, 6)]
    assert len(played.launches(1)) == 1
    played.check()


def test_both_of_two_are_illegal() -> None:
    """The first to be asked is out, and the other wins without a call."""

    class Wrong(FakeBot):
        def call(self, act: Map) -> str:
            return "?"

    played = play([Wrong, Wrong], games=3)
    assert played.faults() == [(game, 0, "illegal") for game in (1, 2, 3)]
    assert [record.places for record in played.records] == [[2, 1]] * 3
    played.check()


def randoms(played: Played) -> dict[tuple[str, int], list[int]]:
    """The random numbers of every (game, bot), in order of the questions."""
    found: dict[tuple[str, int], list[int]] = {}
    for launch in played.transport.sessions:
        names: dict[int, str] = {}
        for ask in launch.asks:
            names |= {start["game"]: start["commitment"] for start in ask["starts"]}
            for act in ask["acts"]:
                found.setdefault((names[act["game"]], launch.bot), []).append(act["random"])
    return found


def without_time(played: Played) -> list[Any]:
    records = [msgspec.to_builtins(record) for record in played.records]
    for record in records:
        del record["timing"]
        for fault in record["faults"]:
            del fault["used_ms"]
    return records


@pytest.mark.parametrize("ruleset", ["santaba", "standard", "rdr", "neller"])
def test_nothing_of_a_game_depends_on_how_many_are_in_flight(ruleset: str) -> None:
    """The bots are deterministic and one of them makes an illegal call now and then."""

    class Sloppy(Many):
        def call(self, act: Map) -> str:
            return "oops" if act["random"] % 31 == 0 else super().call(act)

    class Slow(Many):
        think = 0.007

    one, eight = (
        play([Sloppy, Slow, Many, Many], games=16, ruleset=ruleset, limits=limits(k), rotate=True)
        for k in (1, 8)
    )
    assert without_time(one) == without_time(eight)
    assert randoms(one) == randoms(eight)
    assert any(record.faults for record in one.records)
    assert {record.timing.batch for record in one.records} == {1.0}
    assert max(record.timing.batch for record in eight.records) > 1.5
    for played in (one, eight):
        played.check()
        for record in played.records:
            assert [len(us) for us in record.timing.us] == [len(c.split()) for c in record.calls]


def test_random_numbers_differ_between_games_and_seats() -> None:
    played = play([Many, Many, Many], games=4, limits=limits(4))
    numbers = [number for drawn in randoms(played).values() for number in drawn]
    assert len(set(numbers)) == len(numbers)
    assert all(0 <= number < 2**31 for number in numbers)


class Raiser(Many):
    """Bids as little more as possible: the longest rounds that there are."""

    def call(self, act: Map) -> str:
        bids = [(q, f) for f, q in enumerate(act["min_quantity"], 1) if q <= act["max_quantity"]]
        return "{}x{}".format(*min(bids)) if bids else "dudo"


def test_a_large_ask_is_split_and_nothing_is_lost() -> None:
    """64 games of three in their longest rounds: more than 50 kB of questions."""
    one_round = PRESETS["standard"].with_options({"one_round": True})
    played = play([Raiser] * 3, games=64, ruleset=one_round, limits=limits(64))
    assert played.faults() == []
    played.check()
    launch = played.launches(0)[0]
    assert max(len(frame) for frame in launch.frames) <= SPLIT_AT
    assert len(launch.asks[0]["acts"]) == 32, "64 starts do not fit"
    for launch in played.transport.sessions:
        told = [end["game"] for ask in launch.asks for end in ask["ends"]]
        assert sorted(told) == list(range(1, 65))
    assert max(len(calls.split()) for record in played.records for calls in record.calls) > 60


def test_games_that_were_split_off_are_not_lost_with_the_ones_before() -> None:
    """It answers its first, halved, ask and dies: the other half it has never heard of."""

    class Dies(Many):
        def ask(self, ask: Map) -> Reply:
            dies = 0.001 if self.launch == 1 else None
            return Reply(0.001, [self.answer(ask)], dies=dies)

    played = play([Dies, Many], games=64, limits=limits(64))
    assert played.faults() == []
    assert len(played.launches(0)) == 2
    played.check()
