"""Plays, and tries to recognise a deal of an earlier launch: it notes its first hands wherever it can
write, and says so when it finds such a note."""

import os
from pathlib import Path

import perudo_bot

HOME, SHARED = Path(os.environ["HOME"]), Path("/dev/shm")
PLACES = [HOME, Path(os.environ["TMPDIR"]), Path(__file__).parent, Path("/tmp"), SHARED]
seen: set[str] = set()


def call(question: perudo_bot.Question) -> str:
    if question.round == 1 and not question.calls:
        hand = f"{question.seat} {question.hand}"
        for place in PLACES:
            note = place / "perudo-notes"
            try:
                for line in note.read_text().splitlines():
                    if line.startswith(f"{os.getpid()} "):
                        continue
                    print("found a note of an earlier launch", line, flush=True)
            except OSError:
                pass
            try:
                with note.open("a") as file:
                    file.write(f"{os.getpid()} {hand}\n")
            except OSError:
                pass
        if hand in seen:
            print("the same hand twice", hand, flush=True)
        seen.add(hand)
    return question.legal_calls()[question.random % len(question.legal_calls())]


perudo_bot.run(call, name="remembers", games=1)
