"""A task with real processes: two bots that play well, and between them a culprit."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arena.game import PRESETS
from arena.game.seeds import commitment, deal_seed, game_key, secret_of_seed
from arena.record.schema import Fault, GameRecord, decode_line
from arena.referee.launch import Program
from arena.referee.sandbox import NOT_HELD, Sandbox
from arena.referee.task import Entrant, GameSpec, Limits, Task, TaskResult
from arena.referee.worker import play_task
from tests.oracle.replay import replay

ROOT = Path(__file__).parents[2]
CULPRIT = 1
LIMITS = Limits(move=1.5, start=20.0, grace=0.2)
"""Generous, for the machine may be busy; a bot that is late is so by minutes."""


@dataclass
class Outcome:
    """What came of the task. `faults` are the culprit's, by game: nobody else has any."""

    result: TaskResult
    records: list[GameRecord]
    faults: dict[int, Fault]

    @property
    def causes(self) -> list[str]:
        """The causes of all faults, in the order of the games."""
        return [str(self.faults[game].cause) for game in sorted(self.faults)]

    def output(self) -> str:
        """All that the culprit printed."""
        return self.result.output.get(CULPRIT, "")


def program(name: str, *words: str) -> Program:
    command = (sys.executable, "-m", f"tests.hostile.bots.{name}", *words)
    return Program(name, command, str(ROOT))


def play_against(
    name: str,
    *words: str,
    games: int = 3,
    ruleset: str = "santaba",
    limits: Limits = LIMITS,
    sandbox: Sandbox = NOT_HELD,
) -> Outcome:
    """Play the task, and check what must hold whatever the culprit does: every game is finished and
    by the rules, nobody is blamed but it, and it is last among those who still played.
    """
    secret = secret_of_seed(11)
    bots = [program("good"), program(name, *words), program("good")]
    task = Task(
        number=1,
        ruleset=PRESETS[ruleset],
        entrants={index: Entrant(bot, games=64) for index, bot in enumerate(bots)},
        games=tuple(
            GameSpec(
                number=number,
                block=number,
                rotation=0,
                deal=number,
                seats=tuple((seat + number) % 3 for seat in range(3)),
                deal_seed=deal_seed(secret, number),
                key=game_key(secret, number),
                commitment=commitment(secret, number, deal_seed(secret, number)),
            )
            for number in range(1, games + 1)
        ),
        limits=limits,
        sandbox=sandbox,
    )
    result = play_task(task)
    records = [record for line in result.lines if isinstance(record := decode_line(line), GameRecord)]
    records.sort(key=lambda record: record.game)
    assert [record.game for record in records] == list(range(1, games + 1))
    faults: dict[int, Fault] = {}
    for record in records:
        assert replay(msgspec.to_builtins(record), task.ruleset.options(), ()) == []
        for fault in record.faults:
            assert record.seats[fault.seat] == CULPRIT, f"the wrong one is blamed: {fault}"
            faults[record.game] = fault
            hands = record.hands[fault.round - 1].split()
            assert record.calls[fault.round - 1].split()[-1] == f"{fault.seat}:forfeit"
            assert record.places[fault.seat] == sum(hand != "-" for hand in hands)
            assert fault.asked
    return Outcome(result, records, faults)


def peak_bytes() -> int:
    """The most memory that this process had. Not `ru_maxrss`, which begins with that of the parent."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024


def main(name: str, *words: str) -> None:
    """Play in a process of its own; prints causes, details, and the peak of its memory as JSON."""
    outcome = play_against(name, *words)
    told = {
        "causes": outcome.causes,
        "details": [outcome.faults[game].detail for game in sorted(outcome.faults)],
        "peak_bytes": peak_bytes(),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
