"""`arena report`: everything about a tournament in one page."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import results_folder


@click.command()
@results_folder
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write it, instead of DIR/report/index.html.",
)
@click.option(
    "--games",
    metavar="auto|all|beside|N",
    default="auto",
    show_default=True,
    help="Games to replay: all in the page, all in files beside it, or N of them in the page. "
    "auto: in the page up to 4 MB.",
)
@click.option(
    "--by", type=click.Choice(["rating", "points", "wins"]), default="rating", show_default=True
)
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
def report(folder: Path, out: Path | None, games: str, by: str, show: bool) -> None:
    """Write a page about the tournament in DIR: standings, charts, faults, settings, every game.

    It is one file that needs no network. The games of a large tournament lie in a folder beside it.
    """
    from arena.report.page import write_page

    built = write_page(folder, out, games, by)
    click.echo(built.page)
    if built.beside is not None:
        click.echo(f"its games are in {built.beside}: publish both together")
    elif built.held < built.total:
        click.echo(f"with {built.held} of {built.total} games")
    if show:
        click.launch(built.page.resolve().as_uri())
