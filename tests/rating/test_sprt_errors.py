"""The sequential test is wrong no more often than it says, whatever the games of a block share."""

from __future__ import annotations

import os
from math import sqrt

import numpy as np
import pytest

from arena.rating.sprt import bounds
from benchmarks.sprt_errors import LAWS, simulate, tilted

SOAK = os.environ.get("ARENA_SOAK") == "1"
TESTS = 4000 if SOAK else 300
ERROR = 0.05
ALLOWED = ERROR + 3 * sqrt(ERROR * (1 - ERROR) / TESTS)
CASES = [("logistic", law) for law in LAWS]
CASES += [("normalized", law) for law in (LAWS if SOAK else ["2 players, mostly swept"])]


@pytest.mark.soak
@pytest.mark.parametrize(("model", "name"), CASES)
def test_error_probabilities(model: str, name: str) -> None:
    games, weights = LAWS[name]
    elo, limits = (0.0, 100.0), bounds(ERROR, ERROR)
    rng = np.random.default_rng(7)
    accepted = [
        simulate(tilted(weights, games, true, model), games, elo, model, limits, TESTS, rng)[0]
        for true in elo
    ]
    assert accepted[0] <= ALLOWED
    assert 1 - accepted[1] <= ALLOWED
