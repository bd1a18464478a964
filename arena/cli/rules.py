"""`arena rules`: the presets, and a ruleset in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena.game import Ruleset

WIDEST = 96


@click.command()
@click.argument("name", required=False)
@click.option("--diff", "other", metavar="NAME", help="Show only what differs from this ruleset.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def rules(name: str | None, other: str | None, as_json: bool) -> None:
    """List the rulesets, or explain the one called NAME (a preset or a FILE.toml)."""
    import json
    from pathlib import Path

    from arena.game import PRESETS
    from arena.tournament.file import find_ruleset

    if other is not None:
        if name is None:
            raise click.UsageError("--diff compares two rulesets: arena rules NAME --diff NAME")
        one, two = (find_ruleset(text, Path()) for text in (name, other))
        if as_json:
            click.echo(json.dumps(_diff_as_json((name, other), (one, two)), indent=2))
        else:
            _diff((name, other), (one, two))
    elif as_json:
        found = PRESETS.values() if name is None else [find_ruleset(name, Path())]
        told = [_as_json(ruleset) for ruleset in found]
        click.echo(json.dumps(told if name is None else told[0], indent=2))
    elif name is None:
        _list()
    else:
        _explain(find_ruleset(name, Path()))


def _list() -> None:
    from arena.game import DEFAULT, PRESETS
    from arena.game.explain import SUMMARIES

    width = max(map(len, PRESETS)) + 2
    for preset in PRESETS:
        mark = " (the default)" if preset == DEFAULT else ""
        _wrap(f"{preset:{width}}{SUMMARIES[preset]}{mark}", hang=width)


def _explain(ruleset: Ruleset) -> None:
    from arena.game.explain import GROUPS, SUMMARIES, matters, sentences
    from arena.game.ruleset import write_value
    from arena.game.sources import ORIGINS, base_of, page_of

    base = base_of(ruleset)
    summary = SUMMARIES.get(ruleset.name, f"{base.name}, changed" if base else "a changed preset")
    _wrap(f"{ruleset.name}: {summary}")
    if base is not None:
        _wrap(f"From: {ORIGINS[base.name]} More in {page_of(base.name)}.")
    meaning = sentences(ruleset)
    for group in GROUPS:
        click.echo()
        click.echo(click.style(group.title, bold=True))
        for line in group.holds(ruleset):
            _wrap(line, 2, 2)
        for option in group.options:
            if matters(ruleset, option):
                _wrap(f"{option} = {write_value(getattr(ruleset, option))}", 2, 6, cyan=True)
                _wrap(_sentence(meaning[option]), 6, 6)
                _wrap(_why(ruleset, option), 6, 8, dim=True)
    click.echo()
    _wrap(
        "What stands without an option holds in every ruleset. Change an option with -o OPTION=VALUE, "
        "or write a ruleset file with base = and options."
    )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _why(ruleset: Ruleset, option: str) -> str:
    """Where the value comes from, "" where nothing is to be said."""
    from arena.game.sources import base_of, source_of

    source = source_of(ruleset, option)
    if source is not None:
        see = f" ({source.see.replace(' ', ', ')})" if source.see else ""
        return f"[{source.kind}] {source.remark}{see}"
    base = base_of(ruleset)
    changed = base is not None and getattr(base, option) != getattr(ruleset, option)
    return f"[changed from {base.name}]" if base is not None and changed else ""


def _diff(names: tuple[str, str], both: tuple[Ruleset, Ruleset]) -> None:
    from arena.game.explain import differences

    found = list(differences(*both))
    one, two = names
    if not found:
        click.echo(f"{one} and {two} play alike.")
        return
    plural = "option" if len(found) == 1 else "options"
    _wrap(f"{one} and {two} differ in {len(found)} {plural}; their other options are equal.")
    width = max(map(len, names))
    for option, values, meanings in found:
        click.echo()
        click.echo(click.style(option, fg="cyan"))
        for name, value, sentence in zip(names, values, meanings, strict=True):
            _wrap(f"{name:{width}}  {value}: {_sentence(sentence)}", 2, width + 6)


def _diff_as_json(names: tuple[str, str], both: tuple[Ruleset, Ruleset]) -> dict[str, Any]:
    from arena.game.explain import differences

    options = {
        option: [
            {"ruleset": name, "value": getattr(ruleset, option), "sentence": sentence}
            for name, ruleset, sentence in zip(names, both, meanings, strict=True)
        ]
        for option, _, meanings in differences(*both)
    }
    return {"rulesets": names, "differences": options}


def _as_json(ruleset: Ruleset) -> dict[str, Any]:
    from arena.game.explain import GROUPS, SUMMARIES, matters, sentences
    from arena.game.sources import ORIGINS, base_of, page_of, source_of

    base = base_of(ruleset)
    values = ruleset.options()
    meaning = sentences(ruleset)
    options: dict[str, Any] = {}
    for option in (option for group in GROUPS for option in group.options):
        options[option] = {
            "value": values[option],
            "sentence": meaning[option],
            "matters": matters(ruleset, option),
        }
        source = source_of(ruleset, option)
        if source is not None:
            kind = source.kind.name.lower()
            options[option]["source"] = {
                "kind": kind,
                "remark": source.remark,
                "see": source.see.split(),
            }
    return {
        "name": ruleset.name,
        "summary": SUMMARIES.get(ruleset.name, ""),
        "base": base.name if base else "",
        "from": ORIGINS[base.name] if base else "",
        "page": page_of(base.name) if base else "",
        "always": [line for group in GROUPS for line in group.holds(ruleset)],
        "options": options,
    }


def _wrap(text: str, first: int = 0, hang: int = 0, *, cyan: bool = False, dim: bool = False) -> None:
    """Print a paragraph no wider than the terminal, its later lines indented by `hang`."""
    from shutil import get_terminal_size
    from textwrap import fill

    if not text:
        return
    width = max(40, min(WIDEST, get_terminal_size((WIDEST, 24)).columns))
    filled = fill(
        text,
        width,
        initial_indent=" " * first,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    click.echo(click.style(filled, fg="cyan" if cyan else None, dim=dim or None))
