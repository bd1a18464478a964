"""`verify` believes what the arena plays, and finds any value that was changed afterwards."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game import PRESETS, Ruleset
from arena.game.seeds import secret_of_seed
from arena.record.log import LogError
from arena.record.replay import Problem
from arena.record.verify import Report, verify
from tests.oracle.replay import check_log
from tests.record.played import SEED, Json, Log, play_log

HANDICAP = replace(PRESETS["standard"], name="handicap", dice=(2, 5, 3))
CALZA = replace(PRESETS["santaba"], name="handicap calza", dice=(3, 1, 2), calza_at_cap=True)

LOGS: dict[str, Callable[[], Log]] = {
    "santaba": lambda: play_log(PRESETS["santaba"], 4, faults=0.03),
    "santaba-few-dice": lambda: play_log(replace(PRESETS["santaba"], dice=2), 5, blocks=3),
    "standard": lambda: play_log(PRESETS["standard"], 3, bots=4, deals="independent"),
    "palafico": lambda: play_log(PRESETS["palafico"], 6, blocks=1),
    "wikipedia": lambda: play_log(PRESETS["wikipedia"], 2, bots=3, blocks=2),
    "neller": lambda: play_log(PRESETS["neller"], 3, faults=0.05),
    "rdr": lambda: play_log(PRESETS["rdr"], 4, deals="independent"),
    "openspiel": lambda: play_log(PRESETS["openspiel"], 2, blocks=5, faults=0.2),
    "handicap": lambda: play_log(HANDICAP, 3),
    "handicap-calza": lambda: play_log(CALZA, 3, blocks=4),
    "out": lambda: play_log(PRESETS["pacos"], 3, out=(2,)),
}


@cache
def played(name: str) -> Log:
    return LOGS[name]()


def report_of(log: Log, end: bool = True, limit: int = 20) -> Report:
    with TemporaryDirectory() as folder:
        return verify(log.write(Path(folder) / "games.jsonl", end), limit)


def problems_of(log: Log, end: bool = True) -> list[Problem]:
    report = report_of(log, end)
    assert report.ok == (not report.problems)
    return report.problems


def oracle_of(log: Log, end: bool = True) -> list[str]:
    """What the oracle says. It takes a default call for a call like any other."""
    log = copy.deepcopy(log)
    for game in log.games:
        game["faults"] = [fault for fault in game["faults"] if fault["penalty"] == "forfeit"]
    with TemporaryDirectory() as folder:
        found = check_log(log.write(Path(folder) / "games.jsonl", end))
    return [problem for problem in found if "no end line" not in problem]


# -- logs as they were played ------------------------------------------------------------------------


@pytest.mark.parametrize("name", LOGS)
def test_a_finished_log_is_verified(name: str) -> None:
    log = played(name)
    report = report_of(log)
    assert report.problems == []
    assert (report.games, report.finished, report.dice) == (len(log.games), True, True)
    assert len(report.notes) == name.startswith("handicap")
    if not name.startswith("handicap"):  # the header has only the cap, and the oracle believes it
        assert oracle_of(log) == []


def test_the_logs_hold_what_can_go_wrong() -> None:
    faults = [fault for name in LOGS for game in played(name).games for fault in game["faults"]]
    assert {fault["cause"] for fault in faults} == {"start", "timeout", "illegal"}
    assert {fault["penalty"] for fault in faults} == {"forfeit", "default-call"}
    calls = " ".join(text for name in LOGS for game in played(name).games for text in game["calls"])
    for word in ("dudo", ":calza", " calza", "palifico", ":tabba", " tabba", ":pass", ":forfeit"):
        assert word in calls


@pytest.mark.parametrize("name", LOGS)
def test_an_unfinished_log_is_verified_but_for_its_dice(name: str) -> None:
    whole = played(name)
    log = replace(whole, games=whole.games[: len(whole.games) * 2 // 3])
    report = report_of(log, end=False)
    assert report.problems == []
    assert (report.finished, report.dice) == (False, False)
    told = "; ".join(report.notes)
    assert f"not finished: {len(log.games)} of {len(whole.games)} games" in told
    assert "the dice cannot be checked before" in told


def test_a_torn_last_line_is_a_note(tmp_path: Path) -> None:
    path = played("neller").write(tmp_path / "games.jsonl", end=False)
    path.write_bytes(path.read_bytes()[:-100])
    report = verify(path)
    assert report.ok
    assert report.games == len(played("neller").games) - 1
    assert any("torn" in note for note in report.notes)


def test_the_seed_of_a_predictable_run_gives_its_dice(tmp_path: Path) -> None:
    log = copy.deepcopy(played("standard"))
    del log.games[-1]
    path = log.write(tmp_path / "games.jsonl", end=False)
    config = tmp_path / "tournament.toml"
    config.write_text(f"seed = {SEED}\n")
    assert verify(path).dice
    assert verify(path).ok

    config.write_text(f"seed = {SEED + 1}\n")
    assert [p.field for p in verify(path).problems] == ["header.secret_hash"]
    log.header["dice"] = "secret"
    log.write(path, end=False)
    assert verify(path).ok
    assert not verify(path).dice


# -- one value changed -------------------------------------------------------------------------------


def other_number(value: int, chance: random.Random) -> int:
    return chance.choice([n for n in (value - 1, value + 1, value + 2, 0, 1, 7, -1) if n != value])


def change_number(holder: Any, key: Any, chance: random.Random) -> None:
    value = holder[key]
    if value is None:
        holder[key] = chance.randrange(9)
    elif chance.random() < 0.1 and key in range(999):
        holder[key] = value + 10**9
    else:
        holder[key] = other_number(value, chance)


def change_text(holder: Any, key: Any, chance: random.Random) -> None:
    """One character replaced, left out or put in, by one that the text could have."""
    text = holder[key]
    while holder[key] == text:
        at = chance.randrange(len(text) + 1)
        drawn = chance.choice("0123456789 -+x:" if chance.random() < 0.9 else "abcdefz")
        if chance.random() < 0.6:
            holder[key] = text[:at] + drawn + text[at + 1 :]
        else:
            holder[key] = (
                text[:at] + text[at + 1 :] if chance.random() < 0.5 else text[:at] + drawn + text[at:]
            )


def change_calls(holder: list[str], key: int, chance: random.Random) -> None:
    """A call replaced, left out, doubled or said by somebody else."""
    words = holder[key].split(" ")
    at = chance.randrange(len(words))
    seat = f"{chance.randrange(5)}:"
    bid = f"{chance.randrange(1, 12)}x{chance.randrange(1, 7)}"
    spoken = words[at].rpartition(":")[2]
    any_word = chance.choice(["dudo", "calza", "tabba", "palifico", "pass", "forfeit", bid, bid, bid])
    words[at : at + 1] = chance.choice(
        [
            [any_word],
            [seat + spoken],
            [spoken],
            [seat + any_word],
            [],
            [words[at], any_word],
            [words[at]] * 2,
        ]
    )
    holder[key] = " ".join(words)


ROWS = ("openers", "palifico", "hands", "counts", "changes")
NUMBERS = ("game", "block", "rotation", "deal")


def change(game: Json, field: str, chance: random.Random) -> bool:
    """Change a value of the field; whether there was one to change."""
    old = copy.deepcopy(game[field] if field != "us" else game["timing"]["us"])
    holder: Any = game["timing"] if field == "us" else game
    if field in NUMBERS:
        change_number(game, field, chance)
    elif field == "commitment":
        change_text(game, field, chance)
    elif field == "faults":
        if not old:
            return False
        fault = chance.choice(game["faults"])
        key = chance.choice(["seat", "round", "call", "penalty", "drop"])
        if key == "drop":  # without its fault a default call is a call like any other
            if fault["penalty"] == "forfeit":
                game["faults"].remove(fault)
        elif key == "penalty":
            fault[key] = "default-call" if fault[key] == "forfeit" else "forfeit"
        else:
            change_number(fault, key, chance)
    elif field == "seats" and chance.random() < 0.3:
        chance.shuffle(game["seats"])
    elif field == "us":
        us = chance.choice(old)
        holder["us"] = [times for times in old if times is not us]
        if chance.random() < 0.7:
            holder["us"].insert(old.index(us), us[1:] if chance.random() < 0.5 else [*us, 5])
    else:
        values = game[field]
        at = chance.randrange(len(values))
        if chance.random() < 0.05:
            values[at : at + 1] = chance.choice([[], [values[at]] * 2])
        elif field == "calls":
            change_calls(values, at, chance)
        elif isinstance(values[at], str):
            change_text(values, at, chance)
        else:
            change_number(values, at, chance)
    return bool(old != holder[field])


def spoilt(name: str, field: str, seed: int) -> tuple[Log, Json] | None:
    """The log with one value changed, and the game as it was."""
    log = copy.deepcopy(played(name))
    chance = random.Random(seed)
    game = chance.choice(log.games)
    before = copy.deepcopy(game)
    return (log, before) if change(game, field, chance) else None


FINDABLE = (*NUMBERS, "seats", "commitment", *ROWS, "places", "faults", "us")


@given(st.sampled_from(sorted(LOGS)), st.sampled_from(FINDABLE), st.integers(0, 2**32))
@settings(max_examples=400)
def test_a_changed_value_is_found_and_named(name: str, field: str, seed: int) -> None:
    made = spoilt(name, field, seed)
    if made is None:
        return
    log, before = made
    problems = problems_of(log)
    mine = [str(problem) for problem in problems if problem.game == before["game"]]
    if field == "game":
        mine += [str(problem) for problem in problems if f"{before['game']} " in f"{problem.text} "]
    if field == "seats":  # of two orders, each in half the games of a block, either may be wrong
        mine += [str(p) for p in problems if f"game {before['game']}, which may be" in p.text]
    assert any(field in text for text in mine), problems
    if field in ROWS and len(mine) == 1:
        assert " in the log, " in mine[0] or "rounds" in mine[0] or "seat" in mine[0]


@given(st.sampled_from(sorted(LOGS)), st.integers(0, 2**32), st.booleans())
@settings(max_examples=300)
def test_changed_calls_are_found_where_they_break_the_rules(name: str, seed: int, end: bool) -> None:
    """Some calls can be others, and the game goes as it went: the oracle says which."""
    made = spoilt(name, "calls", seed)
    if made is None or name.startswith("handicap"):
        return
    log, before = made
    if name == "out" or before["faults"]:
        oracle = bool(oracle_of(log, end))
        assert not oracle or problems_of(log, end)
        return
    problems = problems_of(log, end)
    # The oracle does not count times, so it may miss a call that was taken away.
    rules = [problem for problem in problems if "times for" not in str(problem)]
    assert bool(rules) == bool(oracle_of(log, end)), problems
    assert {problem.game for problem in problems} <= {before["game"]}


@given(st.sampled_from(sorted(LOGS)), st.sampled_from(FINDABLE), st.integers(0, 2**32))
@settings(max_examples=150)
def test_without_dice_it_finds_what_the_oracle_finds(name: str, field: str, seed: int) -> None:
    made = spoilt(name, field, seed)
    if made is None or name.startswith("handicap"):
        return
    log, before = made
    bots = len(log.header["bots"])
    if not all(0 <= bot < bots for game in log.games for bot in game["seats"]):
        return  # the oracle does not look for bots that are not there
    problems = problems_of(log, end=False)
    if oracle_of(log, end=False):
        assert problems
    if problems:
        assert any(str(before["game"]) in str(problem) for problem in problems)


def test_both_values_are_told() -> None:
    log = copy.deepcopy(played("standard"))
    game = log.games[3]
    right = game["counts"][1]
    game["counts"][1] = right + 1
    game["palifico"][0] = 1
    game["places"].reverse()
    assert [str(problem) for problem in problems_of(log)] == [
        f"game {game['game']}, round 1, palifico: 1 in the log, 0 by the rules",
        f"game {game['game']}, round 2, counts: {right + 1} in the log, {right} by the rules",
        f"game {game['game']}, places: {game['places']} in the log, {game['places'][::-1]} by the rules",
    ]


def test_an_illegal_call_must_have_been_one() -> None:
    log = copy.deepcopy(played("santaba"))
    game, fault = next(
        (game, fault)
        for game in log.games
        for fault in game["faults"]
        if fault["cause"] == "illegal" and fault["penalty"] == "default-call"
    )
    call = game["calls"][fault["round"] - 1].split(" ")[fault["call"]]
    fault["received"] = call.rpartition(":")[2].encode().hex()
    (problem,) = problems_of(log)
    assert "was a legal call" in problem.text
    assert (problem.game, problem.round, problem.field) == (game["game"], fault["round"], "faults")
    fault["received"] = "nothing"
    assert "hex" in problems_of(log)[0].text


def test_a_bot_that_never_started_cannot_speak() -> None:
    log = copy.deepcopy(played("standard"))
    log.header["bots"][2]["out"] = "it did not start"
    with_it = {game["game"] for game in log.games if 2 in game["seats"]}
    report = report_of(log, limit=999)
    assert {problem.game for problem in report.problems} <= with_it
    assert "never started" in report.problems[0].text


# -- the log as a whole ------------------------------------------------------------------------------


def test_games_that_are_missing_or_twice() -> None:
    log = copy.deepcopy(played("standard"))
    gone = log.games.pop(5)
    assert [str(p) for p in problems_of(log)] == [
        f"games: 1 of {len(log.games) + 1} are missing: {gone['game']}"
    ]
    log.games += [gone, gone]
    assert [str(p) for p in problems_of(log)] == [f"game {gone['game']}, game: it is in the log twice"]
    log.games = []
    (problem,) = problems_of(log)
    assert problem.text == "24 of 24 are missing: 0, 1, 2, 3, 4, ..."


def test_a_wrong_secret_is_one_problem() -> None:
    log = copy.deepcopy(played("standard"))
    log.end["secret"] = secret_of_seed(SEED + 1).hex()
    report = report_of(log)
    assert [problem.field for problem in report.problems] == ["header.secret_hash"]
    assert not report.dice
    log.end["secret"] = "xyz"
    assert [problem.field for problem in report_of(log).problems] == ["secret"]


def test_another_salt_gives_other_dice() -> None:
    log = copy.deepcopy(played("neller"))
    log.header["public_salt"] = "another"
    problems = report_of(log, limit=999).problems
    assert {"hands", "commitment"} <= {problem.field for problem in problems}
    assert {problem.game for problem in problems} == set(range(len(log.games)))


def test_problems_beyond_the_limit_are_counted() -> None:
    log = copy.deepcopy(played("standard"))
    for game in log.games:
        game["commitment"] = "00" * 32
    report = report_of(log, limit=7)
    assert (len(report.problems), report.more) == (7, len(log.games) - 7)


def test_lines_that_are_no_games(tmp_path: Path) -> None:
    log = played("standard")
    path = log.write(tmp_path / "games.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    game = json.loads(lines[2])
    game["openers"][0] = "zero"
    lines[2] = json.dumps(game).encode() + b"\n"
    path.write_bytes(b"".join([*lines[:4], b"{\n", lines[0], *lines[4:]]))
    told = [str(problem) for problem in verify(path).problems]
    assert told[0].startswith("line 3: Expected `int`, got `str` - at `$.openers[")
    assert told[1].startswith("line 5: Input data was truncated")
    assert told[2] == "line 6: a second header"
    assert told[3].startswith("games: 1 of 24 are missing")


def test_the_end_must_be_the_last_line(tmp_path: Path) -> None:
    log = played("neller")
    path = log.write(tmp_path / "games.jsonl")
    *lines, game, end = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, end, game]))
    told = [str(problem) for problem in verify(path).problems]
    assert told == [
        f"line {len(lines) + 1}: an end line, and the log goes on",
        f"line {len(lines) + 2}: it stands after the end line",
    ]


# -- headers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("blind_bids", True, "options unknown here: blind_bids"),
        ("calza", "sometimes", "calza: 'sometimes' is not one of"),
        ("dice", 0, "dice: 0 is not a number of dice"),
        ("players", [5, 6], "3 players cannot play standard: it seats 5 to 6"),
        ("name", {}, "name"),
    ],
)
def test_rules_that_cannot_be(option: str, value: Any, told: str) -> None:
    log = copy.deepcopy(played("standard"))
    log.header["ruleset"][option] = value
    with pytest.raises(LogError, match="the header's ruleset") as error:
        report_of(log)
    assert told in str(error.value)


@pytest.mark.parametrize("field", ["deals", "dice"])
def test_header_words(field: str) -> None:
    log = copy.deepcopy(played("standard"))
    log.header[field] = "odd"
    with pytest.raises(LogError, match="'odd'"):
        report_of(log)


def test_the_number_of_games() -> None:
    log = copy.deepcopy(played("standard"))
    log.header["games"] += 1
    assert [p.field for p in problems_of(log)] == ["header.games", "games"]
    log.header["games"] -= 4
    assert {p.field for p in problems_of(log)} == {"game"}
    log.header["games"] = 24
    log.header["schedule"] = {"budget": 29}
    assert [p.field for p in problems_of(log)] == ["header.games"]
    log.header["schedule"] = {"budget": 26}
    assert problems_of(log) == []


def test_other_rules_do_not_fit() -> None:
    log = copy.deepcopy(played("santaba"))
    rules: Json = log.header["ruleset"]
    for option, value in [("wild_face", 2), ("calza", "off"), ("dice", 4), ("ace_bids", "plain")]:
        changed = {**rules, option: value}
        if option == "wild_face":
            changed["ace_bids"] = "plain"
        log.header["ruleset"] = changed
        assert problems_of(log), option


@pytest.mark.parametrize("ruleset", [HANDICAP, CALZA], ids=lambda ruleset: ruleset.name)
def test_a_header_with_the_dice_of_each_seat(ruleset: Ruleset) -> None:
    log = copy.deepcopy(played(ruleset.name.replace(" ", "-")))
    log.header["ruleset"]["dice"] = ruleset.dice
    report = report_of(log)
    assert (report.problems, report.notes) == ([], [])
    assert oracle_of(log) == []
