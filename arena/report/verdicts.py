"""What `arena.report.judge` says to a told game, as data, as JSON and as text."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

KINDS = {"no": "", "yes": ", a palifico round", "may": ", who may call palifico"}


@dataclass(frozen=True)
class CallVerdict:
    """A call. `legal` is None if it was not judged; `reason` says why it is not legal or not judged.

    seat   None where nobody can know whose turn it was
    tabba  a bid that only stands unless another player calls tabba
    """

    line: int
    seat: int | None
    call: str
    legal: bool | None
    reason: str = ""
    tabba: bool = False


@dataclass(frozen=True)
class State:
    """How a round begins. palifico: "no", "yes", or "may": the opener may call it."""

    dice: tuple[int, ...]
    opener: int
    palifico: str
    former: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """How a round ends, and how the next one begins; `opener` is None when the game is over.

    counts   dice that can have counted for the last bid: several where unseen dice leave it open
    count    the same, if there is just one
    out      seats that have lost their last die now
    winner   the lowest seat in first place, None while the game goes on
    places   per seat, 0 = not known: still playing, or out before the text begins
    """

    counts: tuple[int, ...]
    count: int | None
    losers: tuple[int, ...]
    gainers: tuple[int, ...]
    change: tuple[int, ...]
    dice: tuple[int, ...]
    out: tuple[int, ...]
    opener: int | None
    palifico: str
    former: tuple[int, ...]
    winner: int | None
    places: tuple[int, ...]


@dataclass(frozen=True)
class RoundVerdict:
    """A round. `before` is None if it was not judged; `standing` is its last bid, "" without one.

    after     how it ended; None if it did not, or if that depends on dice nobody saw
    possible  then, every way in which it can have ended
    problems  what is stated and differs from the rules, or what is missing to judge it
    """

    number: int
    line: int
    before: State | None
    calls: tuple[CallVerdict, ...]
    standing: str = ""
    after: Outcome | None = None
    possible: tuple[Outcome, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def wrong(self) -> int:
        """How many things are wrong in it."""
        return len(self.problems) + sum(call.legal is False for call in self.calls)


@dataclass(frozen=True)
class Judgement:
    """The whole text. `problems` are those that belong to no single round."""

    ruleset: str
    seats: tuple[str, ...]
    rounds: tuple[RoundVerdict, ...]
    winner: int | None
    problems: tuple[str, ...] = ()

    @property
    def wrong(self) -> int:
        """How many things are wrong in all."""
        return len(self.problems) + sum(r.wrong for r in self.rounds)


def as_json(judgement: Judgement) -> str:
    """Every field by its name, and `ok`: whether nothing is wrong."""
    return json.dumps({"ok": not judgement.wrong, **dataclasses.asdict(judgement)}, indent=2)


def names_of(seats: Sequence[str]) -> list[str]:
    """What sentences call the seats."""
    return [f"seat {name}" if name.isdecimal() else name for name in seats]


def as_text(judgement: Judgement) -> Iterator[str]:
    """The lines for people."""
    names = names_of(judgement.seats)
    for number, played in enumerate(judgement.rounds):
        yield from [""] * (number > 0)
        yield from _round(played, names)
    yield from [""] * bool(judgement.rounds)
    yield from (f"! {problem}" for problem in judgement.problems)
    if judgement.winner is not None:
        yield f"{names[judgement.winner]} wins."
    wrong = judgement.wrong
    yield (
        f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong." if wrong else "Nothing is wrong."
    )


def _round(played: RoundVerdict, names: Sequence[str]) -> Iterator[str]:
    if played.before is None:
        yield f"Round {played.number}: not judged"
    else:
        before = played.before
        held = ", ".join(f"{name}: {n}" for name, n in zip(names, before.dice, strict=True) if n)
        yield f"Round {played.number} ({held}): {names[before.opener]} opens{KINDS[before.palifico]}"
        width = max(map(len, names))
        for call in played.calls:
            name = "?" if call.seat is None else names[call.seat]
            yield f"  {name:{width}}  {call.call:9}{_verdict(call)}".rstrip()
    for outcome in [played.after] if played.after else played.possible:
        yield f"  = {_outcome(outcome, played, names)}"
    yield from (f"  ! {problem}" for problem in played.problems)


def _verdict(call: CallVerdict) -> str:
    if call.legal:
        return "legal, but a tabba: it changes the locked face" if call.tabba else "legal"
    return f"ILLEGAL (line {call.line}): {call.reason}" if call.legal is False else call.reason


def _outcome(outcome: Outcome, played: RoundVerdict, names: Sequence[str]) -> str:
    count = ""
    if outcome.counts:
        numbers = " to ".join(dict.fromkeys(map(str, (outcome.counts[0], outcome.counts[-1]))))
        count = f"{numbers} count for {played.standing}"
        count = f"{count}: " if played.after else f"if {count}, "
    parts = []
    for seat, change in enumerate(outcome.change):
        if change:
            dice = "a die" if abs(change) == 1 else f"{abs(change)} dice"
            left = "is out" if seat in outcome.out else f"has {outcome.dice[seat]}"
            parts.append(f"{names[seat]} {'loses' if change < 0 else 'gains'} {dice} and {left}")
    if not any(outcome.change):
        parts.append("nobody loses a die")
    if outcome.opener is not None:
        parts.append(f"{names[outcome.opener]} opens the next round{KINDS[outcome.palifico]}")
    elif outcome.winner is not None:
        parts.append(f"{names[outcome.winner]} wins")
    return count + "; ".join(parts)
