"""The oracle against the rules' cases and against games written by hand."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import replay as oracle
from tests.oracle.replay import Position

BOOK = json.loads((Path(__file__).parents[1] / "game" / "cases.json").read_text("utf-8"))


def cases(*kinds: str) -> list[Any]:
    return [
        pytest.param(case, preset, id=f"{case['id']}-{preset}")
        for case in BOOK["cases"]
        for preset in case.get("presets", [case.get("preset")])
        if case["kind"] in kinds
    ]


def options_of(case: dict[str, Any], preset: str) -> dict[str, Any]:
    return {**oracle.TIER_B, **BOOK["presets"][preset], **case.get("options", {})}


# --- cases of the rules ----------------------------------------------------------------------------


def verdict(options: dict[str, Any], state: dict[str, Any], call: Any) -> str:
    """ "legal", "tabba" or "illegal" for a call of the seat to act."""
    seat = state.get("to_act", 0)
    former = frozenset(state.get("ex_palifico", []))
    position = Position(state["dice"], seat, state.get("palifico", "no"), former)
    standing = tuple(state["standing"]) if state["standing"] else None
    if isinstance(call, str):
        possible = oracle.on_turn(options, position, seat, standing, tabba=False)
        return "legal" if call in possible else "illegal"
    bid = oracle.parse_bid("x".join(str(part) for part in call))
    if bid is None:
        return "illegal"
    return oracle.judge_bid(options, position, seat, standing, bid)


@pytest.mark.parametrize(("case", "preset"), cases("legal"))
def test_legal(case: dict[str, Any], preset: str) -> None:
    options = options_of(case, preset)
    for expected in ("legal", "illegal", "tabba"):
        for call in case["expect"].get(expected, []):
            if isinstance(call, list) and any(isinstance(part, str) for part in call):
                continue  # the log writes bids as text, so that a number in quotes cannot be told
            assert verdict(options, case["state"], call) == expected, call


@pytest.mark.parametrize(("case", "preset"), cases("set"))
def test_set(case: dict[str, Any], preset: str) -> None:
    options, state, expect = options_of(case, preset), case["state"], case["expect"]
    every = [[a, g] for a in range(1, sum(state["dice"]) + 2) for g in range(1, 7)]
    bids = [bid for bid in every if verdict(options, state, bid) == "legal"]
    others = [call for call in ("calza", "dudo", "palifico") if verdict(options, state, call) == "legal"]
    assert len(bids) == expect.get("size", len(bids))
    assert sorted(bids) == sorted(expect.get("bids", bids))
    assert others == expect.get("calls", others)


def written(options: dict[str, Any], position: Position, spoken: list[list[Any]]) -> list[str]:
    """Calls as the log has them, with the passes that the asked seats must have said between them.

    It uses the oracle's own order of asking: the order itself is tested with games written by hand.
    """
    turn = position.opener
    asked: list[int] = []
    standing = None
    calls = []
    for seat, call in spoken:
        while asked:
            if asked[0] == seat and isinstance(call, str):
                break
            calls.append(f"{asked.pop(0)}:pass")
        text = call if isinstance(call, str) else f"{call[0]}x{call[1]}"
        calls.append(text if seat == turn else f"{seat}:{text}")
        if text == "palifico":
            position = position._replace(state="yes")
        elif isinstance(call, list):
            bid = (call[0], call[1])
            if position.state == "may":
                position = position._replace(state="no")
            judged = oracle.judge_bid(options, position, seat, standing, bid)
            asked = list(oracle.out_of_turn(options, position, seat, judged == "tabba"))
            turn, standing = oracle.after(seat, position.dice)[0], bid
    return calls


def check_settled(case: dict[str, Any], outcome: oracle.Outcome, expect: dict[str, Any]) -> None:
    assert outcome.problems == []
    assert outcome.after is not None
    dice = outcome.after.dice
    over = len(oracle.live(dice)) == 1
    found = {
        "count": outcome.counted,
        "losers": sorted(seat for seat, change in outcome.changes.items() if change < 0),
        "gainers": sorted(seat for seat, change in outcome.changes.items() if change > 0),
        "dice": dice,
        "opener": None if over else outcome.after.opener,
        "palifico": outcome.after.state,
        "winner": oracle.live(dice)[0] if over else None,
    }
    assert {key: found[key] for key in expect} == expect, case["id"]


@pytest.mark.parametrize(("case", "preset"), cases("round", "game"))
def test_rounds(case: dict[str, Any], preset: str) -> None:
    options = options_of(case, preset)
    rounds = case.get("rounds", [case])
    position = Position(
        [len(hand) for hand in rounds[0]["hands"]],
        case["opener"],
        case["palifico"],
        frozenset(case.get("ex_palifico", [])),
    )
    for entry in rounds:
        assert [len(hand) for hand in entry["hands"]] == position.dice
        calls = written(options, position, entry["calls"])
        outcome = oracle.play_round(options, position, entry["hands"], calls, range(len(position.dice)))
        check_settled(case, outcome, entry["expect"])
        assert outcome.after is not None
        position = outcome.after


@pytest.mark.parametrize(("case", "preset"), cases("next"))
def test_next(case: dict[str, Any], preset: str) -> None:
    """The loser bids what cannot be there and is doubted, in a position with one die more."""
    options, loser = options_of(case, preset), case["loser"]
    dice = [held + (seat == loser) for seat, held in enumerate(case["dice"])]
    position = Position(dice, loser, "no", frozenset(case.get("ex_palifico", [])))
    hands = [[3] * held for held in dice]
    calls = written(options, position, [[loser, [1, 2]], [oracle.after(loser, dice)[0], "dudo"]])
    outcome = oracle.play_round(options, position, hands, calls, range(len(dice)))
    check_settled(case, outcome, case["expect"])


@pytest.mark.parametrize(("case", "preset"), cases("seats"))
def test_seats(case: dict[str, Any], preset: str) -> None:
    """Which seats may say a call now, found by trying each seat with the calls that end a round."""
    options, state = options_of(case, preset), case["state"]
    dice, wanted = state["dice"], case["expect"]["call"]
    position = Position(dice, state["opener"], state.get("palifico", "no"), frozenset())
    able = []
    for seat in oracle.live(dice):
        calls = written(options, position, [*state["calls"], [seat, wanted]])
        hands = [[2] * held for held in dice]
        outcome = oracle.play_round(options, position, hands, calls, range(len(dice)))
        if outcome.problems in ([], ["the round has no end"]):
            able.append(seat)
    assert able == case["expect"]["seats"]


@pytest.mark.parametrize(("case", "preset"), cases("count"))
def test_count(case: dict[str, Any], preset: str) -> None:
    options = options_of(case, preset)
    for face, number in case["expect"].items():
        counts = [
            oracle.matching(options, case["palifico"] == "yes", int(face), hand)
            for hand in case["hands"]
        ]
        assert sum(counts) == number


@pytest.mark.parametrize(("case", "preset"), cases("chain", "order"))
def test_sequences(case: dict[str, Any], preset: str) -> None:
    options = options_of(case, preset)
    bids = [tuple(bid) for bid in case["bids"]]
    position = Position(case["dice"], 0, "no", frozenset())

    def legal(old: Any, new: Any) -> bool:
        return oracle.judge_bid(options, position, 0, old, new) == "legal"

    assert all(legal(old, new) for old, new in pairwise(bids))
    if case["kind"] == "order":
        for i, old in enumerate(bids):
            assert [legal(old, new) for new in bids] == [j > i for j in range(len(bids))]


@pytest.mark.parametrize(("case", "preset"), cases("perft"))
def test_perft(case: dict[str, Any], preset: str) -> None:
    options, total = options_of(case, preset), case["dice_in_play"]
    free = case.get("free", [False])
    every = [(a, g) for a in range(1, total + 1) for g in range(1, 7)]

    @cache
    def following(standing: oracle.Bid | None, ply: int) -> tuple[oracle.Bid, ...]:
        """Seat 0 is free to change the face, seat 1 is not."""
        seat = 0 if free[ply] else 1
        dice = [1, total - 1] if free[ply] else [0, total]
        position = Position(dice, seat, case["palifico"], frozenset({0}))
        return tuple(
            bid for bid in every if oracle.judge_bid(options, position, seat, standing, bid) == "legal"
        )

    @cache
    def sequences(standing: oracle.Bid | None, ply: int) -> int:
        then = (ply + 1) % len(free)
        return sum(1 + sequences(bid, then) for bid in following(standing, ply))

    @cache
    def of_length(standing: oracle.Bid | None, ply: int, length: int) -> int:
        bids = following(standing, ply)
        if length == 1:
            return len(bids)
        return sum(of_length(bid, (ply + 1) % len(free), length - 1) for bid in bids)

    for length, number in enumerate(case["counts"], 1):
        assert of_length(None, 0, length) == number
    assert sequences(None, 0) == case.get("sequences", sequences(None, 0))


# --- games written by hand -------------------------------------------------------------------------

Row = tuple[int, int, str, str, int | None, str]


def make_game(rows: list[Row], places: list[int], faults: list[tuple[int, int]] | None = None) -> Any:
    """Rows of opener, palifico, hands, calls, count, changes; faults as (round, seat)."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    return {
        "type": "game",
        "game": 0,
        "deal": 0,
        "seats": list(range(len(places))),
        **dict(zip(oracle.PER_ROUND, columns, strict=True)),
        "places": places,
        "faults": [{"round": number, "seat": seat, "cause": "crash"} for number, seat in faults or []],
    }


