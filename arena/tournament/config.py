"""Everything that decides what a tournament plays, from flags or a file, checked before the first game.

`Config.frozen` is what the results folder keeps as `tournament.toml`: two runs with the same frozen
configuration, the same secret and the same bots play the same games.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tomli_w

from arena.errors import ConfigError
from arena.game import Ruleset, RulesetError, preset
from arena.record.schema import GAME_MODELS, Sprt
from arena.referee.faults import Cause
from arena.referee.sandbox import Level, Sandbox
from arena.referee.task import Limits, Penalties
from arena.referee.wire import MAX_GAMES
from arena.tournament.bots import BotSpec, check_names
from arena.tournament.remote import RemoteBot, check_remotes, remotes
from arena.tournament.schedule import Schedule

DEFAULT_BUDGET = 1000
"""Games, where neither blocks nor a budget is given."""
SPRT_BUDGET = 100_000
"""The same where a sequential test ends the run: enough for a difference of 10 Elo, nearly always."""
DEALS = ("mirrored", "independent")
AUTO = "auto"
SANDBOXES = (AUTO, *map(str, Level))

DEFAULT_CALLS = tuple(
    cause.value for cause in Cause if cause not in (Cause.START, Cause.INTERRUPTED, Cause.HOST)
)
"""Causes that may cost a call instead of the game."""

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)", re.ASCII)


def parse_duration(text: str) -> float:
    """Seconds of `100ms`, `2.5s`, `10m` or `8h`. Raises `ConfigError`."""
    match = _DURATION.fullmatch(text.strip())
    if match is None or float(match[1]) == 0:
        raise ConfigError(f"{text!r} is not a time above 0 such as 100ms, 10s, 5m or 8h")
    return float(match[1]) * _UNITS[match[2]]


def parse_bank(text: str) -> tuple[float, float]:
    """(bank, increment) in seconds of `10s+100ms` or `10s`. Raises `ConfigError`."""
    bank, plus, increment = text.partition("+")
    return parse_duration(bank), parse_duration(increment) if plus else 0.0


def parse_sprt(text: str) -> Sprt:
    """The sequential test of `elo0=0,elo1=10,alpha=0.05,beta=0.05,model=logistic`, all but `elo1` with
    these defaults. Raises `ConfigError`.
    """
    given: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if name not in Sprt.__struct_fields__ or not equals:
            known = ", ".join(Sprt.__struct_fields__)
            raise ConfigError(f"{part.strip()!r} is not NAME=VALUE with one of {known}")
        if name in given:
            raise ConfigError(f"{name} is there twice")
        try:
            given[name] = value if name == "model" else float(value)
        except ValueError:
            raise ConfigError(f"{name}: {value!r} is not a number") from None
    if "elo1" not in given:
        raise ConfigError("elo1 is missing: the difference in Elo that is worth finding")
    if given.get("model") in GAME_MODELS:
        raise ConfigError(f"model: {given['model']} knows no blocks; take logistic or normalized")
    try:
        return Sprt(**given)
    except ValueError as error:
        raise ConfigError(str(error)) from None


def write_sprt(sprt: Sprt) -> str:
    """The text that `parse_sprt` reads as this test."""
    numbers = (f"{name}={getattr(sprt, name):.15g}" for name in ("elo0", "elo1", "alpha", "beta"))
    return ",".join([*numbers, f"model={sprt.model}"])


def write_duration(seconds: float) -> str:
    """The shortest text that `parse_duration` reads as these seconds."""
    if seconds < 1:
        return f"{seconds * 1000:g}ms"
    unit = next(unit for unit in ("h", "m", "s") if seconds % _UNITS[unit] == 0 or unit == "s")
    return f"{seconds / _UNITS[unit]:g}{unit}"


@dataclass(frozen=True)
class Config:
    """A tournament. Exactly one of `blocks` and `budget` is not 0. Raises `ConfigError`.

    players          seats at a table
    blocks           blocks for every line-up
    budget           games altogether, over a balanced sequence of line-ups
    deals            "mirrored": one deal for all rotations of a block; "independent": one per game
    seed             None for secret dice; a number makes them predictable
    teammates        whether two bots of a team, or of an author where no team is given, may sit at
                     one table of three or more
    show_names       whether the bots are told who they play against
    sandbox          how strictly the bots are held: a level, or "auto" for the best that works
    sprt             a sequential test of the first bot against the second, which ends the run once it is
                     decided; `blocks` or `budget` is then the most that is played
    compress         whether a new log is compressed; a run that goes on keeps to the log that it has
    """

    bots: tuple[BotSpec, ...]
    ruleset: Ruleset
    players: int
    blocks: int = 0
    budget: int = 0
    deals: str = "mirrored"
    seed: int | None = None
    public_salt: str = ""
    limits: Limits = field(default_factory=Limits)
    penalties: Penalties = field(default_factory=Penalties)
    games_per_launch: int = 50
    teammates: bool = True
    show_names: bool = False
    sandbox: str = AUTO
    sprt: Sprt | None = None
    compress: bool = False

    def __post_init__(self) -> None:
        if len(self.bots) < 2:
            raise ConfigError("a tournament needs at least two bots")
        check_names(list(self.bots))
        if self.players < 2:
            raise ConfigError(f"players: {self.players} at a table; at least 2 must sit there")
        if self.players > len(self.bots):
            raise ConfigError(f"players: {self.players} at a table, but there are {len(self.bots)} bots")
        try:
            self.ruleset.starting_dice(self.players)
        except RulesetError as error:
            raise ConfigError(str(error)) from None
        if bool(self.blocks) == bool(self.budget):
            raise ConfigError("give either blocks or a budget of games")
        if self.blocks < 0 or self.budget < 0:
            raise ConfigError("blocks and budget must be 1 or more")
        if self.budget and self.budget < self.players:
            raise ConfigError(
                f"budget: {self.budget} games, but one block has {self.players} (one per seat rotation)"
            )
        if self.deals not in DEALS:
            raise ConfigError(f"deals: {self.deals!r} is not one of {', '.join(DEALS)}")
        check_remotes(self.bots, self.deals, self.limits.pondering)
        if not 1 <= self.limits.games_in_flight <= MAX_GAMES:
            raise ConfigError(f"games in flight: {self.limits.games_in_flight} is not 1 to {MAX_GAMES}")
        if self.limits.bank and self.limits.games_in_flight > 1:
            raise ConfigError("a bank needs games in flight = 1: time is not shared between games")
        if self.sandbox not in SANDBOXES:
            raise ConfigError(f"sandbox: {self.sandbox!r} is not one of {', '.join(SANDBOXES)}")
        for cause in self.penalties.default_call:
            if cause not in DEFAULT_CALLS:
                raise ConfigError(f"default calls: {cause!r} is not one of {', '.join(DEFAULT_CALLS)}")
        if self.games_per_launch < 1:
            raise ConfigError("games per launch must be 1 or more")
        if self.limits.games_in_flight > 1 and any(bot.restart == "game" for bot in self.bots):
            raise ConfigError('restart = "game" needs games in flight = 1')
        if not self.schedule(b"").lineups:
            raise ConfigError(f"players: no line-up of {self.players} has everybody from another team")
        if self.sprt and len(set(self._teams()[:2])) < 2:
            first, second, *_ = self.bots
            raise ConfigError(f"sprt: {first.name} and {second.name} never meet: they are of one team")

    @property
    def default_name(self) -> str:
        """A folder name for the results: readable, and the same for the same configuration."""
        who = "-".join(bot.name for bot in self.bots)
        short = re.sub(r"[^A-Za-z0-9.+-]+", "_", who)[:40]
        rules = re.sub(r"[^A-Za-z0-9]+", "_", self.ruleset.name)[:20]
        same = replace(self, sandbox=AUTO, compress=False).frozen(Path.cwd())
        mark = hashlib.sha256(same.encode()).hexdigest()[:6]
        return f"{short}-{rules}-{self.players}p-{mark}"

    @property
    def holding(self) -> Sandbox:
        """How the bots are held. The level must be settled by now."""
        return Sandbox(Level(self.sandbox))

    def schedule(self, secret: bytes) -> Schedule:
        return Schedule(
            teams=self._teams(),
            players=self.players,
            seed=hashlib.sha256(b"schedule" + secret).digest(),
            blocks_each=self.blocks,
            budget=self.budget,
            games_per_launch=self.games_per_launch,
        )

    def _teams(self) -> tuple[int, ...]:
        """A team number per bot; every bot is its own team where that does not matter."""
        if self.teammates or self.players < 3:
            return tuple(range(len(self.bots)))
        names = [bot.team or bot.author or f"={bot.name}" for bot in self.bots]
        return tuple(names.index(name) for name in names)

    def as_table(self, base: Path) -> dict[str, Any]:
        """The configuration as a file in the folder `base` has it; paths are relative to `base`."""
        name, *_ = self.ruleset.name.split(" ")
        defaults = preset(name).options()
        changes = {
            option: list(value) if isinstance(value, tuple) else "none" if value is None else value
            for option, value in self.ruleset.options().items()
            if value != defaults[option]
        }
        table: dict[str, Any] = {
            "ruleset": name,
            "players": self.players,
            **({"blocks": self.blocks} if self.blocks else {"budget": self.budget}),
            "deals": self.deals,
            **({} if self.seed is None else {"seed": self.seed}),
            **({"public_salt": self.public_salt} if self.public_salt else {}),
            **({"move_time": write_duration(self.limits.move)} if self.limits.move else {}),
            **({"bank": self._bank()} if self.limits.bank else {}),
            "start_time": write_duration(self.limits.start),
            "grace": write_duration(self.limits.grace),
            "games_in_flight": self.limits.games_in_flight,
            "games_per_launch": self.games_per_launch,
            "teammates": self.teammates,
            "show_names": self.show_names,
            "pondering": self.limits.pondering,
            **({} if self.sandbox == AUTO else {"sandbox": self.sandbox}),
            **({"sprt": write_sprt(self.sprt)} if self.sprt else {}),
            **({"compress": True} if self.compress else {}),
        }
        for bot in remotes(self.bots)[:1]:
            table["server_key"] = os.path.relpath(bot.server_key, base)
        if self.penalties != Penalties():
            table["faults"] = {
                "default_call": sorted(self.penalties.default_call),
                "strikes": self.penalties.strikes,
                "disqualify_after": self.penalties.disqualify_after,
            }
        if changes:
            table["options"] = changes
        table["bots"] = [_bot_table(bot, base) for bot in self.bots]
        return table

    def _bank(self) -> str:
        increment = self.limits.increment
        plus = f"+{write_duration(increment)}" if increment else ""
        return write_duration(self.limits.bank) + plus

    def frozen(self, base: Path) -> str:
        """The text of `tournament.toml` in the folder `base`."""
        return tomli_w.dumps(self.as_table(base))


def _bot_table(bot: BotSpec, base: Path) -> dict[str, Any]:
    """What a file says about a bot; what its own `bot.toml` says is left there."""
    table: dict[str, Any] = {"name": bot.name, "folder": os.path.relpath(bot.folder, base)}
    if isinstance(bot, RemoteBot):
        table = bot.as_table()
    elif not bot.has_file:
        table["command"] = list(bot.command)
        if bot.transport != "ipc":
            table["transport"] = bot.transport
    for key in ("author", "team"):
        if getattr(bot, key):
            table[key] = getattr(bot, key)
    if bot.args:
        table["args"] = list(bot.args)
    if bot.env:
        table["env"] = dict(bot.env)
    if bot.restart != "task":
        table["restart"] = bot.restart
    return table


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What two configurations differ in, in words: `move_time: 100ms before, 50ms now`. Not in their
    sandbox or compression: what counts is the log that is there.
    """
    found = []
    for key in dict.fromkeys([*before, *now]):
        old, new = before.get(key, "nothing"), now.get(key, "nothing")
        if old == new or key in ("sandbox", "compress"):
            continue
        if key == "bots":
            old, new = (", ".join(str(bot.get("name")) for bot in bots) for bots in (old, new))
            if old == new:
                old, new = "other folders, commands or settings", "these"
        found.append(f"{key}: {old} before, {new} now")
    return found
