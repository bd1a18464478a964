"""Who is late, and who is not: time is fake, so every limit is met to the microsecond."""

from __future__ import annotations

import pytest

from arena.referee.loop import SLICE
from arena.referee.task import Limits
from tests.referee.fake import FakeBot, FakeSession, Map, Played, Reply, play

MOVE, GRACE = 0.1, 0.02


class Second(FakeBot):
    """Answers its first ask at once: from then on every move has its own limit."""

    delay = 0.0
    """Of the second answer."""

    def ask(self, ask: Map) -> Reply:
        if ask["id"] == 2 and self.launch == 1:
            return self.second(ask)
        return super().ask(ask)

    def second(self, ask: Map) -> Reply:
        return Reply(self.delay, [self.answer(ask)])


def with_delay(seconds: float) -> type[Second]:
    return type("Slow", (Second,), {"delay": seconds})


def second_ask(played: Played) -> float:
    """When the second ask was sent to bot 0."""
    launch = played.launches(0)[0]
    return [at for at, m in zip(launch.sent_at, launch.messages, strict=True) if m["type"] == "ask"][1]


@pytest.mark.parametrize("delay", [0.0, 0.05, MOVE, MOVE + GRACE / 2, MOVE + GRACE])
def test_an_answer_by_the_end_of_the_grace_counts(delay: float) -> None:
    played = play([with_delay(delay), FakeBot])
    assert played.faults() == []
    played.check()


def test_the_time_of_a_call_is_in_the_log() -> None:
    played = play([with_delay(0.05), FakeBot])
    assert 50_000 in [us for us in played.records[0].timing.us[0] if us > 1000]


def test_what_a_bot_thinks_before_the_send_has_come_back_is_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where a core is scarce the bot that a message wakes runs at once, in place of the referee."""
    send = FakeSession.send

    def overtaken(self: FakeSession, peer: int, frame: bytes) -> None:
        send(self, peer, frame)
        self._transport.now += 0.03

    monkeypatch.setattr(FakeSession, "send", overtaken)
    played = play([with_delay(0.0), FakeBot])
    assert min(us for us in played.records[0].timing.us[0]) >= 30_000
    played.check()


@pytest.mark.parametrize("delay", [MOVE + GRACE + 1e-6, 0.5, 1e6])
def test_a_later_one_does_not(delay: float) -> None:
    played = play([with_delay(delay), FakeBot])
    assert played.faults() == [(1, 0, "timeout")]
    [fault] = played.records[0].faults
    assert fault.detail == "no answer within 100 ms"
    assert fault.used_ms == pytest.approx(120, abs=1)
    assert fault.stderr == "output of launch 1"
    assert fault.asked.startswith("round ")
    played.check()


def test_a_late_answer_that_came_while_the_loop_was_busy_counts() -> None:
    """The loop looks, is held up for a second, and finds the answer when it looks again."""
    at = second_ask(play([with_delay(0.15), FakeBot]))
    played = play([with_delay(0.15), FakeBot], stalls=[(at + SLICE, 1.0)])
    assert played.faults() == []
    assert played.records[0].timing.lag_ms == pytest.approx(1000 - 100, abs=1)
    played.check()


def test_no_answer_even_so_is_a_timeout() -> None:
    at = second_ask(play([with_delay(1e6), FakeBot]))
    played = play([with_delay(1e6), FakeBot], stalls=[(at + SLICE, 1.0)])
    assert played.faults() == [(1, 0, "timeout")]


def test_a_deadline_that_passes_after_the_last_look_is_not_judged_before_another() -> None:
    """Both have an ask out. At bot 1's deadline the loop drains, finds nothing and is held up; by the
    time it judges, bot 0's deadline is over too, but its answer lies there in time."""

    class Never(FakeBot):
        start_delay = 0.1

        def ask(self, ask: Map) -> Reply:
            return Reply() if ask["id"] == 1 and self.launch == 1 else super().ask(ask)

    class InTime(FakeBot):
        def ask(self, ask: Map) -> Reply:
            return Reply(0.965 if ask["id"] == 1 else 0.001, [self.answer(ask)])

    class TwoAtOnce(InTime):
        games = 2

    class NeverTwo(Never):
        games = 2

    limits = Limits(move=MOVE, start=1.0, grace=GRACE, games_in_flight=2)
    deadline = 0.1 + 0.9 + GRACE  # of bot 1, and 0.05 s later of bot 0
    played = play(
        [TwoAtOnce, NeverTwo],
        games=2,
        rotate=True,
        limits=limits,
        stalls=[(deadline, 0.0), (deadline, 1.0)],
    )
    assert played.faults() == [(2, 1, "timeout")]


