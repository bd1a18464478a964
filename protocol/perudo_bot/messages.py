"""What the referee tells a bot: the maps of the wire, with their keys as attributes.

An object here takes the decoded map as its `__dict__`: nothing is copied, every key is there, also
one that a later version of the arena adds. Lists arrive as tuples. `SPEC.md` is the reference.
"""

from __future__ import annotations

from typing import Any


def bid(quantity: int, face: int) -> str:
    """The call that claims `quantity` dice of `face`: `bid(3, 5)` is "3x5"."""
    return f"{quantity}x{face}"


_TEXTS: list[list[str]] = [[] for _ in range(6)]


def _bid_texts(top: int) -> list[list[str]]:
    """The texts of the bids 0 .. top - 1 (at least) of every face: written once, for all questions."""
    if len(_TEXTS[0]) < top:
        for face, texts in enumerate(_TEXTS, 1):
            texts += [bid(quantity, face) for quantity in range(len(texts), top)]
    return _TEXTS


def parse_bid(call: str) -> tuple[int, int] | None:
    """(quantity, face) of a call that is a bid, None for any other call."""
    quantity, x, face = call.partition("x")
    return (int(quantity), int(face)) if x and quantity.isdigit() and face.isdigit() else None


class _Map:
    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__ = fields

    def __repr__(self) -> str:
        fields = ", ".join(f"{key}={value!r}" for key, value in self.__dict__.items())
        return f"{type(self).__name__}({fields})"


class Welcome(_Map):
    """The answer to the hello. Times in milliseconds, 0 = there is none."""

    protocol: int
    name: str
    games: int
    arena: str
    move_ms: int
    bank_ms: int
    increment_ms: int


class Start(_Map):
    """A game begins: your seat in it, the players' names and dice by seat, the rules."""

    game: int
    seat: int
    names: tuple[str, ...]
    commitment: str
    ruleset: dict[str, Any]
    dice: tuple[int, ...]


class Past(_Map):
    """A round that is over. Hands are () where not revealed, and then `count` is 0."""

    round: int
    opener: int
    palifico: bool
    hands: tuple[tuple[int, ...], ...]
    calls: tuple[tuple[int, str], ...]
    count: int
    dice_after: tuple[int, ...]


class _Moment(_Map):
    @property
    def past(self) -> tuple[Past, ...]:
        """Rounds of this game that ended since you last heard of it: only for bots that ask for them."""
        return tuple(Past(fields) for fields in self.__dict__.get("past", ()))


class End(_Moment):
    """A game is over. `places` by seat, 1 = winner; `fault` is "" unless you forfeited it."""

    game: int
    places: tuple[int, ...]
    fault: str
    detail: str


class Question(_Moment):
    """What to call now: everything needed to answer is in here.

    Legal bids on face f are those from `min_quantity[f - 1]` to `max_quantity`, the dice in play.
    """

    game: int
    seat: int
    dice: tuple[int, ...]
    round: int
    hand: tuple[int, ...]
    palifico: bool
    wild: int
    quantity: int
    face: int
    calls: tuple[tuple[int, str], ...]
    min_quantity: tuple[int, ...]
    max_quantity: int
    words: tuple[str, ...]
    random: int
    bank_ms: int
    min_tabba: tuple[int, ...] | None = None

    @property
    def standing(self) -> str | None:
        """The standing bid as text, None where there is none."""
        return f"{self.quantity}x{self.face}" if self.quantity else None

    @property
    def bidder(self) -> int | None:
        """The seat that made the standing bid, None where there is none."""
        if not self.quantity:
            return None
        return next((seat for seat, call in reversed(self.calls) if call == self.standing), None)

    @property
    def out_of_turn(self) -> bool:
        """Whether it is another seat's turn: you may pass, and may not bid."""
        return "pass" in self.words

    @property
    def unseen(self) -> int:
        """Dice in play that are not yours."""
        return self.max_quantity - len(self.hand)

    def count(self, face: int) -> int:
        """Your own dice that count for a bid on `face` in this round."""
        wild = self.wild
        own = self.hand.count(face)
        return own + self.hand.count(wild) if wild and wild != face else own

    def minimum(self, face: int) -> int | None:
        """The smallest quantity you may bid on `face` (1..6), None where no bid on it is legal."""
        least = self.min_quantity[face - 1]
        return least if least <= self.max_quantity else None

    def legal_bids(self) -> list[str]:
        """Every legal bid, by face, then quantity. Without tabba bids."""
        top = self.max_quantity + 1
        found: list[str] = []
        for least, texts in zip(self.min_quantity, _bid_texts(top), strict=True):
            found += texts[least:top]
        return found

    def legal_calls(self) -> list[str]:
        """Everything you may answer, words first. Without tabba bids; never empty."""
        return [*self.words, *self.legal_bids()]

    def tabba_bids(self) -> list[str]:
        """The bids that break the rule of the face: they stand unless another player calls tabba."""
        return [
            f"{quantity}x{face}"
            for face, least in enumerate(self.min_tabba or (), 1)
            for quantity in range(least, min(self.min_quantity[face - 1], self.max_quantity + 1))
        ]

    def allows(self, call: str) -> bool:
        """Whether the referee takes `call` as an answer, tabba bids included."""
        return call in self.words or call in self.legal_bids() or call in self.tabba_bids()
