"""What `arena run` says while it plays."""

from __future__ import annotations

import pytest

from arena.cli.progress import Progress


@pytest.mark.parametrize(("done", "said"), [(0, True), (3, True), (10, False)])
def test_a_caution_is_said_when_there_are_games_to_play(
    done: int, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    with Progress(["ada", "ben"], "crowded cores") as progress:
        assert "crowded" not in capsys.readouterr().err
        progress.begin(10, done)
    assert ("crowded cores" in capsys.readouterr().err) is said
