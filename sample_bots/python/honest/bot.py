"""Honest bids what its own hand makes likely and doubts what its hand makes unlikely.

It believes its own dice and the binomial distribution for all others, nothing else. Every language's
`honest` decides alike, call by call, because the odds are computed with + - * / on 64-bit floats in
the order below, and no product is ever an operand of a sum (so no compiler can fuse the two).
"""

from __future__ import annotations

from functools import cache

import perudo_bot

SURE = 0.75
"""It raises the quantity of a bid while the bid stays at least as likely as this."""
DOUBT = 0.5
"""It doubts a bid that is more likely false than its own best bid is true, by more than this."""


@cache
def odds(dice: int, sides: int) -> tuple[list[float], list[float]]:
    """Of `dice` hidden dice each counts with 1/`sides`: P(exactly k) and P(at least k), k = 0..dice."""
    chance = 1.0
    for _ in range(dice):
        chance = chance * (sides - 1) / sides
    exactly = [chance]
    for k in range(dice):
        chance = chance * (dice - k) / ((k + 1) * (sides - 1))
        exactly.append(chance)
    at_least = exactly[:]
    for k in range(dice - 1, -1, -1):
        at_least[k] = at_least[k + 1] + exactly[k]
    return exactly, at_least


def likely(question: perudo_bot.Question, quantity: int, face: int) -> tuple[float, float]:
    """P(exactly `quantity` dice count for `face`) and P(at least so many), given the own hand."""
    need = quantity - question.count(face)
    if need > question.unseen:
        return 0.0, 0.0
    exactly, at_least = odds(question.unseen, 6 if question.wild in (0, face) else 3)
    return (0.0, 1.0) if need < 0 else (exactly[need], at_least[need] if need else 1.0)


def decide(question: perudo_bot.Question) -> str:
    """Tabba and palifico whenever offered; else the best of bid, dudo and calza."""
    words = question.words
    for word in ("tabba", "palifico"):
        if word in words:
            return word
    exact, true = likely(question, question.quantity, question.face) if question.quantity else (0.0, 1.0)
    if "calza" not in words:
        exact = 0.0
    if "pass" in words:
        return "calza" if exact > 0.5 else "pass"

    # On each face the highest quantity it is sure of, or else the lowest; of these the likeliest,
    # then the highest quantity, then the highest face.
    best = (-1.0, 0, 0)
    for face in range(1, 7):
        quantity = question.min_quantity[face - 1]
        if quantity <= question.max_quantity:
            while quantity < question.max_quantity and likely(question, quantity + 1, face)[1] >= SURE:
                quantity += 1
            best = max(best, (likely(question, quantity, face)[1], quantity, face))

    false = 1.0 - true
    if exact > 0.5 and exact > false and exact > best[0]:
        return "calza"
    if "dudo" in words and (best[1] == 0 or false > best[0] + DOUBT):
        return "dudo"
    return perudo_bot.bid(best[1], best[2])


if __name__ == "__main__":
    perudo_bot.run(decide, name="honest", version="1", out_of_turn=True)
