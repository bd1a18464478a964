"""`tournament.toml` and ruleset files: what flags can say, and more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.game import DEFAULT, OPTIONS, Ruleset, RulesetError, preset
from arena.record.schema import Sprt
from arena.referee.task import Limits, Penalties
from arena.tournament.bots import TEXTS, TRANSPORTS, BotSpec, checked, find_bot, load_bot, words
from arena.tournament.config import (
    AUTO,
    DEFAULT_BUDGET,
    DEFAULT_CALLS,
    SPRT_BUDGET,
    Config,
    parse_bank,
    parse_duration,
    parse_sprt,
)
from arena.tournament.remote import KEYS as REMOTE_KEYS
from arena.tournament.remote import remote_bot, remotes
from arena.tournament.toml import Document

KINDS: dict[str, type] = {
    "ruleset": str,
    "options": dict,
    "players": int,
    "blocks": int,
    "budget": int,
    "deals": str,
    "seed": int,
    "public_salt": str,
    "move_time": str,
    "start_time": str,
    "grace": str,
    "bank": str,
    "pondering": bool,
    "faults": dict,
    "games_in_flight": int,
    "games_per_launch": int,
    "teammates": bool,
    "show_names": bool,
    "sandbox": str,
    "compress": bool,
    "server_key": str,
    "sprt": str,
    "bots": list,
}
LOCAL_KEYS = (*TEXTS, "folder", "command", "transport", "args", "env", "restart")
BOT_KEYS = tuple(dict.fromkeys(LOCAL_KEYS + REMOTE_KEYS))
RESTARTS = ("task", "game")


def load_tournament(path: Path) -> Config:
    """The tournament that a file describes; its paths are relative to the file's folder.

    Raises `ConfigError` naming file, line and key.
    """
    file = Document(path)
    try:
        return _tournament(file, path)
    except ConfigError as error:
        if str(error).startswith(str(path)):
            raise
        key = str(error).partition(":")[0].replace(" ", "_")
        if key in file.table:
            raise file.error(key, str(error).partition(": ")[2]) from None
        raise ConfigError(f"{path}: {error}") from None


def _tournament(file: Document, path: Path) -> Config:
    table = file.table
    file.known(table, KINDS)
    for key, kind in KINDS.items():
        file.value(table, key, kind, None)
    bots = tuple(_bot(file, entry, number) for number, entry in enumerate(table.get("bots", [])))
    ruleset = _ruleset(file, path.parent)
    sprt = _sprt(file)
    return Config(
        bots=bots,
        ruleset=ruleset,
        players=table.get("players", min(max(2, len(bots)), ruleset.players[1])),
        blocks=table.get("blocks", 0),
        budget=table.get("budget", 0 if "blocks" in table else SPRT_BUDGET if sprt else DEFAULT_BUDGET),
        deals=table.get("deals", "independent" if remotes(bots) else "mirrored"),
        seed=table.get("seed"),
        public_salt=table.get("public_salt", ""),
        limits=_limits(file),
        penalties=_penalties(file),
        games_per_launch=table.get("games_per_launch", 50),
        teammates=table.get("teammates", True),
        show_names=table.get("show_names", False),
        sandbox=table.get("sandbox", AUTO),
        sprt=sprt,
        compress=table.get("compress", False),
    )


def find_ruleset(text: str, base: Path) -> Ruleset:
    """A preset by name, or the ruleset of a file ending in .toml. Raises `ConfigError`."""
    if text.endswith(".toml"):
        return load_ruleset(base / text)
    try:
        return preset(text)
    except RulesetError as error:
        raise ConfigError(str(error)) from None


def load_ruleset(path: Path) -> Ruleset:
    """A ruleset file: `base` names a preset, every other key an option of it."""
    file = Document(path)
    base = file.value(file.table, "base", str, DEFAULT)
    file.known(file.table, ("base", *OPTIONS))
    try:
        ruleset = preset(base)
    except RulesetError as error:
        raise file.error("base", str(error).partition(": ")[2]) from None
    options = {key: value for key, value in file.table.items() if key != "base"}
    return _with_options(file, ruleset, options)


def _ruleset(file: Document, folder: Path) -> Ruleset:
    try:
        ruleset = find_ruleset(file.table.get("ruleset", DEFAULT), folder)
    except ConfigError as error:
        raise file.error("ruleset", str(error).removeprefix("ruleset: ")) from None
    options = file.table.get("options", {})
    file.known(options, OPTIONS, "options")
    return _with_options(file, ruleset, options, "options")


def _with_options(file: Document, ruleset: Ruleset, options: dict[str, Any], at: str = "") -> Ruleset:
    try:
        return ruleset.with_options(options)
    except RulesetError as error:
        raise file.error(error.option, str(error).partition(": ")[2], at) from None


def _limits(file: Document) -> Limits:
    bank, increment = _bank(file)
    return Limits(
        move=_time(file, "move_time", 0.0 if bank else Limits.move),
        start=_time(file, "start_time", Limits.start),
        grace=_time(file, "grace", Limits.grace),
        games_in_flight=file.table.get("games_in_flight", 1),
        bank=bank,
        increment=increment,
        pondering=file.table.get("pondering", True),
    )


def _bank(file: Document) -> tuple[float, float]:
    if "bank" not in file.table:
        return 0.0, 0.0
    try:
        return parse_bank(file.table["bank"])
    except ConfigError as error:
        raise file.error("bank", str(error)) from None


def _sprt(file: Document) -> Sprt | None:
    if "sprt" not in file.table:
        return None
    try:
        return parse_sprt(file.table["sprt"])
    except ConfigError as error:
        raise file.error("sprt", str(error)) from None


def _penalties(file: Document) -> Penalties:
    """What faults cost: the table [faults]."""
    table = file.table.get("faults", {})
    file.known(table, ("default_call", "strikes", "disqualify_after"), "faults")
    causes = file.value(table, "default_call", list, [], "faults")
    for cause in causes:
        if cause not in DEFAULT_CALLS:
            message = f"{cause!r} is not one of {', '.join(DEFAULT_CALLS)}"
            raise file.error("default_call", message, "faults")
    numbers = {}
    for key in ("strikes", "disqualify_after"):
        numbers[key] = file.value(table, key, int, getattr(Penalties, key), "faults")
        if numbers[key] < 0:
            raise file.error(key, "must be 0 or more", "faults")
    return Penalties(frozenset(causes), **numbers)


def _time(file: Document, key: str, default: float) -> float:
    if key not in file.table:
        return default
    try:
        return parse_duration(file.table[key])
    except ConfigError as error:
        raise file.error(key, str(error)) from None


def _bot(file: Document, entry: Any, number: int) -> BotSpec:
    """One of `bots`: a text as on the command line, or a table."""
    base = file.path.parent
    if isinstance(entry, str):
        if "=" not in entry:
            return load_bot(base / entry)
        return find_bot(entry)
    if not isinstance(entry, dict):
        raise file.error("bots", f"{entry!r} is neither a text nor a table")
    at = f"bots.{number}"
    file.known(entry, BOT_KEYS, at)
    if "public_key" in entry or "listen" in entry:
        return remote_bot(file, entry, at)
    texts = {
        key: file.value(entry, key, str, "", at) for key in (*TEXTS, "folder", "restart", "transport")
    }
    if not texts["folder"] and "command" not in entry:
        raise file.error("bots", "a bot needs a folder or a command", "")
    folder = base / texts["folder"]
    if texts["folder"] and not folder.is_dir():
        raise file.error("folder", f"{folder} is not a folder", at)
    if "command" in entry:
        if not texts["name"]:
            raise file.error("command", "a bot with a command needs a name", at)
        command = words(entry["command"], f"{file.path}: {at}.command")
        bot = BotSpec(
            texts["name"],
            command,
            folder.resolve(),
            transport=texts["transport"] or "ipc",
            source=str(entry["command"]),
        )
        if bot.transport not in TRANSPORTS:
            message = f"{bot.transport!r} is not one of {', '.join(TRANSPORTS)}"
            raise file.error("transport", message, at)
    else:
        bot = load_bot(folder, texts["name"])
    restart = texts["restart"] or "task"
    if restart not in RESTARTS:
        raise file.error("restart", f"{restart!r} is not one of {', '.join(RESTARTS)}", at)
    return checked(
        replace(
            bot,
            author=texts["author"] or bot.author,
            team=texts["team"] or bot.team,
            language=texts["language"] or bot.language,
            args=_args(file, entry, at),
            env=_env(file, entry, at),
            restart=restart,
        )
    )


def _args(file: Document, entry: dict[str, Any], at: str) -> tuple[str, ...]:
    args = file.value(entry, "args", list, [], at)
    if not all(isinstance(word, str) for word in args):
        raise file.error("args", "must be a list of texts", at)
    return tuple(args)


def _env(file: Document, entry: dict[str, Any], at: str) -> tuple[tuple[str, str], ...]:
    env = file.value(entry, "env", dict, {}, at)
    if not all(isinstance(value, str) for value in env.values()):
        raise file.error("env", "must hold texts", at)
    return tuple(env.items())


TEMPLATE = """\
# A tournament for `arena run tournament.toml`. Lines that begin with # show what else can be said.

