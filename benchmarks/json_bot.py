"""The sample bot `random` for a loop through pipes: asks as JSON lines on stdin, answers on stdout."""

from __future__ import annotations

import json
import sys

from perudo_bot import Question


def main() -> None:
    for line in sys.stdin.buffer:
        ask = json.loads(line)
        calls = []
        for act in ask["acts"]:
            question = Question(act)
            legal = question.legal_calls()
            calls.append(legal[question.random % len(legal)])
        answer = {"type": "answer", "id": ask["id"], "calls": calls}
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
