"""`arena run`: play a tournament."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena.game import Ruleset
    from arena.tournament.config import Config


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT ...]")
@click.option(
    "--players", type=int, help="Seats at a table. Default: all bots, as far as the rules allow."
)
@click.option("--blocks", "--rounds", type=click.IntRange(1), help="Blocks for every line-up of bots.")
@click.option(
    "--budget", type=click.IntRange(1), help="Games altogether, spread evenly. Default: 1000 games."
)
@click.option("--ruleset", default="standard", show_default=True, help="A preset, or a FILE.toml.")
@click.option("-o", "options", multiple=True, metavar="OPTION=VALUE", help="Change one rule.")
@click.option("--seed", type=int, help="Predictable dice, for experiments. Default: secret dice.")
@click.option(
    "--public-salt", default="", metavar="TEXT", help="Announced text that is mixed into the dice."
)
@click.option(
    "--workers",
    "--concurrency",
    type=click.IntRange(1),
    help="Worker processes. Default: half the cores.",
)
@click.option(
    "--games-in-flight", type=int, default=1, show_default=True, help="Games at once with the same bots."
)
@click.option(
    "--games-per-launch", type=int, default=50, show_default=True, help="Games before bots start afresh."
)
@click.option("--move-time", default="100ms", show_default=True, help="Time for one call.")
@click.option("--start-time", default="10s", show_default=True, help="Time for a bot to start.")
@click.option(
    "--deals",
    type=click.Choice(["mirrored", "independent"]),
    default="mirrored",
    show_default=True,
    help="The same dice for all seat rotations of a block, or new dice for every game.",
)
@click.option("--show-names", is_flag=True, help="Tell the bots who they play against.")
@click.option("--dry-run", is_flag=True, help="Say what would be played, and stop.")
@click.option("--out", type=click.Path(path_type=Path), help="Results folder. Default: results/NAME.")
def run(**given: Any) -> None:
    """Play a tournament of bots and log every game.

    BOT is a folder with bot.toml, or NAME=COMMAND, or NAME=FOLDER. The same command goes on where it
    was stopped.
    """
    from arena.cli.progress import Progress
    from arena.report.standings import read_standings, show_standings
    from arena.tournament.bots import build
    from arena.tournament.executor import default_workers
    from arena.tournament.run import run as run_tournament

    config = _config(given)
    workers = given["workers"] or default_workers()
    if given["dry_run"]:
        _say_plan(config, workers)
        return
    for bot in config.bots:
        if build(bot):
            click.echo(f"built {bot.name}")
    out = given["out"] or Path("results") / config.name
    with Progress([bot.name for bot in config.bots], config.players) as progress:
        outcome = run_tournament(config, out, workers, progress)
    if not outcome.added:
        click.echo(f"{out}: all {outcome.total} games were played before; another --out begins anew")
    show_standings(read_standings(out))
    click.echo(f"\n{outcome.games} of {outcome.total} games in {out / 'games.jsonl'}")


def _config(given: dict[str, Any]) -> Config:
    from arena.referee.task import Limits
    from arena.tournament.bots import ConfigError, find_bot
    from arena.tournament.config import DEFAULT_BUDGET, Config, parse_duration

    bots = tuple(find_bot(text) for text in given["bots"])
    ruleset = _ruleset(given["ruleset"], given["options"])
    if given["blocks"] and given["budget"]:
        raise ConfigError("give either --blocks or --budget, not both")
    times = {}
    for option in ("move_time", "start_time"):
        try:
            times[option] = parse_duration(given[option])
        except ConfigError as error:
            raise ConfigError(f"--{option.replace('_', '-')}: {error}") from None
    return Config(
        bots=bots,
        ruleset=ruleset,
        players=given["players"] or min(len(bots), ruleset.players[1]),
        blocks=given["blocks"] or 0,
        budget=0 if given["blocks"] else given["budget"] or DEFAULT_BUDGET,
        deals=given["deals"],
        seed=given["seed"],
        public_salt=given["public_salt"],
        limits=Limits(
            move=times["move_time"],
            start=times["start_time"],
            games_in_flight=given["games_in_flight"],
        ),
        games_per_launch=given["games_per_launch"],
        show_names=given["show_names"],
    )


def _ruleset(name: str, options: tuple[str, ...]) -> Ruleset:
    from arena.game import RulesetError, parse_option
    from arena.tournament.bots import ConfigError
    from arena.tournament.config import find_ruleset

    try:
        return find_ruleset(name).with_options(dict(parse_option(text) for text in options))
    except RulesetError as error:
        raise ConfigError(f"-o {error}") from None


def _say_plan(config: Config, workers: int) -> None:
    from arena.tournament.plan import estimate

    plan = estimate(config, workers)
    for line in plan.lines():
        click.echo(line)
