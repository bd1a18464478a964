"""The questions of the game. Each is made once for a ruleset and then looked up.

What may be called depends on the standing bid, the dice in play and a few words, never on hidden dice,
so a tournament asks the same questions over and over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from arena.game.bidding import Freedom, Minimums, bidding_of
from arena.game.calls import BIDS, MANY_DICE, Bid, Call, Word
from arena.game.ruleset import MAX_PLAYERS, Ruleset

Words = tuple[Word, ...]


@dataclass(frozen=True)
class Ask:
    """The pending question: `seat` may bid from `minimums[face - 1]` up to `maximum`, or say a word.

    `tabba_minimums`, in the same form, are bids that only break the face rule of a palifico round:
    they stand unless another player calls tabba. None where the ruleset has no such bids.
    Out of turn no bid is legal and `pass` is among the words.

    `calls` are all legal answers: the bids, tabba bids included, by face and quantity, then the words.
    """

    seat: int
    minimums: Minimums
    maximum: int
    words: Words
    tabba_minimums: Minimums | None
    calls: tuple[Call, ...]

    def allows(self, call: Call) -> bool:
        """Whether `call` is a legal answer: one of `calls`."""
        if isinstance(call, Bid):
            given: Sequence[object] = call  # True is 1 to a compiler that trusts the types
            if type(given[0]) is not int or type(given[1]) is not int or not 1 <= call.face <= 6:
                return False
            quantity, face = call
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


Seats = tuple[Ask, ...]
"""One question as it is put to each of the seats."""


class Raises(dict[Bid | None, Seats]):
    """The questions over each standing bid (None = the opening), all else being equal."""

    def __init__(self, ruleset: Ruleset, cap: int, freedom: Freedom, words: Words) -> None:
        super().__init__()
        self._bidding = bidding_of(ruleset)
        self._tabba = ruleset.tabba == "call"
        self._cap = cap
        self._freedom = freedom
        self._words = words

    def __missing__(self, standing: Bid | None) -> Seats:
        minimums = self._bidding.minimums(standing, self._cap, self._freedom)
        seats = questions(minimums, self._cap, self._words, self._tabba_minimums(standing))
        if self._cap <= MANY_DICE:
            self[standing] = seats
        return seats

    def _tabba_minimums(self, standing: Bid | None) -> Minimums | None:
        if not self._tabba:
            return None
        none = self._cap + 1
        if self._freedom is not Freedom.BOUND or standing is None:
            return (none,) * 6
        free = self._bidding.minimums(standing, self._cap, Freedom.FREE)
        return (*free[: standing.face - 1], none, *free[standing.face :])


Rights = tuple[int, Freedom, Words]
"""The dice in play, how the seat may bid, and the words that it may say."""


class Questions(dict[Rights, Raises]):
    """All questions of one ruleset, by the rights of who is asked, then by the standing bid."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__()
        self._ruleset = ruleset

    def __missing__(self, rights: Rights) -> Raises:
        raises = self[rights] = Raises(self._ruleset, *rights)
        return raises

    def out_of_turn(self, cap: int, words: Words) -> Seats:
        """The questions to seats that may only say one of these words."""
        none = (cap + 1,) * 6
        return questions(none, cap, words, none if self._ruleset.tabba == "call" else None)


questions_of = lru_cache(maxsize=64)(Questions)
"""The `Questions` of a ruleset, shared by all its games."""


@lru_cache(maxsize=4096)
def questions(minimums: Minimums, cap: int, words: Words, tabba: Minimums | None) -> Seats:
    """The question to each seat; bids up to `cap` dice are legal from these minimums on."""
    least = minimums if tabba is None else tuple(map(min, minimums, tabba))
    calls: list[Call] = []
    for face, quantity in enumerate(least, 1):
        if cap <= MANY_DICE:
            calls += BIDS[face - 1][quantity - 1 : cap]
        else:
            calls += [Bid(q, face) for q in range(quantity, cap + 1)]
    legal = (*calls, *words)
    return tuple(Ask(seat, minimums, cap, words, tabba, legal) for seat in range(MAX_PLAYERS))
