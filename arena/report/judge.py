"""A told game judged call by call: what was legal, who loses a die, who opens, who wins.

Every call is put to a `Game`, and what the text states is compared with what the game makes of it.
What a round states about its own beginning is believed (and named, if it differs), so one mistake is
one problem. After an illegal call the rest of its round is not judged: nobody can know whether the
same seat spoke again or the next one went on.

Dice that nobody saw are no obstacle while calls are judged. At the end of a round every count that
they allow is tried, and what the text states picks among the ends: the count, the dice lost, the next
round's dice and opener.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from arena.game import Bid, Call, Game, Hand, Position, Word
from arena.game.why import reach, why_not
from arena.record.notation import STATES
from arena.record.told import FORFEIT, Notation, ToldRound
from arena.report.endings import End, ends_of, outcomes_of, state_of
from arena.report.verdicts import CallVerdict, Judgement, Outcome, RoundVerdict, State, names_of

UNKNOWN = "it cannot be known how this round begins: tell its opener, and its dice or hands"


def judge(told: Notation) -> Judgement:
    """What the rules say to a told game."""
    table = _Table(told)
    rounds = [
        table.judge(this, following)
        for this, following in zip(told.rounds, [*told.rounds[1:], None], strict=True)
    ]
    last = rounds[-1].after if rounds else None
    problems = []
    if last is not None and told.places is not None:
        if last.winner is None:
            problems.append("places are stated, but the game is not over")
        elif any(right not in (0, place) for place, right in zip(told.places, last.places, strict=True)):
            problems.append(f"stated places {_row(told.places)}; by the rules {_row(last.places)}")
    winner = last.winner if last else None
    return Judgement(told.ruleset.name, told.seats, tuple(rounds), winner, tuple(problems))


class _Table:
    """The game as far as it was judged."""

    def __init__(self, told: Notation) -> None:
        self._rules = told.ruleset
        self._names = names_of(told.seats)
        self._begun = False
        self._game: Game | None = None
        """At the beginning of the round to be judged; None where nobody can know how it stands."""
        self._former: tuple[int, ...] = ()
        self._places = [0] * len(told.seats)

    def judge(self, told: ToldRound, following: ToldRound | None) -> RoundVerdict:
        problems: list[str] = []
        game = self._sit(told, problems)
        self._begun, self._game = True, None
        if game is None:
            calls = tuple(
                CallVerdict(said.line, said.seat, _word(said.call), None, "not judged")
                for said in told.calls
            )
            return RoundVerdict(told.number, told.line, None, calls, problems=tuple(problems))
        if told.hands is not None:
            game.round.hands = told.hands
        before = state_of(game)
        verdicts, ends, standing = self._play(game, told)
        after: Outcome | None = None
        possible: tuple[Outcome, ...] = ()
        if ends:
            outcomes = outcomes_of(self._narrow(ends, told, following, problems))
            if len(outcomes) == 1:
                ((after, self._game),) = outcomes
                self._former, self._places = after.former, list(after.places)
            else:
                possible = tuple(outcome for outcome, _ in outcomes)
        elif following is not None and all(verdict.legal for verdict in verdicts):
            problems.append("this round does not end, yet another one follows")
        told_bid = "" if standing is None else str(standing)
        return RoundVerdict(
            told.number, told.line, before, tuple(verdicts), told_bid, after, possible, tuple(problems)
        )

    def _sit(self, told: ToldRound, problems: list[str]) -> Game | None:
        """The game as the round begins, told things first; None where too little is known."""
        game, held = self._game, told.held
        if game is not None and game.over:
            problems.append("the game was over before this round")
            game = None
        if game is not None:
            known = state_of(game)
        elif self._begun:
            if held is None or told.opener is None:
                problems.append(UNKNOWN)
                return None
            known = State(held, told.opener, "no", self._former)
        else:
            dice = held or self._rules.starting_dice(len(self._names))
            known = State(dice, next((s for s, n in enumerate(dice) if n), 0), "no", ())
        start = State(
            known.dice if held is None else held,
            known.opener if told.opener is None else told.opener,
            told.palifico or known.palifico,
            known.former if told.former is None else tuple(sorted(told.former)),
        )
        if game is not None:
            problems += self._differences(start, known)
            if start == known and told.standing is None:
                return game
        return self._seat(start, told, problems)

    def _seat(self, start: State, told: ToldRound, problems: list[str]) -> Game | None:
        """A game that begins with this round."""
        dice, opener = start.dice, start.opener
        former = set(start.former)
        if max(dice) > self._rules.dice_cap:
            problems.append(f"nobody may hold more than {self._rules.dice_cap} dice")
        if sum(held > 0 for held in dice) < 2:
            problems.append("a round needs two players with dice")
            return None
        if not dice[opener]:
            problems.append(f"{self._names[opener]} cannot open without dice")
            return None
        if (
            told.former is None
            and told.standing is None
            and start.palifico == "yes"
            and dice[opener] == 1
        ):
            former.add(opener)  # whose palifico round it is
        position = Position(dice, opener, told.standing, start.palifico, frozenset(former))
        game = Game(self._rules, len(dice), _unseen, position=position)
        game.places = [0 if held else place for held, place in zip(dice, self._places, strict=True)]
        return game

    def _differences(self, start: State, known: State) -> Iterator[str]:
        if start.dice != known.dice:
            yield f"stated dice {_row(start.dice)}; by the rules {_row(known.dice)}"
        if start.opener != known.opener:
            names = self._names
            yield f"stated opener {names[start.opener]}; by the rules {names[known.opener]}"
        if start.palifico != known.palifico:
            words = {state: word for word, state in STATES.items()}
            yield f"stated {words[start.palifico]}; by the rules {words[known.palifico]}"
        if start.former != known.former:
            seats = [
                ", ".join(self._names[s] for s in f) or "nobody" for f in (start.former, known.former)
            ]
            yield f"stated former palifico {seats[0]}; by the rules {seats[1]}"

    def _play(self, game: Game, told: ToldRound) -> tuple[list[CallVerdict], list[End], Bid | None]:
        """The verdict on each call, the ways in which the round can have ended, its last bid."""
        verdicts: list[CallVerdict] = []
        ends: list[End] = []
        standing = game.standing
        stopped = False
        for said in told.calls:
            call, word = said.call, _word(said.call)
            if stopped:
                verdicts.append(CallVerdict(said.line, said.seat, word, None, "not judged"))
                continue
            seat = game.on_turn if said.seat is None else said.seat
            reason = "the round is over" if ends else self._why_not(game, call, seat)
            if reason:
                verdicts.append(CallVerdict(said.line, seat, word, False, reason))
                stopped = True
                continue
            there = None if call is None else reach(game, seat)
            bids = there.ask.minimums if there and there.ask else ()
            tabba = isinstance(call, Bid) and call.quantity < bids[call.face - 1]
            verdicts.append(CallVerdict(said.line, seat, word, True, tabba=tabba))
            game = there or game
            if call is None or call in (Word.DUDO, Word.CALZA, Word.TABBA):
                ends = list(ends_of(game, call, seat))
            else:
                game.answer(call)
                standing = game.standing
        return verdicts, ends, standing

    def _why_not(self, game: Game, call: Call | None, seat: int) -> str:
        if call is None:
            return "" if game.dice[seat] else f"{self._names[seat]} has no dice left"
        return why_not(game, call, seat, self._names)

    def _narrow(
        self,
        ends: Sequence[End],
        told: ToldRound,
        following: ToldRound | None,
        problems: list[str],
    ) -> Sequence[End]:
        """The ends that fit what is stated; what fits none of them is a problem, and put aside."""
        change = tuple(told.change.get(seat, 0) for seat in range(len(self._names)))
        if told.count is not None:
            fits = [end for end in ends if end.counted == told.count]
            if not fits:
                counts = [str(end.counted) for end in ends if end.counted is not None]
                right = " to ".join(dict.fromkeys((counts[0], counts[-1]))) if counts else "none is made"
                problems.append(f"stated count {told.count}; by the rules {right}")
            ends = fits or ends
        if told.change:
            fits = [end for end in ends if end.change == change]
            if not fits:
                right = " or ".join(dict.fromkeys(self._changes(end.change) for end in ends))
                problems.append(f"stated result {self._changes(change)}; by the rules {right}")
            ends = fits or ends
        if following is not None:
            ends = _those(ends, lambda end: following.held in (None, tuple(end.game.dice))) or ends
            opener = following.opener
            ends = _those(ends, lambda end: end.game.over or opener in (None, end.game.on_turn)) or ends
        return ends

    def _changes(self, change: Sequence[int]) -> str:
        told = [f"{self._names[seat]} {gain:+d}" for seat, gain in enumerate(change) if gain]
        return ", ".join(told) or "no change"


def _those(ends: Sequence[End], keep: Callable[[End], bool]) -> list[End]:
    return [end for end in ends if keep(end)]


def _unseen(number: int, dice: Sequence[int]) -> tuple[Hand, ...]:
    """Deals dice that nobody has seen."""
    return tuple((0,) * held for held in dice)


def _word(call: Call | None) -> str:
    return FORFEIT if call is None else str(call)


def _row(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
