"""The game of Perudo, pure: no clock, no socket, no file.

One pending question at a time: `Game.ask` says which seat may call what, `Game.answer` moves the
game on, `Game.forfeit` takes a seat out. Between two questions everything is decided by the ruleset,
the dice and the calls, and by nothing else.

A round runs: deal; the opener is asked (with `palifico` among the words where he may call it); after
each bid first the seats that may speak out of turn (calza, tabba), clockwise from the seat after
next, then the next seat. A dudo, calza or tabba ends it; losses are settled and the next round is
dealt. A forfeit voids the round: nobody loses a die but the seat that is out, and the next live seat
opens a new deal.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from arena.game.ask import Ask, Raises, Words, questions_of
from arena.game.bidding import Freedom
from arena.game.calls import Bid, Call, Word
from arena.game.dice import Deal, Hand
from arena.game.ruleset import Ruleset

MAX_ROUNDS = 1000
"""A game of more rounds ends, with places by dice held: a limit of the arena."""


class IllegalCall(ValueError):
    """A call that the rules do not allow now. The game has not moved."""


@dataclass(slots=True)
class Round:
    """One deal: hands, calls and how it ended. The last fields are filled in when it does.

    `hands` are sorted, per seat. `calls` are (seat, call), passes too; a call None at the end is a
    forfeit. `count` is None where no dice were counted (tabba, forfeit). `change` holds the dice
    that each seat lost (negative) or gained.
    """

    number: int
    opener: int
    palifico: bool
    hands: Sequence[Hand]
    calls: list[tuple[int, Call | None]]
    count: int | None = None
    change: tuple[int, ...] = ()

    @property
    def void(self) -> bool:
        """Whether a forfeit ended it."""
        return bool(self.calls) and self.calls[-1][1] is None

    @property
    def revealed(self) -> bool:
        """Whether the dice were shown at its end."""
        return self.count is not None


@dataclass(frozen=True)
class Position:
    """Where a game begins, if not at the start: any moment in which a seat is on turn.

    dice      per seat, 0 = out
    to_act    the seat on turn: the opener where no bid stands
    standing  the standing bid, made by the nearest live seat before `to_act`
    palifico  "no", "yes", or "may": the opener may call it
    former    the seats that are or were palifico in this game
    """

    dice: tuple[int, ...]
    to_act: int = 0
    standing: Bid | None = None
    palifico: str = "no"
    former: frozenset[int] = frozenset()


class Game:
    """A game in progress. `listeners` are the seats that want questions out of turn (all by default).

    Raises `RulesetError` for an impossible number of players.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        players: int,
        deal: Deal,
        *,
        opener: int = 0,
        listeners: Collection[int] | None = None,
        position: Position | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.players = players
        self.dice = list(position.dice if position else ruleset.starting_dice(players))
        self.rounds: list[Round] = []
        """Every round so far, the one in progress last."""
        self.places = [0] * players
        """Place of each seat, 1 = winner, shared by seats that leave together; 0 = still playing."""
        self.former = set(position.former) if position else set()
        self.ask: Ask | None = None
        """The pending question; None when the game is over."""
        self._deal = deal
        self._questions = questions_of(ruleset)
        self._wild = ruleset.wild_face or 0
        self._listeners = range(players) if listeners is None else listeners
        self._calza_on_turn = ruleset.calza == "turn"
        self._others_speak = ruleset.calza == "others" or ruleset.tabba == "call"
        self._usual: Raises | None = None
        """The questions of a round in which only the next seat may speak, and say only dudo."""
        self._waiting: deque[tuple[int, Words]] = deque()
        self._standing: Bid | None = None
        self._bidder = self._actor = position.to_act if position else opener
        self._tabba = self._may = False
        self._said: list[tuple[int, Call | None]] = []
        self._next: tuple[int, ...] = ()
        self._cap = 0
        self._live = sum([held > 0 for held in self.dice])
        if position is None:
            self._open(opener, palifico=False, may=False)
        elif self._live > 1:
            self._open(position.to_act, position.palifico == "yes", position.palifico == "may")
            if position.standing is not None:
                self._standing = position.standing
                self._bidder = self._before(position.to_act)
                self._ask_actor()

    @property
    def over(self) -> bool:
        return self.ask is None

    @property
    def round(self) -> Round:
        """The round in progress, or the last one when the game is over."""
        return self.rounds[-1]

    @property
    def standing(self) -> Bid | None:
        return self._standing

    @property
    def bidder(self) -> int:
        """The seat that made the standing bid; the opener where none stands."""
        return self._bidder if self._standing else self._actor

    @property
    def on_turn(self) -> int:
        """The seat that is to bid or doubt; others may be asked before it."""
        return self._actor

    @property
    def palifico(self) -> str:
        """State of the round: "no", "yes", or "may" while the opener may still call it."""
        return "yes" if self.round.palifico else "may" if self._may else "no"

    @property
    def wild(self) -> int:
        """The face that counts as any other in this round, 0 = none."""
        return 0 if self.rounds[-1].palifico else self._wild

    def copy(self) -> Game:
        """An independent game in the same state, for looking ahead. It deals from the same `deal`."""
        twin = Game(self.ruleset, self.players, self._deal, position=_NOBODY)
        for name in _STATE:
            setattr(twin, name, getattr(self, name))
        twin.dice, twin.places = self.dice[:], self.places[:]
        twin.former, twin._waiting = set(self.former), self._waiting.copy()
        twin.rounds = self.rounds[:]
        if twin.rounds:
            last = self.rounds[-1]
            twin._said = last.calls[:]
            twin.rounds[-1] = replace(last, calls=twin._said)
        return twin

    def answer(self, call: Call) -> None:
        """The asked seat calls. Raises `IllegalCall` (the game has not moved) or, over, ValueError."""
        ask = self.ask
        if ask is None:
            raise ValueError("the game is over")
        if not ask.allows(call):
            from arena.game.why import why_not  # it needs this module, and legal calls do not need it

            raise IllegalCall(why_not(self, call))
        self._said.append((ask.seat, call))
        if isinstance(call, Bid):
            self._bid(ask, call)
        elif call == _DUDO:
            self._dudo(ask.seat)
        elif call == _PASS:
            self._ask_next()
        elif call == _CALZA:
            self._calza(ask.seat)
        elif call == _TABBA:
            self._called_tabba()
        else:
            self.rounds[-1].palifico = True
            self.former.add(ask.seat)
            self._may = False
            self._usual = None
            self._ask_actor()

    def forfeit(self, seat: int) -> None:
        """`seat` is out: its round is void, its dice leave, the next live seat opens a new deal.

        Raises ValueError if the seat is not playing.
        """
        if self.ask is None or not self.dice[seat]:
            raise ValueError(f"seat {seat} is not playing")
        this = self.rounds[-1]
        this.calls.append((seat, None))
        this.change = tuple([-held if s == seat else 0 for s, held in enumerate(self.dice)])
        self.dice[seat] = 0
        self._retire([seat])
        if not self._finished():
            self._open(self._after(seat), palifico=False, may=False)

    # -- one round ---------------------------------------------------------------------------------

    def _open(self, opener: int, palifico: bool, may: bool) -> None:
        dice = self.dice
        this = Round(len(self.rounds) + 1, opener, palifico, self._deal(len(self.rounds) + 1, dice), [])
        self.rounds.append(this)
        self._said = this.calls
        self._next = _next_live(tuple(dice))
        self._cap = sum(dice)
        self._standing = None
        self._tabba = False
        self._may = may
        self._actor = opener
        self._waiting.clear()
        plain = not (palifico or self._others_speak or self._calza_on_turn)
        self._usual = self._questions[self._cap, _ORDINARY, _ON_TURN[False, False]] if plain else None
        self._ask_actor()

    def _bid(self, ask: Ask, bid: Bid) -> None:
        self._standing = bid
        self._bidder = ask.seat
        self._may = False
        self._actor = actor = self._next[ask.seat]
        if self._usual is not None:
            self.ask = self._usual[bid][actor]
            return
        self._tabba = bid.quantity < ask.minimums[bid.face - 1]
        if self._others_speak:
            self._queue_others()
        self._ask_next()

    def _queue_others(self) -> None:
        """Seats with something to say before the next one acts, from the seat after next on."""
        seat = self._after(self._actor)
        while seat != self._bidder:
            if seat in self._listeners:
                calza = self._may_calza(seat, "others")
                if calza or self._tabba:
                    self._waiting.append((seat, _OUT_OF_TURN[calza, self._tabba]))
            seat = self._after(seat)

    def _ask_next(self) -> None:
        if not self._waiting:
            self._ask_actor()
            return
        seat, words = self._waiting.popleft()
        self.ask = self._questions.out_of_turn(self._cap, words)[seat]

    def _ask_actor(self) -> None:
        seat, standing = self._actor, self._standing
        if standing is None:
            words = _OPENING[self._may]
        else:
            words = _ON_TURN[self._may_calza(seat, "turn"), self._tabba]
        freedom = self._freedom(seat) if self.rounds[-1].palifico else _ORDINARY
        self.ask = self._questions[self._cap, freedom, words][standing][seat]

    def _freedom(self, seat: int) -> Freedom:
        """Whether `seat` may name any face in this palifico round; the opening is free for all."""
        change = self.ruleset.palifico_change
        free = (
            self._standing is None
            or (change == "one-die" and self.dice[seat] == 1)
            or (change == "ex-palifico" and seat in self.former)
        )
        return Freedom.FREE if free else Freedom.BOUND

    def _may_calza(self, seat: int, who: str) -> bool:
        rules = self.ruleset
        return (
            rules.calza == who
            and (rules.calza_at_cap or self.dice[seat] < rules.dice_cap)
            and (rules.calza_in_palifico or not self.rounds[-1].palifico)
        )

    # -- how it ends -------------------------------------------------------------------------------

    def _count(self) -> tuple[int, int]:
        """Dice that count for the standing bid, and its quantity."""
        assert self._standing is not None
        quantity, face = self._standing
        return count_dice(self.rounds[-1].hands, face, self.wild), quantity

    def _dudo(self, doubter: int) -> None:
        count, quantity = self._count()
        loser, winner = (doubter, self._bidder) if count >= quantity else (self._bidder, doubter)
        change = [0] * self.players
        if self.ruleset.loss == "one":
            change[loser] = -1
        elif count == quantity:
            change = self._others_lose(self._bidder)
        else:
            change[loser] = -min(abs(count - quantity), self.dice[loser])
        self._settle(count, change, loser, winner)

    def _calza(self, caller: int) -> None:
        count, quantity = self._count()
        opener = caller
        change = [0] * self.players
        if count != quantity:
            change[caller] = -1
        elif self.ruleset.calza_reward == "others-lose":
            change = self._others_lose(caller)
        elif self.ruleset.calza_reward == "bidder-loses":
            opener = self._bidder
            change[opener] = -1
        elif self.dice[caller] < self.ruleset.dice_cap:
            change[caller] = 1
        self._settle(count, change, opener, opener)

    def _called_tabba(self) -> None:
        change = [0] * self.players
        change[self._bidder] = -1
        self._settle(None, change, loser=self._bidder, winner=self._bidder)

    def _others_lose(self, seat: int) -> list[int]:
        return [-1 if held and s != seat else 0 for s, held in enumerate(self.dice)]

    def _settle(self, count: int | None, change: list[int], loser: int, winner: int) -> None:
        """End the round: apply `change`, retire who has no dice left, open the next round."""
        this = self.rounds[-1]
        this.count = count
        this.change = tuple(change)
        dice = self.dice
        gone = []
        for seat, gain in enumerate(change):
            if gain:
                dice[seat] += gain
                if not dice[seat]:
                    gone.append(seat)
        self._retire(gone)
        if self._finished():
            return
        if self.ruleset.one_round:
            self._end([-1 if gain < 0 else 0 for gain in change])
        else:
            self._open_next(change, {"loser": loser, "winner": winner}, this.opener)

    def _open_next(self, change: list[int], by: dict[str, int], last: int) -> None:
        rules = self.ruleset
        if rules.next_opener == "rotate":
            opener = self._before(last)
        else:
            opener = by[rules.next_opener]
            if not self.dice[opener]:
                opener = self._after(opener)
        dropped: list[int] = []
        if rules.palifico != "off" and self._live >= rules.palifico_min_players:
            dropped = [
                seat
                for seat, gain in enumerate(change)
                if gain < 0
                and self.dice[seat] == 1
                and not (rules.palifico_once and seat in self.former)
            ]
        if rules.palifico == "auto":
            self.former.update(dropped)
        self._open(
            opener,
            palifico=rules.palifico == "auto" and bool(dropped),
            may=rules.palifico == "call" and opener in dropped,
        )

    def _retire(self, seats: Sequence[int]) -> None:
        """Seats without dice leave together and share the place after those who remain."""
        self._live -= len(seats)
        for seat in seats:
            self.places[seat] = self._live + 1

    def _finished(self) -> bool:
        if self._live > 1 and len(self.rounds) < MAX_ROUNDS:
            return False
        self._end(self.dice)
        return True

    def _end(self, worth: Sequence[int]) -> None:
        """The game is over: the live seats take the first places, by what each is worth."""
        live = [seat for seat, held in enumerate(self.dice) if held]
        for seat in live:
            place = 1
            for other in live:
                if worth[other] > worth[seat]:
                    place += 1
            self.places[seat] = place
        self.ask = None
        self._waiting.clear()

    def _after(self, seat: int) -> int:
        """The next live seat in the direction of play."""
        return _next_live(tuple(self.dice))[seat]

    def _before(self, seat: int) -> int:
        seat = (seat - 1) % self.players
        while not self.dice[seat]:
            seat = (seat - 1) % self.players
        return seat


