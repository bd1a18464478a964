"""Before the first game: every bot is launched once, and what it said opens the log."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from arena import __version__
from arena.errors import ArenaError, ConfigError
from arena.game.seeds import secret_hash
from arena.record.log import read_header
from arena.record.schema import FORMAT, Bot, Header, Settings
from arena.referee.probe import best, obstacle
from arena.referee.sandbox import Level
from arena.referee.table import ruleset_on_the_wire
from arena.referee.worker import Introduction, preflight
from arena.tournament.bots import BotSpec, programs
from arena.tournament.config import AUTO, Config
from arena.tournament.remote import RemoteBot


class RunError(ArenaError):
    """The run cannot go on; one clear line. What is in the log stays."""


def settle_sandbox(config: Config, log: Path) -> tuple[Config, str]:
    """The configuration with a level of sandbox that works here, and a note where it is not the best:
    the level that was asked for; or else that of the log, if there is one; or else the best.

    Raises `ConfigError` if it does not work.
    """
    asked = config.sandbox
    if asked == AUTO and log.exists():
        asked = read_header(log).settings.sandbox
    if asked == AUTO:
        level, note = best()
        return replace(config, sandbox=str(level)), note
    reason = obstacle(Level(asked))
    if reason:
        whose = "is asked for" if asked == config.sandbox else f"began {log}"
        raise ConfigError(f"sandbox {asked} {whose}, but {reason}")
    return replace(config, sandbox=asked), ""


def introduce(config: Config, results: Path, executor: Executor) -> list[Introduction]:
    """Launch every bot once, one after the other. Raises `RunError` if fewer than two start."""
    found = [
        executor.submit(preflight, program, config.limits, config.holding).result()
        for program in programs(config.bots, results)
    ]
    able = sum(each.hello is not None for each in found)
    if able < 2:
        reasons = "; ".join(
            f"{bot.name}: {each.reason}" + _last_words(each.output)
            for bot, each in zip(config.bots, found, strict=True)
            if each.hello is None
        )
        raise RunError(f"only {able} of {len(found)} bots start, no game was played: {reasons}")
    return found


def _last_words(output: str) -> str:
    """The last line that a bot printed, for a message."""
    lines = output.strip().splitlines()
    return f" (it printed: {lines[-1][:200]})" if lines else ""


def make_header(
    config: Config, name: str, secret: bytes, workers: int, found: Sequence[Introduction]
) -> Header:
    """The first line of the log."""
    limits = config.limits
    return Header(
        format=FORMAT,
        arena=__version__,
        name=name,
        created=now(),
        ruleset=ruleset_on_the_wire(config.ruleset) | {"dice": config.ruleset.dice},
        players=config.players,
        bots=[_bot(bot, each) for bot, each in zip(config.bots, found, strict=True)],
        deals=config.deals,
        dice="secret" if config.seed is None else "predictable",
        secret_hash=secret_hash(secret),
        public_salt=config.public_salt,
        schedule={"blocks": config.blocks} if config.blocks else {"budget": config.budget},
        games=config.schedule(secret).total_games,
        settings=Settings(
            move_ms=round(limits.move * 1000),
            start_ms=round(limits.start * 1000),
            grace_ms=round(limits.grace * 1000),
            games_in_flight=limits.games_in_flight,
            games_per_launch=config.games_per_launch,
            workers=workers,
            sandbox=config.sandbox,
            names_shown=config.show_names,
            bank_ms=round(limits.bank * 1000),
            increment_ms=round(limits.increment * 1000),
            pondering=limits.pondering,
        ),
        host={
            "system": platform.system(),
            "machine": platform.machine(),
            "cores": len(os.sched_getaffinity(0)),
            "python": platform.python_version(),
        },
        sprt=config.sprt,
    )


def _bot(bot: BotSpec, found: Introduction) -> Bot:
    hello = found.hello
    return Bot(
        name=bot.name,
        author=bot.author,
        team=bot.team,
        language=bot.language or (hello.language if hello else ""),
        version=hello.version if hello else "",
        fingerprint=bot.fingerprint(),
        games=hello.games if hello else 1,
        out_of_turn=hello.out_of_turn if hello else False,
        past=hello.past if hello else False,
        out="" if hello else f"it did not start before the first game: {found.reason}",
        remote=isinstance(bot, RemoteBot),
    )


def now() -> str:
    """The time as the log writes it: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
