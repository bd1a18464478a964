"""A game as a text that people can type: one parser, one printer (`docs/6-notation.md`).

The text says what was told, not what is right: `parse` refuses only what cannot be read, and
`arena.report.judge` decides the rest. What `write` writes, `parse` reads back as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from arena.errors import ArenaError
from arena.game import (
    DEFAULT,
    Bid,
    Call,
    Hand,
    InvalidCall,
    Ruleset,
    RulesetError,
    parse_call,
    parse_option,
    preset,
)
from arena.record.columns import write_hands
from arena.record.told import FORFEIT, Notation, Said, ToldFault, ToldRound, named

STATES = {"ordinary": "no", "palifico": "yes", "palifico?": "may"}
"""Words of a `round` line, and the states they stand for."""

_HEAD = ("rules", "seats", "game", "places")
_KEYS = (*_HEAD, "round", "opener", "former", "dice", "hands", "standing", "result", "fault")
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|#.*|[^\s#]+')
_CHANGE = re.compile(r"(.+)([+-][1-9][0-9]?)", re.ASCII)
_HAND = re.compile(r"-|[1-6?]{1,30}", re.ASCII)


class NotationError(ArenaError):
    """A text that cannot be read; `line` is where, the message also says what is wrong."""

    exit_code = 2

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


# -- reading -----------------------------------------------------------------------------------------


class _Line(NamedTuple):
    number: int
    words: list[str]

    def error(self, message: str) -> NotationError:
        return NotationError(self.number, message)


def parse(text: str) -> Notation:
    """The game that a text tells. Raises `NotationError`."""
    lines = list(_lines(text))
    ruleset, seats = _table(lines)
    known: dict[str, Any] = {}
    rounds: list[dict[str, Any]] = []
    named_round = False  # a first round may go without its line, or its line come late
    for line in lines:
        key, *values = line.words
        if key in _HEAD:
            if key in known:
                raise line.error(f"{key} is there twice; give one game at a time")
            if key in ("rules", "seats") and rounds:
                raise line.error(f"{key} belongs before the first round")
            numbers = {"game": 1, "places": len(seats)}.get(key)
            known[key] = None if numbers is None else _numbers(line, values, numbers)
            continue
        if not rounds or (key == "round" and (named_round or {"calls", "change"} & rounds[-1].keys())):
            number = rounds[-1]["number"] + 1 if rounds else 1
            rounds.append({"number": number, "line": line.number})
        named_round = named_round or key == "round"
        _told(line, rounds[-1], seats, first=len(rounds) == 1)
    (game,) = known.get("game", (None,))
    told = tuple(ToldRound(**told) for told in rounds)
    return Notation(ruleset, seats, told, game, known.get("places"))


def _lines(text: str) -> Iterator[_Line]:
    """The lines that say something, split into words, without comments; quotes are still there."""
    for number, written in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        words = [word for word in _WORD.findall(written) if not word.startswith("#")]
        if words:
            yield _Line(number, words)


def _table(lines: Sequence[_Line]) -> tuple[Ruleset, tuple[str, ...]]:
    """What everything else is read by: the rules, and who sits where."""
    ruleset = preset(DEFAULT)
    for line in lines:
        if line.words[0] == "rules":
            ruleset = _ruleset(line)
    for key in ("seats", "hands", "dice"):
        line = next((line for line in lines if line.words[0] == key), _Line(0, []))
        if line.words:
            count = len(line.words) - 1
            seats = tuple(_names(line)) if key == "seats" else tuple(map(str, range(count)))
            try:
                ruleset.starting_dice(count)
            except RulesetError as error:
                raise line.error(str(error)) from None
            return ruleset, seats
    raise NotationError(1, "who plays? Give the names with `seats`, or `hands`, or `dice`")


def _ruleset(line: _Line) -> Ruleset:
    try:
        if len(line.words) < 2:
            raise RulesetError("rules", "name a preset, then changes such as calza=turn")
        options = dict(parse_option(word) for word in line.words[2:])
        ruleset = preset(line.words[1]).with_options(options)
        return named(ruleset.name, ruleset.options())
    except RulesetError as error:
        raise line.error(str(error)) from None


def _names(line: _Line) -> list[str]:
    names = [_unquote(line, word) for word in line.words[1:]]
    for name in names:
        if not name or re.search(r'[:#"\n]', name):
            raise line.error(f'{name!r} is no name: it is empty or holds one of : # "')
    if len({name.casefold() for name in names}) < len(names):
        raise line.error("two seats have the same name")
    return names


def _told(line: _Line, told: dict[str, Any], seats: tuple[str, ...], first: bool) -> None:
    """Add what a line says to its round."""
    key, *values = line.words
    if key not in _KEYS:
        told["calls"] = (*told.get("calls", ()), *_calls(line, seats))
        return
    if ("change" if key == "result" else key) in told:
        raise line.error(f"{key} is there twice in round {told['number']}")
    if key == "round":
        told |= _round(line, values, told["number"], first)
    elif key == "opener":
        told[key] = _seat(line, _same(line, values, 1)[0], seats)
    elif key == "former":
        told[key] = frozenset(_seat(line, word, seats) for word in values)
    elif key == "standing":
        call = _call(line, _same(line, values, 1)[0])
        if not isinstance(call, Bid):
            raise line.error(f"only a bid can stand, not {call or FORFEIT}")
        told[key] = call
    elif key == "dice":
        told[key] = _numbers(line, values, len(seats))
    elif key == "hands":
        told[key] = _hands(line, values, len(seats))
    elif key == "result":
        told |= _result(line, values, seats)
    else:
        told["faults"] = (*told.get("faults", ()), _fault(line, values, seats))
    if {"dice", "hands"} <= told.keys() and told["dice"] != tuple(map(len, told["hands"])):
        raise line.error("the hands have other numbers of dice than the line `dice`")


def _round(line: _Line, values: list[str], expected: int, first: bool) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for word in values:
        if word in STATES:
            told["palifico"] = STATES[word]
        elif word.isdecimal():
            told["number"] = _numbers(line, [word], 1)[0]
        else:
            raise line.error(f"{word!r} is neither the round's number nor {', '.join(STATES)}")
    if not first and told.get("number", expected) != expected:
        raise line.error(f"this is round {expected}, not {told['number']}")
    return told


def _calls(line: _Line, seats: tuple[str, ...]) -> Iterator[Said]:
    for written in line.words:
        before, colon, word = written.rpartition(":")
        seat = _seat(line, before, seats) if colon else None
        yield Said(seat, _call(line, word), line.number)


def _call(line: _Line, word: str) -> Call | None:
    try:
        return None if word == FORFEIT else parse_call(word)
    except InvalidCall as error:
        what = "" if line.words[0] in _KEYS else f"; nor does a line begin so: {', '.join(_KEYS)}"
        raise line.error(f"{error} or {FORFEIT}{what}") from None


def _hands(line: _Line, values: list[str], seats: int) -> tuple[Hand, ...]:
    for word in values:
        if not _HAND.fullmatch(word):
            raise line.error(f"{word!r} is no hand: write dice as 11346, ? for one not seen, - for none")
    told = [word.replace("-", "").replace("?", "0") for word in _same(line, values, seats)]
    return tuple(tuple(map(int, word)) for word in told)


def _result(line: _Line, values: list[str], seats: tuple[str, ...]) -> dict[str, Any]:
    told: dict[str, Any] = {"change": {}}
    for word in values:
        change = _CHANGE.fullmatch(word)
        if word.isdecimal() and "count" not in told:
            told["count"] = _numbers(line, [word], 1)[0]
        elif change is not None:
            told["change"][_seat(line, change[1], seats)] = int(change[2])
        else:
            raise line.error(f"{word!r} is neither the count nor a change such as {seats[0]}-1")
    return told


def _fault(line: _Line, values: list[str], seats: tuple[str, ...]) -> ToldFault:
    if len(values) not in (2, 3):
        raise line.error('write fault SEAT CAUSE "DETAIL"')
    return ToldFault(_seat(line, values[0], seats), values[1], _unquote(line, *values[2:]))


def _seat(line: _Line, word: str, seats: tuple[str, ...]) -> int:
    """A seat by its number, from 0, or by its name."""
    for seat, name in enumerate(seats):
        if word.casefold() == (str(seat) if word.isdecimal() else name.casefold()):
            return seat
    raise line.error(f"nobody is called {word!r}: the seats are {', '.join(seats)}")


def _unquote(line: _Line, word: str = '""') -> str:
    if not word.startswith('"'):
        return word
    try:
        return str(json.loads(word))
    except ValueError:
        raise line.error(f"{word} is not quoted as it should be") from None


def _numbers(line: _Line, values: list[str], count: int) -> tuple[int, ...]:
    for word in values:
        if not re.fullmatch("[0-9]{1,9}", word, re.ASCII):
            raise line.error(f"{word!r} is not a number")
    return tuple(map(int, _same(line, values, count)))


def _same(line: _Line, values: list[str], count: int) -> list[str]:
    if len(values) != count:
        raise line.error(f"{line.words[0]} takes {count} of them here, not {len(values)}")
    return values


# -- writing -----------------------------------------------------------------------------------------


def write(told: Notation) -> str:
    """The text of a game, as `parse` reads it."""
    names = told.seats
    ruleset = named(told.ruleset.name, told.ruleset.options())
    lines = [f"rules {ruleset.name}", "seats " + " ".join(map(_quote, names))]
    if told.game is not None:
        lines.append(f"game {told.game}")
    if told.places is not None:
        lines.append("places " + " ".join(map(str, told.places)))
    for played in told.rounds:
        lines += ["", *_write_round(played, [_label(seat, name) for seat, name in enumerate(names)])]
    return "\n".join(lines) + "\n"


def _write_round(told: ToldRound, labels: Sequence[str]) -> Iterator[str]:
    state = next((f" {word}" for word, state in STATES.items() if state == told.palifico), "")
    yield f"round {told.number}{state}"
    if told.opener is not None:
        yield f"opener {labels[told.opener]}"
    if told.former is not None:
        yield " ".join(["former", *(labels[seat] for seat in sorted(told.former))])
    if told.hands is not None:
        yield "hands " + write_hands(told.hands).replace("0", "?")
    elif told.dice is not None:
        yield "dice " + " ".join(map(str, told.dice))
    if told.standing is not None:
        yield f"standing {told.standing}"
    if told.calls:
        yield " ".join(map(str, told.calls))
    if told.count is not None or told.change:
        count = [] if told.count is None else [str(told.count)]
        changes = [f"{labels[seat]}{change:+d}" for seat, change in told.change.items()]
        yield " ".join(["result", *count, *changes])
    for seat, cause, detail in told.faults:
        yield f"fault {labels[seat]} {cause} {json.dumps(detail, ensure_ascii=False)}"


def _label(seat: int, name: str) -> str:
    """How a line names a seat: by its name, if that is a word."""
    return str(seat) if name.isdecimal() or _quote(name) != name else name


def _quote(name: str) -> str:
    return name if re.fullmatch(r"\S+", name) else json.dumps(name, ensure_ascii=False)
