"""What other programs compute from single games: tests of the BayesElo model, LOS without draws.

The model (Coulom, "Bayesian Elo rating"): P(win) = 1 / (1 + 10^((d - b) / 400)) and
P(loss) = 1 / (1 + 10^((d + b) / 400)) at a difference b, with the draw Elo d taken from the counts. It
knows nothing of blocks, so it serves to compare with those programs, not to judge a tournament of ours.
"""

from __future__ import annotations

from math import erf, log, log10, sqrt

from arena.rating.sprt import NONE_SEEN

Counts = tuple[int, int, int]
"""Losses, draws, wins."""


def log_likelihood_ratio_bayesian(counts: Counts, elo0: float, elo1: float) -> float:
    """As OpenBench's trinomial test and the first fishtest have it: `elo0` and `elo1` are BayesElo.

    fastchess's model "bayesian" differs in the second decimal: it converts both to a score and tests
    that (its own tests agree to 1 %).
    """
    seen = tuple(count if count > 0 else NONE_SEEN for count in counts)
    return _ratio(seen, elo0, elo1)


def log_likelihood_ratio_cutechess(counts: Counts, elo0: float, elo1: float) -> float:
    """As cutechess has it: half a game is added to each count, and `elo0` and `elo1` are logistic Elo
    near 0, which the draw Elo makes 4x / (1 + x)^2 times as wide as BayesElo, x = 10^(-d / 400).
    """
    loss, draw, win = (count + 0.5 for count in counts)
    x = 10 ** (-_draw_elo((loss, draw, win)) / 400)
    scale = 4 * x / (1 + x) ** 2
    return _ratio((loss, draw, win), elo0 / scale, elo1 / scale)


def los_without_draws(counts: Counts) -> float | None:
    """The likelihood of superiority as cutechess prints it: draws are left out, and the wins of the
    others taken as normal. None without wins and losses.
    """
    losses, _, wins = counts
    return (1 + erf((wins - losses) / sqrt(2 * (wins + losses)))) / 2 if wins + losses else None


def _ratio(counts: tuple[float, ...], elo0: float, elo1: float) -> float:
    draw_elo = _draw_elo(counts)
    laws = zip(_law(elo0, draw_elo), _law(elo1, draw_elo), strict=True)
    return sum(count * log(p1 / p0) for count, (p0, p1) in zip(counts, laws, strict=True))


def _draw_elo(counts: tuple[float, ...]) -> float:
    loss, _, win = (count / sum(counts) for count in counts)
    return 200 * log10((1 - loss) / loss * (1 - win) / win)


def _law(elo: float, draw_elo: float) -> tuple[float, float, float]:
    """P(loss), P(draw), P(win)."""
    loss = 1 / (1 + 10 ** ((draw_elo + elo) / 400))
    win = 1 / (1 + 10 ** ((draw_elo - elo) / 400))
    return loss, 1 - loss - win, win
