"""The notation of calls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import Bid, InvalidCall, Word, parse_call


@given(st.integers(0, 9999), st.integers(0, 9999))
def test_bids_are_read_as_they_are_written(quantity: int, face: int) -> None:
    assert parse_call(str(Bid(quantity, face))) == Bid(quantity, face)


def test_words_are_read_as_they_are_written() -> None:
    assert [parse_call(word.value) for word in Word] == list(Word)


@pytest.mark.parametrize(
    "text",
    ["", "3X5", "3 x5", " 3x5", "3x5\n", "+3x5", "-3x5", "03x5", "3x05", "00x1", "3x", "٣x5", "Dudo"],
)
def test_one_way_to_write_a_call(text: str) -> None:
    with pytest.raises(InvalidCall):
        parse_call(text)
