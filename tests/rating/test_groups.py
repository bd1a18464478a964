"""Which bots can be compared."""

from __future__ import annotations

import numpy as np
import pytest

from arena.rating.groups import groups, standing
from arena.rating.results import Bools

INF, NAN = np.inf, np.nan


def graph(arrows: str) -> Bools:
    """ "ab bc": a beats b, b beats c; bots a to e."""
    beats = np.zeros((5, 5), bool)
    for arrow in arrows.split():
        beats["abcde".index(arrow[0]), "abcde".index(arrow[1])] = True
    return beats


@pytest.mark.parametrize(
    ("arrows", "expected"),
    [
        ("ab bc cd de ea", [0, 0, 0, 0, 0]),
        ("ab bc cb cd", [INF, 0, 0, -INF, NAN]),  # a above, d below, e never met
        ("ab bc cb ad", [INF, 0, 0, NAN, NAN]),  # d lost to one above: says nothing
        ("ab ba bc cd dc", [INF, INF, -INF, -INF, NAN]),  # two of two: no main group
        ("ab bc cd de", [INF, NAN, NAN, NAN, -INF]),
        ("", [NAN] * 5),
    ],
)
def test_standing(arrows: str, expected: list[float]) -> None:
    np.testing.assert_array_equal(standing(graph(arrows)), expected)


def test_a_held_bot_makes_its_group_the_main_one() -> None:
    np.testing.assert_array_equal(standing(graph("ab bc cb cd"), hold=0), [0, -INF, -INF, -INF, NAN])


def test_only_bots_within_make_the_main_group() -> None:
    within = np.array([True, True, False, False, False])
    found = standing(graph("ab bc cd dc de ed"), within)
    np.testing.assert_array_equal(found, [INF, -INF, NAN, NAN, NAN])


def test_groups_are_sorted_by_size() -> None:
    assert groups(graph("ab cd dc")) == [[2, 3], [0], [1], [4]]
