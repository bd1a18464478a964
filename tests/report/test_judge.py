"""The judge: the worked rule cases through the notation, random games, and what he says to mistakes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game import PRESETS, Dice, Game
from arena.record.columns import write_hands
from arena.record.notation import NotationError, parse, write
from arena.record.told import Notation, of_record
from arena.report.judge import judge
from arena.report.verdicts import Judgement, RoundVerdict, as_json, as_text
from tests.game.test_cases import DATA, Case, expand
from tests.game.test_laws import games, play_on
from tests.report.logs import logged


def judged(text: str) -> Judgement:
    return judge(parse(text))


def lines(judgement: Judgement) -> str:
    return "\n".join(as_text(judgement))


# -- the worked cases --------------------------------------------------------------------------------

STATE = {"no": "ordinary", "yes": "palifico", "may": "palifico?"}


def word(raw: Any) -> str:
    return raw if isinstance(raw, str) else "x".join(map(str, raw))


def row(values: Iterable[object]) -> str:
    return " ".join(map(str, values))


def table(name: str, case: Case) -> list[str]:
    options = [f"{key}={str(value).lower()}" for key, value in case.get("options", {}).items()]
    return [" ".join(["rules", name, *options])]


def beginning(state: Case) -> list[str]:
    """How a round begins, of a case's state."""
    told = [f"round {STATE[state.get('palifico', 'no')]}"]
    told.append(f"opener {state['to_act'] if 'to_act' in state else state.get('opener', 0)}")
    told.append(f"former {row(state.get('ex_palifico', []))}")
    if "dice" in state:
        told.append(f"dice {row(state['dice'])}")
    if state.get("standing"):
        told.append(f"standing {word(state['standing'])}")
    return told


def telling(case: Case) -> list[str]:
    """Hands and calls."""
    calls = [f"{seat}:{word(raw)}" for seat, raw in case["calls"]]
    return [f"hands {write_hands([tuple(hand) for hand in case['hands']])}", row(calls)]


def told_json(text: Sequence[str]) -> list[Any]:
    told = json.loads(as_json(judged("\n".join(text))))
    assert told["ok"]
    return list(told["rounds"])


def assert_after(played: Any, expect: Case) -> None:
    assert {key: played["after"][key] for key in expect} == expect


@pytest.mark.parametrize(("name", "case"), expand("round"))
def test_round(name: str, case: Case) -> None:
    (played,) = told_json([*table(name, case), *beginning(case), *telling(case)])
    assert_after(played, case["expect"])


@pytest.mark.parametrize(("name", "case"), expand("game"))
def test_game(name: str, case: Case) -> None:
    text = [*table(name, case), *beginning(case)]
    for number, told in enumerate(case["rounds"]):
        text += ["round"] * (number > 0) + telling(told)
    for played, told in zip(told_json(text), case["rounds"], strict=True):
        assert_after(played, told["expect"])


@pytest.mark.parametrize(("name", "case"), expand("legal"))
def test_legal(name: str, case: Case) -> None:
    def verdict(raw: Any) -> tuple[bool | None, bool]:
        text = [*table(name, case), *beginning(case["state"]), word(raw)]
        try:
            ((call,),) = [r.calls for r in judged("\n".join(text)).rounds]
        except NotationError:
            return False, False
        assert call.legal is not None
        assert call.legal == (call.reason == "")
        return call.legal, call.tabba

    expect = case["expect"]
    for raw in expect.get("legal", []):
        assert verdict(raw) == (True, False)
    for raw in expect.get("tabba", []):
        assert verdict(raw) == (True, True)
    for raw in expect.get("illegal", []):
        if raw != ["2", "4"]:  # a text has no other numbers
            assert verdict(raw)[0] is False or verdict(raw)[1]


@pytest.mark.parametrize(("name", "case"), expand("seats"))
def test_seats(name: str, case: Case) -> None:
    dice = case["state"]["dice"]
    start = [*table(name, case), *beginning(case["state"])]
    start += [f"{seat}:{word(raw)}" for seat, raw in case["state"]["calls"]]
    call = word(case["expect"]["call"])
    found = [
        judged("\n".join([*start, f"{seat}:{call}"])).rounds[0].calls[-1] for seat in range(len(dice))
    ]
    assert [seat for seat, verdict in enumerate(found) if verdict.legal] == case["expect"]["seats"]


@pytest.mark.parametrize(("name", "case"), expand("next"))
def test_next(name: str, case: Case) -> None:
    loser = case["loser"]
    dice = [held + (seat == loser) for seat, held in enumerate(case["dice"])]
    hands = " ".join("2" * held or "-" for held in dice)
    state = {"to_act": loser, "standing": [1, 2], "ex_palifico": case.get("ex_palifico", [])}
    (played,) = told_json([*table(name, case), *beginning(state), f"hands {hands}", "dudo"])
    assert_after(played, {"dice": case["dice"], **case["expect"]})


