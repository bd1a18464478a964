"""Where the microseconds of a decision go: the referee's own work, piece by piece.

Recorded games are taken through ever more of the referee: the rules alone, then the table's books, the
question, its encoding, and at last the whole loop over a transport in memory. Each step repeats all
before it; what it costs more is its share. The arena's doors alone tell what sockets cost, a real match
the sum.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median

from arena.game import Dice, Game, first_opener, parse_call
from arena.record.columns import read_callers
from arena.record.schema import GameRecord, encode_line
from arena.referee.cores import current_core
from arena.referee.table import Table
from arena.referee.task import GameSpec, Task
from arena.referee.wire import Ask, decode, encode
from benchmarks.loops import Own
from benchmarks.match import RULES, Shape, play
from benchmarks.measure import Effort, Run, Section, Stopwatch, in_turn
from benchmarks.recorded import Said, questions, record, replay


class Games:
    """Recorded games of a task, to be gone through again."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.said, records = record(task)
        specs = {spec.number: spec for spec in task.games}
        self.games = [(specs[each.game], _calls(each)) for each in records]
        self.decisions = sum(len(calls) for _, calls in self.games)
        self.tables = [_at_table(spec, calls) for spec, calls in self.games]

    def rules(self) -> None:
        for spec, calls in self.games:
            seats = len(spec.seats)
            dice = Dice(spec.deal_seed)
            opener = first_opener(dice.opening_rolls(seats)) if RULES.opener == "roll" else 0
            game = Game(RULES, seats, dice, opener=opener, listeners=())
            for call in calls:
                game.answer(parse_call(call))

    def table(self) -> None:
        for spec, calls in self.games:
            _at_table(spec, calls)

    def question(self) -> None:
        for spec, calls in self.games:
            table = Table(spec, RULES, ())
            for call in calls:
                table.question(1, None)
                table.answer(call, 1, 1)

    def encoded(self) -> None:
        for spec, calls in self.games:
            table = Table(spec, RULES, ())
            for call in calls:
                encode(Ask(1, 100, [table.question(1, None)], [], []))
                table.answer(call, 1, 1)

    def decoded(self) -> None:
        for answer in self.said.answers:
            decode(answer)

    def recorded(self) -> None:
        for table in self.tables:
            encode_line(table.record(0.0, 0.0, 0.0, 0.0, []))

    def whole(self) -> None:
        replay(self.task, Said([], self.said.answers))


def _calls(game: GameRecord) -> list[str]:
    rounds = zip(game.openers, game.hands, game.calls, strict=True)
    return [call for each in rounds for _, call in read_callers(*each)]


def _at_table(spec: GameSpec, calls: list[str]) -> Table:
    table = Table(spec, RULES, ())
    for call in calls:
        table.answer(call, 1, 1)
    return table


def measure(effort: Effort) -> list[Section]:
    shapes = {"1 in flight": Shape(), "64 in flight": Shape(8, 2, 64)}
    columns = ("", *(f"us, {name}" for name in shapes))
    section = Section(
        "Where the referee's microseconds go",
        "Processor time per decision; one game in flight of 2 bots, or 64 of 8. The work in memory is "
        "without processes and sockets, with warm caches. A loop that only sends and receives tells "
        "what sockets cost; with one game in flight it and its bots share a core.",
        columns,
    )
    found = [_shares(shape, effort) for shape in shapes.values()]
    for stage in found[0]:
        section.rows.append((stage, *(f"{each[stage]:.2f}" for each in found)))
    return [section]


@contextmanager
def together(shape: Shape) -> Iterator[None]:
    """On one core, as a match with one game in flight is where that is quicker."""
    cores = os.sched_getaffinity(0)
    if shape.in_flight == 1:
        os.sched_setaffinity(0, {current_core()})  # what is launched from here on is there too
    yield
    os.sched_setaffinity(0, cores)


def _shares(shape: Shape, effort: Effort) -> dict[str, float]:
    games = Games(shape.task(shape.games(effort.decisions)))

    def timed(stage: Callable[[], None]) -> Run:
        with Stopwatch() as watch:
            stage()
        return watch.run(games.decisions)

    stages = {
        stage.__name__: partial(timed, stage)
        for stage in (
            games.rules,
            games.table,
            games.question,
            games.encoded,
            games.decoded,
            games.recorded,
            games.whole,
        )
    }
    runs = in_turn(stages, 2 * effort.repeats)
    us = {name: median([run.cpu_us for run in each]) for name, each in runs.items()}
    matches = [play(shape, len(games.games)) for _ in range(effort.repeats)]
    match = median([run.cpu_us for run in matches])
    batch = median([run.batch for run in matches])
    with together(shape), Own(shape.program, shape.bots, questions(Shape().task(40))) as loop:
        busy = min(shape.bots, shape.in_flight)
        runs_of_loop = [
            loop.exchanged(games.decisions, round(batch), busy) for _ in range(effort.repeats)
        ]
    sockets = median([run.cpu_us for run in runs_of_loop])
    return {
        "the game: legality, dice, who is next": us["rules"],
        "the table's books: times, calls, `random`": us["table"] - us["rules"],
        "the question": us["question"] - us["table"],
        "its encoding": us["encoded"] - us["question"],
        "decoding and checking the answer": us["decoded"],
        "the record and its line of the log": us["recorded"],
        "the loop: who waits, deadlines, asks": us["whole"]
        - sum(us[name] for name in ("encoded", "decoded", "recorded")),
        "all of this, in memory": us["whole"],
        "sending and receiving such messages": sockets,
        "cold caches, crowded cores": match - us["whole"] - sockets,
        "a real match": match,
        "questions in a message": batch,
    }
