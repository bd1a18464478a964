"""Laws of line-ups, blocks and tasks, for any number of bots, seats and games."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from hmac import digest
from itertools import combinations, islice, permutations
from math import factorial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import preset
from arena.tournament.bots import BotSpec
from arena.tournament.config import Config
from arena.tournament.plan import estimate
from arena.tournament.schedule import Block, Group, Schedule

MOST_UNEVEN = 6
"""Meetings by which one pair may be ahead of another, however long the schedule."""


def each_alone(bots: int) -> tuple[int, ...]:
    return tuple(range(bots))


@st.composite
def schedules(draw: st.DrawFn, most_blocks: int = 60) -> Schedule:
    players = draw(st.integers(2, 6))
    bots = draw(st.integers(players, 9))
    blocks = draw(st.integers(1, most_blocks))
    how = {"budget": blocks * players + draw(st.integers(0, players - 1))}
    alone = Schedule(each_alone(bots), players, b"")
    if draw(st.booleans()) and alone.lineups <= most_blocks:
        how = {"blocks_each": max(1, blocks // alone.lineups)}
    launch = draw(st.integers(1, 12))
    return Schedule(
        each_alone(bots), players, draw(st.binary(max_size=4)), games_per_launch=launch, **how
    )


def circle(order: tuple[int, ...]) -> tuple[int, ...]:
    """The same for all rotations of an order."""
    at = order.index(min(order))
    return order[at:] + order[:at]


def games(groups: Iterator[Group], players: int) -> list[int]:
    return [block.number * players + group.rotation for group in groups for block in group.blocks]


@given(schedules())
def test_blocks_are_numbered_and_hold_a_line_up(schedule: Schedule) -> None:
    blocks = list(schedule.blocks())
    assert [block.number for block in blocks] == list(range(schedule.total_blocks))
    assert schedule.total_games == schedule.players * len(blocks)
    for block in blocks:
        assert len(set(block.order)) == schedule.players
        assert set(block.order) <= set(range(len(schedule.teams)))
        assert block.lineup == tuple(sorted(block.order))


@given(schedules())
def test_the_rotations_of_a_block_cover_every_seat_and_keep_the_circle(schedule: Schedule) -> None:
    for block in schedule.blocks():
        rotations = [block.seats(rotation) for rotation in range(schedule.players)]
        for bot in block.order:
            assert sorted(seats.index(bot) for seats in rotations) == list(range(schedule.players))
        assert {circle(seats) for seats in rotations} == {circle(block.order)}


@given(schedules(150))
def test_up_to_four_players_a_line_up_goes_through_all_circular_orders(schedule: Schedule) -> None:
    orders = factorial(schedule.players - 1)
    by_lineup = defaultdict(list)
    for block in schedule.blocks():
        by_lineup[block.lineup].append(circle(block.order))
    if schedule.players <= 4:
        for found in by_lineup.values():
            for at in range(len(found) - orders + 1):
                assert len(set(found[at : at + orders])) == orders


@pytest.mark.parametrize("players", [5, 6])
def test_from_five_players_on_every_block_is_shuffled(players: int) -> None:
    schedule = Schedule(each_alone(players), players, b"x", blocks_each=1000)
    orders = Counter(circle(block.order) for block in schedule.blocks())
    mean = 1000 / factorial(players - 1)
    assert len(orders) > 0.95 * factorial(players - 1) * (1 - 2.718**-mean)
    assert max(orders.values()) < mean + 6 * mean**0.5 + 6


@given(st.integers(2, 6), st.integers(0, 4), st.integers(1, 3))
def test_blocks_for_every_line_up(players: int, more: int, each: int) -> None:
    bots = min(players + more, 8)
    schedule = Schedule(each_alone(bots), players, b"", blocks_each=each)
    counted = Counter(block.lineup for block in schedule.blocks())
    assert set(counted) == set(combinations(range(bots), players))
    assert set(counted.values()) == {each}


@given(schedules(), st.integers(0, 40))
def test_a_larger_schedule_only_appends(schedule: Schedule, more: int) -> None:
    larger = Schedule(
        schedule.teams,
        schedule.players,
        schedule.seed,
        blocks_each=schedule.blocks_each and schedule.blocks_each + more,
        budget=schedule.budget and schedule.budget + more * schedule.players,
    )
    blocks = list(schedule.blocks())
    assert list(islice(larger.blocks(), len(blocks))) == blocks


@given(st.integers(2, 6), st.integers(0, 8), st.binary(max_size=4))
def test_a_budget_is_spread_evenly_at_every_moment(players: int, more: int, seed: bytes) -> None:
    bots = players + more
    schedule = Schedule(each_alone(bots), players, seed, budget=150 * players)
    played = Counter(dict.fromkeys(range(bots), 0))
    met = Counter(dict.fromkeys(combinations(range(bots), 2), 0))
    for block in schedule.blocks():
        played.update(block.lineup)
        met.update(combinations(block.lineup, 2))
        assert max(played.values()) - min(played.values()) <= 1
        assert max(met.values()) - min(met.values()) <= MOST_UNEVEN


@given(schedules(), st.data())
def test_tasks_hold_exactly_the_games_that_are_missing(schedule: Schedule, data: st.DataObject) -> None:
    done = data.draw(st.sets(st.integers(0, schedule.total_games)))
    found = games(schedule.groups(done), schedule.players)
    assert sorted(found) == sorted(set(range(schedule.total_games)) - done)


@given(schedules(), st.sets(st.integers(0, 100)))
def test_a_task_never_holds_two_games_of_a_deal(schedule: Schedule, done: set[int]) -> None:
    for group in schedule.groups(done):
        numbers = [block.number for block in group.blocks]
        assert 1 <= len(numbers) <= schedule.games_per_launch
        assert sorted(set(numbers)) == numbers
        assert len({block.lineup for block in group.blocks}) == 1


def test_tasks_are_as_long_as_they_may_be() -> None:
    schedule = Schedule(each_alone(3), 2, b"", blocks_each=120, games_per_launch=50)
    sizes = Counter((group.blocks[0].lineup, len(group.blocks)) for group in schedule.groups())
    assert sizes == {
        (pair, size): n for pair in [(0, 1), (0, 2), (1, 2)] for size, n in ((50, 4), (20, 2))
    }


def test_all_rotations_of_a_block_come_soon_after_each_other() -> None:
    """So that a run that is cut short has few blocks that are not complete."""
    schedule = Schedule(each_alone(4), 3, b"", budget=3000, games_per_launch=10)
    open_blocks: Counter[int] = Counter()
    for group in schedule.groups():
        open_blocks.update(block.number for block in group.blocks)
        incomplete = sum(count < 3 for count in open_blocks.values())
        assert incomplete <= 10


@pytest.mark.parametrize(("bots", "how"), [(40, "blocks_each"), (50, "budget")])
def test_a_huge_schedule_begins_without_being_counted_out(bots: int, how: str) -> None:
    players = 6 if how == "blocks_each" else 2
    size = {how: 1 if how == "blocks_each" else 10**6}
    schedule = Schedule(each_alone(bots), players, b"x", **size)
    first = list(islice(schedule.groups(), 12))
    assert [group.rotation for group in first] == list(range(players)) * (12 // players)
    assert (
        len({block.number for group in first for block in group.blocks})
        == sum(len(group.blocks) for group in first) // players
    )
    assert next(schedule.blocks()).number == 0
    assert schedule.total_games == (23_030_280 if how == "blocks_each" else 10**6)


@given(schedules())
def test_it_is_decided_by_its_seed(schedule: Schedule) -> None:
    assert list(schedule.groups()) == list(schedule.groups())


def test_another_seed_gives_other_line_ups() -> None:
    def lineups(seed: bytes) -> list[Block]:
        return list(Schedule(each_alone(10), 3, seed, budget=90).blocks())

    assert lineups(b"a") != lineups(b"b")


@given(st.lists(st.integers(0, 3), min_size=2, max_size=8), st.integers(2, 4), st.booleans())
def test_no_two_of_a_team_sit_at_one_table(teams: list[int], players: int, budget: bool) -> None:
    together = [
        lineup
        for lineup in combinations(range(len(teams)), players)
        if len({teams[bot] for bot in lineup}) == players
    ]
    how = {"budget": 40 * players} if budget else {"blocks_each": 2}
    schedule = Schedule(tuple(teams), players, b"t", **how)
    assert schedule.lineups == len(together)
    if together:
        found = Counter(block.lineup for block in schedule.blocks())
        assert set(found) <= set(together)
        assert sum(found.values()) == schedule.total_blocks
        if not budget:
            assert found == dict.fromkeys(together, 2)


def plainly(schedule: Schedule) -> Iterator[tuple[int, ...]]:
    """Line-ups of a budget, straight from the rule: who has played least, then has met the others at
    the table least, then chance.
    """
    chance = random.Random(digest(schedule.seed, b"lineups", "sha256"))
    bots = range(len(schedule.teams))
    played = Counter(dict.fromkeys(bots, 0))
    met: Counter[tuple[int, int]] = Counter()
    while True:
        chosen: list[int] = []
        while len(chosen) < schedule.players:
            taken = {schedule.teams[bot] for bot in chosen}
            free = [bot for bot in bots if schedule.teams[bot] not in taken]
            fewest = min(played[bot] for bot in free)
            ranked = [
                (sum(met[bot, other] for other in chosen), chance.random(), bot)
                for bot in free
                if played[bot] == fewest
            ]
            chosen.append(min(ranked)[-1])
        played.update(chosen)
        met.update(permutations(chosen, 2))
        yield tuple(sorted(chosen))


@given(st.lists(st.integers(0, 6), min_size=2, max_size=12), st.integers(2, 6), st.binary(max_size=2))
def test_a_budget_follows_the_rule_to_the_letter(teams: list[int], players: int, seed: bytes) -> None:
    schedule = Schedule(tuple(teams), players, seed, budget=40 * players)
    if schedule.lineups:
        found = [block.lineup for block in schedule.blocks()]
        assert found == list(islice(plainly(schedule), len(found)))


def test_a_large_schedule_is_not_walked_through_for_an_estimate() -> None:
    config = Config(
        tuple(BotSpec(f"bot{number}", ("true",), Path()) for number in range(50)),
        preset("standard"),
        players=2,
        budget=10**9,
    )
    plan = estimate(config, 500)
    assert (plan.games, plan.blocks, plan.lineups) == (10**9, 5 * 10**8, 1225)
    assert 0.9 < plan.tasks * 8 / 10**9 < 1.2  # 10,000 blocks of 1,225 pairs: 8 games of a pair each
    assert plan.launches == 2 * plan.tasks
