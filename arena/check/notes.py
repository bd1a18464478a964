"""What a run notes beside its steps: how fast the bot was, and what it sent and printed."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Notes:
    """What all launches of a run showed, for the steps that look back and for the timing table.

    first      seconds of the first answers; `times` of all others, each with its number of acts
    strays     what nobody asked for, in words, with the message; `wrong_ids` likewise
    output     bytes that each launch printed
    calls, cpu calls of the answers whose CPU seconds were taken
    """

    starts: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    times: list[tuple[float, int]] = field(default_factory=list)
    late: int = 0
    strays: list[tuple[str, bytes, bytes]] = field(default_factory=list)
    wrong_ids: list[tuple[str, bytes, bytes]] = field(default_factory=list)
    output: list[int] = field(default_factory=list)
    printed: str = ""
    calls: int = 0
    cpu: float = 0.0
    cpu_waiting: float | None = None
