"""Counts asks itself, from 0."""

from tests.hostile.bots.raw import answer, hello, receive

hello()
number = 0
while True:
    answer(receive(), number=number)
    number += 1
