"""Rulesets as data: every bad value of every option is refused by name; options as flags write them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest

from arena.game import (
    CHOICES,
    DEFAULT,
    OPTIONS,
    PRESETS,
    Ruleset,
    RulesetError,
    parse_option,
    preset,
)

BAD_VALUES: dict[str, list[Any]] = {
    **{option: ["", "no such value", "Off", None, 1, True, ("off",), [], {}] for option in CHOICES},
    **{
        option: [0, 1, None, "true", "yes"]
        for option in ("calza_at_cap", "calza_in_palifico", "palifico_once", "one_round")
    },
    "players": [2, "2,6", None, (2,), (2, 6, 6), (1, 6), (2, 7), (6, 2), (0, 0), (2.0, 6), (True, 6)],
    "dice": [0, -1, 31, 2.5, "5", None, True, (), (5, 0), (5, "5"), (5,), (5,) * 7, (5, 31)],
    "palifico_min_players": [0, 1, 7, "2", None, 2.0, True],
    "wild_face": [0, 7, -1, "1", 1.0, True, "none"],
}


def error_of(**options: Any) -> RulesetError:
    with pytest.raises(RulesetError) as error:
        Ruleset(**options)
    return error.value


def test_every_option_has_bad_values_here() -> None:
    assert set(BAD_VALUES) == set(OPTIONS)
    assert set(OPTIONS) == {field.name for field in dataclasses.fields(Ruleset)} - {"name"}


@pytest.mark.parametrize(
    ("option", "value"), [(option, value) for option, values in BAD_VALUES.items() for value in values]
)
def test_a_bad_value_is_refused_by_the_options_name(option: str, value: Any) -> None:
    error = error_of(**{option: value})
    assert error.option == option
    assert str(error).startswith(f"{option}: ")
    assert "\n" not in str(error)


@pytest.mark.parametrize("option", CHOICES)
def test_a_bad_choice_is_refused_with_all_good_ones(option: str) -> None:
    told = str(error_of(**{option: "no such value"}))
    assert "'no such value'" in told
    assert all(value in told for value in CHOICES[option])


@pytest.mark.parametrize(
    ("options", "blamed"),
    [
        ({"ace_bids": "halve", "wild_face": None}, "ace_bids"),
        ({"ace_bids": "double", "wild_face": 6}, "ace_bids"),
        ({"ace_bids": "halve", "bidding_rule": "reset-quantity"}, "bidding_rule"),
        ({"dice": (5, 4, 3), "players": (2, 2)}, "dice"),
        ({"dice": (5, 4), "players": (3, 6)}, "dice"),
    ],
)
def test_what_does_not_go_together(options: dict[str, Any], blamed: str) -> None:
    assert error_of(**options).option == blamed


def test_every_choice_is_explained_and_can_be_had() -> None:
    for option, values in CHOICES.items():
        for value, meaning in values.items():
            assert len(meaning) > 20
            assert not meaning.endswith(".")
            assert getattr(Ruleset().with_options({option: value}), option) == value


def test_a_ruleset_is_a_value() -> None:
    assert Ruleset() == PRESETS["standard"]
    assert hash(Ruleset()) == hash(PRESETS["standard"])
    with pytest.raises(dataclasses.FrozenInstanceError):
        Ruleset().dice = 4  # type: ignore[misc]


# -- presets -----------------------------------------------------------------------------------------


def test_presets_are_called_by_their_names() -> None:
    assert all(preset(name).name == name for name in PRESETS)
    assert preset(DEFAULT) == Ruleset()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("satnaba", "did you mean santaba?"),
        ("Standard", "did you mean standard?"),
        ("x", "presets: santaba"),
    ],
)
def test_an_unknown_preset_is_refused_with_the_nearest(name: str, told: str) -> None:
    with pytest.raises(RulesetError) as error:
        preset(name)
    assert error.value.option == "ruleset"
    assert repr(name) in str(error.value)
    assert told in str(error.value)


@pytest.mark.parametrize("name", PRESETS)
def test_seats_and_starting_dice(name: str) -> None:
    rules = preset(name)
    low, high = rules.players
    for players in range(9):
        assert rules.seats(players) == (low <= players <= high)
        if rules.seats(players):
            assert rules.starting_dice(players) == (rules.dice_cap,) * players
        else:
            with pytest.raises(RulesetError, match=f"players: {players} players cannot play {name}"):
                rules.starting_dice(players)


def test_a_number_of_dice_for_every_seat() -> None:
    rules = Ruleset(dice=(5, 2, 4))
    assert rules.dice_cap == 5
    assert rules.starting_dice(3) == (5, 2, 4)
    assert [players for players in range(9) if rules.seats(players)] == [3]
    with pytest.raises(RulesetError, match="its dice are given for 3 seats"):
        rules.starting_dice(2)


# -- changing options --------------------------------------------------------------------------------


def test_changed_options_are_told_in_the_name() -> None:
    rules = preset("standard").with_options({"calza": "turn", "one_round": True, "dice": [5, 3]})
    assert rules.name == "standard calza=turn one_round=true dice=5,3"
    assert (rules.calza, rules.one_round, rules.dice) == ("turn", True, (5, 3))
    assert rules.with_options({"wild_face": "none"}).name.endswith(" dice=5,3 wild_face=none")


@pytest.mark.parametrize("name", PRESETS)
def test_options_as_they_are_change_nothing(name: str) -> None:
    rules = preset(name)
    assert rules.with_options({}) is rules
    assert rules.with_options(rules.options()) is rules
    as_written = {
        option: list(value) if isinstance(value, tuple) else "none" if value is None else value
        for option, value in rules.options().items()
    }
    assert rules.with_options(as_written) is rules


@pytest.mark.parametrize("none", ["none", 0, None])
def test_no_wild_face(none: object) -> None:
    assert Ruleset().with_options({"wild_face": none}).wild_face is None


@pytest.mark.parametrize(
    ("options", "blamed"),
    [
        ({"wild_face": False}, "wild_face"),
        ({"wild_face": True}, "wild_face"),
        ({"palifico_once": 0}, "palifico_once"),
        ({"calza_at_cap": 1}, "calza_at_cap"),
        ({"palifico_min_players": 2.0}, "palifico_min_players"),
        ({"dice": 5.0}, "dice"),
        ({"dice": []}, "dice"),
        ({"players": [2, 7]}, "players"),
        ({"calza": [["turn"]]}, "calza"),
        ({"name": "mine"}, "name"),
        ({"calzo": "turn"}, "calzo"),
    ],
)
def test_a_bad_change(options: Mapping[str, Any], blamed: str) -> None:
    with pytest.raises(RulesetError) as error:
        preset("standard").with_options(options)
    assert error.value.option == blamed


def test_an_unknown_option_is_refused_with_the_nearest() -> None:
    with pytest.raises(RulesetError, match=r"calzo: no such option; did you mean calza\?"):
        Ruleset().with_options({"calzo": "turn"})
    with pytest.raises(RulesetError, match="zzzz: no such option; options: players, dice"):
        Ruleset().with_options({"zzzz": "turn"})


# -- options as flags --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "option", "value"),
    [
        ("calza=turn", "calza", "turn"),
        (" calza = turn ", "calza", "turn"),
        ("one-round=true", "one_round", True),
        ("one_round=false", "one_round", False),
        ("dice=4", "dice", 4),
        ("dice=5,3", "dice", [5, 3]),
        ("players=2, 6", "players", [2, 6]),
        ("wild-face=none", "wild_face", "none"),
        ("wild_face=0", "wild_face", 0),
        ("bidding_rule=no-reset", "bidding_rule", "no-reset"),
        ("dice=-1", "dice", "-1"),
        ("dice=2.5", "dice", "2.5"),
        ("dice=5,", "dice", "5,"),
        ("a=b=c", "a", "b=c"),
    ],
)
def test_parse_option(text: str, option: str, value: object) -> None:
    assert parse_option(text) == (option, value)
    assert type(parse_option(text)[1]) is type(value)


@pytest.mark.parametrize("text", ["", "calza", "=", "calza=", "=turn", "  =  "])
def test_what_is_no_option(text: str) -> None:
    with pytest.raises(RulesetError, match="write option=value"):
        parse_option(text)


def test_every_option_can_be_given_as_a_flag() -> None:
    for name, rules in PRESETS.items():
        for option, value in rules.options().items():
            written = (
                ",".join(map(str, value))
                if isinstance(value, tuple)
                else "none"
                if value is None
                else str(value).lower()
            )
            found = preset(name).with_options(dict([parse_option(f"{option}={written}")]))
            assert found is rules
