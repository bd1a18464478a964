"""The whole arena beside the barest loops: the ratios that decide whether its plan holds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from json import dumps
from statistics import mean
from typing import Any

from msgpack import packb

from arena.errors import ConfigError
from arena.referee.launch import Program
from benchmarks.loops import Pipes, Zmq
from benchmarks.match import Shape, contender, program
from benchmarks.measure import FIGURES, Effort, Run, Section, Target, figures, in_turn, ratios, spread
from benchmarks.recorded import questions

BOTS, FLIGHT = 8, 64
DEPTH = FLIGHT // BOTS
CPU_ALONE = 25.0
CPU_BATCHED = 8.0
ROUND_TRIP = 50.0
"""Microseconds of the bare loop for which the two figures above are wanted; they grow with it."""

BARE = "ZeroMQ loop, 1 bot, 1 in flight"
PIPES = "pipes loop, 2 bots, 1 in flight"
ALONE = "arena, 2 bots, 1 in flight"
STREAM = f"ZeroMQ loop, {BOTS} bots, {FLIGHT} in flight"
BATCHES = f"ZeroMQ loop, {BOTS} bots, batches of {DEPTH}"
LINES = f"pipes loop, {BOTS} bots, {FLIGHT} in flight"
BATCHED = f"arena, {BOTS} bots, {FLIGHT} in flight"

SHORT = {BARE: "ZeroMQ, 1", PIPES: "pipes, 1", LINES: f"pipes, {FLIGHT}"}
"""What the others are compared with, as headings."""

Contenders = dict[str, Callable[[], Run]]


def measure(effort: Effort) -> list[Section]:
    sections = [_with_python(effort)]
    try:
        sections.append(_with_c(effort))
    except ConfigError as error:
        sections[0].words += f" Left out, bots in C: {error}."
    return sections


def _with_python(effort: Effort) -> Section:
    asked, bot = questions(Shape().task(40)), program()
    with (
        Zmq(bot, 1, asked) as bare,
        Zmq(bot, BOTS, asked) as many,
        Pipes(2, asked) as pipes,
        Pipes(BOTS, asked) as lines,
    ):
        contenders: Contenders = {
            BARE: partial(bare.one_by_one, effort.decisions),
            PIPES: partial(pipes.one_by_one, effort.decisions),
            ALONE: contender(Shape(), effort.decisions),
            STREAM: partial(many.pipelined, effort.decisions, DEPTH),
            BATCHES: partial(many.batched, effort.decisions, DEPTH),
            LINES: partial(lines.pipelined, effort.decisions, DEPTH),
            BATCHED: contender(Shape(BOTS, 2, FLIGHT), effort.decisions),
        }
        found = in_turn(contenders, effort.repeats)
    section = _table(
        "The arena beside the barest loops",
        "Decisions of sample bots `random` in Python. The arena: rules, clocks, checks, and its log. "
        "The loops: sending, receiving, encoding and decoding the same questions and answers, and "
        "nothing else; over ZeroMQ with the same bot program, through pipes as JSON lines. "
        f"{_size(asked)} Processor time is that of the referee's process with all its threads.",
        found,
    )
    section.targets = [
        Target(f"{name}, over {other}", ratios(found[name], found[other]), wanted)
        for name, other, wanted in (
            (ALONE, BARE, 0.9),
            (ALONE, PIPES, 1.2),
            (BATCHED, PIPES, 2.5),
            (BATCHED, BARE, 5.0),
        )
    ]
    # The quickest run is the one that other programs disturbed least: it tells what the machine is.
    scale = ROUND_TRIP / min(run.us for run in found[BARE])
    section.targets += [
        Target(
            f"{name}, referee CPU us where a bare round trip takes {ROUND_TRIP:g}",
            spread([scale * run.cpu_us for run in found[name]]),
            wanted,
            at_most=True,
        )
        for name, wanted in ((ALONE, CPU_ALONE), (BATCHED, CPU_BATCHED))
    ]
    return section


def _size(asked: list[dict[str, Any]]) -> str:
    packed, lines = mean(len(packb(ask)) for ask in asked), mean(len(dumps(ask)) for ask in asked)
    return f"A question has {packed:.0f} bytes on average, {lines:.0f} as JSON."


def _with_c(effort: Effort) -> Section:
    """The same with bots that cost next to nothing. Raises `ConfigError` if they are not built."""
    bot: Program = program("c")
    with Zmq(bot, 1, questions(Shape().task(40))) as bare:
        contenders: Contenders = {
            BARE: partial(bare.one_by_one, effort.decisions),
            ALONE: contender(Shape(program=bot), effort.decisions),
            BATCHED: contender(Shape(BOTS, 2, FLIGHT, bot), effort.decisions),
        }
        found = in_turn(contenders, effort.repeats)
    return _table(
        "The same with bots in C",
        "The sample bot `random` in C on both sides: what is left is the referee and ZeroMQ.",
        found,
    )


def _table(title: str, words: str, found: dict[str, list[Run]]) -> Section:
    others = {name: short for name, short in SHORT.items() if name in found}
    section = Section(title, words, ("", *FIGURES, *(f"over {short}" for short in others.values())))
    for name, runs in found.items():
        times = (str(ratios(runs, found[other])) if name != other else "" for other in others)
        section.rows.append((name, *figures(runs), *times))
    return section