def preset_options(preset: str, **changed: Any) -> dict[str, Any]:
    return {**BOOK["presets"][preset], **changed}


SANTABA = preset_options("santaba", dice=3)


def test_dudo_calza_palifico_tabba_forfeit() -> None:
    rows: list[Row] = [
        # all hold their three dice, so nobody may call calza and nobody is asked
        (0, 0, "236 345 346", "2x2 3x2 4x3 dudo", 3, "2-1"),
        # now seat 2 is asked whenever seat 1 is next; its second answer is a wrong calza
        (2, 0, "334 556 24", "1x4 2x2 2:pass 2x3 2x5 1x1 2:calza", 0, "2-1"),
        # down to one die it calls palifico; seat 2 is asked after seat 0's lawful bid (a calza is
        # possible), and seat 1 breaks the face, which seat 0, never next to speak, calls
        (2, 1, "334 556 4", "palifico 1x4 2x4 2:pass 3x5 0:tabba", None, "1-1"),
        # seats 1 and 2 are short of dice and asked when they are neither bidder nor next
        (1, 0, "335 12 5", "1x2 2x3 1:pass 2x5 2:pass 3x5 0:forfeit", None, "0-3"),
        # two are left: nobody is asked
        (1, 0, "- 12 5", "1x3 2x6 dudo", 1, "2-1"),
    ]
    game = make_game(rows, [3, 1, 2], [(4, 0)])
    assert oracle.replay(game, SANTABA, {0, 1, 2}) == []


