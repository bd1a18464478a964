"""What a tournament will cost, before it is played."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice

from arena.tournament.config import Config

DECISIONS = {2: 40, 3: 65, 4: 90, 5: 115, 6: 140}
"""Calls of a game with five dice each, by number of players, as simple bots play."""
DECISION_SECONDS = 100e-6
"""One question and answer with a bot that answers at once, on a busy machine."""
LAUNCH_SECONDS = 0.15
"""Starting one small bot and seeing it end."""

MOST_TASKS = 5_000
"""Tasks that are counted; beyond, the rest is taken to be like them."""


@dataclass(frozen=True)
class Plan:
    """`seconds` if every bot answers at once; `longest` if each takes all of its time."""

    games: int
    blocks: int
    lineups: int
    tasks: int
    launches: int
    seconds: float
    longest: float

    def lines(self) -> list[str]:
        lineups = _say(self.lineups, "possible line-up")
        return [
            f"{self.games} games: {_say(self.blocks, 'block')} over {lineups}",
            f"{self.launches} launches of bots in {_say(self.tasks, 'task')}",
            f"about {say_duration(self.seconds)} with bots that answer at once, "
            f"at most about {say_duration(self.longest)} if every answer takes its whole time",
        ]


def estimate(config: Config, workers: int) -> Plan:
    """Count the games of a tournament, and its launches (of a large one by its first tasks); guess its
    time.
    """
    schedule = config.schedule(b"")
    begun = list(islice(schedule.groups(), MOST_TASKS))
    tasks = len(begun)
    if tasks == MOST_TASKS:
        tasks = round(tasks * schedule.total_games / sum(len(group.blocks) for group in begun))
    launches = tasks * config.players
    dice = sum(config.ruleset.starting_dice(config.players)) / (5 * config.players)
    busy = min(workers, tasks)
    decisions = schedule.total_games * DECISIONS[config.players] * dice
    starting = tasks * LAUNCH_SECONDS
    return Plan(
        games=schedule.total_games,
        blocks=schedule.total_blocks,
        lineups=schedule.lineups,
        tasks=tasks,
        launches=launches,
        seconds=(decisions * DECISION_SECONDS + starting) / busy,
        longest=(_longest(config, schedule.total_games, decisions) + starting) / busy,
    )


def _say(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _longest(config: Config, games: int, decisions: float) -> float:
    """Seconds that the limits allow for all calls."""
    limits = config.limits
    by_move = decisions * limits.move if limits.move else math.inf
    by_bank = games * config.players * limits.bank + decisions * limits.increment
    return min(by_move, by_bank) if limits.bank else by_move


def say_duration(seconds: float) -> str:
    """A time in words, to the precision that a person wants: `3 min`, `2 h 10 min`."""
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} days {hours % 24} h"
