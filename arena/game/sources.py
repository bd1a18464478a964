"""Where every option of a preset comes from: the rule text, its examples, or a reading of ours.

The decisions named here (S1, U2 ...) are explained, with their reasons, on the pages of `docs/rules/`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from arena.game.presets import PRESETS
from arena.game.ruleset import Ruleset


class Kind(StrEnum):
    """How well an option's value is founded."""

    TEXT = "the text says so"
    EXAMPLE = "only its worked example shows it"
    READING = "our reading"
    UNCONFIRMED = "unconfirmed"
    NOTHING = "no effect"


class Source(NamedTuple):
    """`remark` says what the text has; `see` lists the decisions that explain it."""

    kind: Kind
    remark: str
    see: str = ""


TEXT, EXAMPLE, READING = Kind.TEXT, Kind.EXAMPLE, Kind.READING
NO_CALZA = Source(Kind.NOTHING, "there is no calza")

ORIGINS = {
    "santaba": 'FISA, "Perudo Santaba", the basic rules. Its Doodoo is our dudo, its Calzone palifico, '
    "its Jonti calza.",
    "standard": 'a dice-app site, "How to Play Perudo: Complete Rules and Setup".',
    "pacos": "a page after the French rules, cut off behind its Dudo example. Its Pacos are our aces.",
    "palafico": 'University Games style, "Peruvian Liars Dice". Its Palafico is our palifico.',
    "mso": "the tournament rules of the Mind Sports Olympiad, which reuse the text of santaba.",
    "wikipedia": 'the article "Dudo" of the English Wikipedia.',
    "perudo_com": "the text of perudo.com, close to palafico, with Calza as players added it.",
    "bga": "the game help of BoardGameArena, after the Asmodee booklet; not all of it seen.",
    "neller": "papers by Neller, Lanctot and Hnath; the order of claims as other programs have it.",
    "openspiel": "the game liars_dice of the OpenSpiel library, with its default parameters.",
    "rdr": "liar's dice in the video game Red Dead Redemption, as its wiki describes it.",
    "snyd": "Thomas Ahle's liar's dice and dudo.ai: two players and one round.",
}
"""Where each preset comes from, and how the four rule texts name our calls."""

PAGES = {name: f"docs/rules/{name}.md" for name in ("santaba", "standard", "pacos", "palafico")}
"""The page of each rule text; of every other preset it is `page_of`'s."""

