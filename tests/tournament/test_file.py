"""`tournament.toml` and ruleset files: what they can say, and what is said to a mistake."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.record.schema import Sprt
from arena.tournament.config import Config, differences, parse_sprt, write_sprt
from arena.tournament.file import TEMPLATE, find_ruleset, load_tournament

BOT = 'name = "{name}"\nauthor = "{author}"\ncommand = ["python3", "bot.py"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, author in (("ann", "x"), ("bob", "x"), ("cat", "y"), ("dan", "z")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.toml").write_text(BOT.format(name=name, author=author))
    return tmp_path


def load(folder: Path, text: str) -> Config:
    (folder / "t.toml").write_text(text)
    return load_tournament(folder / "t.toml")


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load(folder, text)
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{folder / 't.toml'}")


def test_a_file_says_all_that_flags_can_and_more(folder: Path) -> None:
    config = load(
        folder,
        """
        ruleset = "santaba"
        players = 3
        blocks = 7
        deals = "independent"
        seed = 5
        move_time = "250ms"
        start_time = "2m"
        games_in_flight = 4
        games_per_launch = 9
        show_names = true
        [options]
        dice = 4
        [[bots]]
        folder = "ann"
        name = "anna"
        args = ["--level", "3"]
        env = { LEVEL = "3" }
        team = "us"
        [[bots]]
        folder = "bob"
        [[bots]]
        name = "own"
        command = "python3 -c pass"
        """,
    )
    assert config.ruleset.name == "santaba dice=4"
    assert (config.players, config.blocks, config.budget, config.seed) == (3, 7, 0, 5)
    assert (config.limits.move, config.limits.start) == (0.25, 120.0)
    anna, bob, own = config.bots
    assert anna.program.command == ("python3", "bot.py", "--level", "3")
    assert anna.program.env == (("LEVEL", "3"),)
    assert (anna.name, anna.team, bob.author, own.name) == ("anna", "us", "x", "own")


def test_bots_may_be_written_as_on_the_command_line(folder: Path) -> None:
    config = load(folder, 'bots = ["ann", "bob"]')
    assert [bot.name for bot in config.bots] == ["ann", "bob"]
    assert config.budget == 1000


def test_the_frozen_file_reads_back_as_the_same_tournament(folder: Path) -> None:
    config = load(
        folder,
        'ruleset = "palafico"\nbudget = 40\n[options]\nwild_face = 1\ncalza = "turn"\n'
        '[[bots]]\nfolder = "ann"\nrestart = "game"\n[[bots]]\nname = "own"\ncommand = "python3 x.py"\n',
    )
    out = folder / "results" / "deep"
    out.mkdir(parents=True)
    (out / "tournament.toml").write_text(config.frozen(out))
    again = load_tournament(out / "tournament.toml")
    assert again.as_table(out) == config.as_table(out)
    assert str(folder) not in config.frozen(out), "no path of the machine"


def test_the_template_is_a_file_that_needs_only_its_bots(tmp_path: Path) -> None:
    table = tomllib.loads(TEMPLATE)
    for number, bot in enumerate(table["bots"]):
        place = tmp_path / bot["folder"]
        place.mkdir(parents=True)
        (place / "bot.toml").write_text(BOT.format(name=f"bot{number}", author=""))
    config = load(tmp_path, TEMPLATE)
    assert config.budget == 1000
    every_default = TEMPLATE.replace("# ruleset", "ruleset").replace("# move_time", "move_time")
    assert load(tmp_path, every_default).as_table(tmp_path) == config.as_table(tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'plyers = 3\nbots = ["ann", "bob"]',
            " line 1: plyers: there is no such key; did you mean players?",
        ),
        ('bots = ["ann", "bob"]\n\nplayers = "3"', " line 3: players: must be a whole number, not '3'"),
        (
            'move_time = "fast"\nbots = ["ann", "bob"]',
            " line 1: move_time: 'fast' is not a time above 0 such as",
        ),
        (
            'bots = ["ann", "bob"]\nruleset = "santba"',
            " line 2: ruleset: no preset 'santba'; did you mean sa",
        ),
        (
            'bots = ["ann", "bob"]\n[options]\ncalza = "maybe"',
            " line 3: options.calza: 'maybe' is not one of off, turn, others",
        ),
        (
            'bots = ["ann", "bob"]\n[options]\n\ncalzza = "off"',
            " line 4: options.calzza: there is no such key; did you mean calza?",
        ),
        (
            '[[bots]]\nfolder = "ann"\n[[bots]]\nfolder = "bob"\nrestrt = "game"',
            " line 5: bots.1.restrt: there is no such key; did you mean restart?",
        ),
        (
            '[[bots]]\nfolder = "ann"\n[[bots]]\nfolder = "bob"\nrestart = "daily"',
            " line 5: bots.1.restart: 'daily' is not one of task, game",
        ),
        ('[[bots]]\nfolder = "eve"', "line 2: bots.0.folder:"),
        (
            '[[bots]]\ncommand = "python3 x.py"',
            " line 2: bots.0.command: a bot with a command needs a name",
        ),
        ('[[bots]]\nfolder = "ann"\nargs = [1]', " line 3: bots.0.args: must be a list of texts"),
        ('[[bots]]\nfolder = "ann"\nenv = { A = 1 }', " line 3: bots.0.env: must hold texts"),
        ("bots = [3]", "neither a text nor a table"),
        (
            'players = 1\nbots = ["ann", "bob"]',
            " line 1: players: 1 at a table; at least 2",
        ),
        (
            'bots = ["ann", "bob"]\ndeals = "same"',
            " line 2: deals: 'same' is not one of mirr",
        ),
        ('bots = ["ann", "bob"]\nbudget = 0', ": give either blocks or a budget of games"),
        ("", ": a tournament needs at least two bots"),
        ("players = \n", ": this is no TOML: Invalid value (at line 1, column 11)"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_key(folder: Path, text: str, told: str) -> None:
    assert told in refusal(folder, text)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not exist"):
        load_tournament(tmp_path / "no.toml")


def test_teammates_never_sit_at_a_table_of_three(folder: Path) -> None:
    text = 'teammates = false\nplayers = 3\nblocks = 2\nbots = ["ann", "bob", "cat", "dan"]'
    config = load(folder, text)
    lineups = {block.lineup for block in config.schedule(b"").blocks()}
    assert lineups == {(0, 2, 3), (1, 2, 3)}
    assert config.schedule(b"").total_blocks == 4
    assert "everybody from another team" in refusal(
        folder, 'teammates = false\nplayers = 3\nbots = ["ann", "bob", "cat"]'
    )
    pairs = load(folder, 'teammates = false\nplayers = 2\nblocks = 1\nbots = ["ann", "bob"]')
    assert pairs.schedule(b"").lineups == 1


def test_a_balanced_schedule_respects_teams_too(folder: Path) -> None:
    config = load(
        folder, 'teammates = false\nplayers = 3\nbudget = 90\nbots = ["ann", "bob", "cat", "dan"]'
    )
    for block in config.schedule(b"").blocks():
        assert not {0, 1} <= set(block.lineup)


def test_fresh_processes_for_every_game_need_one_game_in_flight(folder: Path) -> None:
    text = 'games_in_flight = 2\nbots = ["bob"]\n'
    with pytest.raises(ConfigError, match="restart"):
        load(
            folder,
            'games_in_flight = 2\n[[bots]]\nfolder = "ann"\nrestart = "game"\n[[bots]]\nfolder = "bob"',
        )
    assert "at least two bots" in refusal(folder, text)


def test_a_ruleset_file(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text('base = "santaba"\ndice = [5, 3]\ncalza = "off"\n')
    ruleset = find_ruleset("r.toml", tmp_path)
    assert ruleset.starting_dice(2) == (5, 3)
    assert ruleset.name == "santaba dice=5,3 calza=off"
    (tmp_path / "r.toml").write_text('base = "santaba"\n\nbidding_rule = "reset-quantity"\n')
    with pytest.raises(ConfigError, match=r"r\.toml line 3: bidding_rule: .* loop"):
        find_ruleset("r.toml", tmp_path)
    (tmp_path / "r.toml").write_text('base = "santa"\n')
    with pytest.raises(ConfigError, match=r"line 1: base: no preset 'santa'; did you mean santaba"):
        find_ruleset("r.toml", tmp_path)


def test_differences_are_told_in_words(folder: Path) -> None:
    one = load(folder, 'move_time = "100ms"\nbots = ["ann", "bob"]').as_table(folder)
    two = load(folder, 'move_time = "50ms"\nbots = ["ann", "cat"]').as_table(folder)
    assert differences(one, two) == [
        "move_time: 100ms before, 50ms now",
        "bots: ann, bob before, ann, cat now",
    ]


def test_a_sequential_test_has_a_larger_budget_and_reads_back(folder: Path) -> None:
    config = load(folder, 'sprt = "elo0=-2.5, elo1=7, model=normalized"\nbots = ["ann", "bob"]')
    assert config.sprt == Sprt(-2.5, 7.0, 0.05, 0.05, "normalized")
    assert (config.blocks, config.budget) == (0, 100_000)
    assert parse_sprt(write_sprt(config.sprt)) == config.sprt
    (folder / "again.toml").write_text(config.frozen(folder))
    assert load_tournament(folder / "again.toml").as_table(folder) == config.as_table(folder)
    assert load(folder, 'sprt = "elo1=7"\nblocks = 3\nbots = ["ann", "bob"]').blocks == 3


def test_a_sequential_test_needs_two_that_meet(folder: Path) -> None:
    text = 'sprt = "elo1=7"\nplayers = 3\nteammates = false\nbots = ["ann", "bob", "cat", "dan"]'
    told = " line 1: sprt: ann and bob never meet: they are of one team"
    assert refusal(folder, text) == told
    assert load(folder, text.replace("players = 3", "players = 2")).sprt


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("elo0=0", "elo1 is missing: the difference in Elo that is worth finding"),
        ("elo0=5,elo1=5", "elo1: expected more than elo0, which is 5"),
        ("elo1=5,alpha=0.5", "alpha: expected a probability above 0 and below 0.5"),
        ("elo1=5,alfa=0.1", "'alfa=0.1' is not NAME=VALUE with one of elo0, elo1, alpha, beta, model"),
        ("elo1=much", "elo1: 'much' is not a number"),
        ("elo1=nan", "elo1: expected -500 to 500"),
        ("elo1=5,elo1=6", "elo1 is there twice"),
        ("elo1=5,model=glicko", "model: 'glicko' is not one of logistic, normalized"),
        ("elo1=5,model=bayesian", "model: bayesian knows no blocks; take logistic or normalized"),
        ("", "'' is not NAME=VALUE"),
    ],
)
def test_a_sequential_test_that_cannot_be(folder: Path, text: str, told: str) -> None:
    found = refusal(folder, f'players = 2\nsprt = "{text}"\nbots = ["ann", "bob"]')
    assert found.startswith(f" line 2: sprt: {told}")
