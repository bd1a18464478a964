"""Every fault of a log: who, what, when, what it cost, and the command that plays the game again."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import ConfigError, printable
from arena.record.log import GAMES, log_of, read_games, read_header
from arena.record.schema import HOST_CAUSES, Fault


@dataclass(frozen=True)
class FoundFault:
    """A fault with its surroundings. `blame` is the bot, or "nobody"; `replay` a shell command."""

    game: int
    bot: str
    blame: str
    fault: Fault
    replay: str

    def cells(self) -> dict[str, Any]:
        fault = self.fault
        return {
            "game": self.game,
            "bot": self.bot,
            "seat": fault.seat,
            "round": fault.round,
            "call": fault.call,
            "cause": fault.cause,
            "blame": self.blame,
            "penalty": fault.penalty,
            "detail": fault.detail,
            "used_ms": fault.used_ms,
            "asked": fault.asked,
            "received_hex": fault.received,
            "output": fault.stderr,
            "replay": self.replay,
        }


def list_faults(
    folder: Path, *, bot: str | None = None, cause: str | None = None, game: int | None = None
) -> list[FoundFault]:
    """The faults of a results folder that fit, ordered by game. Raises `ConfigError`, `LogError`."""
    log = log_of(folder)
    if not log.is_file():
        raise ConfigError(f"{folder} holds no tournament: there is no {GAMES}")
    names = [each.name for each in read_header(log).bots]
    if bot is not None and bot not in names:
        raise ConfigError(f"there is no bot {bot!r} in {folder}; bots: {', '.join(names)}")

    def all_faults() -> Iterator[FoundFault]:
        for record in read_games(log):
            for fault in record.faults:
                name = names[record.seats[fault.seat]]
                yield FoundFault(
                    game=record.game,
                    bot=name,
                    blame="nobody" if fault.cause in HOST_CAUSES else name,
                    fault=fault,
                    replay=shlex.join(["arena", "replay", str(folder), str(record.game)]),
                )

    fitting = (
        found
        for found in all_faults()
        if bot in (None, found.bot) and cause in (None, found.fault.cause) and game in (None, found.game)
    )
    return sorted(fitting, key=lambda found: found.game)


def readable(received: str) -> str:
    """A message in hex as text, where it is text."""
    try:
        text = bytes.fromhex(received).decode("ascii")
    except ValueError:
        return received
    return repr(text) if text.isprintable() and text else received


def faults_as_json(found: list[FoundFault]) -> str:
    return json.dumps([each.cells() for each in found], indent=2)


def show_faults(found: list[FoundFault], details: bool) -> None:
    """Print them, then a sum by bot and cause."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for each in found:
        fault = each.fault
        penalty = "" if fault.penalty == "forfeit" else f" ({fault.penalty})"
        console.print(
            f"game {each.game}, round {fault.round}: {each.bot}: {fault.cause}{penalty}: {fault.detail}",
            markup=False,
        )
        if details:
            told = {
                "asked": fault.asked,
                "received": readable(fault.received),
                "after": f"{fault.used_ms:.1f} ms",
                "printed": printable(fault.stderr).rstrip().replace("\n", "\n            "),
                "again": each.replay,
            }
            for what, text in told.items():
                if text:
                    console.print(f"  {what:9} {text}", markup=False)
    sums = Counter((each.bot, each.fault.cause) for each in found)
    if not sums:
        console.print("no faults")
        return
    console.print()
    for (bot, cause), count in sorted(sums.items()):
        console.print(f"{bot}: {count} {cause}", markup=False)
    console.print(f"one of these games again: {found[0].replay}", markup=False)