def test_a_late_answer_is_dropped_and_the_game_goes_on() -> None:
    """A bot that is late loses its launch; one whose answer was taken may still repeat it."""

    class Repeats(FakeBot):
        def ask(self, ask: Map) -> Reply:
            frame = self.answer(ask)
            return Reply(0.001, [frame, frame])

    played = play([Repeats, FakeBot], games=2)
    assert played.faults() == []
    played.check()


def test_what_a_timed_out_launch_says_later_reaches_nobody() -> None:
    class SlowOnce(FakeBot):
        def ask(self, ask: Map) -> Reply:
            late = ask["id"] == 2 and self.launch == 1
            return Reply(0.2 if late else 0.001, [self.answer(ask)])

    played = play([SlowOnce, FakeBot], games=3)
    assert played.faults() == [(1, 0, "timeout")]
    assert [session.closed for session in played.launches(0)] == ["killed", "polite"]
    played.check()


def test_dead_before_the_deadline_is_a_crash_and_is_seen_at_once() -> None:
    class Dies(Second):
        def second(self, ask: Map) -> Reply:
            return Reply(dies=0.03)

    played = play([Dies, FakeBot])
    assert played.faults() == [(1, 0, "crash")]
    [fault] = played.records[0].faults
    assert fault.detail == "the process exited with code 1"
    assert fault.used_ms == pytest.approx(30)
    played.check()


def test_dead_when_the_deadline_is_judged_is_a_crash_too() -> None:
    class Dies(Second):
        def second(self, ask: Map) -> Reply:
            return Reply(dies=MOVE + GRACE)

    assert play([Dies, FakeBot]).faults() == [(1, 0, "crash")]


def test_the_last_words_of_a_dead_bot_count() -> None:
    """It answers in the moment of its death: the call is made, and the bot launched again."""

    class LastWords(Second):
        def second(self, ask: Map) -> Reply:
            return Reply(0.03, [self.answer(ask)], dies=0.03)

    def calls(bot: type[FakeBot]) -> list[str]:
        [record] = play([bot, FakeBot, FakeBot]).records
        return record.calls

    dying, living = calls(LastWords), calls(with_delay(0.03))
    flat = " ".join(dying).split()
    same = [a == b for a, b in zip(flat, " ".join(living).split(), strict=False)]
    cut = same.index(False)
    assert flat[cut].endswith("forfeit")
    assert cut >= 3, "both of the bot's answers are in the log"


def test_a_dead_bot_that_nobody_waits_for_costs_nothing_yet() -> None:
    """It dies after its last answer of a game and is launched again for the next one."""

    class DiesIdle(FakeBot):
        def ask(self, ask: Map) -> Reply:
            over = bool(ask["ends"]) and self.launch == 1 and not ask["acts"]
            return Reply(self.think, [self.answer(ask)], dies=self.think if over else None)

    played = play([DiesIdle, FakeBot], games=2)
    played.check()


def test_the_first_ask_of_a_launch_is_charged_to_the_start_up_limit() -> None:
    """It said hello after 0.3 s of its 1 s: 0.7 s are left for its first answer."""

    class Warm(FakeBot):
        start_delay = 0.3
        first = 0.7

        def ask(self, ask: Map) -> Reply:
            return Reply(self.first if ask["id"] == 1 else 0.001, [self.answer(ask)])

    class TooSlow(Warm):
        first = 0.7 + GRACE + 0.001

    played = play([Warm, FakeBot])
    assert played.faults() == []
    asks = played.launches(0)[0].asks
    assert asks[0]["time_ms"] == 700
    assert {ask["time_ms"] for ask in asks[1:]} == {100}

    late = play([TooSlow, FakeBot])
    assert late.faults()[0] == (1, 0, "timeout")
    assert late.records[0].faults[0].detail == "no answer within 700 ms"


def test_the_first_ask_has_at_least_a_move_s_time() -> None:
    class LastMoment(FakeBot):
        start_delay = 1.0

    asks = play([LastMoment, FakeBot]).launches(0)[0].asks
    assert asks[0]["time_ms"] == 100


def test_between_answer_and_ask_a_bot_is_not_on_the_clock() -> None:
    class Thinker(FakeBot):
        think = 0.09

    played = play([FakeBot, Thinker, Thinker], games=2)
    assert played.faults() == []
