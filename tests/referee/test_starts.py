"""Launches that fail, and launches that begin anew in the middle of a task."""

from __future__ import annotations

import pytest

from arena.referee.player import MAX_FAILED_STARTS
from arena.referee.task import Limits
from tests.referee.fake import FakeBot, Map, Reply, pack, play


class Silent(FakeBot):
    """Never says hello."""

    def hello(self, token: str) -> Reply:
        return Reply()


class DeadOnArrival(FakeBot):
    def hello(self, token: str) -> Reply:
        return Reply(dies=0.01)


class WrongToken(FakeBot):
    """Is refused, and leaves."""

    def hello(self, token: str) -> Reply:
        return Reply(0.01, [pack(self.introduction("guessed"))], dies=0.02)


class WrongProtocol(FakeBot):
    """Is refused, and stays."""

    def hello(self, token: str) -> Reply:
        return Reply(0.01, [pack(self.introduction(token) | {"protocol": 2})])


class Garbage(FakeBot):
    def hello(self, token: str) -> Reply:
        return Reply(0.01, [b"Hello!"])


REASONS = [
    (Silent, "start", "no hello within 1 s"),
    (DeadOnArrival, "start", "the process exited with code 1 before its hello"),
    (WrongToken, "start", "refused: the token is not the one in ARENA_TOKEN"),
    (WrongProtocol, "start", "refused: this arena speaks protocol 1, not 2 within 1 s"),
    (Garbage, "malformed", ""),
]


@pytest.mark.parametrize(("bot", "cause", "detail"), REASONS, ids=[bot.__name__ for bot, *_ in REASONS])
def test_three_failed_starts_and_it_is_out(bot: type[FakeBot], cause: str, detail: str) -> None:
    """The first costs nothing, for no game waits yet; the others play on to the end of the task."""
    played = play([FakeBot, bot, FakeBot], games=5)
    assert [len(played.launches(index)) for index in range(3)] == [1, MAX_FAILED_STARTS, 1]
    assert played.faults() == [
        (1, 1, cause),
        (2, 1, cause),
        (3, 1, "start"),
        (4, 1, "start"),
        (5, 1, "start"),
    ]
    faults = [record.faults[0] for record in played.records]
    assert faults[0].detail.startswith(detail)
    assert faults[4].detail == "it failed to start 3 times in a row"
    assert all(record.places[1] == 3 for record in played.records)
    assert played.referee.players[1].failed_starts_total == 3
    played.check()


def test_a_bot_that_says_hello_and_never_answers_is_out_too() -> None:
    class Mute(FakeBot):
        def ask(self, ask: Map) -> Reply:
            return Reply()

    played = play([FakeBot, Mute, FakeBot], games=5)
    assert len(played.launches(1)) == MAX_FAILED_STARTS
    assert [cause for _, _, cause in played.faults()] == ["timeout"] * 3 + ["start"] * 2
    played.check()


def test_a_bot_that_starts_at_last_plays() -> None:
    class ThirdTime(FakeBot):
        def hello(self, token: str) -> Reply:
            return super().hello(token) if self.launch % 3 == 0 else Reply(dies=0.01)

    played = play([ThirdTime, FakeBot, FakeBot], games=4)
    assert played.faults() == [(1, 0, "start")]
    assert len(played.launches(0)) == 3
    played.check()


def test_an_answer_makes_it_three_again() -> None:
    """It crashes in its second ask of every other launch: it is never out."""

    class Unsteady(FakeBot):
        def hello(self, token: str) -> Reply:
            return super().hello(token) if self.launch % 3 == 0 else Reply(dies=0.01)

        def ask(self, ask: Map) -> Reply:
            return Reply(dies=0.01) if ask["id"] == 2 else super().ask(ask)

    played = play([Unsteady, FakeBot], games=12)
    assert {cause for *_, cause in played.faults()} == {"start", "crash"}
    assert len(played.launches(0)) > 6
    assert all(fault.detail.startswith("the process") for r in played.records for fault in r.faults)
    played.check()


def test_gone_after_the_hello_is_a_crash() -> None:
    """It said hello, so it did start; the game that then waits for it is forfeited."""

    class Leaves(FakeBot):
        def hello(self, token: str) -> Reply:
            return Reply(0.01, [pack(self.introduction(token))], dies=0.02)

    played = play([FakeBot, Leaves, FakeBot], games=2)
    assert played.faults()[0] == (1, 1, "crash")
    played.check()


def test_a_bot_that_is_out_from_the_start_is_never_launched() -> None:
    played = play([FakeBot, FakeBot, FakeBot], games=3, out=[2])
    assert played.launches(2) == []
    assert played.faults() == [(game, 2, "start") for game in (1, 2, 3)]
    assert played.records[0].faults[0].detail == "no bot at all"
    played.check()


