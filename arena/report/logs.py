"""The logs of one or several results folders: who is the same bot, and what may be rated together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError
from arena.record.log import GAMES, log_of, read_games, read_header
from arena.record.schema import GameRecord, Header

_TIMING = ("move_ms", "bank_ms", "increment_ms", "games_in_flight", "pondering")


@dataclass(frozen=True)
class Log:
    """One tournament. `bots` are the names of its bots, in the order of its header, by which they
    are known among all logs; `folder` is the name by which it is told from the others."""

    folder: str
    header: Header
    bots: tuple[str, ...]
    games: Iterable[GameRecord]


def read_logs(folders: Sequence[Path]) -> list[Log]:
    """The logs of results folders.

    Bots of one name and one fingerprint are the same bot. Of bots that share only their name all
    but those of the first folder are called `name@folder`.

    Raises `ConfigError` for a folder that holds no log, `LogError` for one that cannot be read.
    """
    logs: list[Log] = []
    known: dict[str, str] = {}
    for folder in folders:
        log = log_of(folder)
        if not log.is_file():
            raise ConfigError(f"{folder} holds no tournament: there is no {GAMES}")
        header = read_header(log)
        bots = []
        for bot in header.bots:
            name = bot.name
            if known.setdefault(name, bot.fingerprint) != bot.fingerprint:
                name = f"{bot.name}@{folder.resolve().name}"
                known[name] = bot.fingerprint
            bots.append(name)
        logs.append(Log(str(folder), header, tuple(bots), read_games(log)))
    return logs


def names_of(logs: Sequence[Log]) -> list[str]:
    """All bots, each once, in the order of the logs."""
    return list(dict.fromkeys(bot for log in logs for bot in log.bots))


def refuse_to_pool(logs: Sequence[Log]) -> None:
    """Raise `ConfigError` where these logs must not be rated together, saying why and what to do.

    Tables of different sizes may: the model is of who leaves next, whoever is there.
    """
    folders: dict[str, str] = {}
    for log in logs:
        secret = log.header.secret_hash
        if secret and secret in folders:
            raise ConfigError(
                f"{folders[secret]} and {log.folder} were played with the same dice: rated together "
                "their games would count as new evidence, which they are not"
            )
        folders[secret] = log.folder
    first, *others = logs
    for log in others:
        for what, one, other in _differences(first.header, log.header):
            raise ConfigError(
                f"{first.folder} and {log.folder} must not be rated together: {what} {one} and {other}; "
                "rate them apart with --each folder" + (", or --each ruleset" * (what == "ruleset"))
            )


def _differences(one: Header, other: Header) -> Iterable[tuple[str, object, object]]:
    if one.ruleset != other.ruleset:
        names = one.ruleset["name"], other.ruleset["name"]
        same = "with other options" if names[0] == names[1] else names[1]
        yield "ruleset", names[0], same
    for name in _TIMING:
        mine, theirs = getattr(one.settings, name), getattr(other.settings, name)
        if mine != theirs:
            yield name, mine, theirs
