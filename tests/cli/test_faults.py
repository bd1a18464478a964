"""`arena faults` and `arena replay`, after a small tournament with a bot that breaks the rules."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "sample_bots" / "python"
EXAMPLE = ROOT / "results" / "example"
CHEAT = (
    "import perudo_bot; print('\x1b[2Jhaha', flush=True); perudo_bot.run(lambda q: '99x9', name='cheat')"
)

pytestmark = pytest.mark.realtime


def arena(*words: object, code: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two honest bots and a cheat, each pair one block."""
    home = tmp_path_factory.mktemp("faults")
    (home / "cheat").mkdir()
    (home / "cheat" / "bot.py").write_text(CHEAT)
    command = json.dumps([sys.executable, "bot.py"])
    (home / "cheat" / "bot.toml").write_text(f'name = "cheat"\ncommand = {command}\n')
    bots = [home / "cheat", f"ann={BOTS / 'honest'}", f"bob={BOTS / 'honest'}"]
    options = ["--players", 2, "--blocks", 1, "--seed", 4, "--move-time", "5s", "--out", home / "out"]
    arena("run", *bots, *options)
    return home / "out"


def test_every_fault_is_listed_with_what_it_was(folder: Path) -> None:
    told = arena("faults", folder).stdout
    assert told.count("cheat: illegal: ") == 4
    assert "cheat: 4 illegal" in told
    assert "ann:" not in told
    details = arena("faults", folder, "--details").stdout
    assert "received  '99x9'" in details
    assert "may call: 1x1" in details
    assert "printed   ?[2Jhaha" in details, "nothing that a terminal obeys"


def test_as_json_with_all_that_is_known(folder: Path) -> None:
    found = json.loads(arena("faults", folder, "--json", "--bot", "cheat", "--cause", "illegal").stdout)
    assert len(found) == 4
    for fault in found:
        assert (fault["bot"], fault["blame"], fault["penalty"]) == ("cheat", "cheat", "forfeit")
        assert bytes.fromhex(fault["received_hex"]) == b"99x9"
        assert shlex.split(fault["replay"])[:2] == ["arena", "replay"]
    one = json.loads(arena("faults", folder, "--json", "--game", found[0]["game"]).stdout)
    assert one == found[:1]


def test_the_command_that_it_names_plays_the_game_again(folder: Path) -> None:
    fault = json.loads(arena("faults", folder, "--json").stdout)[0]
    told = arena(*shlex.split(fault["replay"])[1:]).stdout
    assert "cheat forfeited in round 1: illegal: " in told
    assert told.endswith("The game took the same course as before.\n")


def test_a_bot_that_plays_otherwise_now_is_noticed(folder: Path) -> None:
    source = folder.parent / "cheat" / "bot.py"
    source.write_text(CHEAT.replace("'99x9'", "q.legal_calls()[0]"))
    try:
        game = json.loads(arena("faults", folder, "--json").stdout)[0]["game"]
        assert arena("replay", folder, game, code=1).stdout.endswith("took another course.\n")
    finally:
        source.write_text(CHEAT)


def test_no_faults_is_said(folder: Path) -> None:
    assert arena("faults", folder, "--bot", "ann").stdout == "no faults\n"
    assert arena("faults", EXAMPLE, "--game", 17).stdout == "no faults\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("faults", ROOT), "holds no tournament"),
        (("faults", EXAMPLE, "--cause", "crashed"), "no cause 'crashed'; causes: start, crash, timeout"),
        (("faults", EXAMPLE, "--game", 480), "it has numbers 0 to 479"),
        (("replay", EXAMPLE, 480), "it has numbers 0 to 479"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(words: tuple[object, ...], told: str) -> None:
    error = arena(*words, code=2).stderr
    assert told in error
    assert error.count("\n") == 1


def test_an_unknown_bot_is_named(folder: Path) -> None:
    assert "bots: cheat, ann, bob" in arena("faults", folder, "--bot", "eve", code=2).stderr