def test_right_calza_gains_a_die_and_opens() -> None:
    rows: list[Row] = [
        (1, 0, "223 345 346", "2x2 dudo", 2, "2-1"),
        (2, 0, "224 366 45", "1x4 2x2 2:calza", 2, "2+1"),
        (2, 0, "224 366 455", "1:forfeit", None, "1-3"),
        (2, 0, "224 - 455", "0:forfeit", None, "0-3"),
    ]
    game = make_game(rows, [2, 3, 1], [(3, 1), (4, 0)])
    assert oracle.replay(game, SANTABA, {0, 1, 2}) == []
    # the same game with seat 2 deaf: it could not have called
    assert oracle.replay(game, SANTABA, {0, 1}) == [
        "round 2: call 2 (2:calza): only seat 1, which is on turn, may speak (unnamed)"
    ]
    # and every entry matters
    for name, index, value in [
        ("openers", 1, 0),
        ("palifico", 0, 1),
        ("hands", 1, "224 366 456"),
        ("hands", 1, "242 366 45"),
        ("hands", 1, "224 367 45"),
        ("openers", 0, 3),
        ("counts", 0, 3),
        ("counts", 2, 0),
        ("changes", 1, ""),
        ("changes", 1, "2-1"),
        ("calls", 1, "1x4 2x2 dudo"),
        ("calls", 1, "1x4 2x2 2:pass 2:calza"),
        ("calls", 1, "1x4 2x2 0:calza"),
        ("calls", 1, "1x4 2x2 2:calza dudo"),
        ("calls", 1, "1x4 1x2 2:calza"),
        ("calls", 1, "1x4 2x2 2:pass"),
        ("calls", 3, "0:forfeit 2:forfeit"),
        ("calls", 3, "1:forfeit"),
        ("places", 0, 1),
    ]:
        other = copy.deepcopy(game)
        other[name][index] = value
        assert oracle.replay(other, SANTABA, {0, 1, 2}) != [], (name, value)
    for faults in ([], [(3, 1)], [(4, 0), (3, 1)], [(2, 1), (4, 0)]):
        assert oracle.replay(make_game(rows, [2, 3, 1], faults), SANTABA, {0, 1, 2}) != []
    short = make_game(rows[:-1], [2, 3, 1], [(3, 1)])
    assert oracle.replay(short, SANTABA, {2}) == ["the log ends after 3 rounds, the game was not over"]
    long = make_game([*rows, (2, 0, "- - 455", "1x2 dudo", 0, "2-1")], [2, 3, 1], [(3, 1), (4, 0)])
    assert oracle.replay(long, SANTABA, {2}) == ["round 5: the game was over before it"]


