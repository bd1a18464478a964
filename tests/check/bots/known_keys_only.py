"""Reads each act into a class that has exactly the fields of today."""

from dataclasses import dataclass
from typing import Any

from tests.hostile.bots.raw import answer, any_call, hello, receive


@dataclass
class Act:
    game: int
    seat: int
    dice: list[int]
    round: int
    hand: list[int]
    palifico: bool
    wild: int
    quantity: int
    face: int
    calls: list[Any]
    min_quantity: list[int]
    max_quantity: int
    words: list[str]
    random: int
    bank_ms: int
    min_tabba: list[int] | None = None


hello()
while True:
    ask = receive()
    answer(ask, [any_call(vars(Act(**act))) for act in ask["acts"]])
