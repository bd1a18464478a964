"""What the bots are told: starts and ends once, names masked, the past for those who want it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena import __version__
from arena.game import PRESETS
from arena.record.schema import GameRecord
from arena.referee.loop import Referee
from arena.referee.task import Limits
from tests.referee.fake import (
    FakeBot,
    FakeSession,
    FakeTransport,
    Map,
    Played,
    Reply,
    make_task,
    pack,
    play,
)


class All(FakeBot):
    """Wants everything that there is."""

    games = 8
    out_of_turn = True
    past = True


class Plain(FakeBot):
    games = 8


LIMITS = Limits(move=0.25, start=1.0, grace=0.02, games_in_flight=4)
EVERY_RULESET = [name for name, rules in PRESETS.items() if rules.seats(3)]


def games_of(launch: FakeSession, played: Played) -> dict[int, GameRecord]:
    """The record of each game number of this launch."""
    by_commitment = {record.commitment: record for record in played.records}
    starts = [start for ask in launch.asks for start in ask["starts"]]
    return {start["game"]: by_commitment[start["commitment"]] for start in starts}


def test_the_welcome_says_what_was_agreed() -> None:
    played = play([All, Plain], limits=LIMITS)
    assert played.launches(1)[0].messages[0] == {
        "type": "welcome",
        "protocol": 1,
        "name": "bot 1",
        "games": 4,
        "arena": __version__,
        "move_ms": 250,
        "bank_ms": 0,
        "increment_ms": 0,
    }


@pytest.mark.parametrize("ruleset", EVERY_RULESET)
def test_every_ruleset_is_told_whole_and_plays_by_the_rules(ruleset: str) -> None:
    played = play([All, Plain, All], games=10, limits=LIMITS, ruleset=ruleset, rotate=True)
    assert played.faults() == []
    played.check()
    rules = played.launches(0)[0].asks[0]["starts"][0]["ruleset"]
    options = PRESETS[ruleset].options()
    assert rules.pop("name") == ruleset
    assert rules["wild_face"] in range(7)
    assert rules == {**options, "players": list(options["players"]), "wild_face": rules["wild_face"]}


def test_a_start_tells_seat_dice_and_commitment() -> None:
    rules = PRESETS["standard"].with_options({"dice": [5, 3, 1]})
    played = play([Plain, Plain, Plain], games=3, limits=LIMITS, ruleset=rules, rotate=True)
    for launch in played.transport.sessions:
        for start in (start for ask in launch.asks for start in ask["starts"]):
            record = games_of(launch, played)[start["game"]]
            assert start["seat"] == record.seats.index(launch.bot)
            assert start["dice"] == [5, 3, 1]
            assert start["ruleset"]["dice"] == 5
    played.check()


def test_names_are_masked_but_for_one_s_own() -> None:
    played = play([Plain, Plain, Plain], games=2, rotate=True)
    names = [ask["starts"][0]["names"] for ask in played.launches(1)[0].asks if ask["starts"]]
    assert names == [["seat 0", "bot 1", "seat 2"], ["seat 0", "seat 1", "bot 1"]]


def test_unless_the_host_shows_them() -> None:
    played = play([Plain, Plain, Plain], names_shown=True)
    assert played.launches(1)[0].asks[0]["starts"][0]["names"] == ["bot 0", "bot 1", "bot 2"]


def test_an_end_tells_the_places() -> None:
    played = play([Plain, All, Plain], games=6, limits=LIMITS)
    for launch in played.transport.sessions:
        records = games_of(launch, played)
        for end in (end for ask in launch.asks for end in ask["ends"]):
            assert end["places"] == records[end["game"]].places
            assert (end["fault"], end["detail"]) == ("", "")


def test_the_last_ends_come_before_goodbye() -> None:
    last = play([Plain, Plain], games=1).launches(0)[0].messages
    assert last[-2]["ends"]
    assert last[-2]["acts"] == []
    assert last[-1] == {"type": "bye", "reason": "the games are over"}


def test_a_game_that_ended_before_the_first_question_is_not_mentioned() -> None:
    class Wrong(Plain):
        def call(self, act: Map) -> str:
            return "?"

    played = play([Wrong, Plain], games=3)
    assert [m["type"] for m in played.launches(1)[0].messages] == ["welcome", "bye"]


@pytest.mark.parametrize("ruleset", ["santaba", "standard", "palafico", "rdr"])
def test_the_past_is_complete_and_true(ruleset: str) -> None:
    """Over asks and end, each bot hears of every round up to its last one, once and in order: the
    hands where they were shown, and never otherwise."""

    class Sloppy(All):
        def call(self, act: Map) -> str:
            return "oops" if act["random"] % 23 == 0 else super().call(act)

    played = play([Sloppy, All, All, Plain], games=12, limits=LIMITS, ruleset=ruleset, rotate=True)
    void = shown = 0
    for bot in (0, 1, 2):
        [launch] = played.launches(bot)
        records = games_of(launch, played)
        heard: dict[int, list[Map]] = {}
        for ask in launch.asks:
            for told in (*ask["ends"], *ask["acts"]):
                heard.setdefault(told["game"], []).extend(told["past"])
            for act in ask["acts"]:
                assert len(heard[act["game"]]) == act["round"] - 1
        for game, past in heard.items():
            record = records[game]
            seat = record.seats.index(bot)
            played_in = [r for r, hands in enumerate(record.hands) if hands.split()[seat] != "-"]
            assert [p["round"] for p in past] == [r + 1 for r in played_in]
            for r, p in zip(played_in, past, strict=True):
                assert p["opener"] == record.openers[r]
                assert p["palifico"] is bool(record.palifico[r])
                hands = [[] if h == "-" else [int(d) for d in h] for h in record.hands[r].split()]
                words = [call.rpartition(":")[2] for call in record.calls[r].split()]
                assert [call for _, call in p["calls"]] == words
                if record.counts[r] is None:
                    void += 1
                    assert words[-1] in ("forfeit", "tabba")
                    assert p["hands"] == [[]] * 4
                    assert p["count"] == 0
                else:
                    shown += 1
                    assert p["hands"] == hands
                    assert p["count"] == record.counts[r]
                if r + 1 < len(record.hands):
                    after = [0 if h == "-" else len(h) for h in record.hands[r + 1].split()]
                    assert p["dice_after"] == after
    assert void
    assert shown
    played.check()


def test_the_acts_are_the_record() -> None:
    """Hand, calls and dice of every question agree with what the log says of that round."""
    played = play([All, All, Plain], games=8, limits=LIMITS, ruleset="santaba", rotate=True)
    for launch in played.transport.sessions:
        records = games_of(launch, played)
        for act in (act for ask in launch.asks for act in ask["acts"]):
            record = records[act["game"]]
            r = act["round"] - 1
            hands = record.hands[r].split()
            assert "".join(map(str, act["hand"])) == hands[act["seat"]]
            assert act["dice"] == [0 if hand == "-" else len(hand) for hand in hands]
            words = [call.rpartition(":")[2] for call in record.calls[r].split()]
            assert [call for _, call in act["calls"]] == words[: len(act["calls"])]
            bids = [call for _, call in act["calls"] if "x" in call]
            standing = f"{act['quantity']}x{act['face']}"
            assert standing == (bids[-1] if bids else "0x0")
            assert act["bank_ms"] == 0


def test_questions_out_of_turn_come_only_to_those_who_want_them() -> None:
    played = play([All, Plain, All, Plain], games=20, limits=LIMITS, ruleset="santaba")
    out_of_turn = {
        launch.bot
        for launch in played.transport.sessions
        for ask in launch.asks
        for act in ask["acts"]
        if "pass" in act["words"]
    }
    assert out_of_turn == {0, 2}
    played.check()


def test_a_stranger_is_told_why_and_changes_nothing() -> None:
    class Visited(Plain):
        def ask(self, ask: Map) -> Reply:
            reply = super().ask(ask)
            if ask["id"] == 2:
                self.visit()
            return reply

        def visit(self) -> None:
            launch = transport.sessions[0]
            stranger = pack(self.introduction("guessed"))
            transport.post(transport.now + 0.0005, launch, 2, stranger)

    task = make_task([Visited, Plain])
    transport = FakeTransport([Visited, Plain])
    records = list(run(Referee(task, transport, transport.clock, lambda: 0.0)))
    assert records[0].faults == []
    assert records[0].calls == play([Plain, Plain]).records[0].calls
    refused = [m for m in transport.sessions[0].messages if m["type"] == "refused"]
    assert [m["reason"] for m in refused] == ["this bot is connected already"]


def run(referee: Referee) -> Iterator[GameRecord]:
    yield from referee.play()