def test_order_of_asking() -> None:
    """Four seats with a die less each: from the seat after next on, the bidder and the next not."""
    start = Position([2, 2, 2, 2], 1, "no", frozenset())
    hands = [[2, 3]] * 4
    options = {**oracle.TIER_B, **SANTABA}

    def problems(calls: str, listeners: set[int]) -> list[str]:
        return oracle.play_round(options, start, hands, calls.split(), listeners).problems

    assert problems("1x2 3:pass 0:pass dudo", {0, 1, 2, 3}) == []
    assert problems("1x2 3:pass 0:calza", {0, 1, 2, 3}) == []
    assert problems("1x2 0:pass dudo", {0}) == []
    assert problems("1x2 dudo", set()) == []
    assert problems("1x2 0:pass 3:pass dudo", {0, 3}) == [
        "call 1 (0:pass): seat 3 was to be asked first"
    ]
    assert problems("1x2 3:pass dudo", {0, 3}) == ["call 2 (dudo): seat 0 was to be asked first"]
    assert problems("1x2 3:pass 2:pass dudo", {2, 3}) != []  # next seat
    assert problems("1x2 3:dudo", {3}) == ["call 1 (3:dudo): seat 3 may only say ['calza'] or pass"]
    assert problems("1x2 3:forfeit", {3}) == []
    assert problems("1x2 3:pass 0:pass 2:dudo", {0, 3}) != []  # the seat on turn is not named
    assert problems("1x2 3:pass 0:pass pass", {0, 3}) != []
    assert problems("1x2 3:pass 7:pass", {0, 3}) == ["call 2 (7:pass): no such seat"]
    assert problems("forfeit", set()) == ["call 0 (forfeit): a forfeit must name its seat"]

    # A pending tabba asks also seats that hold all their dice.
    start = Position([3, 1, 3, 3], 1, "yes", frozenset({1}))
    hands = [[2, 3, 4], [2], [2, 3, 4], [2, 3, 4]]
    assert problems("1x2 2x3 0:pass 1:tabba", {0, 1, 2, 3}) == []
    assert problems("1x2 2x3 0:pass 1:calza", {0, 1, 2, 3}) == []
    assert problems("1x2 2x3 1:pass tabba", {1}) == []
    assert problems("1x2 2x3 1:pass 3x3 1:pass 2:tabba", {1}) != []  # too late
    assert problems("1x2 2x2 0:tabba", {0}) != []  # nothing to call


