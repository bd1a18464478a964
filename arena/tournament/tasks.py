"""From the schedule to tasks: what a worker needs to play, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

from arena.game.seeds import commitment, deal_seed, game_key
from arena.record.schema import Header
from arena.referee.task import Entrant, GameSpec, Task
from arena.tournament.bots import programs
from arena.tournament.config import Config


class Tasks:
    """Makes the tasks of one run. A bot that is put `out` forfeits its games in tasks made after."""

    def __init__(self, config: Config, header: Header, secret: bytes, results: Path) -> None:
        self._config = config
        self._secret = secret
        self._entrants = [
            Entrant(
                program,
                told.games,
                told.out_of_turn,
                told.past,
                told.out,
                restarts=bot.restart == "game",
            )
            for bot, program, told in zip(
                config.bots, programs(config.bots, results), header.bots, strict=True
            )
        ]

    def put_out(self, bot: int, reason: str) -> None:
        """This bot plays no more."""
        self._entrants[bot] = replace(self._entrants[bot], out=reason)

    def is_out(self, bot: int) -> bool:
        return bool(self._entrants[bot].out)

    def of_schedule(self, done: Collection[int]) -> Iterator[Task]:
        """Every game that is not `done`, as tasks, one at a time."""
        groups = self._config.schedule(self._secret).groups(done)
        for number, group in enumerate(groups):
            games = tuple(
                self.spec(
                    block.number * self._config.players + group.rotation,
                    block.number,
                    group.rotation,
                    block.seats(group.rotation),
                )
                for block in group.blocks
            )
            yield self.task(number, games)

    def task(self, number: int, games: tuple[GameSpec, ...]) -> Task:
        """A task of these games, all of one line-up."""
        return Task(
            number=number,
            ruleset=self._config.ruleset,
            entrants={index: self._entrants[index] for index in sorted(games[0].seats)},
            games=games,
            limits=self._config.limits,
            names_shown=self._config.show_names,
            penalties=self._config.penalties,
            sandbox=self._config.holding,
        )

    def renewed(self, task: Task) -> Task:
        """The same task, with what is known about its bots by now."""
        return self.task(task.number, task.games)

    def spec(self, number: int, block: int, rotation: int, seats: tuple[int, ...]) -> GameSpec:
        """One game with all that follows from the secret."""
        deal = block if self._config.deals == "mirrored" else number
        seed = deal_seed(self._secret, deal, self._config.public_salt)
        return GameSpec(
            number=number,
            block=block,
            rotation=rotation,
            deal=deal,
            seats=seats,
            deal_seed=seed,
            key=game_key(self._secret, number),
            commitment=commitment(self._secret, number, seed),
        )
