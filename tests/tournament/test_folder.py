"""The results folder: locked, frozen, and the keeper of the secret."""

from __future__ import annotations

import dataclasses
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.game import preset
from arena.game.seeds import secret_of_seed
from arena.tournament.bots import find_bot
from arena.tournament.config import Config
from arena.tournament.folder import OUTPUT_CAP, Folder
from tests.tournament.runs import HONEST, RANDOM


@pytest.fixture
def config() -> Config:
    bots = (find_bot(RANDOM), find_bot(HONEST))
    return Config(bots, preset("standard"), players=2, blocks=1)


def test_the_secret_is_made_once_and_only_for_its_owner(tmp_path: Path, config: Config) -> None:
    first = Folder(tmp_path / "out", config)
    kept = tmp_path / "out" / "secret"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert len(first.secret) == 32
    first.close()
    again = Folder(tmp_path / "out", config)
    assert again.secret == first.secret
    again.forget_secret()
    again.forget_secret()
    assert not kept.exists()
    again.close()
    other = Folder(tmp_path / "other", config)
    assert other.secret != first.secret
    other.close()


def test_a_seed_is_no_secret(tmp_path: Path, config: Config) -> None:
    folder = Folder(tmp_path, replace(config, seed=4))
    assert folder.secret == secret_of_seed(4)
    assert not (tmp_path / "secret").exists()
    folder.close()


def test_one_run_at_a_time(tmp_path: Path, config: Config) -> None:
    first = Folder(tmp_path, config)
    with pytest.raises(ConfigError, match="another run is writing to"):
        Folder(tmp_path, config)
    first.close()
    Folder(tmp_path, config).close()


def test_a_refused_folder_is_not_kept_locked(tmp_path: Path, config: Config) -> None:
    Folder(tmp_path, config).close()
    (tmp_path / "games.jsonl").touch()
    with pytest.raises(ConfigError, match="blocks: 1 before, 2 now"):
        Folder(tmp_path, replace(config, blocks=2))
    Folder(tmp_path, config).close()


def test_a_bots_output_is_capped(tmp_path: Path, config: Config) -> None:
    folder = Folder(tmp_path, config)
    for _ in range(3):
        folder.add_output("random", "ä" * (OUTPUT_CAP // 4))
    kept = tmp_path / "bots" / "random.stderr"
    assert kept.stat().st_size == OUTPUT_CAP
    folder.close()


def test_a_run_that_never_got_to_its_log_leaves_the_folder_free(tmp_path: Path, config: Config) -> None:
    Folder(tmp_path, config).close()
    other = dataclasses.replace(config, blocks=config.blocks + 1)
    Folder(tmp_path, other).close()
    (tmp_path / "games.jsonl").touch()
    Folder(tmp_path, other).close()


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("tournament.toml", "budget = 4", "is a file of yours"),
        ("tournament.toml", "budget = = 4", "is a file of yours"),
        ("notes.txt", "mine", "is not empty and holds no tournament"),
    ],
)
def test_a_folder_with_other_things_is_left_alone(
    tmp_path: Path, config: Config, name: str, text: str, told: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError, match=told):
        Folder(tmp_path, config)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == text


@pytest.mark.parametrize("text", ["budget = = 4", "bots = [{}]"])
def test_kept_settings_that_were_spoilt_are_refused(tmp_path: Path, config: Config, text: str) -> None:
    Folder(tmp_path, config).close()
    (tmp_path / "games.jsonl").touch()
    (tmp_path / "tournament.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"was it edited|holds another tournament"):
        Folder(tmp_path, config)
