"""`arena rules`: the presets, and a ruleset in words."""

from __future__ import annotations

import click


@click.command()
@click.argument("name", required=False)
def rules(name: str | None) -> None:
    """List the rulesets, or explain the one called NAME (a preset or a FILE.toml)."""
    from pathlib import Path

    from arena.game import DEFAULT, PRESETS
    from arena.game.explain import SUMMARIES, matters, sentences
    from arena.tournament.file import find_ruleset

    if name is None:
        width = max(map(len, PRESETS))
        for preset in PRESETS:
            mark = " (the default)" if preset == DEFAULT else ""
            click.echo(f"{preset:{width}}  {SUMMARIES[preset]}{mark}")
        return
    ruleset = find_ruleset(name, Path())
    click.echo(f"{ruleset.name}: {SUMMARIES.get(ruleset.name, 'a changed preset')}\n")
    values = ruleset.options()
    for option, sentence in sentences(ruleset).items():
        if matters(ruleset, option):
            value = values[option]
            told = ",".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()
            click.echo(f"{option + ' = ' + told:32}  {sentence}")
    click.echo("\nChange one with -o OPTION=VALUE, or write a ruleset file with base = and options.")
