"""Where there is no number, a word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.rating import Results, rate
from tests.rating.tables import played


def words(results: Results) -> dict[str, str]:
    ratings = rate(results, replicates=50, min_blocks=1)
    for row in ratings.rows:
        assert row.rating is not None or row.word
    return {row.bot: row.word for row in ratings.rows if row.rating is None}


def test_no_bots() -> None:
    assert rate(played(bots="")).rows == ()


def test_one_bot() -> None:
    assert words(played(bots="a")) == {"a": "only bot"}


def test_no_games() -> None:
    assert words(played("a b", "b a", bots="abc")) == {"c": "no games"}
    assert words(played(bots="ab")) == {"a": "no games", "b": "no games"}


def test_no_complete_block() -> None:
    results = played("a b", "b a", "c a")
    results = replace(results, complete=np.array([True, True, False]))
    assert words(results) == {"c": "no complete block"}
    ratings = rate(results)
    assert ratings.left_out == 1
    assert ratings.notes[0] == "1 game is not rated: the block is not complete."
    assert ratings["a"].games == 2


def test_won_and_lost_every_game() -> None:
    assert words(played("a b", "a b")) == {"a": "won every game", "b": "lost every game"}
    assert words(played("a b c d", "a c b d")) == {"a": "won every game", "d": "last in every game"}
    assert words(played("a b", "b a", "c a", "b d")) == {
        "c": "won every game",
        "d": "lost every game",
    }


def test_a_draw_is_not_a_win() -> None:
    assert words(played("a b", "a=b")) == {}


def test_above_and_below_the_main_group() -> None:
    cycle = "c d", "d e", "e c"
    assert words(played("a b", "b a", "a c", *cycle, "e f", "f g", "g f")) == {
        "a": "above the main group",
        "b": "above the main group",
        "f": "below the main group",
        "g": "below the main group",
    }


def test_never_met() -> None:
    results = played("a b", "b c", "c a", "d e", "e d")
    assert words(results) == {"d": "never met the main group", "e": "never met the main group"}
    assert rate(results).notes[0] == (
        "Ratings compare the 3 bots of the main group with each other: "
        "no results both ways join these groups: a, b, c; d, e."
    )


def test_no_common_scale() -> None:
    results = played("a b", "b a", "c d", "d c")
    assert set(words(results).values()) == {"no common scale"}
    assert rate(results).notes[0] == "No ratings: no results both ways join these groups: a, b; c, d."


def test_bots_outside_do_not_move_the_main_group() -> None:
    inside = "a b", "b c", "c a", "a c"
    outside = "d a", "d b", "c e", "d a c e"  # among them a game of both kinds
    alone = rate(played(*inside, "a c"), replicates=0)
    among = rate(played(*inside, *outside), replicates=0)
    for bot in "abc":
        assert among[bot].rating == pytest.approx(alone[bot].rating, abs=1e-6)


def test_few_blocks_have_a_rating_but_no_interval() -> None:
    results = played("a b", "b a", "a b", "b a", repeat=4)
    few = rate(results)["a"]
    assert few.rating is not None
    assert (few.low, few.high, few.word) == (None, None, "fewer than 20 blocks")
    enough = rate(results, min_blocks=16)["a"]
    assert enough.low is not None
    assert enough.word == ""


def test_blocks_that_all_ended_alike_have_no_interval() -> None:
    results = played("a b", "b a", repeat=30)
    results = replace(results, block=results.block // 2)
    row = rate(results)["a"]
    assert row.rating == pytest.approx(1500)
    assert (row.low, row.high, row.word, row.blocks) == (None, None, "every block ended alike", 30)


def test_a_bound_the_resamples_do_not_give_is_missing() -> None:
    # a lost once in 30: about one resample in three does not hold that game.
    ratings = rate(played(*["a b"] * 29, "b a"), replicates=200)
    a, b = ratings.rows
    assert a.rating == pytest.approx(1500 + 200 * np.log10(29))
    assert a.low is not None
    assert (a.high, a.word) == (None, "no upper bound")
    assert (b.low, b.word) == (None, "no lower bound")
    assert 0.2 < np.isposinf(ratings.draws[:, 0]).mean() < 0.5


def test_a_bot_torn_off_in_resamples_leaves_the_others_their_intervals() -> None:
    games = ["a b", "b a", "a b"] * 15 + ["c a", "c b"] * 15 + ["b c"]
    ratings = rate(played(*games), replicates=200)
    assert ratings["c"].word == "no upper bound"
    assert ratings["a"].low is not None
    assert ratings["a"].high is not None


def test_unknown_draws_count_against_both_bounds() -> None:
    # b and c are joined through a alone, each by a single upset: torn apart both ways in some.
    games = [*["a b"] * 25, "b a", *["a c"] * 25, "c a"]
    ratings = rate(played(*games), anchor="b", replicates=200)
    assert np.isnan(ratings.draws[:, 2]).any()
    assert ratings["c"].word == "no bounds"
    assert ratings["b"].word == "anchor"


def test_an_anchor_without_a_rating_is_replaced_by_the_mean() -> None:
    ratings = rate(played("a b", "b a", "c a"), anchor="c", anchor_value=1000)
    assert ratings.anchor is None
    assert ratings["a"].rating == pytest.approx(1000)
    assert "c has no rating, so the mean is anchored at 1000 instead." in ratings.notes


def test_ranked_puts_words_where_they_belong() -> None:
    results = played("b a", "b a", "a b", "a c", "b c", "d a", bots="abcde")
    assert [row.bot for row in rate(results).ranked()] == ["d", "b", "a", "c", "e"]
