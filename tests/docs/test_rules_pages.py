"""The pages about the rules agree with the code: options, values, sentences, sources, decisions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.game import CHOICES, OPTIONS, PRESETS, preset
from arena.game.ruleset import write_value
from arena.game.sources import PAGES, SOURCES, page_of

ROOT = Path(__file__).parents[2]
PAGE_NAMES = ("README", "santaba", "standard", "pacos", "palafico", "options", "presets")
TEXTS = {name: (ROOT / "docs" / "rules" / f"{name}.md").read_text() for name in PAGE_NAMES}
DECISIONS = {
    "santaba": [f"S{n}" for n in range(1, 17)],
    "standard": [f"D{n}" for n in range(1, 12)],
    "pacos": [f"P{n}" for n in range(1, 8)],
    "palafico": [f"L{n}" for n in range(1, 11)],
    "README": [f"U{n}" for n in range(1, 9)],
}


def section(page: str, heading: str) -> str:
    """The text under a heading, up to the next of its rank or above."""
    rank = heading.index(" ")
    return re.split(rf"^#{{1,{rank}}} ", TEXTS[page].split(f"\n{heading}\n")[1], flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in re.findall(r"^\|.*", text, re.M)
    ]


# -- decisions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", DECISIONS)
def test_every_decision_stands_on_its_page_in_order_with_a_reason(page: str) -> None:
    found = re.findall(r'^<a id="(\w+)"></a>\*\*(\w+)\. ', TEXTS[page], re.M)
    assert [name for _, name in found] == DECISIONS[page]
    assert all(anchor == name.lower() for anchor, name in found)
    for decision in DECISIONS[page]:
        told = TEXTS[page].split(f"**{decision}. ")[1].split("\n\n")[0]
        assert len(told) > 50, decision


def test_every_decision_that_a_source_names_exists() -> None:
    for name, options in SOURCES.items():
        for option, source in options.items():
            for decision in source.see.split():
                assert decision in DECISIONS[name], f"{name} {option}: {decision}"


def test_links_to_decisions_lead_somewhere() -> None:
    for page, text in TEXTS.items():
        for target, anchor in re.findall(r"\]\(([\w.]*)#(\w+)\)", text):
            there = Path(target).stem if target else page
            assert f'<a id="{anchor}"></a>' in TEXTS[there], f"{page}: {target}#{anchor}"


# -- options -----------------------------------------------------------------------------------------


def test_every_option_has_a_section_in_the_order_of_the_command() -> None:
    from arena.game.explain import GROUPS

    told = re.findall(r"^### `(\w+)`$", TEXTS["options"], re.M)
    assert told == [option for group in GROUPS for option in group.options]
    assert set(told) == set(OPTIONS)


@pytest.mark.parametrize("option", CHOICES)
def test_every_choice_is_listed_with_its_sentence(option: str) -> None:
    table = rows(section("options", f"### `{option}`"))[2:]
    assert [row[:2] for row in table] == [
        [f"`{value}`", text] for value, text in CHOICES[option].items()
    ]


@pytest.mark.parametrize("option", [option for option in OPTIONS if option not in CHOICES])
def test_every_value_that_a_preset_has_is_listed(option: str) -> None:
    listed = " ".join(row[0] for row in rows(section("options", f"### `{option}`"))[2:])
    ranges = [range(int(a), int(b) + 1) for a, b in re.findall(r"`(\d+)` to `(\d+)`", listed)]
    for rules in PRESETS.values():
        value = getattr(rules, option)
        assert f"`{write_value(value)}`" in listed or any(value in numbers for numbers in ranges)


@pytest.mark.parametrize("option", OPTIONS)
def test_presets_stand_beside_the_values_they_have(option: str) -> None:
    for value, _, names in rows(section("options", f"### `{option}`"))[2:]:
        for name in names.split(", ") if names not in ("", "all", "all others") else []:
            ends = [int(text) for text in re.findall(r"\d+", value)] if " to " in value else None
            has = getattr(preset(name), option)
            assert ends[0] <= has <= ends[1] if ends else value == f"`{write_value(has)}`", (
                option,
                name,
            )


def test_what_always_holds_is_on_the_page_as_the_command_says_it() -> None:
    from arena.game.explain import GROUPS

    for group in GROUPS:
        assert " ".join(group.always) in " ".join(section("options", f"## {group.title}").split())


# -- the four texts, and the other presets -----------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_the_options_of_a_text_are_those_of_its_preset_with_their_sources(name: str) -> None:
    rules = preset(name)
    expected = []
    for option in OPTIONS:
        source = SOURCES[name][option]
        links = [f"[{decision}](#{decision.lower()})" for decision in source.see.split()]
        kind = source.kind.name.lower().replace("nothing", "no effect")
        value = write_value(getattr(rules, option))
        expected.append([f"`{option}`", f"`{value}`", " ".join([kind, *links])])
    assert rows(section(name, "## In options"))[2:] == expected


@pytest.mark.parametrize("name", PAGES)
def test_a_text_has_all_parts(name: str) -> None:
    headings = re.findall(r"^## (.*)", TEXTS[name], re.M)
    order = ["In options", "Every rule, in the order of the text", "What had to be decided"]
    assert headings == [*order, "Its worked examples"]
    assert PAGES[name] == f"docs/rules/{name}.md"


def test_every_other_preset_has_its_section() -> None:
    others = [name for name in PRESETS if name not in PAGES]
    assert re.findall(r"^## (\w+)$", TEXTS["presets"], re.M) == others
    assert all((ROOT / page_of(name)).exists() for name in PRESETS)


def test_values_on_the_presets_page_are_true() -> None:
    for name in (name for name in PRESETS if name not in PAGES):
        for option, value in re.findall(r"\(`(\w+) = ([\w-]+)`\)", section("presets", f"## {name}")):
            assert write_value(getattr(preset(name), option)) == value
