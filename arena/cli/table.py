"""`arena table`: the standings of one or several tournaments."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import click

from arena.cli.common import Number
from arena.errors import ConfigError


@click.command()
@click.argument(
    "folders",
    metavar="DIR...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option(
    "--by", type=click.Choice(["rating", "points", "wins"]), default="rating", show_default=True
)
@click.option(
    "--columns", metavar="A,B,...", help="Which columns, in which order; an unknown one lists them."
)
@click.option("--exclude", multiple=True, metavar="BOT", help="Leave out the games of this bot.")
@click.option("--anchor", metavar="BOT[=POINTS]", help="Hold this bot at POINTS, or at 1500.")
@click.option(
    "--offset", type=Number(), metavar="POINTS", help="Mean of the rated bots, instead of 1500."
)
@click.option(
    "--prior",
    type=Number(min=0, max=1e6),
    default=0.0,
    metavar="DRAWS",
    help="Give each bot DRAWS virtual draws against one ghost, so that all have a rating.",
)
@click.option(
    "--each",
    type=click.Choice(["players", "ruleset", "folder"]),
    help="Rate the tournaments apart: by size of the tables, by ruleset, or each DIR.",
)
@click.option("--superiority", is_flag=True, help="How sure it is, for each pair, which is better.")
@click.option("--upsets", is_flag=True, help="Who beats whom against the order of the ratings.")
@click.option("--seats", is_flag=True, help="What each seat is worth.")
@click.option("--json", "form", flag_value="json", help="As JSON.")
@click.option("--csv", "form", flag_value="csv", help="As CSV.")
def table(
    folders: tuple[Path, ...],
    columns: str | None,
    form: str | None,
    anchor: str | None,
    offset: float | None,
    each: str | None,
    superiority: bool,
    upsets: bool,
    seats: bool,
    **options: Any,
) -> None:
    """Show the standings of the tournament in DIR, or of several rated together."""
    from arena.report import apart, text
    from arena.report.logs import names_of, read_logs
    from arena.report.sections import SECTIONS, show_section, write_section_csv
    from arena.report.standings import standings_of

    asked = {"superiority": superiority, "upsets": upsets, "seats": seats}
    chosen = [build for name, build in SECTIONS.items() if asked[name]]
    if form == "csv" and (len(chosen) > 1 or (each and chosen)):
        raise ConfigError("CSV holds one table: ask for one at a time, or for --json")
    if each and columns:
        raise ConfigError("--columns is for one table: with --each there is a column for each")
    logs = read_logs(folders)
    options |= _scale(anchor, offset, names_of(logs))
    if each:
        tables = apart.standings_apart(logs, each, options)
        if form == "json":
            click.echo(apart.write_json(tables, each, chosen))
        elif form == "csv":
            click.echo(apart.write_csv(tables, each), nl=False)
        else:
            apart.show(tables, each, chosen)
        return
    standings = standings_of(logs, **options)
    sections = [build(standings) for build in chosen]
    if form == "json":
        click.echo(text.write_json(standings, sections))
    elif form == "csv":
        shown = write_section_csv(sections[0]) if sections else text.write_csv(standings)
        click.echo(shown, nl=False)
    else:
        text.show_standings(standings, text.choose_columns(columns, standings))
        for section in sections:
            show_section(section)


def _scale(anchor: str | None, offset: float | None, bots: list[str]) -> dict[str, Any]:
    """What is held where, from --anchor and --offset."""
    if offset is not None and not math.isfinite(offset):
        raise ConfigError(f"--offset: expected a number of points, got {offset}")
    if anchor is None:
        return {} if offset is None else {"anchor_value": offset}
    if offset is not None:
        raise ConfigError("--anchor holds a bot and --offset the mean: give one of the two")
    if anchor in bots or "=" not in anchor:
        return {"anchor": anchor}
    name, _, points = anchor.rpartition("=")
    try:
        value = float(points)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigError(f"--anchor: expected BOT or BOT=POINTS, got {anchor!r}")
    return {"anchor": name, "anchor_value": value}
