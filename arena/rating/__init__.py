"""Ratings from finishing orders: a joint fit, honest intervals, head-to-head.

    results = Results(bots, seats, places, lineup, block, complete, forfeited)
    for row in rate(results).ranked():
        print(row.bot, row.word if row.rating is None else round(row.rating))

`results` says what goes in, `plackett_luce` holds the model, `groups` who can be compared,
`blocks` and `bootstrap` where the intervals come from, `ratings` the table, `head_to_head` the pairs.
"""

from arena.rating.head_to_head import HeadToHead, head_to_head
from arena.rating.ratings import Rating, Ratings, rate, superiority
from arena.rating.results import Results

__all__ = [
    "HeadToHead",
    "Rating",
    "Ratings",
    "Results",
    "head_to_head",
    "rate",
    "superiority",
]