def test_it_does_not_limit_the_games_in_flight_of_the_others() -> None:
    class Four(FakeBot):
        games = 4

    class One(FakeBot):
        games = 1

    limits = Limits(start=1.0, games_in_flight=4)
    played = play([Four, Four, One], games=4, out=[2], limits=limits)
    assert played.launches(0)[0].messages[0]["games"] == 4


def test_two_bots_that_are_out_leave_the_third_to_win() -> None:
    played = play([Silent, Silent, FakeBot], games=4)
    assert all(record.places[2] == 1 for record in played.records)
    played.check()


def test_nobody_is_left_but_one_who_never_starts() -> None:
    played = play([Silent, Silent], games=4)
    assert len(played.records) == 4
    played.check()


def test_all_wait_for_the_slowest_to_start() -> None:
    class Slow(FakeBot):
        start_delay = 0.9

    played = play([FakeBot, Slow])
    asks = [
        at
        for at, m in zip(played.launches(0)[0].sent_at, played.launches(0)[0].messages, strict=True)
        if m["type"] == "ask"
    ]
    assert asks[0] == pytest.approx(0.9)
    assert played.launches(0)[0].asks[0]["time_ms"] == 950, "waiting is not charged"


def test_a_new_launch_is_told_the_games_that_are_under_way() -> None:
    """Two games; bot 0 fails where one of them waits for it. The other is started again, in the
    middle, and numbered from 1, for the new process has heard of nothing."""

    class FailsOnce(FakeBot):
        games = 2
        past = True

        def ask(self, ask: Map) -> Reply:
            if self.launch == 1 and ask["id"] == 4:
                return Reply(0.001, [b"\xc1"])
            return super().ask(ask)

    class Two(FakeBot):
        games = 2

    class Slow(Two):
        think = 0.01

    limits = Limits(start=1.0, games_in_flight=2)
    played = play([FailsOnce, Two, Slow], games=2, limits=limits, rotate=True)
    [fault] = played.faults()
    assert fault[1:] == (0, "malformed")
    first, second = played.launches(0)
    assert len(first.asks[-1]["acts"]) == 1, "else both games are forfeited"
    start, act = second.asks[0]["starts"][0], second.asks[0]["acts"][0]
    assert start["game"] == act["game"] == 1
    assert len(act["past"]) == act["round"] - 1
    assert start["commitment"] == played.records[2 - fault[0]].commitment
    assert second.asks[0]["time_ms"] == 950
    played.check()


def test_output_and_hello_of_each_launch_are_its_own() -> None:
    class Twice(FakeBot):
        def ask(self, ask: Map) -> Reply:
            return super().ask(ask) if ask["id"] < 3 else Reply(dies=0.0)

    played = play([Twice, FakeBot], games=2)
    assert [r.faults[0].stderr for r in played.records] == ["output of launch 1", "output of launch 2"]


def test_why_one_launch_was_refused_says_nothing_about_the_next() -> None:
    class RefusedOnce(FakeBot):
        def hello(self, token: str) -> Reply:
            refused = Reply(0.01, [pack(self.introduction("guessed"))], dies=0.02)
            return refused if self.launch == 1 else Reply()

    played = play([RefusedOnce, FakeBot])
    assert played.records[0].faults[0].detail == "no hello within 1 s"


def test_a_new_launch_hears_nothing_of_how_older_games_ended() -> None:
    """A dozen times it sleeps over an ask, while games end in which it was out already."""

    class Dozes(FakeBot):
        games = 6

        def ask(self, ask: Map) -> Reply:
            return Reply() if ask["id"] == 6 else super().ask(ask)

    class Six(FakeBot):
        games = 6

    limits = Limits(start=1.0, games_in_flight=6)
    played = play([Dozes, Six, Six, Six], games=60, rotate=True, limits=limits)
    assert len(played.launches(0)) > 6
    assert {bot for _, bot, _ in played.faults()} == {0}
    played.check()


def test_a_bot_may_have_a_new_process_for_every_game() -> None:
    """It is told how its game ended, then goodbye; the others stay."""
    played = play([FakeBot, FakeBot, FakeBot], games=4, rotate=True, restarts=[1])
    assert played.faults() == []
    assert [len(played.launches(bot)) for bot in (0, 1, 2)] == [1, 4, 1]
    for launch in played.launches(1):
        assert launch.closed == "polite"
        assert [len(ask["ends"]) for ask in launch.asks if ask["ends"]] == [1]
        assert [start["game"] for ask in launch.asks for start in ask["starts"]] == [1]
    played.check()