@pytest.mark.parametrize(("name", "case"), expand("chain"))
def test_chain(name: str, case: Case) -> None:
    (played,) = told_json(
        [*table(name, case), f"dice {row(case['dice'])}", row(map(word, case["bids"]))]
    )
    assert all(call["legal"] for call in played["calls"])
    assert played["after"] is None


# -- games -------------------------------------------------------------------------------------------


def assert_agrees(judgement: Judgement, game: Game) -> None:
    """The judge comes to what the game came to, round by round."""
    assert judgement.wrong == 0
    assert judgement.winner == game.places.index(1)
    for verdict, played, following in zip(
        judgement.rounds, game.rounds, [*game.rounds[1:], None], strict=True
    ):
        assert all(call.legal for call in verdict.calls)
        assert verdict.after is not None
        assert verdict.after.count == played.count
        assert verdict.after.change == played.change
        assert verdict.after.opener == (following.opener if following else None)
    assert judgement.rounds[-1].after is not None
    assert list(judgement.rounds[-1].after.places) == game.places
    assert json.loads(as_json(judgement))["ok"]
    assert lines(judgement).endswith("wins.\nNothing is wrong.")


def thinned(told: Notation, keep_hands: bool) -> Notation:
    """As people note a game: only what the rules do not tell, and no passes."""
    return replace(
        told,
        rounds=tuple(
            replace(
                r,
                palifico=None,
                opener=r.opener if r.number == 1 else None,
                hands=r.hands if keep_hands else None,
                calls=tuple(said for said in r.calls if str(said.call) != "pass"),
                count=None if keep_hands else r.count,
                change={} if keep_hands else r.change,
            )
            for r in told.rounds
        ),
    )


@settings(max_examples=60, deadline=None)
@given(games(), st.sampled_from([0.0, 0.05]))
def test_random_games_of_any_rules(new: tuple[Game, random.Random], forfeits: float) -> None:
    game, chance = new
    play_on(game, chance, forfeits)
    told = of_record(*logged(game))
    assert_agrees(judge(told), game)
    for keep_hands in (True, False):
        assert_agrees(judge(parse(write(thinned(told, keep_hands)))), game)


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_of_every_preset_from_any_round_on(name: str) -> None:
    rules = PRESETS[name]
    game = Game(rules, rules.players[1], Dice(b"3"))
    play_on(game, random.Random(3))
    told = of_record(*logged(game))
    whole = judge(told).rounds
    for first, verdict in enumerate(whole):
        assert verdict.before is not None
        former, state = frozenset(verdict.before.former), verdict.before.palifico
        begins = replace(told.rounds[first], former=former, palifico=state)
        part = replace(told, rounds=(begins, *told.rounds[first + 1 :]))
        judgement = judge(parse(write(part)))
        assert judgement.wrong == 0
        assert [r.calls and r.after and r.after.dice for r in judgement.rounds] == [
            r.after and r.after.dice for r in whole[first:]
        ]


# -- dice that nobody saw ----------------------------------------------------------------------------


def one(text: str) -> RoundVerdict:
    (played,) = judged(text).rounds
    return played


def test_without_hands_the_judge_says_what_it_depends_on() -> None:
    judgement = judged("seats Ann Bob\n3x4 5x4 dudo")
    assert judgement.wrong == 0
    (played,) = judgement.rounds
    assert played.after is None
    assert [outcome.counts for outcome in played.possible] == [tuple(range(5)), tuple(range(5, 11))]
    assert [outcome.losers for outcome in played.possible] == [(1,), (0,)]
    assert "if 0 to 4 count for 5x4, Bob loses a die and has 4" in lines(judgement)


def test_hands_in_part_narrow_it() -> None:
    played = one("hands 444?? 41234\n3x4 5x4 dudo")
    assert played.after is not None
    assert played.after.counts == (6, 7, 8)
    assert played.after.count is None
    assert played.after.losers == (0,)


@pytest.mark.parametrize("known", ["result 5", "result 0-1", "round\ndice 4 5", "round\nopener 0"])
def test_what_is_stated_decides(known: str) -> None:
    played = judged(f"dice 5 5\n3x4 5x4 dudo\n{known}").rounds[0]
    assert played.problems == ()
    assert played.after is not None
    assert played.after.dice == (4, 5)


def test_a_palifico_round_counts_no_aces() -> None:
    after = one("round palifico\nhands 4 144\n2x4 3x4 dudo").after
    assert after is not None
    assert after.count == 3
    assert after.winner == 1


