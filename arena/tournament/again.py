"""One game of a log, played once more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arena.errors import ConfigError
from arena.game.seeds import secret_hash, secret_of_seed
from arena.record.log import log_of, read_end
from arena.record.schema import GameRecord, Header, decode_line
from arena.referee.worker import play_task
from arena.tournament.bots import build
from arena.tournament.file import load_tournament
from arena.tournament.folder import CONFIG, SECRET
from arena.tournament.opening import settle_sandbox
from arena.tournament.tasks import Tasks


def play_again(folder: Path, header: Header, record: GameRecord) -> GameRecord:
    """Play the game of `record` with freshly launched bots; the log is not touched.

    Raises `ConfigError` where the bots or the secret of the run are not at hand.
    """
    config = replace(load_tournament(folder / CONFIG), sandbox=header.settings.sandbox)
    config, _ = settle_sandbox(config, log_of(folder))
    for bot in config.bots:
        build(bot, config.holding.level)
    tasks = Tasks(config, header, find_secret(folder, header, config.seed), folder)
    spec = tasks.spec(record.game, record.block, record.rotation, tuple(record.seats))
    result = play_task(tasks.task(0, (spec,)))
    again = decode_line(result.lines[0])
    assert isinstance(again, GameRecord)
    return again


def find_secret(folder: Path, header: Header, seed: int | None) -> bytes:
    """The master secret of a run, finished or not. Raises `ConfigError`."""
    end = read_end(log_of(folder))
    if end is not None:
        secret = bytes.fromhex(end.secret)
    elif seed is not None:
        secret = secret_of_seed(seed)
    elif (folder / SECRET).exists():
        secret = bytes.fromhex((folder / SECRET).read_text())
    else:
        raise ConfigError(f"{folder}: the secret of the dice is neither in the log nor beside it")
    if secret_hash(secret) != header.secret_hash:
        raise ConfigError(f"{folder}: the secret does not fit the hash in the log's header")
    return secret
