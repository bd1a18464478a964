"""A run as text, step by step, and as JSON."""

from __future__ import annotations

import json
import shlex
from math import isfinite
from statistics import median
from typing import Any

from arena import __version__
from arena.check.notes import Notes
from arena.check.problem import NO_ACT, Problem
from arena.check.reading import unpack
from arena.check.run import Report
from arena.check.step import Result, Status
from arena.errors import printable
from arena.referee.wire import PROTOCOL
from arena.tournament.bots import BotSpec

LONG_LIST = 12
"""Longer lists are shortened in the text."""
LONG_TEXT = 80
LONG_HEX = 64
"""Bytes of a message that the text shows."""
SHOWN = {
    Status.PASSED: "passed",
    Status.WARNING: "WARNING",
    Status.FAILED: "FAILED",
    Status.NOT_CLAIMED: "not claimed",
    Status.NOT_TRIED: "not tried",
}


def heading(bot: BotSpec) -> str:
    return f"{bot.name}: {shlex.join(bot.command + bot.args)}  (in {bot.folder})\n"


def step_as_text(result: Result) -> str:
    """One step, with everything about what went wrong."""
    step, problem = result.step, result.problem
    note = f" ({result.note})" if result.note else ""
    lines = [f"{step.number:3}  {SHOWN[result.status]:11}  {step.title}{note}"]
    if problem is not None:
        for name, text in _evidence(problem):
            first, *others = text.splitlines() or [""]
            lines += [f"       {name:10}{first}", *(f"{'':17}{other}" for other in others)]
    return "\n".join(lines)


def _evidence(problem: Problem) -> list[tuple[str, str]]:
    found = [("what", problem.words)]
    if problem.asked:
        asked = _value(problem.asked)
        where = "asked"
        acts = asked.get("acts", []) if isinstance(asked, dict) else []
        if 0 <= problem.act < len(acts):
            found.append((where, f"act {problem.act + 1} of {len(acts)} in ask {asked['id']}:"))
            asked, where = acts[problem.act], ""
        found += [(where, _line(asked)), ("", _hex(problem.asked))]
    if problem.received:
        found += [("came", _line(_value(problem.received))), ("", _hex(problem.received))]
    if problem.printed.strip():
        found.append(("printed", printable("\n".join(problem.printed.strip().splitlines()[-8:]))))
    return [*found, ("to do", problem.advice)]


def _value(frame: bytes) -> Any:
    """A message as JSON can have it, whatever it is."""
    try:
        return _plain(unpack(frame))
    except ValueError:
        return "(no msgpack)"
    except RecursionError:
        return "(nested too deeply to show)"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value if isinstance(value, str | int | float | None) else repr(value)


def _line(value: Any) -> str:
    return printable(json.dumps(shorten(value), ensure_ascii=False))


def shorten(value: Any) -> Any:
    """The value with long lists and texts cut in their middle, and rulesets by their name alone."""
    if isinstance(value, dict):
        if "bidding_rule" in value:
            return {"name": value.get("name"), "...": f"{len(value) - 1} options"}
        return {key: shorten(each) for key, each in value.items()}
    if isinstance(value, list):
        if len(value) > LONG_LIST:
            half = LONG_LIST // 2
            cut = f"... {len(value) - LONG_LIST} more ..."
            return [*map(shorten, value[:half]), cut, *map(shorten, value[-half:])]
        return [shorten(each) for each in value]
    if isinstance(value, str) and len(value) > LONG_TEXT:
        return f"{value[: LONG_TEXT // 2]} ... {len(value)} characters"
    return value


def _hex(frame: bytes) -> str:
    more = f" ... {len(frame)} bytes" if len(frame) > LONG_HEX else ""
    return frame[:LONG_HEX].hex(" ") + more


# -- the end of the text -----------------------------------------------------------------------------


def ending(report: Report) -> str:
    """What stands below the steps: the time, and how many passed."""
    more = [] if report.ok else ["with --json every message is told in full"]
    return "\n".join(["", timing_as_text(report.notes), "", *more, summary(report)])


