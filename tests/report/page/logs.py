"""A small tournament with everything in it that a page must bear."""

from __future__ import annotations

from pathlib import Path

from arena.game import preset
from arena.record.log import GAMES, read_games, read_header
from arena.record.schema import GameRecord, Header
from tests.record.played import Log, play_log

NAMES = [
    "</script><script>window.pwned = 1</script>",
    "\"quoted' & <b onclick=alert(1)>bold</b>",
    "\u202eevil\u202c \u0007 \u9ab0\u5b50 {{ 7 * 7 }}",
    "long-" + "x" * 200,
    "<img src=x onerror='window.pwned = 2'>",
]
TOLD = "Traceback\n</pre><script>window.pwned = 3</script>\u2028\x1b[31m\u202e" + "y" * 500
TITLE = "</title><img src=x onerror=alert(1)>"


def hostile() -> Log:
    """Seven blocks for each line-up of five bots with evil names, with palificos, calzas and tabbas out
    of turn, faults of several causes, and a bot that never started."""
    log = play_log(preset("santaba"), 4, bots=5, blocks=7, faults=0.004, out=(4,))
    log.header["name"] = TITLE
    for bot, name in zip(log.header["bots"], NAMES, strict=True):
        bot["name"] = name
        bot["author"] = TOLD
    for game in log.games:
        for fault in game["faults"]:
            fault["stderr"] = fault["asked"] = TOLD
            fault["detail"] += TOLD
    return log


def write(log: Log, folder: Path, *, end: bool = True) -> Path:
    """The log as a results folder."""
    folder.mkdir(parents=True, exist_ok=True)
    log.write(folder / GAMES, end)
    return folder


def read(folder: Path) -> tuple[Header, dict[int, GameRecord]]:
    """Header and games by number."""
    log = folder / GAMES
    return read_header(log), {game.game: game for game in read_games(log)}
