"""Tables of people, so that worked examples read as the rule texts tell them.

    table = Table("santaba", "A: 2 2 2 6 6", "B: 2 5 5 5 5", "C: 3 2 2 4 4")
    table.play("A: 3x2", "B: 4x2", "C: doodoo")
    table.ends(count=4, loses="B", opens="B")

People sit in the order A, B, C and round again; behind each stand the dice under the cup. A bid
``3x2`` is three twos, a one is an ace. The words of the texts all work: Doodoo is a dudo, Jonti a
calza, Calzone a palifico.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.game import Ask, Call, Game, Hand, IllegalCall, Position, Word, count_dice, parse_call, preset
from arena.game.calls import Bid

WORDS = {"doodoo": "dudo", "jonti": "calza", "calzone": "palifico"}


def call_of(text: str) -> Call:
    return parse_call(WORDS.get(text, text))


def seat_of(name: str) -> int:
    return "ABCDEF".index(name)


class Table:
    """People with these dice. Later rounds deal dice that do not matter.

    opens     who opens, or who is on turn where a bid is `standing` (made by the one before)
    palifico  "no", "yes", or "may": the opener may call it
    former    who is or was palifico in this game, such as "BC"
    """

    def __init__(
        self,
        rules: str,
        *people: str,
        opens: str = "A",
        standing: str | None = None,
        palifico: str = "no",
        former: str = "",
        **options: Any,
    ) -> None:
        parts = [person.split(": ") for person in people]
        assert [name for name, _ in parts] == list("ABCDEF"[: len(people)])
        self.hands = [tuple(sorted(int(die) for die in hand.split())) for _, hand in parts]
        bid = call_of(standing) if standing else None
        assert bid is None or isinstance(bid, Bid)
        start = Position(
            tuple(map(len, self.hands)), seat_of(opens), bid, palifico, frozenset(map(seat_of, former))
        )
        ruleset = preset(rules).with_options(options)
        self.game = Game(ruleset, len(people), self._deal, position=start)

    def _deal(self, number: int, dice: Sequence[int]) -> list[Hand]:
        return list(self.hands) if number == 1 else [(6,) * held for held in dice]

    @property
    def asked(self) -> Ask:
        assert self.game.ask is not None, "the game is over"
        return self.game.ask

    # -- what happens ------------------------------------------------------------------------------

    def play(self, *lines: str) -> None:
        """Each line is a call, "A: 3x2". Whoever might speak before, but does not, stays silent."""
        for line in lines:
            name, text = line.split(": ")
            self.wait_for(name)
            self.game.answer(call_of(text))

    def wait_for(self, name: str) -> None:
        """Everybody who may speak before passes, until this one is asked."""
        while self.asked.seat != seat_of(name):
            assert Word.PASS in self.asked.words, f"{name} is not on turn"
            self.game.answer(Word.PASS)

    # -- what is legal -----------------------------------------------------------------------------

    def legal(self, text: str) -> bool:
        """Whether the one who is asked may call this; a Tabba is not legal, only possible."""
        call = call_of(text)
        try:
            self.game.copy().answer(call)
        except IllegalCall:
            return False
        return not isinstance(call, Bid) or call.quantity >= self.asked.minimums[call.face - 1]

    def may(self, line: str) -> None:
        """ "A: 3x2 4x5": A, who is asked, may make any of these calls."""
        name, calls = line.split(": ")
        self.wait_for(name)
        assert [text for text in calls.split() if not self.legal(text)] == []

    def may_not(self, line: str) -> None:
        name, calls = line.split(": ")
        self.wait_for(name)
        assert [text for text in calls.split() if self.legal(text)] == []

    def who_may(self, text: str) -> str:
        """Everybody who may make this call before the next bid, such as "AC"."""
        game, names = self.game.copy(), ""
        while True:
            assert game.ask is not None
            if game.ask.allows(call_of(text)):
                names += "ABCDEF"[game.ask.seat]
            if Word.PASS not in game.ask.words:
                return "".join(sorted(names))
            game.answer(Word.PASS)

    # -- how it ended ------------------------------------------------------------------------------

    def ends(
        self,
        *,
        count: int | None,
        opens: str,
        loses: str = "",
        gains: str = "",
        out: str = "",
        next_round: str = "no",
    ) -> None:
        """The first round is over: this many dice counted, these lose or gain one, who opens next.

        `next_round` is the palifico state of the next one.
        """
        this = self.game.rounds[0]
        assert this.count == count
        assert len(self.game.rounds) == 2, "one round was played"
        expected = [(1 if n in gains else 0) - (1 if n in loses else 0) for n in "ABCDEF"]
        assert list(this.change) == expected[: self.game.players]
        assert "".join(n for n, held in zip("ABCDEF", self.game.dice, strict=False) if not held) == out
        assert "ABCDEF"[self.game.round.opener] == opens
        assert self.game.palifico == next_round

    def dice(self, name: str) -> int:
        return self.game.dice[seat_of(name)]


def after(rules: str, bid: str, **more: Any) -> Table:
    """Six people with five dice each; A has just made this bid and B is on turn."""
    people = [f"{name}: 2 3 4 5 6" for name in "ABCDEF"]
    return Table(rules, *people, opens="B", standing=bid, **more)


def opening(rules: str) -> Table:
    """Six people with five dice each; A is to open."""
    return Table(rules, *[f"{name}: 2 3 4 5 6" for name in "ABCDEF"])


def showing(face: int, *hands: str, wild: bool = True) -> int:
    """How many dice of these hands count for a face."""
    return count_dice([tuple(map(int, hand.split())) for hand in hands], face, 1 if wild else 0)
