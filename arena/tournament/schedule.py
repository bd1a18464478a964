"""Who plays whom, in which seats, with which dice: line-ups, orders, blocks, tasks.

A *block* is (line-up, circular order, deal), played in all n seat rotations: the unit of evidence.
Blocks are numbered from 0 and game number = block * n + rotation, so what a number means never depends
on what was played before, and a longer schedule only appends.

Neighbours matter as much as seats. Up to four players the successive blocks of a line-up run through
all (n-1)! circular orders; from five on each block has a seeded shuffle.

A *task* is one rotation of up to `games_per_launch` blocks of one line-up: it never holds two games of
one deal, so no launch of a bot meets a deal twice.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from hmac import digest
from itertools import combinations, islice, permutations
from math import factorial
from operator import add

MAX_WINDOW = 10_000
"""Most blocks that are held in memory to be sorted into tasks."""

MOST_ORDERED = 4
"""Most players with whom the blocks of a line-up go through all circular orders."""


@dataclass(frozen=True)
class Block:
    """`order` seats the bots (indexes into the tournament's list) clockwise in rotation 0."""

    number: int
    order: tuple[int, ...]

    @property
    def lineup(self) -> tuple[int, ...]:
        return tuple(sorted(self.order))

    def seats(self, rotation: int) -> tuple[int, ...]:
        """The bot of each seat in this rotation: everybody moves on by one seat."""
        return self.order[rotation:] + self.order[:rotation]


@dataclass(frozen=True)
class Group:
    """The games of one task: one rotation of these blocks, all of one line-up."""

    rotation: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Schedule:
    """`blocks_each` blocks for every line-up of `players` bots, or as many whole blocks as fit into
    `budget` games. `teams` gives every bot a team; no two of a team sit at one table. `seed` decides
    what is left to chance.
    """

    teams: tuple[int, ...]
    players: int
    seed: bytes
    blocks_each: int = 0
    budget: int = 0
    games_per_launch: int = 50

    @cached_property
    def lineups(self) -> int:
        """How many line-ups there are: the ways to choose `players` teams, and a bot of each."""
        ways = [1] + [0] * self.players
        for size in Counter(self.teams).values():
            for chosen in range(self.players, 0, -1):
                ways[chosen] += ways[chosen - 1] * size
        return ways[self.players]

    @property
    def total_blocks(self) -> int:
        return self.blocks_each * self.lineups if self.blocks_each else self.budget // self.players

    @property
    def total_games(self) -> int:
        return self.total_blocks * self.players

    def blocks(self) -> Iterator[Block]:
        """Every block in the order of its number, one at a time."""
        sequence = self._in_turn() if self.blocks_each else self._balanced()
        turns: dict[tuple[int, ...], int] = {}
        for number, lineup in enumerate(islice(sequence, self.total_blocks)):
            turn = turns.get(lineup, number)
            yield Block(number, self._order(lineup, number, turn))
            if self.players <= MOST_ORDERED:
                turns[lineup] = turn + 1

    def groups(self, done: Collection[int] = ()) -> Iterator[Group]:
        """The games that are not `done` (game numbers), as tasks; rotations of a block stay close."""
        window = min(MAX_WINDOW, self.games_per_launch * self.lineups)
        blocks = self.blocks()
        while batch := list(islice(blocks, window)):
            by_lineup: dict[tuple[int, ...], list[Block]] = {}
            for block in batch:
                by_lineup.setdefault(block.lineup, []).append(block)
            for same in by_lineup.values():
                for at in range(0, len(same), self.games_per_launch):
                    yield from self._rotations(same[at : at + self.games_per_launch], done)

    def _rotations(self, blocks: list[Block], done: Collection[int]) -> Iterator[Group]:
        for rotation in range(self.players):
            left = [b for b in blocks if b.number * self.players + rotation not in done]
            if left:
                yield Group(rotation, tuple(left))

    def _order(self, lineup: tuple[int, ...], number: int, turn: int) -> tuple[int, ...]:
        """The circular order of block `number`, the `turn`-th of its line-up."""
        first, *others = lineup
        if self.players <= MOST_ORDERED:
            orders = factorial(self.players - 1)
            return (first, *next(islice(permutations(others), turn % orders, None)))
        return (first, *sorted(others, key=lambda bot: self._hash(f"order/{number}/{bot}")))

    def _in_turn(self) -> Iterator[tuple[int, ...]]:
        """Every line-up once, again and again."""
        teams = self.teams
        while True:
            for lineup in combinations(range(len(teams)), self.players):
                if len({teams[bot] for bot in lineup}) == self.players:
                    yield lineup

    def _balanced(self) -> Iterator[tuple[int, ...]]:
        """Line-ups without end that keep games per bot within one and meetings of pairs even.

        The bots with the fewest games come first; among them who has met the others least.
        """
        draw = random.Random(self._hash("lineups")).random
        teams, bots = self.teams, range(len(self.teams))
        played = [0 for _ in bots]
        met = [[0 for _ in bots] for _ in bots]
        behind = list(bots)
        """The bots with the fewest games of all."""
        while True:
            chosen: list[int] = []
            taken = set[int]()
            shared = [0 for _ in bots]
            while len(chosen) < self.players:
                fit = [bot for bot in behind if teams[bot] not in taken]
                if not fit:
                    free = [bot for bot in bots if teams[bot] not in taken]
                    fewest = min(played[bot] for bot in free)
                    fit = [bot for bot in free if played[bot] == fewest]
                *_, next_one = min([(shared[bot], draw(), bot) for bot in fit])
                chosen.append(next_one)
                taken.add(teams[next_one])
                shared = list(map(add, shared, met[next_one]))
            for bot in chosen:
                played[bot] += 1
                for other in chosen:
                    met[bot][other] += 1
            behind = [bot for bot in behind if bot not in chosen]
            if not behind:
                fewest = min(played)
                behind = [bot for bot in bots if played[bot] == fewest]
            yield tuple(sorted(chosen))

    def _hash(self, label: str) -> bytes:
        return digest(self.seed, label.encode(), "sha256")
