"""The dice: one stream per (deal seed, round, seat), independent of how the game is played.

Stream of a seat in a round: the blocks HMAC-SHA256(deal seed, "dice/<round>/<seat>/<block>") for
block 0, 1, ... joined; each byte below 252 is the die ``byte % 6 + 1``, other bytes are skipped.
A seat with k dice holds the first k of its stream. Round 0 is the opening roll, die j the j-th roll
of a seat that is still tied; the round number counts every deal of dice, void rounds too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from arena.game.seeds import Keyed

Hand = tuple[int, ...]
"""The dice of one seat, sorted; () for a seat that is out."""

Deal = Callable[[int, Sequence[int]], Sequence[Hand]]
"""Deals a round: (round number, dice per seat) -> a hand per seat."""

_DIE = bytes(byte % 6 + 1 for byte in range(256))
_REJECTED = bytes(range(252, 256))


class Dice:
    """The dice of one deal: calling it deals a round, so it serves a `Game` as its `Deal`."""

    __slots__ = ("_key", "seed")

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self._key = Keyed(seed)

    def __call__(self, number: int, dice: Sequence[int]) -> tuple[Hand, ...]:
        return tuple(
            [
                tuple(sorted(self.stream(number, seat, held))) if held else ()
                for seat, held in enumerate(dice)
            ]
        )

    def stream(self, number: int, seat: int, length: int) -> bytes:
        """The first `length` dice (bytes 1..6) of `seat` in round `number`."""
        dice = b""
        block = 0
        while len(dice) < length:
            label = b"dice/%d/%d/%d" % (number, seat, block)
            dice += self._key.digest(label).translate(_DIE, _REJECTED)
            block += 1
        return dice[:length]

    def opening_rolls(self, players: int) -> Iterator[list[int | None]]:
        """The opening roll and its re-rolls without end: a die per seat."""
        length = 0
        while True:
            length += 1
            yield [self.stream(0, seat, length)[-1] for seat in range(players)]


def first_opener(rolls: Iterable[Sequence[int | None]]) -> int:
    """The seat that opens the game: the highest single die, ties rolled again among the tied.

    Each roll holds a die per seat; None = did not roll, or rolled all dice by mistake, which costs
    the right to roll (santaba, "Rolling to see who bids first"). Dice of seats that are no longer
    tied are ignored. Where nobody rolled properly, the same seats roll again.
    Raises ValueError if the rolls end in a tie.
    """
    tied: list[int] | None = None
    for roll in rolls:
        seats = range(len(roll)) if tied is None else tied
        shown = {seat: die for seat in seats if (die := roll[seat]) is not None}
        if not shown:
            continue
        best = max(shown.values())
        tied = [seat for seat, die in shown.items() if die == best]
        if len(tied) == 1:
            return tied[0]
    raise ValueError("the opening rolls end in a tie")
