"""Answers its third question in eight megabytes."""

from tests.hostile.bots.raw import hello, play_well, receive, send

hello()
ask = play_well(2)
send({"type": "answer", "id": ask["id"], "calls": ["dudo"], "note": "x" * 8_000_000})
receive()
