"""What `arena run` says while it plays."""

from __future__ import annotations

import pytest

from arena.cli.progress import Progress
from arena.record.schema import Sprt
from arena.referee.task import TaskResult
from arena.report.sequential import Sequential
from tests.report.records import game


@pytest.mark.parametrize(("done", "said"), [(0, True), (3, True), (10, False)])
def test_a_caution_is_said_when_there_are_games_to_play(
    done: int, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with Progress(["ada", "ben"], "crowded cores") as progress:
        assert "crowded" not in capsys.readouterr().err
        progress.begin(10, done)
    assert ("crowded cores" in capsys.readouterr().err) is said


def test_it_says_where_the_sequential_test_stands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.progress.LINE_EVERY", -1.0)
    test = Sequential(Sprt(0, 100), 2)
    with Progress(["ada", "ben"], test=test) as progress:
        progress.begin(100, 0)
        test.add([game(0, [0, 1], [1, 2]), game(1, [1, 0], [2, 1])])
        progress.played(TaskResult(0))
    assert "LLR 0.25 (-2.94 to 2.94) after 1 pair" in capsys.readouterr().err
