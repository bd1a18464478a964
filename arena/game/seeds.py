"""Every number drawn by chance, derived from one master secret with HMAC-SHA256.

The labels are ASCII text, so that any language can recompute them (vectors in `protocol/`)::

    secret  32 random bytes, or SHA-256("seed/N") for an experiment with seed N
    deal    HMAC(secret, "deal/<deal number>/<public salt>")      32 bytes: one deal's dice
    game    HMAC(secret, "game/<game number>")                    32 bytes: one game's `random`
    salt    first 16 bytes of HMAC(secret, "salt/<game number>")  hides the commitment's content

A commitment is SHA-256(salt + deal seed + game number in decimal ASCII). It is told when the game
starts; when the secret is published, everybody can check that the dice were fixed before.
"""

from __future__ import annotations

import hashlib
import struct
from hmac import digest

_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class Keyed:
    """HMAC-SHA256 under one key (RFC 2104) for many short messages: the key is hashed but once."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        if len(key) > 64:
            key = hashlib.sha256(key).digest()
        block = key.ljust(64, b"\0")
        self._inner = hashlib.sha256(block.translate(_INNER))
        self._outer = hashlib.sha256(block.translate(_OUTER))

    def digest(self, message: bytes) -> bytes:
        """The same 32 bytes as `hmac.digest(key, message, "sha256")`."""
        inner = self._inner.copy()
        inner.update(message)
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()


def _hmac(key: bytes, label: str) -> bytes:
    return digest(key, label.encode(), "sha256")


def secret_of_seed(seed: int) -> bytes:
    """The predictable master secret of `--seed`: for experiments and tests, never for a contest."""
    return hashlib.sha256(f"seed/{seed}".encode()).digest()


def secret_hash(secret: bytes) -> str:
    """What is published before the first game: SHA-256 of the master secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


def deal_seed(secret: bytes, deal: int, public_salt: str = "") -> bytes:
    """The 32 bytes from which the dice of deal number `deal` follow."""
    return _hmac(secret, f"deal/{deal}/{public_salt}")


def game_key(secret: bytes, game: int) -> bytes:
    """The 32 bytes from which the `random` numbers of game number `game` follow."""
    return _hmac(secret, f"game/{game}")


def commitment(secret: bytes, game: int, seed: bytes) -> str:
    """The commitment (hex) of game number `game` to its deal seed."""
    salt = _hmac(secret, f"salt/{game}")[:16]
    return hashlib.sha256(salt + seed + str(game).encode()).hexdigest()


class Randoms:
    """The `random` of every question of one game: an integer 0 .. 2^31-1 per (seat, question).

    Question q (from 0, counted per seat) takes bytes 4 (q mod 8) .. of
    HMAC(game key, "random/<seat>/<q div 8>"), big-endian, without the top bit.
    """

    __slots__ = ("_blocks", "_key", "_numbers")

    def __init__(self, key: bytes) -> None:
        self._key = Keyed(key)
        self._blocks: dict[int, int] = {}
        self._numbers: dict[int, list[int]] = {}
        """Per seat what is left of its block, the next number last."""

    def draw(self, seat: int) -> int:
        """The number for the next question to `seat`."""
        numbers = self._numbers.get(seat)
        if not numbers:
            block = self._blocks.get(seat, 0)
            self._blocks[seat] = block + 1
            label = b"random/%d/%d" % (seat, block)
            words: tuple[int, ...] = struct.unpack(">8I", self._key.digest(label))
            numbers = self._numbers[seat] = [word & 0x7FFFFFFF for word in words[::-1]]
        return numbers.pop()
