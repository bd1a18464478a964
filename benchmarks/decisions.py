"""Decisions per second through the whole arena, beside the barest loop that could play with processes.

    python benchmarks/decisions.py [--games N] [--repeats N]

The arena plays games of two `sample_bots/python/random` at the standard rules: rules, clocks, checks
and log lines included, the start of the bots not. The bare loop is one ROUTER here and one DEALER in
a second process that exchange msgpack maps as large as a real question and a real answer, one at a
time, with nothing else. Both run in turn, so that what else the machine does meets them alike. The
ratios are medians over the repeats and can be compared between machines; the figures cannot.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import mean, median
from typing import Any

import msgpack
import zmq

from arena.game import preset
from arena.game.seeds import commitment, deal_seed, game_key, secret_of_seed
from arena.referee.table import Table
from arena.referee.task import Entrant, GameSpec, Limits, Task
from arena.referee.wire import Ask, encode
from arena.referee.worker import play_task
from arena.tournament.bots import load_bot

RANDOM = Path(__file__).parents[1] / "sample_bots" / "python" / "random"
RULES = preset("standard")
SECRET = secret_of_seed(1)
IN_FLIGHT = (1, 16)


def spec(number: int) -> GameSpec:
    seed = deal_seed(SECRET, number)
    return GameSpec(
        number=number,
        block=number,
        rotation=0,
        deal=number,
        seats=(0, 1),
        deal_seed=seed,
        key=game_key(SECRET, number),
        commitment=commitment(SECRET, number, seed),
    )


def arena(games: int, in_flight: int) -> tuple[float, int]:
    """Seconds from the first question to the end of the last game, and decisions in them."""
    program = load_bot(RANDOM).program
    task = Task(
        number=0,
        ruleset=RULES,
        entrants={seat: Entrant(program, games=64) for seat in (0, 1)},
        games=tuple(spec(number) for number in range(games)),
        limits=Limits(move=10.0, games_in_flight=in_flight),
    )
    result = play_task(task)
    timing = [json.loads(line)["timing"] for line in result.lines]
    begun = min(each["started"] for each in timing)
    ended = max(each["started"] + each["seconds"] for each in timing)
    return ended - begun, result.decisions


def usual_question() -> Any:
    """The ask of mean size out of some games, as the map that a bot decodes."""
    asks: list[bytes] = []
    for number in range(30):
        table = Table(spec(number), RULES, ())
        while (pending := table.game.ask) is not None:
            asks.append(encode(Ask(len(asks), 100, [table.question(number, None)], [], [])))
            least, most = pending.minimums, pending.maximum
            calls = [str(word) for word in pending.words]
            calls += [f"{q}x{f}" for f in range(1, 7) for q in range(least[f - 1], most + 1)]
            table.answer(calls[table.random % len(calls)], 0, 1)
    size = mean(map(len, asks))
    return msgpack.unpackb(min(asks, key=lambda ask: abs(len(ask) - size)))


def bare(question: Any, decisions: int) -> float:
    """Seconds for so many questions and answers, one at a time."""
    with tempfile.TemporaryDirectory() as folder, zmq.Context() as context:
        endpoint = f"ipc://{folder}/door"
        with context.socket(zmq.ROUTER) as door:
            door.bind(endpoint)
            peer = subprocess.Popen([sys.executable, __file__, "--answer-at", endpoint])
            who = door.recv()
            door.recv()
            more = int(zmq.SNDMORE)
            pack, unpack = msgpack.packb, msgpack.unpackb
            begun = time.perf_counter()
            for number in range(decisions):
                question["id"] = number
                door.send(who, more)
                door.send(pack(question))
                door.recv()
                answer = unpack(door.recv())
                assert answer["id"] == number
            seconds = time.perf_counter() - begun
            door.send(who, more)
            door.send(b"")
            peer.wait()
            return seconds


def answer_at(endpoint: str) -> None:
    """The other process: the same call to every question."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.connect(endpoint)
        socket.send(b"")
        while frame := socket.recv():
            question = msgpack.unpackb(frame)
            socket.send(msgpack.packb({"type": "answer", "id": question["id"], "calls": ["3x5"]}))


def main() -> None:
    parser = argparse.ArgumentParser(description="Decisions per second, beside a bare ZeroMQ loop.")
    parser.add_argument("--games", type=int, default=1000, help="games of one run (default 1000)")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each kind (default 5)")
    parser.add_argument("--answer-at", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.answer_at:
        answer_at(given.answer_at)
        return

    question = usual_question()
    size = len(msgpack.packb(question))
    print(f"{given.games} games a run, {given.repeats} runs; a question of {size} bytes")
    pace: dict[int, list[float]] = {0: [], **{k: [] for k in IN_FLIGHT}}  # 0 is the bare loop
    for _ in range(given.repeats):
        decisions = 0
        for in_flight in IN_FLIGHT:
            seconds, decisions = arena(given.games, in_flight)
            pace[in_flight].append(decisions / seconds)
        pace[0].append(decisions / bare(question, decisions))

    print(f"{'':24}{'decisions/s':>12}{'us/decision':>13}{'x bare loop':>13}   {'lowest-highest'}")
    for in_flight, found in pace.items():
        name = f"arena, {in_flight} in flight" if in_flight else "bare loop, 1 in flight"
        ratios = [one / plain for one, plain in zip(found, pace[0], strict=True)]
        usual = median(found)
        spread = f"{min(ratios):.2f}-{max(ratios):.2f}" if in_flight else ""
        print(f"{name:24}{usual:12,.0f}{1e6 / usual:13.1f}{median(ratios):13.2f}   {spread}")


if __name__ == "__main__":
    main()
