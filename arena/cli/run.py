"""`arena run`: play a tournament."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import Whole
from arena.errors import ConfigError

if TYPE_CHECKING:
    from arena.record.schema import Sprt
    from arena.referee.task import Limits
    from arena.tournament.cluster import Cluster
    from arena.tournament.config import Config
    from arena.tournament.here import Here


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT ...]")
@click.option(
    "--players", type=int, help="Seats at a table. Default: all bots, as far as the rules allow."
)
@click.option("--blocks", "--rounds", type=Whole(1), help="Blocks for every line-up of bots.")
@click.option("--budget", type=Whole(1), help="Games altogether, spread evenly. Default: 1000 games.")
@click.option("--ruleset", default="standard", show_default=True, help="A preset, or a FILE.toml.")
@click.option("-o", "options", multiple=True, metavar="OPTION=VALUE", help="Change one rule.")
@click.option("--seed", type=int, help="Predictable dice, for experiments. Default: secret dice.")
@click.option(
    "--public-salt", default="", metavar="TEXT", help="Announced text that is mixed into the dice."
)
@click.option(
    "--workers",
    "--concurrency",
    type=Whole(1),
    help="Worker processes. Default: half the cores; all those of a cluster.",
)
@click.option(
    "--games-in-flight", type=int, default=1, show_default=True, help="Games at once with the same bots."
)
@click.option(
    "--games-per-launch", type=int, default=50, show_default=True, help="Games before bots start afresh."
)
@click.option("--move-time", help="Time for one call. Default: 100ms, without a bank.")
@click.option(
    "--bank", metavar="TIME[+TIME]", help="Time for all calls of a game, and what a call on turn adds."
)
@click.option(
    "--pondering/--no-pondering", default=True, help="Whether bots may compute while not asked."
)
@click.option("--start-time", default="10s", show_default=True, help="Time for a bot to start.")
@click.option(
    "--deals",
    type=click.Choice(["mirrored", "independent"]),
    default="mirrored",
    show_default=True,
    help="The same dice for all seat rotations of a block, or new dice for every game.",
)
@click.option("--show-names", is_flag=True, help="Tell the bots who they play against.")
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "none", "limits", "bwrap"]),
    default="auto",
    show_default=True,
    help="How strictly the bots are held. auto: as strictly as works here.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on the workers of a Dask cluster (see docs/11-clusters.md).",
)
@click.option("--pin", is_flag=True, help="Keep each worker's referee and bots on cores of their own.")
@click.option(
    "--sprt",
    metavar="elo0=0,elo1=10,...",
    help="Stop once a sequential test has decided whether the first BOT is better than the second by "
    "elo1 or only by elo0. Also alpha=0.05, beta=0.05, model=logistic or normalized. --blocks or "
    "--budget is then the most that is played (default: 100000 games).",
)
@click.option("--compress", is_flag=True, help="Compress the log while it is written.")
@click.option("--dry-run", is_flag=True, help="Say what would be played, and stop.")
@click.option("--out", type=click.Path(path_type=Path), help="Results folder. Default: results/NAME.")
@click.option(
    "--for", "limit", metavar="TIME", help="Stop after this long, such as 8h; the same command goes on."
)
@click.pass_context
def run(context: click.Context, /, **given: Any) -> None:
    """Play a tournament of bots and log every game.

    BOT is a folder with bot.toml, or NAME=COMMAND, or NAME=FOLDER. Instead of bots and options,
    one FILE.toml can say it all (see arena init). The same command goes on where it was stopped.
    """
    from arena.cli.progress import Progress
    from arena.record.log import log_of
    from arena.report.duel import read_duel
    from arena.report.duel_text import verdict_lines
    from arena.report.sequential import Sequential
    from arena.report.standings import read_standings
    from arena.report.text import show_standings
    from arena.tournament.config import write_sprt
    from arena.tournament.opening import RunError
    from arena.tournament.remote import NOTE, remotes
    from arena.tournament.run import run as run_tournament

    config, usual = _config(context, given)
    names = [bot.name for bot in config.bots]
    if remotes(config.bots):
        click.echo(NOTE, err=True)
    seconds = _duration("--for", given["limit"]) if given["limit"] else None
    with _place(config, given) as place:
        workers = given["workers"] or place.workers
        caution = place.caution(workers)
        if given["dry_run"]:
            from arena.tournament.plan import estimate

            if caution:
                click.echo(caution, err=True)
            for line in estimate(config, workers).lines():
                click.echo(line)
            if config.sprt:
                click.echo(
                    f"at most: the run ends once its test has decided ({write_sprt(config.sprt)})"
                )
            return
        out = given["out"] or usual
        config, note = place.settle(config, log_of(out))
        if note:
            click.echo(note, err=True)
        place.prepare(config, partial(click.echo, err=True))
        test = Sequential(config.sprt, config.players) if config.sprt else None
        with Progress(names, caution, test) as progress:
            outcome = run_tournament(config, out, workers, progress, place.executor, seconds, test)
    if not outcome.added and outcome.games == outcome.total:
        click.echo(f"{out}: all {outcome.total} games were played before; another --out begins anew")
    elif not outcome.added and outcome.decided is not None:
        click.echo(f"{out}: its test was decided before; another --out begins anew")
    show_standings(read_standings(out))
    click.echo(f"\n{outcome.games} of {outcome.total} games in {log_of(out)}")
    if config.sprt and (verdict := read_duel(out, (names[0], names[1])).verdict):
        click.echo("\n".join(verdict_lines(verdict, names)))
    if outcome.decided is not None:
        return
    if outcome.given_up:
        raise RunError(f"{outcome.given_up} games could not be played; the same command tries again")
    if outcome.games < outcome.total:
        click.echo("the time is over; the same command goes on")


def _place(config: Config, given: dict[str, Any]) -> Cluster | Here:
    """Where it is played."""
    if not given["cluster"]:
        from arena.tournament.here import Here

        return Here(config.bots, given["pin"])
    from arena.tournament.cluster import Cluster

    if given["pin"]:
        raise ConfigError("--pin: the cores are those of other machines; pin the workers of the cluster")
    return Cluster(given["cluster"], config.bots)


RESULTS = Path("results")
BESIDE_A_FILE = {"bots", "cluster", "pin", "workers", "dry_run", "out", "limit"}
"""What may be given beside a tournament file."""


def _config(context: click.Context, given: dict[str, Any]) -> tuple[Config, Path]:
    """The tournament and its default results folder: for a file that a run kept, the one it lies in."""
    from arena.tournament.file import load_tournament
    from arena.tournament.folder import is_kept

    first = Path(given["bots"][0])
    if first.suffix == ".toml" and first.name != "bot.toml" and "=" not in given["bots"][0]:
        if len(given["bots"]) > 1:
            raise ConfigError("a tournament file names all its bots; name no other beside it")
        for option in given:
            source = context.get_parameter_source(option)
            if option not in BESIDE_A_FILE and source is not click.core.ParameterSource.DEFAULT:
                flag = "-o" if option == "options" else f"--{option.replace('_', '-')}"
                raise ConfigError(f"{flag}: write this into {first} instead")
        config = load_tournament(first)
        if is_kept(first):
            return config, first.parent
        named = first.stem if first.stem != "tournament" else first.resolve().parent.name
        return config, RESULTS / named
    config = _config_of_flags(given)
    return config, RESULTS / config.default_name


def _config_of_flags(given: dict[str, Any]) -> Config:
    from arena.game import RulesetError, parse_option
    from arena.tournament.bots import find_bot
    from arena.tournament.config import DEFAULT_BUDGET, SPRT_BUDGET, Config
    from arena.tournament.file import find_ruleset

    bots = tuple(find_bot(text) for text in given["bots"])
    ruleset = find_ruleset(given["ruleset"], Path())
    try:
        ruleset = ruleset.with_options(dict(parse_option(text) for text in given["options"]))
    except RulesetError as error:
        raise ConfigError(f"-o {error}") from None
    if given["blocks"] and given["budget"]:
        raise ConfigError("give either --blocks or --budget, not both")
    sprt = _sprt(given["sprt"]) if given["sprt"] is not None else None
    default = SPRT_BUDGET if sprt else DEFAULT_BUDGET
    return Config(
        bots=bots,
        ruleset=ruleset,
        players=min(len(bots), ruleset.players[1]) if given["players"] is None else given["players"],
        blocks=given["blocks"] or 0,
        budget=0 if given["blocks"] else given["budget"] or default,
        deals=given["deals"],
        seed=given["seed"],
        public_salt=given["public_salt"],
        limits=_limits(given),
        games_per_launch=given["games_per_launch"],
        show_names=given["show_names"],
        sandbox=given["sandbox"],
        sprt=sprt,
        compress=given["compress"],
    )


def _sprt(text: str) -> Sprt:
    from arena.tournament.config import parse_sprt

    try:
        return parse_sprt(text)
    except ConfigError as error:
        raise ConfigError(f"--sprt: {error}") from None


def _limits(given: dict[str, Any]) -> Limits:
    from arena.referee.task import Limits
    from arena.tournament.config import parse_bank

    bank = increment = 0.0
    if given["bank"]:
        try:
            bank, increment = parse_bank(given["bank"])
        except ConfigError as error:
            raise ConfigError(f"--bank: {error}") from None
    move = given["move_time"] or ("" if bank else "100ms")
    return Limits(
        move=_duration("--move-time", move) if move else 0.0,
        start=_duration("--start-time", given["start_time"]),
        games_in_flight=given["games_in_flight"],
        bank=bank,
        increment=increment,
        pondering=given["pondering"],
    )


def _duration(flag: str, text: str) -> float:
    from arena.tournament.config import parse_duration

    try:
        return parse_duration(text)
    except ConfigError as error:
        raise ConfigError(f"{flag}: {error}") from None
