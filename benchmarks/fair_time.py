"""Do bots that answer at once ever lose on time?

    python benchmarks/fair_time.py [--decisions 20000] [--workers 2] [--move-time 50ms] [--busy 0]

Plays random bots with two workers until so many decisions are made, with `--busy` processes burning CPU
beside the match, and counts forfeits. The two settings that must show none: 50 ms per call on a machine
with nothing else to do, and 100 ms with four busy processes on two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BOT = Path(__file__).parents[1] / "sample_bots" / "python" / "random"
CALLS_PER_GAME = 29


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--decisions", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--move-time", default="50ms")
    parser.add_argument("--busy", type=int, default=0)
    args = parser.parse_args()
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(args.busy)]
    try:
        with tempfile.TemporaryDirectory() as out:
            play(args, out)
            report(args, Path(out))
    finally:
        for burner in burners:
            burner.kill()


def play(args: argparse.Namespace, out: str) -> None:
    bots = [f"{name}={BOT}" for name in ("a", "b", "c", "d")]
    games = 1 + args.decisions // CALLS_PER_GAME
    options = ["--players", "2", "--budget", games, "--move-time", args.move_time]
    options += ["--workers", args.workers, "--seed", "1", "--out", out]
    command = [sys.executable, "-c", "from arena.cli import main; main()", "run", *bots]
    subprocess.run([*command, *map(str, options)], check=True, stdout=subprocess.DEVNULL)


def report(args: argparse.Namespace, out: Path) -> None:
    games = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    games = [game for game in games if game["type"] == "game"]
    us = sorted(each for game in games for calls in game["timing"]["us"] for each in calls)
    faults = sum(len(game["faults"]) for game in games)
    lag = max(game["timing"]["lag_ms"] for game in games)
    print(
        f"{len(us)} decisions in {len(games)} games on {os.cpu_count()} cores, "
        f"{args.busy} busy processes"
    )
    print(f"limit {args.move_time}: {faults} forfeits")
    for share in (0.5, 0.99, 0.999):
        print(f"  {share:.1%} of the answers within {us[int(share * len(us))] / 1000:.2f} ms")
    print(f"  longest answer {us[-1] / 1000:.1f} ms, longest delay of the referee {lag:.1f} ms")


if __name__ == "__main__":
    main()
