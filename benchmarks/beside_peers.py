"""Decisions per second of other programs that let bots play, beside the arena.

Each plays a game of its own with bots that answer at once, driven as its documentation does it; the
start of the bots is left out everywhere. Games differ, so a ratio says what a decision costs under each
referee, not that one of them does the other's work. A program that is not installed is left out with a
word; all of them come with `pip install -e ".[bench]"`.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.beside_loops import ALONE, BATCHED, BOTS, FLIGHT
from benchmarks.game_speed import Contender, contenders
from benchmarks.match import Shape, contender
from benchmarks.measure import (
    FIGURES,
    Effort,
    Run,
    Section,
    Stopwatch,
    Target,
    figures,
    in_turn,
    ratios,
    spread,
)

PELITA = "Pelita, 2 teams behind ZeroMQ"
CHESS = "python-chess, 2 UCI engines behind pipes"
KAGGLE = "kaggle-environments rps, 2 functions in process"
TIMES = 3.0
"""How many times as fast as Pelita and python-chess the arena shall be."""
SLOW = 20
"""One decision of these is played for so many of the arena's."""

STOPPING = 'TEAM_NAME = "stopping"\ndef move(bot, state):\n    return bot.position\n'
MAZE = "########\n#ax..by#\n########\n"
UCI = Path(__file__).with_name("uci_engine.py")


def pelita(decisions: int) -> Run:
    """A match of two teams of two that never move, over its own referee's sockets."""
    game: Any = import_module("pelita.game")
    layout: Any = import_module("pelita.layout")
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        team = Path(folder, "team.py")
        team.write_text(STOPPING)
        state = game.setup_game(
            [str(team), str(team)],
            layout_dict=layout.parse_layout(MAZE),
            max_rounds=max(1, decisions // 4),
            viewers=[],
            print_result=False,
        )
        turns = 0
        with Stopwatch() as watch:
            while state["game_phase"] == "RUNNING":
                state = game.play_turn(state)
                turns += 1
        assert not any(state["fatal_errors"])
    return watch.run(turns)


def python_chess(decisions: int) -> Run:
    """Games of two engines, a hundred half-moves each."""
    chess: Any = import_module("chess")
    engine: Any = import_module("chess.engine")
    command, limit = [sys.executable, str(UCI)], engine.Limit(nodes=1)
    with (
        engine.SimpleEngine.popen_uci(command) as white,
        engine.SimpleEngine.popen_uci(command) as black,
        Stopwatch() as watch,
    ):
        for number in range(decisions):
            if number % 100 == 0:
                board = chess.Board()
            on_turn = white if board.turn else black
            board.push(on_turn.play(board, limit).move)
    return watch.run(decisions)


def kaggle(decisions: int) -> Run:
    """Rock, paper, scissors of two functions: the simplest of its games."""
    environments: Any = import_module("kaggle_environments")
    game = environments.make("rps", configuration={"episodeSteps": max(10, decisions // 2)})

    def rock(_observation: object, _configuration: object) -> int:
        return 0

    with Stopwatch() as watch:
        game.run([rock, rock])
    return watch.run(2 * len(game.steps))


PEERS: dict[str, tuple[str, Callable[[int], Run]]] = {
    PELITA: ("pelita", pelita),
    CHESS: ("chess.engine", python_chess),
    KAGGLE: ("kaggle_environments", kaggle),
}


def installed() -> tuple[dict[str, Callable[[int], Run]], str]:
    """The peers that can be imported, and a word on those that cannot. Some print when imported."""
    there, words = {}, ""
    for name, (module, peer) in PEERS.items():
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                import_module(module)
            there[name] = peer
        except ImportError as missing:
            words += f" Left out: {name} ({missing})."
    return there, words


def measure(effort: Effort) -> list[Section]:
    return [_processes(effort), _rules(effort)]


def _processes(effort: Effort) -> Section:
    section = Section(
        "The arena beside other referees",
        "Two bots that answer at once, in Python. Pelita and python-chess talk to processes as the "
        "arena does; kaggle-environments calls functions. Last column: how many times as fast the arena "
        "is with one game in flight.",
        ("", *FIGURES, "arena over it"),
    )
    few = max(20, effort.decisions // SLOW)
    taking_part: dict[str, Callable[[], Run]] = {
        ALONE: contender(Shape(), effort.decisions),
        BATCHED: contender(Shape(BOTS, 2, FLIGHT), effort.decisions),
    }
    there, missing = installed()
    taking_part |= {name: partial(peer, few) for name, peer in there.items()}
    section.words += missing
    found = in_turn(taking_part, effort.repeats)
    for name, runs in found.items():
        section.rows.append(
            (
                name,
                *figures(runs),
                str(ratios(found[ALONE], runs)) if name != ALONE else "",
            )
        )
    for name in (PELITA, CHESS):
        if name in found:
            text = f"{ALONE}, over {name}"
            section.targets.append(Target(text, ratios(found[ALONE], found[name]), TIMES))
    return section


def _rules(effort: Effort) -> Section:
    """The rules alone, as `benchmarks/game_speed.py` measures them."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        taking_part = contenders()
    missing = " ".join(said.getvalue().split())
    section = Section(
        "The rules alone, in one process",
        "Random legal calls, processor time, with the deals and without. The last two columns: how many "
        f"times as fast `arena.game` is at the same. {missing}".strip(),
        ("", "us with deals", "us without", "arena.game over it", "without deals"),
    )
    found: dict[str, list[tuple[float, float]]] = {each.name: [] for each in taking_part}
    for _ in range(effort.repeats):
        for each in taking_part:
            found[each.name].append(each.measure(effort.decisions))
    for each in taking_part:
        section.rows.append(
            (
                each.name,
                *(f"{spread([run[at] for run in found[each.name]]).usual:.2f}" for at in (0, 1)),
                *(_times(each, found, at) for at in (0, 1)),
            )
        )
    return section


def _times(each: Contender, found: dict[str, list[tuple[float, float]]], at: int) -> str:
    if not each.against:
        return ""
    pairs = zip(found[each.name], found[each.against], strict=True)
    return str(spread([theirs[at] / ours[at] for theirs, ours in pairs]))