def test_two_left_share_places_and_next_openers() -> None:
    """rdr: a right calza costs all others a die; openings go against the direction of play."""
    options = preset_options("rdr", dice=1)
    rows: list[Row] = [(0, 0, "1 2 3 4", "1x2 1x3 calza", 1, "0-1 1-1 3-1")]
    assert oracle.replay(make_game(rows, [2, 2, 1, 2]), options, set()) == []
    assert oracle.replay(make_game(rows, [4, 3, 1, 2]), options, set()) != []

    options = preset_options("rdr", dice=2)
    rows = [
        (0, 0, "12 22 33", "1x2 1x3 dudo", 2, "2-1"),
        (2, 0, "12 22 3", "1x3 dudo", 1, "0-1"),
        (1, 0, "1 22 3", "1x2 dudo", 2, "2-1"),
        (0, 0, "1 22 -", "1x2 dudo", 2, "1-1"),
        (1, 0, "1 2 -", "1x2 dudo", 1, "0-1"),
    ]
    assert oracle.replay(make_game(rows, [2, 1, 3]), options, set()) == []


def test_several_drop_to_one_die() -> None:
    """After an exact doubt all but the bidder drop to one die: palifico, whoever opens."""
    options = preset_options(
        "neller", dice=2, ace_bids="halve", palifico="auto", palifico_change="ex-palifico"
    )
    rows: list[Row] = [
        (0, 0, "23 24 56", "2x2 dudo", 2, "1-1 2-1"),
        # seat 0 (winner) opens, seats 1 and 2 were palifico and may change the face
        (0, 1, "23 4 5", "1x2 2x4 3x5 dudo", 1, "2-1"),
        (0, 0, "23 4 -", "2x5 dudo", 0, "0-2"),
    ]
    assert oracle.replay(make_game(rows, [2, 1, 3]), options, set()) == []
    locked = {**options, "palifico_change": "nobody"}
    assert oracle.replay(make_game(rows, [2, 1, 3]), locked, set()) == [
        "round 2: call 1 (2x4): illegal bid of seat 1, 1x2 stands"
    ]
    # Where palifico must be called, the opener must have dropped: here the winner opens.
    called = {**options, "palifico": "call"}
    rows = [rows[0], (0, 1, "23 4 5", "palifico 1x2 dudo", 1, "1-1")]
    assert oracle.replay(make_game(rows, [0, 0, 0]), called, set()) == [
        "round 2: call 0 (palifico): illegal call of seat 0"
    ]


def test_one_round() -> None:
    options = preset_options("snyd", players=[2, 4], calza="turn")
    void: Row = (0, 0, "11111 22222 33333", "1:forfeit", None, "1-5")
    rows: list[Row] = [void, (2, 0, "22222 - 33333", "5x3 dudo", 5, "0-1")]
    assert oracle.replay(make_game(rows, [2, 3, 1], [(1, 1)]), options, set()) == []
    exact: Row = (0, 0, "22222 33333 44444", "5x2 calza", 5, "")
    assert oracle.replay(make_game([exact], [1, 1, 1]), options, set()) == []


def test_unequal_hands() -> None:
    """A number of dice for each seat; the largest is the cap."""
    options = preset_options("standard", dice=[1, 3], calza="turn", calza_at_cap=False)
    rows: list[Row] = [
        (0, 0, "2 224", "1x2 3x2 calza", 3, "0+1"),
        (0, 0, "44 224", "4x2 dudo", 2, "0-1"),
        (0, 1, "4 224", "1x1 2x1 dudo", 0, "1-1"),
        (1, 0, "4 22", "2x2 3x2 dudo", 2, "0-1"),
    ]
    assert oracle.replay(make_game(rows, [2, 1]), options, set()) == []
    rows = [(0, 0, "2 224", "1x2 calza", 3, "1-1")]
    assert oracle.replay(make_game(rows, [1, 1]), options, set()) == [
        "round 1: call 1 (calza): illegal call of seat 1"
    ]


