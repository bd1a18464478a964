"""From tallies to Elo: against other programs, at the edges, and by simulation."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from arena.rating.score import NELO, Tally, elo_of, estimate, score_of, tally
from tests.rating.published import FASTCHESS_ELO, OPENBENCH_ELO, STOCKFISH_ELO


def half(low: float | None, high: float | None) -> float:
    assert low is not None
    assert high is not None
    return (high - low) / 2


@pytest.mark.parametrize(
    ("counts", "nelo", "nelo_error", "elo", "elo_error", "los", "score"), FASTCHESS_ELO
)
def test_fastchess(
    counts: tuple[int, ...],
    nelo: float,
    nelo_error: float,
    elo: float | None,
    elo_error: float | None,
    los: str,
    score: float,
) -> None:
    found = estimate(Tally(counts, {3: 1, 5: 2}[len(counts)]), normal=True)
    assert found is not None
    assert found.score == pytest.approx(score, rel=0.01)
    assert found.nelo == pytest.approx(nelo, rel=0.01)
    assert half(found.nelo_low, found.nelo_high) == pytest.approx(nelo_error, rel=0.01)
    assert f"{100 * (found.los or 0):.2f}" == los
    if elo is not None:
        assert found.elo == pytest.approx(elo, rel=0.01)
        assert half(found.elo_low, found.elo_high) == pytest.approx(elo_error, rel=0.01)


@pytest.mark.parametrize(("_", "counts", "elo", "elo_error", "los", "nelo", "nelo_error"), STOCKFISH_ELO)
def test_stockfish(
    _: str,
    counts: tuple[int, ...],
    elo: float,
    elo_error: float,
    los: float,
    nelo: float,
    nelo_error: float,
) -> None:
    found, ours = estimate(Tally(counts, 2), normal=True), estimate(Tally(counts, 2))
    assert found is not None
    assert ours is not None
    assert (found.elo, found.nelo) == pytest.approx((elo, nelo), abs=0.0051)
    assert half(found.elo_low, found.elo_high) == pytest.approx(elo_error, abs=0.051)
    assert 100 * (found.los or 0) == pytest.approx(los, abs=0.051)
    # fishtest, too, counts the uncertainty of sigma: 3.3 here where 2.2 would be without
    assert half(ours.nelo_low, ours.nelo_high) == pytest.approx(nelo_error, abs=0.055)


@pytest.mark.parametrize(("counts", "low", "elo", "high"), OPENBENCH_ELO)
def test_openbench(counts: tuple[int, ...], low: float, elo: float, high: float) -> None:
    found = estimate(Tally(counts, 1))
    assert found is not None
    assert found.elo == pytest.approx(elo, abs=1e-9)
    # OpenBench divides the variance by N: narrower by sqrt(1 - 1/N), here 0.2 %.
    assert (found.elo_low, found.elo_high) == pytest.approx((low, high), abs=0.003 * (high - low))


def test_elo_and_score_are_inverse() -> None:
    assert [elo_of(score_of(elo)) for elo in (-300, 0, 12.5)] == pytest.approx([-300, 0, 12.5])
    assert (elo_of(0.0), elo_of(1.0)) == (-np.inf, np.inf)
    assert pytest.approx(800 / log(10)) == NELO


def test_a_tally_counts_half_points() -> None:
    assert tally([4, 0, 2, 3, 4], 2) == Tally((1, 0, 1, 1, 2), 2)
    assert tally([], 2) == Tally((0, 0, 0, 0, 0), 2)
    assert Tally((1, 0, 1, 1, 2), 2).blocks == 5


@pytest.mark.parametrize(("counts", "games"), [((3,), 1), ((3, -1), 1), ((1, 1), 0)])
def test_a_tally_that_cannot_be(counts: tuple[int, ...], games: int) -> None:
    with pytest.raises(ValueError, match=r"counts|games"):
        Tally(counts, games)


def test_intervals_are_students_t_on_block_scores() -> None:
    scores = [0.0] * 3 + [0.25] * 4 + [0.5] * 9 + [0.75] * 6 + [1.0] * 5
    low, high = stats.t.interval(0.9, 26, np.mean(scores), stats.sem(scores))
    found = estimate(Tally((3, 4, 9, 6, 5), 2), 0.9)
    assert found is not None
    assert (found.score, found.low, found.high) == pytest.approx((np.mean(scores), low, high))
    assert (found.elo_low, found.elo_high) == pytest.approx((elo_of(low), elo_of(high)))
    expected = stats.ttest_1samp(scores, 0.5, alternative="greater").pvalue
    assert found.los == pytest.approx(1 - expected)


def test_few_blocks_have_no_interval() -> None:
    found = estimate(Tally((1, 8, 10), 1))
    assert found is not None
    assert found.elo == pytest.approx(elo_of(14 / 19))
    assert (found.low, found.elo_low, found.nelo_low, found.los) == (None, None, None, None)
    assert found.word == "fewer than 20 blocks"
    assert estimate(Tally((0, 0, 0), 1)) is None


def test_all_won_or_all_lost_gives_an_exact_bound() -> None:
    won, lost = estimate(Tally((0, 0, 25), 2)), estimate(Tally((25, 0, 0), 2))
    assert won is not None
    assert lost is not None
    exact = stats.binomtest(25, 25).proportion_ci(0.95, "exact").low
    assert won.elo is won.elo_high is lost.elo is lost.elo_low is None
    assert (won.elo_low, lost.elo_high) == pytest.approx((elo_of(exact), -elo_of(exact)))
    assert (won.los, lost.los) == (1 - 0.5**25, 0.5**25)
    assert (won.word, lost.word) == ("won every game", "lost every game")
    few = estimate(Tally((0, 0, 9), 2))
    assert few is not None
    assert (few.elo, few.elo_low, few.los) == (None, None, None)
    assert few.word == "won every game, fewer than 20 blocks"


def test_a_loss_among_wins_lowers_the_bound() -> None:
    """Student's t alone would put 99 wins of 100 above 0.970, and 100 of 100 above 0.964."""
    lows = []
    for lost in range(5):
        found = estimate(Tally((lost, 100 - lost), 1))
        other = estimate(Tally((100 - lost, lost), 1))
        assert found is not None
        assert other is not None
        assert found.low is not None
        assert other.high == pytest.approx(1 - found.low)
        exact = stats.binomtest(100 - lost, 100).proportion_ci(0.95, "exact").low
        assert found.low == pytest.approx(exact)
        lows.append(found.low)
    assert lows == sorted(lows, reverse=True)


