"""Ratings from finishing orders: a joint fit, honest intervals, head-to-head.

    results = Results(bots, seats, places, lineup, block, complete, forfeited)
    for row in rate(results).ranked():
        print(row.bot, row.word if row.rating is None else round(row.rating))

`results` says what goes in, `plackett_luce` holds the model, `groups` who can be compared,
`blocks` and `bootstrap` where the intervals come from, `bounds` what is known of a bot that won
everything, `ratings` the table, `head_to_head` the pairs, `upsets` those that go against the table,
`seats` what a seat is worth, `pool` several tournaments together and results written down by hand.
"""

from arena.rating.head_to_head import HeadToHead, head_to_head
from arena.rating.pool import from_crosstable, from_orders, pool
from arena.rating.ratings import Rating, Ratings, rate, superiority
from arena.rating.results import Results
from arena.rating.seats import SeatWorth, seat_worth
from arena.rating.upsets import Upset, one_scale, upsets

__all__ = [
    "HeadToHead",
    "Rating",
    "Ratings",
    "Results",
    "SeatWorth",
    "Upset",
    "from_crosstable",
    "from_orders",
    "head_to_head",
    "one_scale",
    "pool",
    "rate",
    "seat_worth",
    "superiority",
    "upsets",
]
