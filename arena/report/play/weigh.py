"""The table of calls, with what each call was worth to the seat that made it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arena.record.tables import Tables
from arena.report.play.odds import at_least, chance_per_die, entropy, exactly


def weigh(tables: Tables) -> pd.DataFrame:
    """The calls with these columns more, each as the caller sees it that knows its own hand only.

    For a bid they are about the bid made, for any other call about the standing bid, as `own` and
    `total` are; NaN or NA where there is none.

    expected      own + hidden * p: the dice that count on average; p as in `odds.chance_per_die`
    true_chance   P(own + X >= quantity), X binomial (hidden, p)
    exact_chance  P(own + X = quantity)
    true, exact   whether it was so: total >= quantity, total = quantity
    bluff         a bid that neither the hand nor the expectation supports: own < held * p, the hand has
                  less of the face than an average one; and quantity > expected
    doubt_chance  P(the standing bid is false) before the call, for bids too
    difficulty    its entropy in bits: 0 if the own hand settles it, 1 if it is one half
    """
    calls = tables.calls
    wild = tables.header.ruleset.get("wild_face", 1) or 0
    palifico = calls["palifico"].to_numpy()
    bid = (calls["kind"] == "bid").to_numpy()
    standing = {
        name: calls[f"standing_{name}"].to_numpy(np.int64) for name in ("quantity", "face", "own")
    }
    face = np.where(bid, calls["face"].to_numpy(), standing["face"])
    quantity = np.where(bid, calls["quantity"].to_numpy(), standing["quantity"])
    held = calls["held"].to_numpy(np.int64)
    own, total = calls["own"].to_numpy(np.int64), calls["total"].to_numpy(np.int64)
    hidden = calls["dice"].to_numpy(np.int64) - held

    none = face == 0
    per_die = chance_per_die(face, palifico, wild)
    expected = own + hidden * per_die
    exact = exactly(quantity - own, hidden, per_die)
    doubt = 1 - at_least(
        standing["quantity"] - standing["own"], hidden, chance_per_die(standing["face"], palifico, wild)
    )
    doubt[standing["face"] == 0] = np.nan
    difficulty = entropy(doubt)
    difficulty[standing["face"] == 0] = np.nan
    return calls.assign(
        expected=np.where(none, np.nan, expected),
        true_chance=np.where(none, np.nan, at_least(quantity - own, hidden, per_die)),
        exact_chance=np.where(none, np.nan, exact),
        true=pd.arrays.BooleanArray(total >= quantity, none),
        exact=pd.arrays.BooleanArray(total == quantity, none.copy()),
        bluff=bid & (own < held * per_die) & (quantity > expected),
        doubt_chance=doubt,
        difficulty=difficulty,
    )