SOURCES: dict[str, dict[str, Source]] = {
    "santaba": {
        "players": Source(READING, "no number is named; the examples have three players", "S13"),
        "dice": Source(TEXT, "five dice each, and never more than five in play"),
        "opener": Source(TEXT, "highest single die; a tie is rolled again by the tied", "S12"),
        "bidding_rule": Source(
            READING,
            '"raise either ... (or both)" could loop; in the examples only the face ever falls',
            "S1",
        ),
        "ace_bids": Source(TEXT, "half of the next even number; twice and one back", "S2 S3 S4"),
        "palifico": Source(TEXT, "whoever lost a die and has one left may call Calzone", "S10"),
        "palifico_change": Source(
            EXAMPLE, "one-die players may change the face; how, example 5 shows (3x2, then 3x3)", "S16"
        ),
        "palifico_min_players": Source(READING, "two are not excluded, as they are for Jonti", "S11"),
        "tabba": Source(TEXT, '"if noticed", the offender forfeits the round', "S9"),
        "calza": Source(
            EXAMPLE,
            '"adjacent" means the next player: in example 6 the player before the bidder calls',
            "S5 S8",
        ),
        "calza_at_cap": Source(READING, '"should only be called" below five dice: taken as must', "S6"),
        "wild_face": Source(TEXT, "aces are wild, but not in a Calzone round"),
        "loss": Source(TEXT, '"loses a die"'),
        "next_opener": Source(TEXT, "who just lost a die leads; a right Jonti's caller, too", "S7"),
        "calza_reward": Source(TEXT, "the caller is awarded a die, up to five"),
        "calza_in_palifico": Source(READING, "Jonti is not excluded from Calzone rounds", "S15"),
        "palifico_once": Source(READING, "no limit is named", "S10"),
        "one_round": Source(READING, "the end of the game is not stated", "S13"),
    },
    "standard": {
        "players": Source(TEXT, "two to six; beyond six it gets slow"),
        "dice": Source(TEXT, "five each; a calza never leads past the starting five"),
        "opener": Source(TEXT, '"any agreed player opens"; the arena agrees on seat 0'),
        "bidding_rule": Source(TEXT, "the only two legal ways are listed, with both wrong ones"),
        "ace_bids": Source(READING, "no word about bids on ones, so they are bids like any other", "D1"),
        "palifico": Source(TEXT, "the moment a player is knocked down to his last die"),
        "palifico_change": Source(TEXT, "the face is locked for the entire round"),
        "palifico_min_players": Source(READING, "two players are not excluded", "D8"),
        "tabba": Source(READING, "no penalty is named: a locked face cannot be changed", "D10"),
        "calza": Source(TEXT, "a variant to agree on: off, unless you say -o calza=turn", "D2 D5"),
        "calza_at_cap": Source(TEXT, "he may call, but never gets past five"),
        "wild_face": Source(TEXT, "ones are wild, but not in a Palifico round"),
        "loss": Source(TEXT, "one die per round, from one of the two"),
        "next_opener": Source(TEXT, "who lost a die opens", "D4 D6"),
        "calza_reward": Source(TEXT, "the caller regains a lost die"),
        "calza_in_palifico": Source(READING, "not excluded", "D11"),
        "palifico_once": Source(
            READING, "every knock-down counts; the text leaves it to the house", "D7"
        ),
        "one_round": Source(TEXT, "the last player still holding any dice wins"),
    },
    "pacos": {
        "players": Source(TEXT, "2 to 6"),
        "dice": Source(TEXT, "five dice of one colour each", "P1"),
        "opener": Source(READING, '"roll the dice": how is not said, so as in santaba', "P7"),
        "bidding_rule": Source(READING, '"more dice" of any face, as its relatives have it', "P2 P3"),
        "ace_bids": Source(TEXT, "at least half, rounded up; double plus one; no opening on them", "P4"),
        "palifico": Source(READING, "the end of the text is lost; its relatives have it so", "P5"),
        "palifico_change": Source(READING, "a fragment: one can only raise the number of dice", "P5"),
        "palifico_min_players": Source(READING, "no fragment excludes two players", "P5"),
        "tabba": Source(READING, "no fragment names a penalty", "P5"),
        "calza": Source(READING, "what is left of the text does not have it", "P5"),
        "calza_at_cap": NO_CALZA,
        "wild_face": Source(TEXT, "Pacos count as jokers"),
        "loss": Source(TEXT, '"loses a die"'),
        "next_opener": Source(READING, "the end of the text is lost; its relatives have it so", "P5"),
        "calza_reward": NO_CALZA,
        "calza_in_palifico": NO_CALZA,
        "palifico_once": Source(Kind.NOTHING, "no die ever comes back"),
        "one_round": Source(READING, "not losing one's dice is the aim; the end is lost", "P5"),
    },
    "palafico": {
        "players": Source(READING, "no number is named", "L9"),
        "dice": Source(TEXT, "five dice each"),
        "opener": Source(READING, '"Player 1" starts; who that is, is not said', "L8"),
        "bidding_rule": Source(READING, "of the three ways listed, none lowers a part", "L1"),
        "ace_bids": Source(TEXT, "halved, rounded up; doubled plus one; no opening on them", "L2"),
        "palifico": Source(TEXT, "whoever loses the fourth die declares himself Palafico"),
        "palifico_change": Source(
            READING, "former Palaficos may change the number; that the quantity rises is ours", "L4 L5"
        ),
        "palifico_min_players": Source(TEXT, "not when only two players are left", "L7"),
        "tabba": Source(READING, '"may not change the number", with no penalty named', "L10"),
        "calza": Source(TEXT, "a turn has two choices: bid or Dudo"),
        "calza_at_cap": NO_CALZA,
        "wild_face": Source(READING, 'only implied: "not wild, for this round only"', "L3"),
        "loss": Source(TEXT, "only one player may lose a die in each round"),
        "next_opener": Source(TEXT, "who lost a die; if he is out, the player to his left"),
        "calza_reward": NO_CALZA,
        "calza_in_palifico": NO_CALZA,
        "palifico_once": Source(Kind.NOTHING, "no die ever comes back"),
        "one_round": Source(TEXT, "the last player left with dice wins"),
    },
    "bga": {
        "opener": Source(Kind.UNCONFIRMED, "random on the site; here the bots change seats instead"),
        "palifico_change": Source(Kind.UNCONFIRMED, "seen only in tests of a program of this style"),
        "palifico_min_players": Source(Kind.UNCONFIRMED, "no exclusion of two players was found"),
        "calza": Source(Kind.UNCONFIRMED, "a table option of the site; -o calza=turn switches it on"),
        "bidding_rule": Source(Kind.UNCONFIRMED, "the site has an option for it, its values unseen"),
    },
}
"""preset -> option -> source: every option of the four rule texts, what is doubtful of the others."""


def base_of(ruleset: Ruleset) -> Ruleset | None:
    """The preset that a ruleset is, or was changed from; None if its name tells none."""
    return PRESETS.get(ruleset.name.partition(" ")[0])


def source_of(ruleset: Ruleset, option: str) -> Source | None:
    """Where the value of this option comes from, if that is known; None if it was changed."""
    base = base_of(ruleset)
    if base is None or getattr(base, option) != getattr(ruleset, option):
        return None
    return SOURCES.get(base.name, {}).get(option)


def page_of(preset: str) -> str:
    """The page of the documentation about a preset."""
    return PAGES.get(preset, "docs/rules/presets.md")
