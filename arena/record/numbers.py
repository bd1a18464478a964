"""Sets of game numbers, small however many games a log has."""

from __future__ import annotations

from collections.abc import Iterator, Set


class Numbers(Set[int]):
    """A set of numbers from 0, of a bit each: a million games take 128 kB."""

    _PAGE = 1 << 16
    """Bytes that are made at once, where there is a first number for them."""

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}
        self._count = 0

    def add(self, number: int) -> bool:
        """Whether it is new."""
        at, bit = divmod(number, 8)
        page = self._pages.get(at // self._PAGE)
        if page is None:
            page = self._pages[at // self._PAGE] = bytearray(self._PAGE)
        old = page[at % self._PAGE]
        page[at % self._PAGE] = old | 1 << bit
        new = not old >> bit & 1
        self._count += new
        return new

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int) or number < 0:
            return False
        at, bit = divmod(number, 8)
        page = self._pages.get(at // self._PAGE)
        return page is not None and bool(page[at % self._PAGE] >> bit & 1)

    def __iter__(self) -> Iterator[int]:
        """In ascending order."""
        for index, page in sorted(self._pages.items()):
            for at, byte in enumerate(page):
                for bit in range(8) if byte else ():
                    if byte >> bit & 1:
                        yield (index * self._PAGE + at) * 8 + bit

    def __len__(self) -> int:
        return self._count
