"""What it costs to go on with a large run: reading its log, finding the next task, and keeping count.

    python benchmarks/resume.py [--games N] [--repeats N]

The log is made of the games of `results/example`, again and again under new numbers, plain and
compressed. All is processor time, in turns, so that what else the machine does meets all alike. Ratios
are medians over the repeats and can be compared between machines; the figures cannot. Seconds are
reckoned up to a million games.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
import tracemalloc
import zlib
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path
from statistics import median

from arena.record.log import GAMES, LogWriter, lines_of, recover
from arena.record.numbers import Numbers
from arena.record.packing import SUFFIX
from arena.record.schema import decode_line
from arena.tournament.schedule import Schedule

EXAMPLE = Path(__file__).parents[1] / "results" / "example" / GAMES
BOTS = 50
PER_APPEND = 50


def make_log(path: Path, games: int) -> None:
    header, *lines = EXAMPLE.read_bytes().splitlines(keepends=True)
    rests = [re.sub(rb'^{"type":"game","game":[0-9]+', b"", line) for line in lines[:-1]]
    writer = LogWriter(path, sync_every=1e9)
    writer.append([header])
    for begin in range(0, games, PER_APPEND):
        writer.append(
            b'{"type":"game","game":%d' % number + rests[number % len(rests)]
            for number in range(begin, min(games, begin + PER_APPEND))
        )
    writer.close()


def read(path: Path) -> None:
    """Nothing but the bytes, as `wc -c` of a pipe does."""
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass


def count_lines(path: Path) -> None:
    """As `wc -l` does."""
    with path.open("rb") as file:
        lines = 0
        while data := file.read(1 << 20):
            lines += data.count(b"\n")


def decompress(path: Path) -> None:
    """As `zcat` does."""
    data = path.read_bytes()
    while data:
        member = zlib.decompressobj(31)
        member.decompress(data)
        data = member.unused_data


def decode(path: Path) -> None:
    """Every field of every game, as each table and chart needs them."""
    for _, line in lines_of(path):
        decode_line(line)


def measure(work: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(repeats):
        for name, call in work.items():
            begun = time.process_time()
            call()
            found[name].append(time.process_time() - begun)
    return found


def logs(folder: Path, games: int, repeats: int) -> None:
    plain, packed = folder / GAMES, folder / (GAMES + SUFFIX)
    for path in (plain, packed):
        make_log(path, games)
    size, small = plain.stat().st_size, packed.stat().st_size
    print(
        f"{games} games: {size / 1e6:.0f} MB, compressed {small / size:.2f} of that; {repeats} repeats\n"
    )
    found = measure(
        {
            "read the file": lambda: read(plain),
            "count its lines": lambda: count_lines(plain),
            "recover": lambda: recover(plain),
            "decode every game": lambda: decode(plain),
            "compressed: decompress": lambda: decompress(packed),
            "compressed: recover": lambda: recover(packed),
            "compressed: decode": lambda: decode(packed),
        },
        repeats,
    )
    base = found["count its lines"]
    print(f"{'':26}{'s per 10^6':>11}{'games/s':>12}{'x counting lines':>18}")
    for name, times in found.items():
        usual = median(times)
        ratio = median(mine / other for mine, other in zip(times, base, strict=True))
        print(f"{name:26}{usual * 1e6 / games:11.2f}{games / usual:12,.0f}{ratio:18.1f}")


def schedules(games: int, repeats: int) -> None:
    print(f"\na budget of {games} games for {BOTS} bots, all but the last block done")
    print(f"{'':26}{'first task':>11}{'next task':>12}   x one task in turn, memory")
    for players in (2, 4, 6):
        schedule = Schedule(tuple(range(BOTS)), players, b"x", budget=games)
        done = Numbers()
        for number in range(schedule.total_games - players):
            done.add(number)

        def first(schedule: Schedule = schedule) -> object:
            return next(schedule.groups())

        def last(schedule: Schedule = schedule, done: Numbers = done) -> object:
            return next(schedule.groups(done))

        found = measure({"first": first, "next": last}, repeats)
        tracemalloc.start()
        counted = count()
        for _ in islice(schedule.groups(), 20_000):
            next(counted)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        ratio = median(b / a for a, b in zip(found["first"], found["next"], strict=True))
        print(
            f"{players} players{'':17}{median(found['first']):10.2f}s{median(found['next']):11.2f}s"
            f"   {ratio:.0f}, {peak / 1e6:.0f} MB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Going on with a large run.")
    parser.add_argument("--games", type=int, default=100_000, help="in the log (default 100000)")
    parser.add_argument("--repeats", type=int, default=5, help="of each measurement (default 5)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        logs(Path(folder), given.games, given.repeats)
    schedules(given.games, given.repeats)
    done = Numbers()
    tracemalloc.start()
    for number in range(10**6):
        done.add(number)
    print(
        f"\nthe numbers of 10^6 games that are done: {tracemalloc.get_traced_memory()[0] / 1e6:.2f} MB"
    )


if __name__ == "__main__":
    main()