def summary(report: Report) -> str:
    """The last line: how many steps passed, failed, were not claimed."""
    warnings, untried = report.count(Status.WARNING), report.count(Status.NOT_TRIED)
    parts = [
        f"{report.count(Status.PASSED)} passed",
        f"{report.count(Status.FAILED)} failed",
        f"{report.count(Status.NOT_CLAIMED)} not claimed",
    ]
    parts += [f"{warnings} warning{'s' * (warnings > 1)}"] if warnings else []
    parts += [f"{untried} not tried"] if untried else []
    return ", ".join(parts)


def timing(notes: Notes) -> dict[str, float | int | None]:
    """The timing table, in milliseconds."""
    single = [used for used, acts in notes.times if acts == 1]
    batched = [used / acts for used, acts in notes.times if acts > 1]

    def ms(seconds: float | None) -> float | None:
        return None if seconds is None else round(seconds * 1000, 3)

    return {
        "launches": len(notes.starts),
        "start_ms": ms(median(notes.starts)) if notes.starts else None,
        "start_worst_ms": ms(max(notes.starts, default=None)),
        "first_answer_ms": ms(median(notes.first)) if notes.first else None,
        "answers": len(notes.times),
        "answer_median_ms": ms(median(single)) if single else None,
        "answer_worst_ms": ms(max(single, default=None)),
        "call_in_batch_median_ms": ms(median(batched)) if batched else None,
        "cpu_per_call_ms": ms(notes.cpu / notes.calls) if notes.calls else None,
        "cpu_waiting_percent": None if notes.cpu_waiting is None else round(100 * notes.cpu_waiting, 1),
    }


ROWS = (
    ("start-up to hello, median", "start_ms", "ms"),
    ("start-up to hello, worst", "start_worst_ms", "ms"),
    ("first answer of a launch, median", "first_answer_ms", "ms"),
    ("answer, median", "answer_median_ms", "ms"),
    ("answer, worst", "answer_worst_ms", "ms"),
    ("call in a batch, median", "call_in_batch_median_ms", "ms"),
    ("CPU of one call", "cpu_per_call_ms", "ms"),
    ("CPU while it waits", "cpu_waiting_percent", "%"),
)


def timing_as_text(notes: Notes) -> str:
    table = timing(notes)
    lines = [
        f"  {title:34}{value:10.2f} {unit}"
        for title, key, unit in ROWS
        if (value := table[key]) is not None
    ]
    return "\n".join([f"time, over {table['launches']} launches and {table['answers']} answers", *lines])


# -- JSON --------------------------------------------------------------------------------------------


def as_json(report: Report) -> str:
    """Everything, nothing shortened."""
    return json.dumps(
        {
            "bot": report.bot.name,
            "command": [*report.bot.command, *report.bot.args],
            "arena": __version__,
            "protocol": PROTOCOL,
            "move_ms": round(report.limits.move * 1000),
            "start_ms": round(report.limits.start * 1000),
            "hello": _plain(report.hello),
            "steps": [_step(result) for result in report.results],
            "timing": timing(report.notes),
            "summary": {status.value: report.count(status) for status in Status},
            "ok": report.ok,
        },
        indent=2,
    )


def _step(result: Result) -> dict[str, Any]:
    problem = result.problem
    told: dict[str, Any] = {
        "step": result.step.number,
        "key": result.step.key,
        "title": result.step.title,
        "status": result.status.value,
        "note": result.note,
        "seconds": round(result.seconds, 3),
    }
    if problem is not None:
        told["problem"] = {
            "words": problem.words,
            "advice": problem.advice,
            "kind": problem.kind.value,
            "act": None if problem.act == NO_ACT else problem.act,
            "asked": _value(problem.asked) if problem.asked else None,
            "asked_hex": problem.asked.hex(),
            "received": _value(problem.received) if problem.received else None,
            "received_hex": problem.received.hex(),
            "printed": problem.printed,
        }
    return told
