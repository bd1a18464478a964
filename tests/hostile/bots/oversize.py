"""Answers its third question in a hundred kilobytes."""

from tests.hostile.bots.raw import hello, play_well, receive, send

hello()
ask = play_well(2)
send({"type": "answer", "id": ask["id"], "calls": ["dudo"], "note": "x" * 100_000})
receive()