# -- what differs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hands 12 34\n2x3 dudo\nresult 1", "stated count 1; by the rules 2"),
        ("dice 2 2\n2x3 dudo\nresult 5", "stated count 5; by the rules 0 to 4"),
        ("hands 12 34\n2x3 dudo\nresult 0-1", "stated result seat 0 -1; by the rules seat 1 -1"),
        ("dice 2 2\n2x3 dudo\nresult 0-2", "by the rules seat 0 -1 or seat 1 -1"),
        ("hands 12 34\nforfeit\nresult 3", "stated count 3; by the rules none is made"),
        ("hands 12 34\n2x3 dudo\nround\ndice 2 2", "stated dice 2 2; by the rules 2 1"),
        ("hands 12 34\n2x3 dudo\nround\nopener 0", "stated opener seat 0; by the rules seat 1"),
        ("hands 12 34\n2x3 dudo\nround ordinary", "stated ordinary; by the rules palifico"),
        ("hands 12 34\n2x3 dudo\nround\nformer", "stated former palifico nobody; by the rules seat 1"),
        ("hands 12 34\n2x3 dudo\nplaces 1 2", "places are stated, but the game is not over"),
        ("hands 1 4\n2x4 dudo\nplaces 2 1", "stated places 2 1; by the rules 1 2"),
        ("hands 1 4\n2x4 dudo\nround\n1x2", "the game was over before this round"),
        ("hands 12 34\n2x3\nround", "this round does not end, yet another one follows"),
        ("hands 12 34\n2x3\nround", "it cannot be known how this round begins"),
        ("dice 6 5\n2x3", "nobody may hold more than 5 dice"),
        ("dice 0 5\n2x3", "a round needs two players with dice"),
        ("opener 0\ndice 0 5 5\n2x3", "seat 0 cannot open without dice"),
    ],
)
def test_what_is_stated_and_wrong_is_named(text: str, told: str) -> None:
    judgement = judged(text)
    assert judgement.wrong
    assert told in lines(judgement)
    assert not json.loads(as_json(judgement))["ok"]


def test_one_mistake_is_one_problem() -> None:
    """The table played on with what it believed: so does the judge."""
    judgement = judged("hands 12 34\n2x3 dudo\nround ordinary\nopener 0\nhands 1 34\n1x4 dudo\nround")
    assert [len(r.problems) for r in judgement.rounds] == [0, 3, 0]
    assert judgement.rounds[2].before is not None


def test_after_an_illegal_call_the_round_is_not_judged_but_the_next_is() -> None:
    judgement = judged(
        "rules pacos\nseats Ann Bob Cid\n3x4 2x6 Ann:3x5 dudo\nround\nopener Bob\ndice 5 5 4\n1x2 1x2\n"
    )
    first, second = judgement.rounds
    assert [(call.seat, call.legal) for call in first.calls] == [
        (0, True), (1, False), (0, None), (None, None),
    ]  # fmt: skip
    assert first.after is None
    assert first.problems == ()
    assert second.before is not None
    assert [call.legal for call in second.calls] == [True, False]
    assert "Bob  2x6      ILLEGAL (line 3): 2x6 is not a raise over 3x4" in lines(judgement)
    assert judgement.wrong == 2


def test_nothing_is_called_after_the_end_or_by_who_is_out() -> None:
    verdicts = one("hands 12 34\n2x3 dudo 3x4 3x5").calls
    assert [(call.legal, call.reason) for call in verdicts[2:]] == [
        (False, "the round is over"), (None, "not judged"),
    ]  # fmt: skip
    assert one("dice 2 0 2\n1:forfeit").calls[0].reason == "seat 1 has no dice left"
    assert one("dice 2 0 2\n1:2x2").calls[0].reason == "seat 1 has no dice left"


def test_a_tabba_bid_is_legal_and_marked() -> None:
    text = "rules santaba\nround palifico\nopener 2\nhands 22 3 3\n1x3 2x4 1:tabba"
    played = one(text)
    assert [call.tabba for call in played.calls] == [False, True, False]
    assert played.after is not None
    assert (played.after.count, played.after.losers) == (None, (0,))
    assert "legal, but a tabba" in lines(judged(text))


def test_the_opener_of_a_palifico_round_is_a_palifico() -> None:
    text = "rules palafico\nround palifico\nopener 2\n{}dice 4 4 1\n1x3 2x3 3x3 4x5"
    assert one(text.format("")).calls[-1].legal
    assert one(text.format("former\n")).calls[-1].legal is False


def test_the_page_of_the_notation() -> None:
    """Every game on the page can be read, and the judge's answers are as they stand there."""
    page = (Path(__file__).parents[2] / "docs" / "6-notation.md").read_text()
    blocks = page.split("```")[1::2]
    told = [block.removeprefix("perudo\n") for block in blocks if block.startswith("perudo\n")]
    answers = [block.removeprefix("verdict\n") for block in blocks if block.startswith("verdict\n")]
    assert len(told) == len(answers) >= 2
    for text, answer in zip(told, answers, strict=True):
        assert lines(judged(text)) == answer.rstrip("\n")


def test_every_case_is_there() -> None:
    assert {"round", "game", "legal"} <= {case["kind"] for case in DATA["cases"]}
