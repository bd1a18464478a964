"""A ruleset in words: complete, true, and with its sources."""

from __future__ import annotations

import random
from itertools import chain

import pytest

from arena.game import CHOICES, OPTIONS, PRESETS, Bid, Dice, Game, Ruleset, RulesetError, preset
from arena.game.explain import GROUPS, NO_EFFECT, SUMMARIES, differences, matters, sentences
from arena.game.sources import ORIGINS, PAGES, SOURCES, Kind, base_of, source_of

OTHER_VALUES: dict[str, list[object]] = {
    **{option: list(values) for option, values in CHOICES.items()},
    **{option: [True, False] for option in OPTIONS if isinstance(getattr(Ruleset(), option), bool)},
    "palifico_min_players": [2, 3, 4],
}


def changed(rules: Ruleset, option: str) -> list[Ruleset]:
    """The same rules with every other value of an option that may be had."""
    found = []
    for value in OTHER_VALUES.get(option, []):
        try:
            found.append(rules.with_options({option: value}))
        except RulesetError:
            continue
    return [other for other in found if other is not rules]


def history(rules: Ruleset, seed: int) -> list[object]:
    """A game at random, as text: the same rules in effect give the same."""
    chance = random.Random(seed)
    low, high = rules.players
    game = Game(rules, low + seed % (high - low + 1), Dice(bytes([seed])))
    while game.ask is not None:
        ask = game.ask
        bids = [Bid(q, f) for f in range(1, 7) for q in range(ask.minimums[f - 1], ask.maximum + 1)]
        if ask.words and (not bids or chance.random() < 0.4):
            game.answer(chance.choice(ask.words))
        else:
            game.answer(min(chance.choices(bids, k=3)))
    return [game.places, game.rounds]


def test_every_option_stands_in_one_group() -> None:
    assert sorted(chain.from_iterable(group.options for group in GROUPS)) == sorted(OPTIONS)


@pytest.mark.parametrize("name", PRESETS)
def test_every_option_has_a_sentence_that_can_be_printed(name: str) -> None:
    said = sentences(preset(name))
    assert list(said) == list(OPTIONS)
    for sentence in said.values():
        assert len(sentence) >= 9
        assert sentence == sentence.strip()
        assert sentence[-1] not in ".;,"


@pytest.mark.parametrize("name", PRESETS)
def test_another_value_has_another_sentence(name: str) -> None:
    rules = preset(name)
    for option in OPTIONS:
        for other in changed(rules, option):
            assert sentences(other)[option] != sentences(rules)[option]


@pytest.mark.parametrize("name", PRESETS)
def test_an_option_said_not_to_matter_does_not(name: str) -> None:
    rules = preset(name)
    for option in (option for option in OPTIONS if not matters(rules, option)):
        for other in changed(rules, option):
            for seed in range(12):
                assert history(other, seed) == history(rules, seed), (option, other.name)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "the player who lost a die opens the next round"),
        ({"calza": "turn"}, "; after a calza, right or wrong, its caller does"),
        ({"calza": "turn", "calza_reward": "bidder-loses"}, "lost a die opens the next round"),
        (
            {"calza": "turn", "calza_reward": "bidder-loses", "next_opener": "winner"},
            "who lost a die does",
        ),
        ({"calza": "turn", "next_opener": "rotate"}, "against the direction of play"),
        ({"tabba": "call", "next_opener": "winner"}, "; after a tabba its bidder does"),
    ],
)
def test_who_opens_is_said_for_every_way_a_round_can_end(options: dict[str, str], told: str) -> None:
    assert sentences(Ruleset().with_options(options))["next_opener"].endswith(told)


# -- differences -------------------------------------------------------------------------------------


def test_differences_are_told_in_the_order_of_play() -> None:
    found = list(differences(preset("santaba"), preset("mso")))
    assert [(d.option, *d.values) for d in found] == [
        ("palifico", "call", "off"),
        ("palifico_change", "one-die", "nobody"),
        ("tabba", "call", "reject"),
    ]
    assert found[0].sentences[1] == "there are no palifico rounds"
    assert found[1].sentences[1] == NO_EFFECT


@pytest.mark.parametrize("name", PRESETS)
def test_a_ruleset_does_not_differ_from_itself(name: str) -> None:
    assert list(differences(preset(name), preset(name))) == []


def test_what_has_no_effect_in_both_is_no_difference() -> None:
    assert (
        list(differences(preset("pacos"), preset("pacos").with_options({"calza_at_cap": False}))) == []
    )


# -- sources -----------------------------------------------------------------------------------------


def test_every_preset_says_in_a_line_what_it_is_and_whence() -> None:
    assert list(SUMMARIES) == list(ORIGINS) == list(PRESETS)
    assert all(line.endswith(".") for line in ORIGINS.values())
    assert all(not line.endswith(".") for line in SUMMARIES.values())


@pytest.mark.parametrize("name", PAGES)
def test_every_option_of_a_text_has_a_source(name: str) -> None:
    assert list(SOURCES[name]) == list(OPTIONS)
    for option, source in SOURCES[name].items():
        assert 0 < len(source.remark) <= 100
        if source.kind is Kind.NOTHING:
            assert not matters(preset(name), option)
        assert source_of(preset(name), option) == source


def test_what_is_unconfirmed_of_other_presets_names_options_of_theirs() -> None:
    for name in SOURCES.keys() - PAGES.keys():
        assert SOURCES[name].keys() <= set(OPTIONS)
        assert all(source.kind is Kind.UNCONFIRMED for source in SOURCES[name].values())


def test_a_changed_option_has_no_source_and_the_others_keep_theirs() -> None:
    rules = preset("santaba").with_options({"calza": "off"})
    assert base_of(rules) == preset("santaba")
    assert source_of(rules, "calza") is None
    assert source_of(rules, "tabba") == SOURCES["santaba"]["tabba"]
    assert base_of(Ruleset("mine")) is None
    assert source_of(Ruleset("mine"), "calza") is None
