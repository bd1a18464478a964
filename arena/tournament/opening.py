"""Before the first game: every bot is launched once, and what it said opens the log."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from concurrent.futures import Executor
from datetime import UTC, datetime

from arena import __version__
from arena.errors import ArenaError
from arena.game.seeds import secret_hash
from arena.record.schema import FORMAT, Bot, Header, Settings
from arena.referee.table import ruleset_on_the_wire
from arena.referee.worker import Introduction, preflight
from arena.tournament.bots import BotSpec
from arena.tournament.config import Config

SANDBOX = "none"


class RunError(ArenaError):
    """The run cannot go on; one clear line. What is in the log stays."""


def introduce(config: Config, executor: Executor) -> list[Introduction]:
    """Launch every bot once, one after the other. Raises `RunError` if fewer than two start."""
    found = [executor.submit(preflight, bot.program, config.limits).result() for bot in config.bots]
    able = sum(each.hello is not None for each in found)
    if able < 2:
        reasons = "; ".join(
            f"{bot.name}: {each.reason}"
            for bot, each in zip(config.bots, found, strict=True)
            if each.hello is None
        )
        raise RunError(f"only {able} of {len(found)} bots start, no game was played: {reasons}")
    return found


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
            sandbox=SANDBOX,
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
    )


def now() -> str:
    """The time as the log writes it: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