@pytest.mark.parametrize("blocks", [20, 50, 100, 200])
def test_intervals_cover_near_the_edge(blocks: int) -> None:
    """By adding up all outcomes. Student's t alone covers 85 % for 100 blocks at a score of 0.97."""
    found = [estimate(Tally((blocks - won, won), 1)) for won in range(blocks + 1)]
    low = np.array([-1.0 if each is None or each.low is None else each.low for each in found])
    high = np.array([2.0 if each is None or each.high is None else each.high for each in found])
    for score in np.linspace(0.5, 0.999, 100):
        chance = stats.binom.pmf(np.arange(blocks + 1), blocks, score)
        assert chance @ ((low <= score) & (score <= high)) > 0.9


def test_blocks_that_all_ended_alike_have_no_interval() -> None:
    found = estimate(Tally((0, 0, 30, 0, 0), 2))
    assert found is not None
    assert (found.elo, found.elo_low, found.nelo, found.los) == (0, None, None, None)
    assert found.word == "every block ended alike"


@pytest.mark.parametrize("change", [{"confidence": 1.0}, {"min_blocks": 1}])
def test_bad_arguments(change: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(change))):
        estimate(Tally((1, 2), 1), **change)  # type: ignore[arg-type]


@given(
    st.lists(st.integers(0, 99), min_size=2, max_size=9).filter(any), st.integers(1, 6), st.booleans()
)
def test_the_other_side_has_the_mirrored_numbers(counts: list[int], games: int, normal: bool) -> None:
    mine = estimate(Tally(tuple(counts), games), normal=normal)
    theirs = estimate(Tally(tuple(counts[::-1]), games), normal=normal)
    assert mine is not None
    assert theirs is not None
    assert mine.score == pytest.approx(1 - theirs.score)
    for value, other in (
        (mine.elo, theirs.elo),
        (mine.elo_low, theirs.elo_high),
        (mine.nelo, theirs.nelo),
        (mine.nelo_low, theirs.nelo_high),
    ):
        assert (value is None) == (other is None)
        assert (value or 0.0) == pytest.approx(-(other or 0.0), abs=1e-6)
    if mine.los is not None:
        assert mine.los == pytest.approx(1 - (theirs.los or 0.0))


def test_the_interval_of_normalised_elo_covers() -> None:
    """Far from 1/2, where taking the spread as known, as others do, would cover 88 %."""
    rng = np.random.default_rng(5)
    law, games, n = np.array([0.1, 0.0, 0.4, 0.0, 0.5]), 2, 200
    scores = np.linspace(0, 1, 5)
    mean = law @ scores
    true = NELO / sqrt(games) * (mean - 0.5) / sqrt(law @ (scores - mean) ** 2)
    inside = plain = 0
    for counts in rng.multinomial(n, law, size=1000):
        found = estimate(Tally(tuple(counts.tolist()), games))
        known = estimate(Tally(tuple(counts.tolist()), games), normal=True)
        assert found is not None
        assert known is not None
        inside += int((found.nelo_low or 0) <= true <= (found.nelo_high or 0))
        plain += int((known.nelo_low or 0) <= true <= (known.nelo_high or 0))
    assert 930 <= inside <= 970
    assert plain < 910
