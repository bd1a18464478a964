"""Scores of a pair and verdicts of a test, as lines for people and as JSON."""

from __future__ import annotations

from math import floor, log10
from typing import Any

from arena.rating.score import MIN_BLOCKS, Estimate, Tally, elo_of, finite
from arena.record.schema import Sprt
from arena.report.duel import Duel
from arena.report.facts import say
from arena.report.sequential import Verdict, score_allowing_for_stop

NAMES = {
    (3, 1): ("losses", "draws", "wins"),
    (5, 2): ("LL", "LD", "WL+DD", "WD", "WW"),
}
"""Names of the scores by their number and the games of a block; elsewhere they are points."""


def unit(games: int, count: int = 2) -> str:
    """What a block of `games` games is called: games, pairs, blocks of 4 games."""
    if games > 2:
        return f"block{'s' * (count != 1)} of {games} games"
    return ("game" if games == 1 else "pair") + "s" * (count != 1)


def duel_lines(duel: Duel) -> list[str]:
    """All of a duel."""
    header = duel.header
    lines = [
        f"{duel.first} against {duel.second}: {header.ruleset['name']} rules, {header.players} players, "
        f"{header.deals} deals",
        *tally_lines(duel.tally, duel.estimate, hide_ties=True),
    ]
    if duel.incomplete:
        lines.append(f"left out: {_incomplete(duel)}")
    if duel.forfeits:
        lines.append(f"with a forfeit: {say(duel.forfeits, 'game')}")
    if duel.verdict:
        lines += ["", *verdict_lines(duel.verdict, [bot.name for bot in header.bots])]
    return lines


def _incomplete(duel: Duel) -> str:
    games = say(duel.left_out, "game")
    return f"{say(duel.incomplete, 'block')} not complete or spoilt by the host ({games})"


def tally_lines(tally: Tally, found: Estimate | None, hide_ties: bool = False) -> list[str]:
    """Blocks, how they ended, and what follows. `hide_ties`: no line of scores that only a tie gives,
    where there was none.
    """
    n, games = tally.blocks, tally.games
    what = f"{n} {unit(games, n)}" + (f", {say(n * games, 'game')}" if games > 1 else "")
    if found is None:
        return [f"{what}: nothing to say"]
    z = f"{100 * found.confidence:g} % interval"
    lines = [
        f"{what}; {_ended(tally, hide_ties)}",
        f"{'':7}{'':>9}   {z}" if found.low is not None else f"no interval: {found.word}",
        _line("score", found.score, found.low, found.high, percent=True),
        _line("Elo", found.elo, found.elo_low, found.elo_high),
    ]
    if found.nelo is not None:
        lines.append(_line("nElo", found.nelo, found.nelo_low, found.nelo_high))
    if found.los is not None:
        lines.append(f"{'LOS':7}{_los(found):>9}")
    if found.word and found.low is not None:
        lines.append(f"{found.word}: the bound is exact, no finite difference fits")
    return lines


def _line(name: str, value: float | None, low: float | None, high: float | None, **form: Any) -> str:
    """ "Elo  +40.7   +10.4 to +71.2", with as many digits as the interval warrants."""
    known = [each for each in (value, low, high) if each is not None]
    width = max(known) - min(known) if len(known) > 1 else 0.0
    middle = "-" if value is None else _number(value, width, **form)
    if low is None and high is None:
        return f"{name:7}{middle:>9}"
    ends = ["none" if end is None else _number(end, width, **form) for end in (low, high)]
    if low is None or high is None:
        return f"{name:7}{middle:>9}   {'at least ' + ends[0] if high is None else 'at most ' + ends[1]}"
    return f"{name:7}{middle:>9}   {ends[0]} to {ends[1]}"


def _number(value: float, width: float, percent: bool = False) -> str:
    """Digits so that the width of the interval has about two of them."""
    scale = 100 if percent else 1
    digits = min(max(1 - floor(log10(scale * width / 2)), 0), 3) if width > 0 else 0
    if percent:
        return f"{100 * value:.{max(digits, 1)}f} %"
    return f"{round(value, digits) + 0.0:+.{digits}f}"  # never -0


def _los(found: Estimate) -> str:
    los = 100 * (found.los or 0.0)
    bound = "" if not found.word else "over " if los > 50 else "under "
    if los > 99.9:
        return "over 99.9 %"
    if los < 0.1:
        return "under 0.1 %"
    return f"{bound}{los:.1f} %"


