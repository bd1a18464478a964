"""Faults that cost no game: the referee calls for a late or mistaken bot, and it plays on."""

from __future__ import annotations

import pytest

from arena.referee.link import MAX_STRAY
from arena.referee.task import Limits, Penalties
from tests.referee.fake import FakeBot, Map, Played, Reply, play

MILD = Penalties(default_call=frozenset({"timeout", "illegal"}), strikes=2)
LIMITS = Limits(move=0.1, start=1.0, grace=0.02, games_in_flight=1)


class SecondThoughts(FakeBot):
    """Answers its second ask late: after 0.13 s where 0.12 s are given."""

    def ask(self, ask: Map) -> Reply:
        return Reply(0.13 if ask["id"] == 2 else 0.001, [self.answer(ask)])


def penalties(played: Played) -> list[tuple[str, str]]:
    return [(fault.cause, fault.penalty) for record in played.records for fault in record.faults]


def test_the_referee_calls_for_a_late_bot_and_its_answer_is_dropped() -> None:
    played = play([SecondThoughts, FakeBot, FakeBot], penalties=MILD)
    assert penalties(played) == [("timeout", "default-call")]
    assert len(played.launches(0)) == 1
    [record] = played.records
    [fault] = record.faults
    call = record.calls[fault.round - 1].split()[fault.call]
    assert call == "dudo" or call.startswith("1x")
    played.check()


def test_who_did_not_forfeit_is_told_of_no_fault_at_the_end() -> None:
    played = play([SecondThoughts, FakeBot, FakeBot], penalties=MILD)
    [end] = [end for ask in played.launches(0)[0].asks for end in ask["ends"]]
    assert (end["fault"], end["detail"]) == ("", "")


def test_after_so_many_strikes_the_game_is_lost_and_the_end_names_the_last() -> None:
    class Wrong(FakeBot):
        def call(self, act: Map) -> str:
            return "99x9"

    played = play([FakeBot, Wrong, FakeBot], penalties=MILD, games=2)
    calls = [("illegal", "default-call")] * 2
    assert penalties(played) == [*calls, ("illegal", "forfeit")] * 2
    for _, bot, _ in played.faults():
        assert bot == 1
    ends = [end for ask in played.launches(1)[0].asks for end in ask["ends"]]
    assert [end["fault"] for end in ends] == ["illegal", "illegal"]
    played.check()


def test_late_answers_to_asks_that_were_called_for_are_no_flood() -> None:
    """Each of its answers is late: it sends one for every ask, so nobody can say that it floods."""

    class AlwaysLate(FakeBot):
        def ask(self, ask: Map) -> Reply:
            return Reply(0.13 if ask["id"] > 1 else 0.001, [self.answer(ask)])

    mild = Penalties(default_call=frozenset({"timeout"}), strikes=1000)
    games = 60
    played = play([AlwaysLate, FakeBot], penalties=mild, games=games, limits=LIMITS)
    assert len(played.faults()) > 2 * MAX_STRAY
    assert {cause for *_, cause in played.faults()} == {"timeout"}
    assert len(played.launches(0)) == 1
    played.check()


@pytest.mark.parametrize(("delay", "faults"), [(0.25, 0), (0.4, 1)])
def test_a_bot_gets_back_the_time_that_the_referee_was_held_up(delay: float, faults: int) -> None:
    """The loop sleeps 0.2 s over the deadline; so much longer the bot may think, once."""

    class Slow(FakeBot):
        def ask(self, ask: Map) -> Reply:
            return Reply(delay if ask["id"] == 2 else 0.001, [self.answer(ask)])

    free = play([Slow, FakeBot])
    launch = free.launches(0)[0]
    asked = [at for at, m in zip(launch.sent_at, launch.messages, strict=True) if m["type"] == "ask"][1]
    played = play([Slow, FakeBot], stalls=[(asked + 0.08, 0.14)])
    assert len(played.faults()) == faults


def test_without_pondering_a_bot_is_paused_between_its_answer_and_the_next_ask() -> None:
    limits = Limits(move=0.1, start=1.0, grace=0.02, pondering=False)
    played = play([FakeBot, FakeBot], games=2, limits=limits)
    for launch in played.transport.sessions:
        assert launch.paused[:4] == [False, True, False, True]
        assert launch.paused[-1] is False
    played.check()
