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
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

from arena.game.bidding import Freedom, Minimums, bidding_of
from arena.game.calls import Bid, Call, Word
from arena.game.dice import Deal, Hand
from arena.game.ruleset import Ruleset

MAX_ROUNDS = 1000
"""A game of more rounds ends, with places by dice held: a limit of the arena."""


class IllegalCall(ValueError):
    """A call that the rules do not allow now. The game has not moved."""


class Ask(NamedTuple):
    """The pending question: `seat` may bid from `minimums[face - 1]` up to `maximum`, or say a word.

    `tabba_minimums`, in the same form, are bids that only break the face rule of a palifico round:
    they stand unless another player calls tabba. None where the ruleset has no such bids.
    Out of turn no bid is legal and `pass` is among the words.
    """

    seat: int
    minimums: Minimums
    maximum: int
    words: tuple[Word, ...]
    tabba_minimums: Minimums | None

    def allows(self, call: Call) -> bool:
        """Whether `call` is a legal answer, tabba bids included."""
        if isinstance(call, Bid):
            quantity, face = call
            if type(quantity) is not int or type(face) is not int or not 1 <= face <= 6:
                return False
            least = self.minimums[face - 1]
            if self.tabba_minimums is not None:
                least = min(least, self.tabba_minimums[face - 1])
            return least <= quantity <= self.maximum
        return call in self.words

    def default_call(self) -> Call:
        """What a referee calls for a silent bot: pass, else dudo, else the smallest bid, lowest face."""
        for word in (Word.PASS, Word.DUDO):
            if word in self.words:
                return word
        return Bid(*min((least, face) for face, least in enumerate(self.minimums, 1)))


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
        start = position or Position(ruleset.starting_dice(players), opener)
        self.ruleset = ruleset
        self.players = players
        self.dice = list(start.dice)
        self.rounds: list[Round] = []
        """Every round so far, the one in progress last."""
        self.places = [0] * players
        """Place of each seat, 1 = winner, shared by seats that leave together; 0 = still playing."""
        self.former = set(start.former)
        self.ask: Ask | None = None
        """The pending question; None when the game is over."""
        self._deal = deal
        self._bidding = bidding_of(ruleset)
        self._wild = ruleset.wild_face or 0
        self._listeners = frozenset(range(players) if listeners is None else listeners)
        self._calza_on_turn = ruleset.calza == "turn"
        self._others_speak = ruleset.calza == "others" or ruleset.tabba == "call"
        self._waiting: deque[tuple[int, tuple[Word, ...]]] = deque()
        self._standing: Bid | None = None
        self._bidder = self._actor = start.to_act
        self._tabba = False
        if sum(held > 0 for held in start.dice) > 1:
            self._open(start.to_act, start.palifico == "yes", start.palifico == "may")
            if start.standing is not None:
                self._standing = start.standing
                self._bidder = self._before(start.to_act)
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
        twin = copy(self)
        twin.dice, twin.places = self.dice[:], self.places[:]
        twin.former, twin._waiting = set(self.former), self._waiting.copy()
        twin.rounds = self.rounds[:]
        if twin.rounds:
            twin.rounds[-1] = copy(self.rounds[-1])
            twin.rounds[-1].calls = self.rounds[-1].calls[:]
        return twin

    def answer(self, call: Call) -> None:
        """The asked seat calls. Raises `IllegalCall` (the game has not moved) or, over, ValueError."""
        ask = self.ask
        if ask is None:
            raise ValueError("the game is over")
        if not ask.allows(call):
            from arena.game.why import why_not  # it needs this module, and legal calls do not need it

            raise IllegalCall(why_not(self, call))
        self.rounds[-1].calls.append((ask.seat, call))
        if isinstance(call, Bid):
            self._bid(ask.seat, call, ask.minimums)
        elif call == Word.PASS:
            self._ask_next()
        elif call == Word.DUDO:
            self._dudo(ask.seat)
        elif call == Word.CALZA:
            self._calza(ask.seat)
        elif call == Word.TABBA:
            self._settle(None, {self._bidder: -1}, loser=self._bidder, winner=self._bidder)
        else:
            self.rounds[-1].palifico = True
            self.former.add(ask.seat)
            self._may = False
            self._ask_actor()

    def forfeit(self, seat: int) -> None:
        """`seat` is out: its round is void, its dice leave, the next live seat opens a new deal.

        Raises ValueError if the seat is not playing.
        """
        if self.ask is None or not self.dice[seat]:
            raise ValueError(f"seat {seat} is not playing")
        this = self.rounds[-1]
        this.calls.append((seat, None))
        this.change = tuple(-held if s == seat else 0 for s, held in enumerate(self.dice))
        self.dice[seat] = 0
        self._retire([seat])
        if not self._finished():
            self._open(self._after(seat), palifico=False, may=False)

    # -- one round ---------------------------------------------------------------------------------

    def _open(self, opener: int, palifico: bool, may: bool) -> None:
        number = len(self.rounds) + 1
        hands = self._deal(number, self.dice)
        self.rounds.append(Round(number, opener, palifico, hands, []))
        self._cap = sum(self.dice)
        self._none = (self._cap + 1,) * 6
        self._standing = None
        self._tabba = False
        self._may = may
        self._actor = opener
        self._waiting.clear()
        self._ask_actor()

    def _bid(self, seat: int, bid: Bid, minimums: Minimums) -> None:
        self._tabba = bid.quantity < minimums[bid.face - 1]
        self._standing = bid
        self._bidder = seat
        self._may = False
        self._actor = self._after(seat)
        if self._others_speak:
            self._queue_others()
            self._ask_next()
        else:
            self._ask_actor()

    def _queue_others(self) -> None:
        """Seats with something to say before the next one acts, from the seat after next on."""
        seat = self._after(self._actor)
        while seat != self._bidder:
            if seat in self._listeners:
                words = [Word.CALZA] if self._may_calza(seat, "others") else []
                if self._tabba:
                    words.append(Word.TABBA)
                if words:
                    self._waiting.append((seat, (*words, Word.PASS)))
            seat = self._after(seat)

    def _ask_next(self) -> None:
        if self._waiting:
            seat, words = self._waiting.popleft()
            tabba = self._none if self.ruleset.tabba == "call" else None
            self.ask = Ask(seat, self._none, self._cap, words, tabba)
        else:
            self._ask_actor()

    def _ask_actor(self) -> None:
        seat, standing, cap = self._actor, self._standing, self._cap
        words: tuple[Word, ...]
        if standing is None:
            words = (Word.PALIFICO,) if self._may else ()
        elif self._tabba or self._calza_on_turn:
            words = (
                Word.DUDO,
                *((Word.CALZA,) if self._may_calza(seat, "turn") else ()),
                *((Word.TABBA,) if self._tabba else ()),
            )
        else:
            words = _DUDO
        palifico = self.rounds[-1].palifico
        freedom = self._freedom(seat) if palifico else _ORDINARY
        minimums = self._bidding.minimums(standing, cap, freedom)
        tabba: Minimums | None = None
        if self.ruleset.tabba == "call":
            tabba = self._none
            if freedom is Freedom.BOUND and standing is not None:
                free = self._bidding.minimums(standing, cap, Freedom.FREE)
                tabba = (*free[: standing.face - 1], cap + 1, *free[standing.face :])
        self.ask = Ask(seat, minimums, cap, words, tabba)

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
        losses = {loser: -1}
        if self.ruleset.loss == "difference":
            if count == quantity:
                losses = {seat: -1 for seat in self._live() if seat != self._bidder}
            else:
                losses = {loser: -min(abs(count - quantity), self.dice[loser])}
        self._settle(count, losses, loser, winner)

    def _calza(self, caller: int) -> None:
        count, quantity = self._count()
        opener = caller
        if count != quantity:
            change = {caller: -1}
        elif self.ruleset.calza_reward == "others-lose":
            change = {seat: -1 for seat in self._live() if seat != caller}
        elif self.ruleset.calza_reward == "bidder-loses":
            change = {self._bidder: -1}
            opener = self._bidder
        else:
            change = {caller: 1} if self.dice[caller] < self.ruleset.dice_cap else {}
        self._settle(count, change, opener, opener)

    def _settle(self, count: int | None, change: dict[int, int], loser: int, winner: int) -> None:
        """End the round: apply `change`, retire who has no dice left, open the next round."""
        this = self.rounds[-1]
        this.count = count
        this.change = tuple([change.get(seat, 0) for seat in range(self.players)])
        for seat, gain in change.items():
            self.dice[seat] += gain
        self._retire([seat for seat in change if not self.dice[seat]])
        if self._finished():
            return
        if self.ruleset.one_round:
            self._end({seat: this.change[seat] < 0 for seat in self._live()})
        else:
            self._open_next(change, {"loser": loser, "winner": winner}, this.opener)

    def _open_next(self, change: dict[int, int], by: dict[str, int], last: int) -> None:
        rules = self.ruleset
        if rules.next_opener == "rotate":
            opener = self._before(last)
        else:
            opener = by[rules.next_opener]
            if not self.dice[opener]:
                opener = self._after(opener)
        dropped = [
            seat
            for seat, gain in change.items()
            if gain < 0 and self.dice[seat] == 1 and not (rules.palifico_once and seat in self.former)
        ]
        if dropped and len(self._live()) < rules.palifico_min_players:
            dropped = []
        if rules.palifico == "auto":
            self.former.update(dropped)
        self._open(
            opener,
            palifico=rules.palifico == "auto" and bool(dropped),
            may=rules.palifico == "call" and opener in dropped,
        )

    def _retire(self, seats: Collection[int]) -> None:
        """Seats without dice leave together and share the place after those who remain."""
        if not seats:
            return
        place = len(self._live()) + 1
        for seat in seats:
            self.places[seat] = place

    def _finished(self) -> bool:
        live = self._live()
        if len(live) > 1 and len(self.rounds) < MAX_ROUNDS:
            return False
        self._end({seat: -self.dice[seat] for seat in live})
        return True

    def _end(self, order: dict[int, int]) -> None:
        """The game is over: the live seats take the first places in the order of these values."""
        for seat, value in order.items():
            self.places[seat] = 1 + sum(other < value for other in order.values())
        self.ask = None
        self._waiting.clear()

    def _live(self) -> list[int]:
        return [seat for seat, held in enumerate(self.dice) if held]

    def _after(self, seat: int) -> int:
        """The next live seat in the direction of play."""
        dice, players = self.dice, self.players
        seat = (seat + 1) % players
        while not dice[seat]:
            seat = (seat + 1) % players
        return seat

    def _before(self, seat: int) -> int:
        seat = (seat - 1) % self.players
        while not self.dice[seat]:
            seat = (seat - 1) % self.players
        return seat


_DUDO = (Word.DUDO,)
_ORDINARY = Freedom.ORDINARY  # looking a member up in its class is slow


def count_dice(hands: Sequence[Hand], face: int, wild: int) -> int:
    """Dice that count for a bid on `face`: those showing it or the wild face, each once."""
    count = sum([hand.count(face) for hand in hands])
    if wild and wild != face:
        count += sum([hand.count(wild) for hand in hands])
    return count