def _ended(tally: Tally, hide_ties: bool) -> str:
    """How many blocks ended with each score."""
    counts, games = tally.counts, tally.games
    step = 2 if hide_ties and len(counts) == 2 * games + 1 and not any(counts[1::2]) else 1
    names = NAMES.get((len(counts), games)) if step == 1 else None
    if names is None:
        names = tuple(f"{games * j / (len(counts) - 1):g}" for j in range(len(counts)))
    told = ", ".join(f"{name}: {count}" for name, count in list(zip(names, counts, strict=True))[::step])
    return told if not names[0].isdigit() else f"points {told}"


def verdict_lines(verdict: Verdict, names: list[str] | None = None) -> list[str]:
    """The test, where it stands, and what that means."""
    test, tally = verdict.test, verdict.tally
    whose = f" of {names[0]} against {names[1]}" if names else ""
    lines = [f"SPRT{whose}: {say_test(test)}", f"{say_ratio(verdict)}: {_decision(verdict)}"]
    if not tally.blocks:
        lines[-1] = "no block is finished yet"
    if verdict.block is not None:
        lines[-1] += f" at block {verdict.block}"
        lines.append(_allowing(score_allowing_for_stop(verdict)))
    return lines


def _allowing(found: tuple[float, float, float] | None) -> str:
    if found is None:
        return f"fewer than {MIN_BLOCKS} blocks: how large the difference is stays open"
    _, middle, *interval = _line("Elo", *(finite(elo_of(score)) for score in found)).split()
    return f"allowing for the stop: Elo {middle}, 95 % interval {' '.join(interval)}"


def say_test(test: Sprt) -> str:
    elo = {"normalized": "normalised Elo", "bayesian": "BayesElo"}.get(test.model, "Elo")
    return (
        f"H0 {test.elo0:g} {elo}, H1 {test.elo1:g} {elo}, alpha {test.alpha:g}, beta {test.beta:g} "
        f"({test.model})"
    )


def say_ratio(verdict: Verdict) -> str:
    """ "LLR 1.23 (-2.94 to 2.94) after 412 pairs"."""
    n = verdict.tally.blocks
    return (
        f"LLR {verdict.ratio:.2f} ({verdict.lower:.2f} to {verdict.upper:.2f}) "
        f"after {n} {unit(verdict.tally.games, n)}"
    )


def _decision(verdict: Verdict) -> str:
    accepted = verdict.accepted
    if not accepted:
        return "no decision"
    return f"{accepted} accepted"


def duel_json(duel: Duel) -> dict[str, Any]:
    """All of a duel, numbers unrounded, null where there is none."""
    header = duel.header
    return {
        "bots": [duel.first, duel.second],
        "name": header.name,
        "ruleset": header.ruleset["name"],
        "players": header.players,
        "deals": header.deals,
        **tally_json(duel.tally, duel.estimate),
        "incomplete_blocks": duel.incomplete,
        "games_left_out": duel.left_out,
        "games_with_forfeit": duel.forfeits,
        "sprt": verdict_json(duel.verdict) if duel.verdict else None,
    }


def tally_json(tally: Tally, found: Estimate | None) -> dict[str, Any]:
    top = len(tally.counts) - 1
    told: dict[str, Any] = {
        "blocks": tally.blocks,
        "games_per_block": tally.games,
        "games": tally.blocks * tally.games,
        "counts": {f"{tally.games * j / top:g}": count for j, count in enumerate(tally.counts)},
    }
    if found is None:
        return told | {"score": None, "word": "no block"}
    return told | {
        "score": found.score,
        "score_interval": [found.low, found.high],
        "elo": found.elo,
        "elo_interval": [found.elo_low, found.elo_high],
        "nelo": found.nelo,
        "nelo_interval": [found.nelo_low, found.nelo_high],
        "los": found.los,
        "confidence": found.confidence,
        "word": found.word,
    }


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    test, tally = verdict.test, verdict.tally
    allowed = score_allowing_for_stop(verdict) if verdict.block is not None else None
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "model": test.model,
        "llr": verdict.ratio,
        "lower": verdict.lower,
        "upper": verdict.upper,
        "unit": unit(tally.games),
        "blocks": tally.blocks,
        "verdict": verdict.accepted or "no decision",
        "deciding_block": verdict.block,
        "elo_allowing_for_stop": allowed and finite(elo_of(allowed[0])),
        "elo_allowing_for_stop_interval": allowed and [finite(elo_of(end)) for end in allowed[1:]],
    }