_NOBODY = Position(())
_STATE = (
    "ask",
    "_listeners",
    "_usual",
    "_standing",
    "_bidder",
    "_actor",
    "_tabba",
    "_may",
    "_live",
    "_next",
    "_cap",
)
"""What a copy shares with its game: all that changes but is never changed in place."""

# Looking a member up in its class is slow, so that is done once.
_DUDO: Final = Word.DUDO
_CALZA: Final = Word.CALZA
_PALIFICO: Final = Word.PALIFICO
_TABBA: Final = Word.TABBA
_PASS: Final = Word.PASS
_ORDINARY: Final = Freedom.ORDINARY

_OPENING: Final[dict[bool, Words]] = {False: (), True: (_PALIFICO,)}
"""The words of the opener, by whether he may call palifico."""
_ON_TURN: Final[dict[tuple[bool, bool], Words]] = {
    (False, False): (_DUDO,),
    (True, False): (_DUDO, _CALZA),
    (False, True): (_DUDO, _TABBA),
    (True, True): (_DUDO, _CALZA, _TABBA),
}
"""The words over a bid, by whether calza and tabba may be called."""
_OUT_OF_TURN: Final[dict[tuple[bool, bool], Words]] = {
    rights: (*words[1:], _PASS) for rights, words in _ON_TURN.items()
}


@lru_cache(maxsize=4096)
def _next_live(dice: tuple[int, ...]) -> tuple[int, ...]:
    """Per seat the next one in the direction of play that holds dice."""
    seats = len(dice)
    return tuple(
        next((n % seats for n in range(seat + 1, seat + seats) if dice[n % seats]), seat)
        for seat in range(seats)
    )


def count_dice(hands: Sequence[Hand], face: int, wild: int) -> int:
    """Dice that count for a bid on `face`: those showing it or the wild face, each once."""
    count = 0
    for hand in hands:
        count += hand.count(face)
        if wild and wild != face:
            count += hand.count(wild)
    return count
