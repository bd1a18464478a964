"""Which games a page holds, and how: their lines of the log, in the page itself or in files beside it.

A page that was opened as a file may not read other files, but it may run scripts that lie beside it. So
each file of games is a script of one call, `arenaGames(NUMBER, [games])`, and the scripts of the page
load it when a game of it is wanted. File NUMBER holds the games from NUMBER * CHUNK on.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import ArenaError, ConfigError
from arena.record.schema import GameRecord, encode_line
from arena.report.page.gather import Gathered

CHUNK = 200
"""Game numbers that one file covers, about 300 kB."""
SMALL = 4_000_000
"""Bytes of games, as they stand in the log, that are put into the page without being asked."""
WAITING = 32_000_000
"""Characters of games that wait to be written to their files."""


@dataclass(frozen=True)
class Choice:
    """Which games the page holds: `chosen` are positions in the numbers of all. `beside`: in files,
    not in the page."""

    chosen: Sequence[int]
    beside: bool
    total: int

    @property
    def sample(self) -> bool:
        """Whether some are left out."""
        return len(self.chosen) < self.total


def read_games_option(text: str) -> str | int:
    """ "auto", "all", "beside", or how many games to take. Raises `ConfigError` for any other text."""
    if text in ("auto", "all", "beside"):
        return text
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise ConfigError(f"--games: {text!r} is not auto, all, beside, or a number of games")
    return int(text)


def choose_games(wanted: str | int, found: Gathered) -> Choice:
    """ "auto": in the page if they are small, else beside it. A number: as many, evenly spread over the
    tournament, in the page.
    """
    total = len(found.numbers)
    every = range(total)
    if isinstance(wanted, int):
        some = min(wanted, total)
        return Choice([i * total // some for i in range(some)], False, total)
    beside = wanted == "beside" or (wanted == "auto" and found.size > SMALL)
    return Choice(every, beside, total)


def embedded(found: Gathered, choice: Choice) -> Iterator[str]:
    """The games in the page, as the text of a JSON list, piece by piece."""
    begin = "["
    if not choice.beside:
        wanted = set(found.numbers[list(choice.chosen)].tolist()) if choice.sample else None
        for game in found.games():
            if wanted is None or game.game in wanted:
                yield begin + _line(game)
                begin = ","
    yield "[]" if begin == "[" else "]"


def index_of(found: Gathered, choice: Choice) -> dict[str, Any]:
    """What the list of games shows, column by column.

    numbers  of the games
    seats    bot in each seat, game after game; `places` likewise
    rounds   how many each game had
    faults   number of a game -> causes, for games with faults
    """
    results = found.evidence.results
    chosen = list(choice.chosen)
    numbers = found.numbers[chosen].tolist()
    held = set(numbers)
    causes = found.faults.in_game.items()
    return {
        "numbers": numbers,
        "seats": results.seats[chosen].ravel().tolist(),
        "places": results.places[chosen].ravel().tolist(),
        "rounds": found.rounds[chosen].tolist(),
        "faults": {str(game): words for game, words in causes if game in held},
    }


def write_beside(folder: Path, found: Gathered, choice: Choice) -> None:
    """Write the files of games and their index into `folder`, instead of those of an earlier page.

    Raises `ArenaError` where that cannot be done.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.js"):
            if re.fullmatch(r"[0-9]+|index", old.stem):
                old.unlink()
        (folder / "index.js").write_text(f"arenaIndex({as_json(index_of(found, choice))});\n")
        files = _Files(folder)
        for game in found.games():
            files.add(game)
        files.close()
    except OSError as error:
        raise ArenaError(f"cannot write {folder}: {error.strerror}") from None


class _Files:
    """Sorts games, which come in any order, into their files, with a bounded heap of them waiting."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: defaultdict[int, list[str]] = defaultdict(list)
        self._size = 0
        self._begun: set[int] = set()

    def add(self, game: GameRecord) -> None:
        line = _line(game)
        self._waiting[game.game // CHUNK].append(f"{line},\n")
        self._size += len(line)
        if self._size > WAITING:
            self._write()

    def close(self) -> None:
        self._write()
        for chunk in self._begun:
            self._append(chunk, "]);\n")

    def _write(self) -> None:
        for chunk, lines in self._waiting.items():
            if chunk not in self._begun:
                self._begun.add(chunk)
                lines.insert(0, f"arenaGames({chunk}, [\n")
            self._append(chunk, "".join(lines))
        self._waiting.clear()
        self._size = 0

    def _append(self, chunk: int, text: str) -> None:
        with (self._folder / f"{chunk}.js").open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)


def _line(game: GameRecord) -> str:
    """The game's line of the log, as a page may hold it."""
    return _safe(encode_line(game).rstrip(b"\n"))


def as_json(value: Any) -> str:
    """JSON that can stand in a script of a page: no character that ends one or begins markup."""
    return _safe(json.dumps(value, separators=(",", ":")).encode())


_RISKY = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def _safe(line: bytes) -> str:
    """JSON whose strings hold the risky characters as escapes; outside strings there are none."""
    return line.decode("utf-8", "replace").translate(_RISKY)
