"""A run with a compressed log, from end to end."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.tournament.runs import HONEST, PATIENT, RANDOM, Workplace, discrepancies, games_of, log_of

pytestmark = pytest.mark.realtime

RULES = (RANDOM, HONEST, "--budget", 60, "--games-per-launch", 5, "--seed", 4, *PATIENT)


def test_every_command_reads_it_as_it_reads_a_plain_one(place: Workplace) -> None:
    plain, out = place.tmp / "plain", place.tmp / "out"
    place.play(*RULES, "--out", plain)
    ended = place.play(*RULES, "--compress", "--out", out)
    assert f"60 of 60 games in {out}/games.jsonl.gz" in ended.out
    assert not (out / "games.jsonl").exists()
    assert log_of(out).stat().st_size < log_of(plain).stat().st_size / 2
    assert games_of(out) == games_of(plain)
    assert discrepancies(out) == []
    for command, *words in (
        ["show", 7, "--notation"],
        ["verify"],
        ["table", "--columns", "bot,score,wins,place"],
        ["faults"],
    ):
        told = [place.arena(command, folder, *words) for folder in (plain, out)]
        assert told[0].code == told[1].code == 0, told[1].err
        assert told[0].out == told[1].out
    assert place.arena("verify", log_of(out)).code == 0
    assert place.arena("replay", out, 3).code == 0
    subprocess.run(["gzip", "--test", log_of(out)], check=True)


def test_a_run_keeps_to_the_log_that_it_has(place: Workplace) -> None:
    """Whatever the flag says by then; a torn end is cut with a word."""
    out = place.tmp / "out"
    place.play(*RULES, "--compress", "--out", out)
    calm = games_of(out)
    whole = log_of(out).read_bytes()
    log_of(out).write_bytes(whole[: len(whole) * 2 // 3])
    ended = place.play(*RULES, "--out", out)
    assert "bytes of games that were being written; it is played again" in " ".join(ended.err.split())
    assert games_of(out) == calm
    assert [path.name for path in out.glob("games*")] == ["games.jsonl.gz"]
    assert discrepancies(out) == []


def test_the_file_may_ask_for_it(place: Workplace) -> None:
    file = place.tmp / "cup.toml"
    file.write_text(f'compress = true\nbudget = 4\nbots = ["{RANDOM}", "{HONEST}"]\n')
    place.play(file, "--out", place.tmp / "out")
    assert log_of(place.tmp / "out").name == "games.jsonl.gz"
    file.write_text(file.read_text().replace("true", '"gzip"'))
    refused = place.arena("run", file, "--out", place.tmp / "other")
    assert refused.code == 2
    assert refused.err == f"arena: {file} line 1: compress: must be true or false, not 'gzip'\n"


def test_two_logs_in_a_folder_are_refused(place: Workplace) -> None:
    out = place.tmp / "out"
    place.play(*RULES[:2], "--budget", 4, "--seed", 1, "--out", out)
    Path(out / "games.jsonl.gz").write_bytes(b"")
    for words in (["run", *RULES[:2], "--budget", 4, "--seed", 1, "--out", out], ["table", out]):
        refused = place.arena(*words)
        assert refused.code == 1
        assert "holds both games.jsonl and games.jsonl.gz; keep one of them" in refused.err
        assert refused.err.count("\n") == 1
