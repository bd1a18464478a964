"""The results folder: locked, frozen, and the keeper of the secret."""

from __future__ import annotations

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
