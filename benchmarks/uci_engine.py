"""The smallest engine of the chess protocol UCI: it moves a knight out and back, at once."""

import sys


def main() -> None:
    out_and_back = ("g1f3", "g8f6", "f3g1", "f6g8")
    made = 0
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            print("id name out and back\nuciok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["position"]:
            made = len(words) - 3 if "moves" in words else 0
        elif words[:1] == ["go"]:
            print(f"bestmove {out_and_back[made % 4]}", flush=True)
        elif words[:1] == ["quit"]:
            return


if __name__ == "__main__":
    main()
