"""The presets: four rule texts exactly as they read, and variants known from elsewhere.

What each text says, what it leaves open and how the arena reads it stands in `docs/`.
"""

from __future__ import annotations

from difflib import get_close_matches

from arena.game.ruleset import Ruleset, RulesetError

PRESETS: dict[str, Ruleset] = {
    ruleset.name: ruleset
    for ruleset in (
        Ruleset(
            "santaba",
            opener="roll",
            ace_bids="halve",
            palifico="call",
            palifico_change="one-die",
            tabba="call",
            calza="others",
            calza_at_cap=False,
        ),
        Ruleset("standard"),
        Ruleset("pacos", opener="roll", ace_bids="halve"),
        Ruleset(
            "palafico",
            bidding_rule="no-reset",
            ace_bids="halve",
            palifico_change="ex-palifico",
            palifico_min_players=3,
        ),
        Ruleset(
            "mso",
            opener="roll",
            ace_bids="halve",
            palifico="off",
            calza="others",
            calza_at_cap=False,
        ),
        Ruleset(
            "wikipedia",
            opener="roll",
            ace_bids="halve",
            palifico_once=True,
            calza="turn",
            calza_reward="bidder-loses",
        ),
        Ruleset(
            "perudo_com",
            bidding_rule="no-reset",
            ace_bids="halve",
            palifico_change="ex-palifico",
            palifico_min_players=3,
            calza="others",
            calza_in_palifico=False,
        ),
        Ruleset("bga", ace_bids="halve", palifico_change="one-die"),
        Ruleset("neller", ace_bids="double", palifico="off", loss="difference", next_opener="winner"),
        Ruleset("openspiel", players=(2, 2), dice=1, palifico="off", wild_face=6, one_round=True),
        Ruleset(
            "rdr",
            palifico="off",
            wild_face=None,
            calza="turn",
            calza_reward="others-lose",
            next_opener="rotate",
        ),
        Ruleset("snyd", players=(2, 2), palifico="off", one_round=True),
    )
}

DEFAULT = "standard"


def preset(name: str) -> Ruleset:
    """The preset called `name`. Raises `RulesetError`, with the nearest name."""
    try:
        return PRESETS[name]
    except KeyError:
        near = get_close_matches(name, PRESETS, 1)
        hint = f"did you mean {near[0]}?" if near else f"presets: {', '.join(PRESETS)}"
        raise RulesetError("ruleset", f"no preset {name!r}; {hint}") from None
