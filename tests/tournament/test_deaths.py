"""Who is suspected when a worker dies, and what is given up."""

from __future__ import annotations

from arena.game import preset
from arena.referee.launch import Program
from arena.referee.task import Entrant, GameSpec, Limits, Task
from arena.tournament.deaths import Deaths


def task(number: int, bots: tuple[int, ...], games: int = 2) -> Task:
    return Task(
        number,
        preset("standard"),
        {bot: Entrant(Program(f"bot{bot}", ("x",), ".")) for bot in bots},
        tuple(GameSpec(10 * number + i, i, 0, i, bots, b"", b"", "") for i in range(games)),
        Limits(),
    )


def numbers(deaths: Deaths) -> list[tuple[int, ...]]:
    return [tuple(game.number for game in each.games) for each in deaths.suspects]


def test_all_that_was_in_flight_is_suspected_and_nobody_blamed() -> None:
    deaths = Deaths()
    assert deaths.died([task(1, (0, 1)), task(2, (0, 2)), task(3, (0, 3))]) is None
    assert numbers(deaths) == [(10, 11), (20, 21), (30, 31)]


def test_a_task_that_kills_twice_is_split_and_a_game_that_kills_thrice_given_up() -> None:
    deaths = Deaths()
    guilty = task(1, (0, 1))
    deaths.died([guilty])
    assert numbers(deaths) == [(10, 11)]
    deaths.suspects.clear()
    deaths.died([guilty])
    assert numbers(deaths) == [(10,), (11,)]
    single = deaths.suspects.popleft()
    for _ in range(3):
        deaths.died([single])
    assert deaths.given_up == [10]
    assert numbers(deaths).count((11,)) == 1


def test_the_only_bot_common_to_three_deaths_is_out() -> None:
    deaths = Deaths()
    assert deaths.died([task(1, (0, 1))]) is None
    assert deaths.died([task(2, (0, 2))]) is None
    assert deaths.died([task(3, (0, 3))]) == 0


def test_two_common_bots_leave_it_open() -> None:
    deaths = Deaths()
    for number in range(1, 6):
        assert deaths.died([task(number, (0, 1, number + 1))]) is None


def test_other_deaths_between_clear_the_suspicion() -> None:
    deaths = Deaths()
    deaths.died([task(1, (0, 1))])
    deaths.died([task(2, (0, 2))])
    assert deaths.died([task(3, (3, 4))]) is None
    assert deaths.died([task(4, (0, 5))]) is None
