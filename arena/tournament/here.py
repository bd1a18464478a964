"""This machine as the place where a run is played; `cluster.Cluster` is another such place."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path

from arena.tournament.bots import BotSpec, build
from arena.tournament.config import Config
from arena.tournament.executor import default_workers, local_executor, shares
from arena.tournament.opening import settle_sandbox
from arena.tournament.remote import remotes


class Here:
    """Worker processes, pinned to cores or not. `workers` is how many, if nobody says."""

    def __init__(self, bots: Sequence[BotSpec], pin: bool) -> None:
        self.workers = 1 if remotes(bots) else default_workers()
        self._pin = pin

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def caution(self, workers: int) -> str:
        """What a host should know of so many workers, "" if nothing. Raises `ConfigError` if they cannot
        be.
        """
        if self._pin:
            shares(workers)
        if workers <= default_workers():
            return ""
        return (
            f"{workers} workers share {len(os.sched_getaffinity(0))} cores with their bots: thinking "
            f"times will be longer and less certain; up to {default_workers()} are fair"
        )

    def settle(self, config: Config, log: Path) -> tuple[Config, str]:
        """See `opening.settle_sandbox`."""
        return settle_sandbox(config, log)

    def prepare(self, config: Config, tell: Callable[[str], None]) -> None:
        """Build the bots. Raises `ConfigError`."""
        for bot in config.bots:
            build(bot, config.holding.level, tell=tell)

    def executor(self, workers: int) -> Executor:
        """Where tasks are handed in."""
        return local_executor(workers, self._pin)
