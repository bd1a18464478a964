"""A set of numbers is a set."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.record.numbers import Numbers


@given(st.lists(st.integers(0, 40) | st.integers(0, 10**7)), st.integers(-1, 50))
def test_it_is_the_set_of_what_was_added(added: list[int], other: int) -> None:
    numbers = Numbers()
    seen: set[int] = set()
    for number in added:
        assert numbers.add(number) == (number not in seen)
        seen.add(number)
    assert list(numbers) == sorted(seen)
    assert len(numbers) == len(seen)
    assert (other in numbers) == (other in seen)
