"""`arena sprt`: from counts of results to Elo and a sequential test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import PERCENT, Number, Whole
from arena.errors import ConfigError

if TYPE_CHECKING:
    from arena.rating.score import Tally
    from arena.report.sequential import Verdict


COUNT = Whole(0, 10**12)
"""More blocks than anybody plays; far beyond it sums in floating point would no longer hold."""


@click.command()
@click.argument("counts", nargs=-1, type=COUNT, metavar="[COUNT ...]")
@click.option("--wins", type=COUNT, help="Instead of COUNTs: games won ...")
@click.option("--draws", type=COUNT, help="... drawn ...")
@click.option("--losses", type=COUNT, help="... and lost.")
@click.option(
    "--games",
    type=Whole(1),
    metavar="K",
    help="Games in a block. Default: 1 with three counts, 2 with five, else one less than counts.",
)
@click.option("--elo0", type=Number(), default=0.0, show_default=True, help="The difference under H0.")
@click.option("--elo1", type=Number(), default=10.0, show_default=True, help="The difference under H1.")
@click.option(
    "--alpha", type=Number(), default=0.05, show_default=True, help="P(H1 is accepted wrongly)."
)
@click.option(
    "--beta", type=Number(), default=0.05, show_default=True, help="P(H0 is accepted wrongly)."
)
@click.option(
    "--model",
    type=click.Choice(["logistic", "normalized", "bayesian", "cutechess"]),
    default="logistic",
    show_default=True,
    help="What elo0 and elo1 are: Elo, normalised Elo, BayesElo, or Elo as cutechess's test has it; "
    "the last two for single games only.",
)
@click.option(
    "--confidence",
    type=PERCENT,
    default=95.0,
    show_default=True,
    help="Of the intervals, in percent.",
)
@click.option(
    "--normal",
    is_flag=True,
    help="Intervals and LOS as fastchess and cutechess have them: see the docs.",
)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def sprt(counts: tuple[int, ...], as_json: bool, **given: Any) -> None:
    """Score, Elo, LOS and a sequential test from counts of results, without any log.

    COUNTs go from the worst result to the best: losses draws wins, or for pairs of games
    LL LD WL+DD WD WW, or for blocks of K games how many gave 0, 1, ... K points. With draws in blocks
    there are 2K + 1 counts, in steps of half a point, and --games K says so.
    docs/8-head-to-head.md has the formulas, and how other programs differ.
    """
    import json

    from arena.rating.score import estimate
    from arena.report.duel_text import tally_json, tally_lines, verdict_json, verdict_lines

    tally = _tally(counts, given)
    verdict = _verdict(tally, given)
    found = estimate(tally, given["confidence"] / 100, normal=given["normal"])
    without = _los_without_draws(tally)
    if as_json:
        told = tally_json(tally, found) | {"los_without_draws": without}
        click.echo(json.dumps(told | {"sprt": verdict_json(verdict)}, indent=2))
    else:
        for line in (*tally_lines(tally, found), "", *verdict_lines(verdict)):
            click.echo(line)


def _tally(counts: tuple[int, ...], given: dict[str, Any]) -> Tally:
    from arena.rating.score import Tally

    named = [given[name] for name in ("losses", "draws", "wins")]
    if any(each is not None for each in named):
        if counts:
            raise ConfigError("give either COUNTs or --wins, --draws and --losses")
        counts = tuple(each or 0 for each in named)
    if len(counts) < 2:
        raise ConfigError("give the counts of results, worst first: losses draws wins, or more")
    games = given["games"] or {3: 1, 5: 2}.get(len(counts), len(counts) - 1)
    if len(counts) - 1 not in (games, 2 * games):
        what = "game" if games == 1 else f"{games} games"
        raise ConfigError(
            f"{len(counts)} counts do not fit a block of {what}: it has {games + 1} results without "
            f"draws, {2 * games + 1} with them (--games says how many games a block has)"
        )
    return Tally(counts, games)


def _verdict(tally: Tally, given: dict[str, Any]) -> Verdict:
    from arena.record.schema import Sprt
    from arena.report.sequential import verdict_of

    try:
        test = Sprt(*(given[name] for name in ("elo0", "elo1", "alpha", "beta", "model")))
        return verdict_of(test, tally)
    except ValueError as error:
        raise ConfigError(f"--{error}") from None


def _los_without_draws(tally: Tally) -> float | None:
    from arena.rating.bayeselo import los_without_draws

    if (len(tally.counts), tally.games) != (3, 1):
        return None
    losses, draws, wins = tally.counts
    return los_without_draws((losses, draws, wins))
