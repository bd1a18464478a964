"""How the arena grows: games in flight, players at a table, bots behind one worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median

from benchmarks.match import GAMES, Shape, contender
from benchmarks.measure import FIGURES, Effort, Run, Section, figures, in_turn, ratios


def measure(effort: Effort) -> list[Section]:
    flights = (1, 4) if effort.least else (1, 2, 4, 8, 16, 32, GAMES)
    tables = (2, 3) if effort.least else (2, 3, 4, 5, 6)
    crowds = (2, 3) if effort.least else (2, 4, 8, 16, 32, 50)
    return [
        _curve(
            "Games in flight",
            "Two players at a table, 8 bots.",
            {f"{flight} in flight": Shape(8, 2, flight) for flight in flights},
            effort,
        ),
        _curve(
            "Players at a table, one game in flight",
            "As many bots as players. Questions grow with the calls and dice that they tell.",
            {f"{players} players": Shape(players, players) for players in tables},
            effort,
        ),
        _curve(
            f"Players at a table, {GAMES} games in flight",
            "As many bots as players.",
            {f"{players} players": Shape(players, players, GAMES) for players in tables},
            effort,
        ),
        _curve(
            f"Bots, {GAMES} games in flight",
            "Two players at a table, behind one worker.",
            {f"{bots} bots": Shape(bots, 2, GAMES) for bots in crowds},
            effort,
        ),
    ]


def _curve(title: str, words: str, shapes: Mapping[str, Shape], effort: Effort) -> Section:
    first = next(iter(shapes))
    section = Section(title, words, ("", *FIGURES, "questions a message", f"over {first}"))
    contenders: dict[str, Callable[[], Run]] = {
        name: contender(shape, effort.decisions) for name, shape in shapes.items()
    }
    found = in_turn(contenders, min(3, effort.repeats))
    for name, runs in found.items():
        times = str(ratios(runs, found[first])) if name != first else ""
        batch = median([run.batch for run in runs])
        section.rows.append((name, *figures(runs), f"{batch:.1f}", times))
    return section
