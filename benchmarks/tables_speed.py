"""A million calls into pandas: from the log, from Parquet, and as row-per-call JSON lines by pyarrow.

    python benchmarks/tables_speed.py [--calls N] [--repeats N]

The same calls in several ways, each ending in pandas tables in memory:

log      `arena.record.tables.read_tables`: all tables of `games.jsonl`, one line per game
json     the table of calls as JSON lines, one object per call, read by `pyarrow.json`
parquet  the table of calls as `arena export --to parquet` writes it, read by `pandas.read_parquet`
play     `arena.report.play.read_play`: from the log to every measure of `arena stats`, tables included

The log is made by games of `arena.game` between four players who raise as little as they may and
doubt what they do not expect. All are measured in turn, by the wall clock, since pyarrow may
use all cores and we use one. Ratios are medians over the repeats and can be compared between
machines; the figures cannot.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from arena.game import Ask, Bid, Call, Dice, Game, Word, preset
from arena.record.columns import write_calls, write_change, write_hands
from arena.record.export import export
from arena.record.log import GAMES
from arena.record.schema import Bot, GameRecord, Header, Settings, Timing, encode_line
from arena.record.tables import read_tables
from arena.report.play import read_play

PLAYERS = 4
RULES = preset("standard")


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the tables.")
    parser.add_argument("--calls", type=int, default=1_000_000, help="of the log (default a million)")
    parser.add_argument("--repeats", type=int, default=5, help="of each reading (default 5)")
    given = parser.parse_args()

    with TemporaryDirectory() as name:
        folder = Path(name)
        calls = _write_log(folder / GAMES, given.calls)
        export(folder, "parquet", folder / "tables")
        as_json = folder / "calls.jsonl"
        read_tables(folder).calls.to_json(as_json, orient="records", lines=True)

        ways: dict[str, Callable[[], object]] = {
            "log": lambda: read_tables(folder),
            "json": lambda: _read_json(as_json),
            "parquet": lambda: _read_parquet(folder / "tables" / "calls.parquet"),
            "play": lambda: read_play(folder),
        }
        sizes = {
            "log": folder / GAMES,
            "json": as_json,
            "parquet": folder / "tables" / "calls.parquet",
            "play": folder / GAMES,
        }
        for read in ways.values():  # imports, caches of the file system
            read()
        seconds: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(given.repeats):
            for way, read in ways.items():
                begun = time.perf_counter()
                read()
                seconds[way].append(time.perf_counter() - begun)

        print(f"{calls} calls, {given.repeats} readings of each")
        print(f"{'':10}{'file':>9}{'median':>10}{'per million':>13}{'x json':>9}   lowest-highest")
        for way, times in seconds.items():
            ratios = [one / other for one, other in zip(seconds["json"], times, strict=True)]
            size, usual = sizes[way].stat().st_size / 1e6, median(times)
            line = f"{way:10}{size:6.1f} MB{usual:8.2f} s{1e6 * usual / calls:11.2f} s"
            print(f"{line}{median(ratios):9.2f}   {min(ratios):.2f}-{max(ratios):.2f}")


def _read_json(path: Path) -> Any:
    from pyarrow import json

    return json.read_json(path).to_pandas()


def _read_parquet(path: Path) -> Any:
    import pandas as pd

    return pd.read_parquet(path)


# --- a log -------------------------------------------------------------------------------------------


def _write_log(path: Path, wanted: int) -> int:
    """Write a log of at least so many calls; returns how many."""
    bots = [Bot(f"bot-{n}", "", "", "", "", "", 1, False, False, "") for n in range(PLAYERS)]
    rules: dict[str, Any] = {"name": RULES.name, **RULES.options()}
    settings = Settings(100, 10_000, 20, 1, 50, 1, "none", False)
    header = Header(
        1, "", "speed", "", rules, PLAYERS, bots, "mirrored", "secret", "", "", {}, 0, settings, {}
    )
    calls = 0
    with path.open("wb") as file:
        file.write(encode_line(header))
        for record in _games():
            file.write(encode_line(record))
            calls += sum(map(len, record.timing.us))
            if calls >= wanted:
                return calls
    raise AssertionError("games without end")


def _games() -> Iterator[GameRecord]:
    number = 0
    while True:
        game = Game(RULES, PLAYERS, Dice((number // PLAYERS).to_bytes(8, "big")))
        while game.ask is not None:
            game.answer(_call(game, game.ask))
        rotation = number % PLAYERS
        order = list(range(PLAYERS))
        us = [[70 + (k * 37 + number) % 900 for k in range(len(r.calls))] for r in game.rounds]
        yield GameRecord(
            game=number,
            block=number // PLAYERS,
            rotation=rotation,
            deal=number // PLAYERS,
            seats=[*order[rotation:], *order[:rotation]],
            commitment="0" * 64,
            openers=[r.opener for r in game.rounds],
            palifico=[int(r.palifico) for r in game.rounds],
            hands=[write_hands(r.hands) for r in game.rounds],
            calls=[write_calls(r) for r in game.rounds],
            counts=[r.count for r in game.rounds],
            changes=[write_change(r.change) for r in game.rounds],
            places=game.places,
            faults=[],
            timing=Timing(1_800_000_000.0 + number, 0.01, us, 1.0, 0.1, 1.0, [1.0] * PLAYERS),
        )
        number += 1


def _call(game: Game, ask: Ask) -> Call:
    """The smallest raise on the face that is held most, unless the standing bid is beyond belief."""
    hand = game.rounds[-1].hands[ask.seat]
    hidden = sum(game.dice) - len(hand)
    bid = game.rounds[-1].calls[-1][1] if game.rounds[-1].calls else None
    if isinstance(bid, Bid) and bid.quantity > hand.count(bid.face) + hand.count(1) + hidden / 3 + 1:
        return Word.DUDO
    face = max((f for f in range(1, 7) if ask.minimums[f - 1] <= ask.maximum), key=hand.count, default=0)
    return Bid(ask.minimums[face - 1], face) if face else Word.DUDO


if __name__ == "__main__":
    main()
