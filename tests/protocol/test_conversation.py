"""Whole conversations: a real bot process and a real socket."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from arena.referee.wire import End, Hello, Refused, Start
from tests.protocol.acts import questions
from tests.protocol.talk import TOKEN, environment, talk

FUNCTION = """
import perudo_bot
def call(question):
    if question.random == 1:
        raise RuntimeError("no idea")
    return question.legal_calls()[0]
perudo_bot.run(call, name="first", out_of_turn=True)
"""

CLASS = """
import sys
import perudo_bot
class Memory(perudo_bot.Bot):
    name = "memory"
    version = "7"
    past = True
    def started(self, start):
        print("start", start.game, start.names[start.seat], self.welcome.move_ms, file=sys.stderr)
    def ended(self, end):
        print("end", end.game, end.places, end.fault, file=sys.stderr)
    def call(self, question):
        print("act", question.game, question.past, self.time_ms, self.questions, file=sys.stderr)
        return question.legal_calls()[0]
perudo_bot.run(Memory)
"""


def bot(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "bot.py").write_text(text)
    return [sys.executable, "bot.py"]


def test_a_function(tmp_path: Path) -> None:
    acts = list(questions("santaba", 4, seed=3, most=64))
    with talk(bot(tmp_path, FUNCTION), tmp_path) as it:
        hello = it.greet()
        python = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
        assert hello == Hello(1, TOKEN, "first", "", python, 64, out_of_turn=True, past=False)
        assert len(it.ask(acts[:1])) == 1
        calls = it.ask(acts)
        assert len(calls) == 64
        assert all(call == act.words[0] for call, act in zip(calls, acts, strict=True) if act.words)
        assert it.ask() == []
        assert it.bye() == (0, "")


def test_a_class_hears_how_games_begin_and_end(tmp_path: Path) -> None:
    act = next(questions("standard", 2, seed=3, most=1))
    act.game, act.past = 2, []
    start = Start(2, 1, ["seat 0", "me"], "00", {"name": "standard"}, [5, 5])
    with talk(bot(tmp_path, CLASS), tmp_path) as it:
        hello = it.greet()
        assert (hello.name, hello.version, hello.games, hello.past) == ("memory", "7", 1, True)
        assert it.ask([act], [start], [End(1, [2, 1], "", "")]) == ["1x1"]
        code, errors = it.bye()
    assert code == 0
    assert errors.splitlines() == ["end 1 (2, 1) ", "start 2 me 100", "act 2 () 1000 1"]


def test_a_bot_that_raises_ends_with_its_traceback(tmp_path: Path) -> None:
    act = next(questions("standard", 2, seed=3, most=1))
    act.random = 1
    with talk(bot(tmp_path, FUNCTION), tmp_path) as it:
        it.greet()
        it.asked = 1
        try:
            it.ask([act])
        except AssertionError as gone:
            assert "RuntimeError: no idea" in str(gone)  # noqa: PT017
        assert it.process.returncode == 1


def test_a_refused_bot_says_why(tmp_path: Path) -> None:
    with talk(bot(tmp_path, FUNCTION), tmp_path) as it:
        it.receive()
        it.send(Refused(2, "this arena speaks protocol 2, not 1"))
        assert it.leave() == (
            1,
            "perudo_bot: the arena refused the bot: this arena speaks protocol 2, not 1\n",
        )


def test_a_bot_started_by_hand_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        bot(tmp_path, FUNCTION),
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "started by the arena" in done.stderr
    assert len(done.stderr.splitlines()) == 1
