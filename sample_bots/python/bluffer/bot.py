"""Bluffer takes the bids of others as evidence of their dice, and now and then lays false evidence.

It plays like `honest`, but a die that it cannot see counts with a chance of its own: higher if its
seat has named the face in this round, lower if that seat has named only others. Since whoever reads
bids like this is misled by a bid on a face that is not there, it makes such bids too: at a fixed
rate, and no higher than one who believes them would find likely.

It needs no memory: question and `question.random` decide everything, so games replay exactly. The
numbers below were found by play against `honest` and against itself, at tables of two to six.
"""

from __future__ import annotations

from functools import cache

import perudo_bot

BLUFF_RATE = 0.25
"""Share of its bids that are bluffs, out of those where it finds a plausible bluff."""
PLAUSIBLE = 0.75
"""A bluff is plausible while a player who sees no dice would think it at least as likely as this."""
SURE = 0.75
"""It raises the quantity of an honest bid while the bid stays at least as likely as this."""
DOUBT = 0.4
"""It doubts a bid that is more likely false than its own best bid is true, by more than this."""
CALZA = 0.5
"""It calls calza on a bid that is exactly right with more than this chance."""
NAMED = 2.5
"""By how much it multiplies the odds that a die counts for a face which its seat has named. Less than
a seat deserves that names only what it holds, since others bluff too."""
SILENT = 0.6
"""The same where its seat has named other faces in this round, but not this one."""


@cache
def odds(named: int, silent: int, unheard: int, sides: int) -> tuple[list[float], list[float]]:
    """Of hidden dice: P(exactly k count for a face) and P(at least k), k = 0 .. their number.

    A die counts with 1/`sides` if its seat is `unheard`, having made no bid yet. If that seat has
    `named` the face or been `silent` about it, the odds 1 : `sides` - 1 are multiplied. One die after
    the other joins the distribution: it counts, or it does not.
    """
    exactly = [1.0]
    for dice, factor in ((named, NAMED), (silent, SILENT), (unheard, 1.0)):
        chance = factor / (factor + sides - 1)
        for _ in range(dice):
            without, within = [*exactly, 0.0], [0.0, *exactly]
            exactly = [(1 - chance) * a + chance * b for a, b in zip(without, within, strict=True)]
    at_least = exactly[:]
    for k in range(len(exactly) - 2, -1, -1):
        at_least[k] += at_least[k + 1]
    at_least[0] = 1.0
    return exactly, at_least


class Table:
    """What one question shows of the dice: the own hand, and what the other seats have named."""

    def __init__(self, question: perudo_bot.Question) -> None:
        self.question = question
        self.unheard = question.unseen
        self.heard: dict[int, set[int]] = {}
        """The faces that each other seat has named in this round, for those that made a bid."""
        for seat, call in question.calls:
            bid = perudo_bot.parse_bid(call)
            if bid and seat != question.seat:
                if seat not in self.heard:
                    self.heard[seat] = set()
                    self.unheard -= question.dice[seat]
                self.heard[seat].add(bid[1])

    def sides(self, face: int) -> int:
        """One die in so many counts for `face`."""
        return 6 if self.question.wild in (0, face) else 3

    def likely(self, quantity: int, face: int, *, outside: bool = False) -> tuple[float, float]:
        """P(exactly `quantity` dice count for `face`) and P(at least so many), as this seat sees it.

        `outside`: as it looks to one who sees no dice at all and believes this seat's bid on `face`.
        """
        own = self.question.count(face)
        named = silent = 0
        for seat, faces in self.heard.items():
            if face in faces:
                named += self.question.dice[seat]
            else:
                silent += self.question.dice[seat]
        if outside:
            own, named = 0, named + len(self.question.hand)
        exactly, at_least = odds(named, silent, self.unheard, self.sides(face))
        need = quantity - own
        if need < 0:
            return 0.0, 1.0
        return (exactly[need], at_least[need]) if need < len(exactly) else (0.0, 0.0)

    def highest(self, face: int, bound: float, *, outside: bool = False) -> tuple[float, int, int]:
        """The highest bid on `face` with P at least `bound`, or else the lowest: (P, quantity, face)."""
        quantity = self.question.min_quantity[face - 1]
        true = self.likely(quantity, face, outside=outside)[1]
        while quantity < self.question.max_quantity:
            more = self.likely(quantity + 1, face, outside=outside)[1]
            if more < bound:
                break
            quantity, true = quantity + 1, more
        return true, quantity, face

    def best(self) -> tuple[float, int, int]:
        """The likeliest of the honest bids, one per face; (-1, 0, 0) where no bid is legal."""
        faces = [face for face in range(1, 7) if self.question.minimum(face)]
        return max((self.highest(face, SURE) for face in faces), default=(-1.0, 0, 0))

    def bluffs(self, best: int) -> list[str]:
        """Plausible bids on the faces, other than `best`, of which it holds no more than expected."""
        hand = len(self.question.hand)
        bids = [
            self.highest(face, PLAUSIBLE, outside=True)
            for face in range(1, 7)
            if face != best
            and self.question.minimum(face)
            and self.question.count(face) * self.sides(face) <= hand
        ]
        return [perudo_bot.bid(quantity, face) for true, quantity, face in bids if true >= PLAUSIBLE]


def decide(question: perudo_bot.Question) -> str:
    """Tabba and palifico whenever offered; else the best of bid, dudo and calza. Some bids bluff."""
    words = question.words
    for word in ("tabba", "palifico"):
        if word in words:
            return word
    table = Table(question)
    exact, true = 0.0, 1.0
    if question.quantity:
        exact, true = table.likely(question.quantity, question.face)
    if "calza" not in words:
        exact = 0.0
    if "pass" in words:
        return "calza" if exact > CALZA else "pass"

    chance, quantity, face = table.best()
    false = 1.0 - true
    if exact > CALZA and exact > false and exact > chance:
        return "calza"
    if "dudo" in words and (not quantity or false > chance + DOUBT):
        return "dudo"
    which, roll = divmod(question.random, 1000)
    if roll < 1000 * BLUFF_RATE and (bluffs := table.bluffs(face)):
        return bluffs[which % len(bluffs)]
    return perudo_bot.bid(quantity, face)


if __name__ == "__main__":
    perudo_bot.run(decide, name="bluffer", version="1", out_of_turn=True)
