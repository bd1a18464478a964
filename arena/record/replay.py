"""One game of a log, played again from its calls by the rules, then compared value by value.

With the deal's seed the dice are rolled again; without it they are taken from the log, as far as they
fit the position. The play goes on from what the rules say, not from what the log says, so one wrong
value is one problem. Where a call cannot be played, or where the numbers of dice part ways, all that
follows would be a problem too, so the comparison ends there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from arena.game import (
    Ask,
    Deal,
    Dice,
    Game,
    Hand,
    IllegalCall,
    InvalidCall,
    Ruleset,
    first_opener,
    parse_call,
)
from arena.record.columns import write_calls, write_change, write_hands
from arena.record.schema import Fault, GameRecord

RECEIVED = 64
"""Bytes that a fault keeps of a message."""


class Problem(NamedTuple):
    """A value that is not as it should be. `game` and `round` are None where it has none."""

    game: int | None
    round: int | None
    field: str
    text: str

    def __str__(self) -> str:
        where = [] if self.game is None else [f"game {self.game}"]
        if self.round is not None:
            where.append(f"round {self.round}")
        return f"{', '.join([*where, self.field])}: {self.text}"


def differs(logged: object, right: object, reason: str = "by the rules") -> str:
    """The text of a problem: both values."""
    return f"{_told(logged)} in the log, {_told(right)} {reason}"


def _told(value: object) -> str:
    if value is None:
        return "none"
    return repr(value) if isinstance(value, str) else str(value)


def check_play(
    record: GameRecord,
    ruleset: Ruleset,
    listeners: Collection[int],
    silent: Collection[int],
    seed: bytes | None,
) -> list[Problem]:
    """All that is wrong with the play of a game; its numbers and seats are not looked at.

    `listeners` are the seats that are asked out of turn, `silent` those whose bot never started.
    """
    return _Replay(record, ruleset, listeners, silent, seed).check()


class _Logged:
    """Deals the hands of the log; where they do not fit the position, as many aces."""

    def __init__(self, hands: Sequence[str]) -> None:
        self._hands = hands

    def __call__(self, number: int, dice: Sequence[int]) -> Sequence[Hand]:
        hands = read_hands(self._hands[number - 1]) if number <= len(self._hands) else None
        if hands is None or [len(hand) for hand in hands] != list(dice):
            return tuple((1,) * held for held in dice)
        return hands


def read_hands(text: str) -> tuple[Hand, ...] | None:
    """Hands as `write_hands` writes them, sorted; None for any other text."""
    hands = []
    for word in text.split(" "):
        dice = "" if word == "-" else word
        if not word or dice.strip("123456"):
            return None
        hands.append(tuple(sorted(map(int, dice))))
    return tuple(hands)


class _Replay:
    """The check of one game."""

    def __init__(
        self,
        record: GameRecord,
        ruleset: Ruleset,
        listeners: Collection[int],
        silent: Collection[int],
        seed: bytes | None,
    ) -> None:
        self.record = record
        self.ruleset = ruleset
        self.listeners = listeners
        self.silent = silent
        self.seed = seed
        self.problems: list[Problem] = []
        self.blames: list[Problem] = []
        self.faults = {(fault.round, fault.call): fault for fault in record.faults}
        """Those that the play has not come to, by the call that they cost."""

    def check(self) -> list[Problem]:
        game = self._set_up()
        if game is not None:
            last = self._play(game)
            if self._compare(game, last):
                self._compare_end(game)
        return self.problems

    def _add(self, number: int | None, field: str, text: str) -> None:
        self.problems.append(Problem(self.record.game, number, field, text))

    def _set_up(self) -> Game | None:
        """The game before its first call; None if the record has no form in which to play it."""
        record, seats = self.record, len(self.record.seats)
        rounds = len(record.calls)
        uneven = False
        for field in ("openers", "palifico", "hands", "counts", "changes"):
            length = len(getattr(record, field))
            if length != rounds:
                self._add(None, field, f"{length} values for {rounds} rounds of calls")
                uneven = True
        lengths = [len(us) for us in record.timing.us]
        words = [len(text.split(" ")) for text in record.calls]
        if lengths != words:
            self._time_differs(lengths, words)
        if not rounds:
            self._add(None, "calls", "no round was played")
        if uneven or not rounds:
            return None

        deal: Deal
        opener = 0
        if self.seed is not None:
            deal = dice = Dice(self.seed)
            if self.ruleset.opener == "roll":
                opener = first_opener(dice.opening_rolls(seats))
        else:
            deal = _Logged(record.hands)
            if self.ruleset.opener == "roll":
                opener = record.openers[0]
                if not 0 <= opener < seats:
                    self._add(1, "openers", f"there is no seat {opener}")
                    return None
        return Game(self.ruleset, seats, deal, opener=opener, listeners=self.listeners)

    def _time_differs(self, lengths: list[int], words: list[int]) -> None:
        if len(lengths) != len(words):
            self._add(None, "timing.us", f"lists for {len(lengths)} rounds, there are {len(words)}")
        for number, (length, calls) in enumerate(zip(lengths, words, strict=False), 1):
            if length != calls:
                self._add(number, "timing.us", f"{length} times for {calls} calls")

    # -- play --------------------------------------------------------------------------------------

    def _play(self, game: Game) -> Problem | None:
        """Make the calls of the log; the problem at which that ends before the log does."""
        rounds, faults = game.rounds, self.faults
        for number, text in enumerate(self.record.calls, 1):
            if game.ask is None:
                told = f"{len(self.record.calls)} rounds in the log, but the game is over after round "
                return Problem(self.record.game, None, "calls", f"{told}{number - 1}")
            this = rounds[-1]
            for written in text.split(" "):
                ask = game.ask
                if ask is None or rounds[-1] is not this:
                    return self._stop(number, f"{written!r} comes after the end of the round")
                word = written.rpartition(":")[2] if ":" in written else written
                if faults and (fault := faults.pop((number, len(this.calls)), None)) is not None:
                    self._blame(number, _wrong_about(ask, fault, word))
                try:
                    if word == "forfeit":
                        game.forfeit(ask.seat)
                    else:
                        game.answer(parse_call(word))
                except (IllegalCall, InvalidCall) as error:
                    return self._stop(number, f"{written!r}, and seat {ask.seat} is asked: {error}")
            if game.ask is not None and rounds[-1] is this:
                return self._stop(number, f"{text!r} does not end the round")
        return None

    def _stop(self, number: int, text: str) -> Problem:
        return Problem(self.record.game, number, "calls", text)

    def _blame(self, number: int, text: str) -> None:
        if text:
            self.blames.append(Problem(self.record.game, number, "faults", text))

    # -- compare -----------------------------------------------------------------------------------

    def _compare(self, game: Game, stop: Problem | None) -> bool:
        """Compare round by round; whether the log goes with the rules to its end."""
        record = self.record
        played = game.rounds[: len(record.calls)]
        columns: list[tuple[str, Sequence[Any], list[Any]]] = [
            ("openers", record.openers, [r.opener for r in played]),
            ("palifico", record.palifico, [int(r.palifico) for r in played]),
            ("hands", record.hands, [write_hands(r.hands) for r in played]),
            ("calls", record.calls, [write_calls(r) for r in played]),
            ("counts", record.counts, [r.count for r in played]),
            ("changes", record.changes, [write_change(r.change) for r in played]),
        ]
        if stop is None and all(logged == right for _, logged, right in columns):
            self.problems += self.blames
            return True
        for index, this in enumerate(played):
            number = index + 1
            begun = stop is not None and stop.round == number
            parted = _lengths(record.hands[index]) != [len(hand) for hand in this.hands]
            for field, logged, right in columns:
                known = field in ("openers", "hands") or not (parted or begun)
                if known and logged[index] != right[index]:
                    self._add(number, field, self._values(field, logged[index], right[index], parted))
            if parted:
                return False
            if begun:
                break
        if stop is not None:
            self.problems.append(stop)
        self.problems += self.blames
        return stop is None

    def _values(self, field: str, logged: Any, right: Any, parted: bool) -> str:
        if field != "hands":
            return differs(logged, right)
        if self.seed is not None:
            return differs(logged, right, "by the secret")
        if parted:
            held = [0 if hand == "-" else len(hand) for hand in right.split(" ")]
            return f"{logged!r} in the log, numbers of dice {held} by the rules"
        return differs(logged, right, "in their order")

    def _compare_end(self, game: Game) -> None:
        record = self.record
        if game.ask is not None:
            told = f"{len(record.calls)} rounds in the log, after which the game is not over"
            self._add(None, "calls", told)
        elif game.places != record.places:
            self._add(None, "places", differs(record.places, game.places))
        self._compare_faults(game)
        if self.silent:
            self._check_silence(game)

    def _compare_faults(self, game: Game) -> None:
        """Every forfeit has its fault, every fault its call, in their order."""
        faults = self.record.faults
        places = [(fault.round, fault.call) for fault in faults]
        if places != sorted(set(places)):
            self._add(None, "faults", "not in the order of the calls that they cost")
        for fault in self.faults.values():
            self._add(fault.round, "faults", f"there is no call {fault.call}, counted from 0")
        forfeits = {place for place, fault in zip(places, faults, strict=True) if _is_forfeit(fault)}
        for this in game.rounds:
            if this.void and (this.number, len(this.calls) - 1) not in forfeits:
                told = f"seat {this.calls[-1][0]} forfeits, and no fault tells why"
                self._add(this.number, "faults", told)

    def _check_silence(self, game: Game) -> None:
        cost = {(fault.round, fault.call) for fault in self.record.faults}
        for this in game.rounds:
            for place, (seat, call) in enumerate(this.calls):
                if call is not None and seat in self.silent and (this.number, place) not in cost:
                    told = f"seat {seat} calls {call}, but by the header its bot never started"
                    self._add(this.number, "calls", told)
                    return


def _lengths(hands: str) -> list[int]:
    return [0 if hand == "-" else len(hand) for hand in hands.split(" ")]


def _is_forfeit(fault: Fault) -> bool:
    return fault.penalty == "forfeit"


# -- faults ------------------------------------------------------------------------------------------


def _wrong_about(ask: Ask, fault: Fault, word: str) -> str:
    """What is wrong about a fault of the seat that is asked now and for which `word` stands."""
    if fault.seat != ask.seat:
        return f"of seat {fault.seat} in the log, but call {fault.call} is by seat {ask.seat}"
    right = {"forfeit": "forfeit", "default-call": str(ask.default_call())}.get(fault.penalty)
    if right != word:
        return f"penalty {fault.penalty!r} gives {right}, the call is {word}"
    if fault.asked and not fault.asked.startswith(f"round {fault.round},"):
        return f"of round {fault.round} in the log, but what was asked is {fault.asked!r}"
    return _excuse(ask, fault) if fault.cause == "illegal" else ""


def _excuse(ask: Ask, fault: Fault) -> str:
    """Why the message of a fault was no illegal call."""
    try:
        raw = bytes.fromhex(fault.received)
        text = raw.decode("utf-8", "ignore" if len(raw) == RECEIVED else "strict")
    except ValueError:
        return f"received {fault.received!r} is not a text in hex"
    try:
        legal = ask.allows(parse_call(text))
    except InvalidCall:
        return ""
    return f"{text!r} of seat {ask.seat} was a legal call" if legal else ""
