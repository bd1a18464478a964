"""Bots as a host names them: what is accepted, what is refused how, fingerprints, builds."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.tournament.bots import BotSpec, build, check_names, find_bot, load_bot
from tests.tournament.runs import RANDOM

GOOD = 'name = "good"\ncommand = ["python3", "bot.py"]\n'


def make(folder: Path, toml: str = GOOD, program: str = "print()\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.toml").write_text(toml)
    (folder / "bot.py").write_text(program)
    return folder


def refusal(text: object) -> str:
    """The one line with which a bot is refused."""
    with pytest.raises(ConfigError) as error:
        find_bot(str(text))
    told = str(error.value)
    assert "\n" not in told
    assert error.value.exit_code == 2
    return told


# -- what is accepted --------------------------------------------------------------------------------


def test_a_folder(tmp_path: Path) -> None:
    toml = 'name = "Good 1"\nauthor = "A"\nteam = "T"\nlanguage = "P"\ncommand = "python3 bot.py"\n'
    for text in (tmp_path, tmp_path / "bot.toml"):
        bot = find_bot(str(make(tmp_path, toml) and text))
        assert (bot.name, bot.author, bot.team, bot.language) == ("Good 1", "A", "T", "P")
        assert bot.command == ("python3", "bot.py")
        assert bot.folder == tmp_path.resolve()
        assert bot.build == ()


def test_a_folder_under_another_name(tmp_path: Path) -> None:
    assert find_bot(f"other={make(tmp_path)}").name == "other"


def test_a_folder_with_an_equals_sign_in_its_path(tmp_path: Path) -> None:
    assert find_bot(str(make(tmp_path / "a=b"))).name == "good"


def test_a_command_is_split_as_a_shell_splits() -> None:
    bot = find_bot("mine=python3 -c 'import x; print(1)' --flag=2")
    assert bot.name == "mine"
    assert bot.command == ("python3", "-c", "import x; print(1)", "--flag=2")
    assert bot.folder == Path.cwd()


def test_a_long_command() -> None:
    """Longer than any file name may be: no reason to fail."""
    code = "pass;" * 2000
    assert find_bot(f"mine=python3 -c '{code}'").command == ("python3", "-c", code)


def test_the_python_of_the_arena_is_found_first() -> None:
    assert find_bot(f"mine={Path(sys.executable).name}").name == "mine"


# -- what is refused ---------------------------------------------------------------------------------


def test_no_such_folder(tmp_path: Path) -> None:
    told = refusal(tmp_path / "nobody")
    assert (
        told == f"bot '{tmp_path}/nobody' does not exist; name a folder with bot.toml, or NAME=COMMAND"
    )
    assert "does not exist" in refusal("x" * 5000)


def test_a_file_or_a_folder_without_bot_toml(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "is not a folder" in refusal(tmp_path / "file")
    assert refusal(tmp_path) == f"{tmp_path} has no bot.toml"
    assert refusal(f"name={tmp_path}") == f"{tmp_path} has no bot.toml"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mine=", "there is no command after the ="),
        ("mine=  ", "there is no command after the ="),
        ("mine='open", "No closing quotation"),
        ("mine=no-such-program-7 x", "there is no program 'no-such-program-7' to run"),
        ("mine=./no-such-program", "there is no program './no-such-program' to run"),
        ("=python3", "the name '' must be 1 to 64 letters"),
        ("-x=python3", "the name '-x' must be"),
        ("a/b=python3", "the name 'a/b' must be"),
        ("é=python3", "the name 'é' must be"),
        (f"{'n' * 65}=python3", "must be 1 to 64 letters"),
        ("a\nb=python3", r"the name 'a\nb' must be"),
    ],
)
def test_a_bad_command_or_name(text: str, told: str) -> None:
    assert told in refusal(text)


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("name = ", "Invalid value"),
        ('name = "a"\nname = "b"\n', "overwrite"),
        ('command = ["python3"]\n', "name is missing"),
        ('name = ""\ncommand = ["python3"]\n', "name is missing"),
        ('name = "a"\n', "command is missing"),
        ('name = "a"\ncommand = []\n', "command is missing"),
        ('name = "a"\ncommand = "  "\n', "command must be a command"),
        ('name = "a"\ncommand = 7\n', "command must be a command"),
        ('name = "a"\ncommand = ["python3", 1]\n', "command must be a command"),
        ('name = "a"\ncommand = "python3 \'"\n', "No closing quotation"),
        ('name = "a"\ncommand = "python3"\nbuild = 1\n', "build must be a command"),
        ('name = "a"\ncommand = "no-such-program-7"\n', "no program 'no-such-program-7'"),
        ('name = "a"\ncommand = "./missing"\n', "no program './missing'"),
        ('name = 7\ncommand = "python3"\n', "name"),
        ('name = "a"\nteam = 1\ncommand = "python3"\n', "team"),
        ('name = "a"\nauthor = ["x"]\ncommand = "python3"\n', "author"),
        ('name = "a:b"\ncommand = "python3"\n', "the name 'a:b' must be"),
    ],
)
def test_a_bad_bot_toml(tmp_path: Path, toml: str, told: str) -> None:
    found = refusal(make(tmp_path, toml))
    assert told in found
    assert str(tmp_path) in found or "bot a:" in found


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("comand", "command"),
        ("nmae", "name"),
        ("autor", "author"),
        ("Build", "build"),
        ("teams", "team"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest(tmp_path: Path, key: str, near: str) -> None:
    told = refusal(make(tmp_path, f'{GOOD}{key} = "x"\n'))
    assert str(tmp_path / "bot.toml") in told
    assert key in told
    assert f"did you mean {near}?" in told


def test_an_unknown_key_like_no_other_is_refused_with_all_of_them(tmp_path: Path) -> None:
    told = refusal(make(tmp_path, f"{GOOD}zzz = 1\n"))
    assert all(key in told for key in ("zzz", "name", "author", "team", "language", "build", "command"))


def test_a_bot_toml_that_is_no_text(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "bot.toml").write_bytes(b"name = \xff\n")
    assert str(tmp_path / "bot.toml") in refusal(tmp_path)


def test_a_program_that_a_build_makes_may_be_missing(tmp_path: Path) -> None:
    toml = 'name = "a"\ncommand = ["./made"]\nbuild = "make"\n'
    assert find_bot(str(make(tmp_path, toml))).command == ("./made",)


def test_two_bots_of_one_name(tmp_path: Path) -> None:
    one, two = find_bot(f"Bot={make(tmp_path / '1')}"), find_bot(f"bot={make(tmp_path / '2')}")
    check_names([one, load_bot(tmp_path / "2")])
    with pytest.raises(ConfigError, match=r"two bots are called .*rename one by writing NAME=/"):
        check_names([one, two])


# -- fingerprints ------------------------------------------------------------------------------------


def fingerprint(folder: Path) -> str:
    return load_bot(folder).fingerprint()


def test_the_fingerprint_is_of_the_content_not_of_the_place(tmp_path: Path) -> None:
    one = make(tmp_path / "one")
    two = Path(shutil.copytree(one, tmp_path / "elsewhere" / "two"))
    assert fingerprint(one) == fingerprint(two)
    assert len(fingerprint(one)) == 64


@pytest.mark.parametrize(
    "change",
    ["bot.py", "weights.bin", "sub/more.py", "bot.toml", ".hidden"],
)
def test_any_file_changes_the_fingerprint(tmp_path: Path, change: str) -> None:
    make(tmp_path)
    before = fingerprint(tmp_path)
    path = tmp_path / change
    path.parent.mkdir(exist_ok=True)
    path.write_text((path.read_text() if path.exists() else "") + "\n# more\n")
    changed = fingerprint(tmp_path)
    assert changed != before
    path.rename(path.with_name("renamed.toml" if change != "bot.toml" else "bot.toml"))
    assert (fingerprint(tmp_path) == changed) == (change == "bot.toml")


def test_the_command_changes_the_fingerprint(tmp_path: Path) -> None:
    make(tmp_path)
    before = fingerprint(tmp_path)
    make(tmp_path, GOOD.replace('"bot.py"', '"-O", "bot.py"'))
    assert fingerprint(tmp_path) != before


@pytest.mark.parametrize(
    "kind", ["__pycache__/bot.pyc", "sub/__pycache__/x", ".git/HEAD", ".venv/pyvenv.cfg", ".arena-built"]
)
def test_what_is_no_part_of_a_bot(tmp_path: Path, kind: str) -> None:
    make(tmp_path / "bot")
    (tmp_path / "bot" / "sub").mkdir()
    before = fingerprint(tmp_path / "bot")
    path = tmp_path / "bot" / kind
    path.parent.mkdir(exist_ok=True)
    path.write_text("x")
    assert fingerprint(tmp_path / "bot") == before


def test_results_below_a_bot_are_no_part_of_it(tmp_path: Path) -> None:
    make(tmp_path)
    before = fingerprint(tmp_path)
    results = tmp_path / "results" / "first"
    (results / "bots").mkdir(parents=True)
    (results / "tournament.toml").write_text("")
    (results / "bots" / "good.stderr").write_text("x")
    assert fingerprint(tmp_path) == before
    (tmp_path / "tournament.toml").write_text("")  # a host's file in the bot's own folder is none
    (tmp_path / "bot.py").write_text("other")
    assert fingerprint(tmp_path) != before


def test_products_of_a_build_are_no_part_of_a_bot(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "bot").write_text("1")
    before = fingerprint(tmp_path)
    (tmp_path / "target" / "bot").write_text("2")
    assert fingerprint(tmp_path) != before
    make(tmp_path, GOOD + 'build = "make"\n')
    before = fingerprint(tmp_path)
    (tmp_path / "target" / "bot").write_text("3")
    assert fingerprint(tmp_path) == before


def test_a_commands_fingerprint_is_of_the_files_that_it_names(tmp_path: Path) -> None:
    script = make(tmp_path) / "bot.py"
    bot = find_bot(f"mine=python3 {script} --level 3")
    before = bot.fingerprint()
    (tmp_path / "other").write_text("x")
    assert bot.fingerprint() == before
    script.write_text("other")
    assert bot.fingerprint() != before
    assert find_bot(f"mine=python3 {script} --level 4").fingerprint() != bot.fingerprint()


def test_the_sample_bot_has_one() -> None:
    assert load_bot(Path(RANDOM)).fingerprint() == load_bot(Path(RANDOM)).fingerprint()


# -- builds ------------------------------------------------------------------------------------------


def buildable(folder: Path, code: str) -> BotSpec:
    """A bot whose build runs this Python code in its folder."""
    toml = f"{GOOD}build = ['python3', '-c', '''{code}''']\n"
    return load_bot(make(folder, toml))


COUNT = "open('built', 'a').write('x')"


def test_a_build_runs_once_and_again_after_a_change(tmp_path: Path) -> None:
    bot = buildable(tmp_path, COUNT)
    assert build(bot) is True
    assert (tmp_path / "built").read_text() == "x"
    assert build(bot) is False
    assert build(load_bot(tmp_path)) is False
    (tmp_path / "bot.py").write_text("other")
    assert build(bot) is True
    assert (tmp_path / "built").read_text() == "xx"


def test_a_build_does_not_change_who_the_bot_is(tmp_path: Path) -> None:
    bot = buildable(tmp_path, "import os; os.mkdir('target'); open('target/x', 'w').write('x')")
    before = bot.fingerprint()
    build(bot)
    assert bot.fingerprint() == before


def test_a_bot_without_a_build(tmp_path: Path) -> None:
    assert build(load_bot(make(tmp_path))) is False
    assert build(load_bot(make(tmp_path, GOOD + 'build = ""\n'))) is False
    assert not (tmp_path / ".arena-built").exists()


def test_a_failing_build_shows_the_end_of_what_it_printed(tmp_path: Path) -> None:
    bot = buildable(
        tmp_path, "import sys; print('early ' * 999); print('the cause', file=sys.stderr); 1/0"
    )
    with pytest.raises(ConfigError) as error:
        build(bot)
    told = str(error.value)
    assert told.startswith("bot good: python3 -c ")
    assert "failed with code 1" in told
    assert "the cause" in told
    assert "ZeroDivisionError" in told
    assert len(told) < 3000
    assert error.value.exit_code == 2
    with pytest.raises(ConfigError):  # it is not taken for built
        build(bot)


def test_a_build_that_takes_too_long(tmp_path: Path) -> None:
    bot = buildable(tmp_path, "import time; time.sleep(60)")
    with pytest.raises(ConfigError, match="timed out"):
        build(bot, timeout=0.2)


def test_a_build_that_needs_what_is_not_installed(tmp_path: Path) -> None:
    bot = load_bot(make(tmp_path, GOOD + 'build = "no-such-tool-7 all"\n'))
    with pytest.raises(ConfigError, match="building it needs 'no-such-tool-7', which is not installed"):
        build(bot)