def test_round_limit() -> None:
    """Right calzas at full dice change nothing: after a thousand rounds the dice held decide."""
    options = preset_options("standard", calza="turn", dice=2)
    rows: list[Row] = [
        (0, 0, "22 33 45", "2x2 2x3 2x5 dudo", 1, "2-1"),
        (2, 1, "22 33 4", "1x4 calza", 1, ""),
    ]
    by_turns: list[Row] = [
        (0, 0, "22 33 4", "2x2 calza", 2, ""),
        (1, 0, "22 33 4", "1x3 2x3 calza", 2, ""),
    ]
    rows += by_turns * ((oracle.ROUND_LIMIT - 2) // 2)
    assert oracle.replay(make_game(rows, [1, 1, 3]), options, set()) == []
    assert oracle.replay(make_game(rows[:-1], [1, 1, 3]), options, set()) != []
    assert oracle.replay(make_game([*rows, by_turns[0]], [1, 1, 3]), options, set()) != []


# --- dice and whole logs ---------------------------------------------------------------------------


def test_dice_are_those_of_the_documented_streams() -> None:
    secret = bytes(range(32))
    seed = hmac.new(secret, b"deal/7/salt", hashlib.sha256).digest()
    blocks = b"".join(
        hmac.new(seed, b"dice/3/1/%d" % block, hashlib.sha256).digest() for block in range(8)
    )
    dice = [byte % 6 + 1 for byte in blocks if byte < 252]
    assert len(dice) < len(blocks)  # the secret was chosen so that some byte is skipped
    assert oracle.dice_of(secret, 7, "salt", round_number=3, seat=1, held=200) == dice[:200]
    assert oracle.dice_of(secret, 7, "salt", round_number=3, seat=1, held=5) == dice[:5]


def test_opening_roll_again_among_the_tied() -> None:
    secret = b"secret"
    ties = 0
    for deal in range(200):
        rolls = [
            oracle.dice_of(secret, deal, "", round_number=0, seat=seat, held=20) for seat in range(3)
        ]
        tied = [0, 1, 2]
        for j in range(20):
            best = max(rolls[seat][j] for seat in tied)
            tied = [seat for seat in tied if rolls[seat][j] == best]
            ties += j == 0 and len(tied) > 1
        assert [oracle.opening_seat(secret, deal, "", 3)] == tied
    assert ties > 20


def make_log(tmp_path: Path, secret: bytes, games: list[Any]) -> Path:
    header = {
        "type": "header",
        "ruleset": preset_options("snyd", opener="roll", dice=3),
        "players": 2,
        "bots": [{"name": "a", "out_of_turn": True}, {"name": "b", "out_of_turn": False}],
        "secret_hash": hashlib.sha256(secret).hexdigest(),
        "public_salt": "pepper",
        "games": len(games),
    }
    end = {"type": "end", "finished": "", "secret": secret.hex()}
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *games, end]), "utf-8")
    return path


def test_check_log(tmp_path: Path) -> None:
    secret = b"0123456789abcdef"
    games = []
    for deal in range(4):
        opener = oracle.opening_seat(secret, deal, "pepper", 2)
        hands = [
            sorted(oracle.dice_of(secret, deal, "pepper", round_number=1, seat=seat, held=3))
            for seat in (0, 1)
        ]
        text = " ".join("".join(map(str, hand)) for hand in hands)
        count = sum(die in (1, 6) for hand in hands for die in hand)
        loser = opener if count < 6 else 1 - opener
        rows: list[Row] = [(opener, 0, text, "6x6 dudo", count, f"{loser}-1")]
        game = make_game(rows, [1 + (seat == loser) for seat in (0, 1)])
        games.append({**game, "game": deal, "deal": deal})
    assert {game["openers"][0] for game in games} == {0, 1}
    assert oracle.check_log(make_log(tmp_path, secret, games[::-1])) == []

    assert oracle.check_log(make_log(tmp_path, secret, [games[0], games[0]])) == [
        "game 0: its number stands twice"
    ]
    swapped = [{**games[0], "deal": 9}]
    found = oracle.check_log(make_log(tmp_path, secret, swapped))
    assert any("the secret says" in problem for problem in found)
    path = make_log(tmp_path, secret, games)
    cut = path.read_text("utf-8").splitlines()[:-1]
    path.write_text("\n".join(cut), "utf-8")
    assert oracle.check_log(path) == ["the last line is no end line, so the dice were not checked"]
    path.write_text(cut[1], "utf-8")
    assert oracle.check_log(path) == ["the first line is no header"]