# ruleset = "standard"       # a preset (see `arena rules`), or a ruleset file
# players = 2                # seats at a table; all bots, if left out and the rules allow it
budget = 1000                # games altogether, spread evenly over the line-ups; or instead
# blocks = 100               # blocks for every line-up; a block is one deal in all seat rotations
# deals = "mirrored"         # or "independent": new dice for every game
# seed = 7                   # predictable dice, for experiments; without it they are secret
# sprt = "elo0=0,elo1=10"    # ends the run once the first bot is proven better than the second, or not
# public_salt = ""           # a text announced before the start that is mixed into the dice

# move_time = "100ms"        # for one call
# bank = "10s+100ms"         # instead, or besides: for all calls of a game, plus for each call on turn
# start_time = "10s"         # for a bot to start and say hello
# grace = "20ms"             # added to every deadline before a bot is judged late
# games_in_flight = 1        # games at once with the same bots
# games_per_launch = 50      # games before the bots start afresh
# pondering = true           # false: bots are stopped while they are not asked
# show_names = false         # whether bots are told who they play against
# sandbox = "auto"           # or a level: "none", "limits", "bwrap" (see docs/2-hosting.md)
# compress = false           # true: the log is games.jsonl.gz, about 0.3 of the size
# teammates = true           # false: never two bots of a team (or author) at a table of 3 or more

# [options]                  # changes to the ruleset
# calza = "turn"

# [faults]                   # a fault forfeits the game, unless
# default_call = ["timeout"] # the referee calls instead: dudo where a bid stands, else the smallest bid,
# strikes = 3                # at most so often per game
# disqualify_after = 10      # incidents, after which a bot is out; 0: never

[[bots]]
folder = "sample_bots/python/bluffer"    # holds the bot's bot.toml

[[bots]]
folder = "sample_bots/python/honest"
# name = "honest"            # another name than bot.toml gives
# team = "Us"                # instead of the author, for teammates = false
# restart = "task"           # "game": a fresh process for every game
# args = ["--level", "3"]    # added to its command
# env = { LEVEL = "3" }      # added to its environment

# [[bots]]                   # a bot without a folder of its own
# name = "other"
# command = ["python3", "other.py"]

# [[bots]]                   # a bot that its author runs elsewhere (see docs/2-hosting.md)
# name = "far"               # and, above all tables: server_key = "keys/arena.key"
# public_key = ""            # as its author got it from `arena keygen`
# listen = "tcp://0.0.0.0:5670"
"""
