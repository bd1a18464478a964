"""Who can be compared with whom.

Say i *beats* j if i finished above j, or level with it, in some game. A finite maximum-likelihood
rating exists exactly within groups in which every bot beats every other through a chain (the
strongly connected components; Ford 1957, "Solution of a ranking problem from binary comparisons";
Hunter 2004). Between groups the data only say "infinitely better", or nothing.
"""

from __future__ import annotations

import numpy as np

from arena.rating.results import Bools, Floats


def reach(beats: Bools) -> Bools:
    """(B, B): whether i beats j through some chain of games, a bot itself included."""
    closed = beats | np.eye(len(beats), dtype=bool)
    while True:
        steps = closed.astype(np.float32)  # numpy multiplies booleans without BLAS
        further = np.asarray(steps @ steps > 0)
        if (further == closed).all():
            return closed
        closed = further


def groups(beats: Bools) -> list[list[int]]:
    """The strongly connected components, the largest first, then by their first bot."""
    closed = reach(beats)
    mutual = closed & closed.T
    found = {tuple(np.flatnonzero(row).tolist()) for row in mutual}
    return [list(group) for group in sorted(found, key=lambda group: (-len(group), group))]


def standing(beats: Bools, within: Bools | None = None, hold: int | None = None) -> Floats:
    """Where each bot stands in relation to the main group.

    Args:
        beats: bool (B, B).
        within: bool (B,), the bots the main group may be made of (a union of groups).
        hold: the main group is the one of this bot. Without it, it is the largest, of two bots or
            more; where two are equally large there is none.

    Returns:
        float (B,): 0 in the main group; +inf above it (beats it, never the other way round), -inf
        below it, nan where neither was ever compared with the other. If there is no main group:
        +inf where no bot outside its group ever beats it, -inf where it beats none, else nan.
    """
    bots = len(beats)
    within = np.ones(bots, dtype=bool) if within is None else within
    closed = reach(beats)
    size = np.where(within, (closed & closed.T).sum(axis=1), 0)
    if hold is None and bots:
        largest = int(size.max())
        if largest >= 2 and (size == largest).sum() == largest:
            hold = int(size.argmax())
    if hold is not None:
        up, down = closed[:, hold], closed[hold]
        return np.where(up, np.where(down, 0.0, np.inf), np.where(down, -np.inf, np.nan))
    one_way = closed & ~closed.T & within[:, None] & within[None, :]
    beats_some, beaten = one_way.any(axis=1), one_way.any(axis=0)
    return np.where(beats_some == beaten, np.nan, np.where(beats_some, np.inf, -np.inf))
