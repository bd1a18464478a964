"""`arena export` as it is typed; what the files hold is tested in tests/record."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from arena.cli import main

EXAMPLE = Path(__file__).parents[2] / "results" / "example"


def export(*words: object) -> Result:
    return CliRunner().invoke(main, ["export", *map(str, words)])


def test_files_are_named_and_one_game_can_be_judged(tmp_path: Path) -> None:
    result = export(EXAMPLE, "--to", "notation", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{tmp_path / 'games.perudo'}\n"
    first = (tmp_path / "games.perudo").read_text().split("\n\nrules ")[0]
    (tmp_path / "one.perudo").write_text(first)
    judged = CliRunner().invoke(main, ["judge", str(tmp_path / "one.perudo")])
    assert judged.exit_code == 0, judged.output


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "games.perudo").touch()
    for words, told in (
        ((EXAMPLE, "--to", "notation", "--out", tmp_path), "games.perudo is there already; --replace"),
        ((EXAMPLE, "--to", "xlsx"), "'xlsx' is not one of 'csv', 'parquet', 'notation'"),
        ((EXAMPLE,), "Missing option '--to'"),
        ((tmp_path, "--to", "csv"), f"{tmp_path} holds no tournament: there is no games.jsonl"),
    ):
        result = export(*words)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert told in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["games.perudo"]
