"""How a bot behaves around the questions: while it waits, when it is stopped, and when it leaves."""

from __future__ import annotations

import signal
import time

from arena.check.cases import Case
from arena.check.problem import Kind, Problem, Remark
from arena.check.room import Room, Visit
from arena.check.step import Registry
from arena.game import preset

registry = Registry()

PAUSE = 1.5
"""Seconds that a slow referee lets pass between two asks."""
STOPPED = 0.3
LEAVING = 1.0
"""Seconds that the protocol gives a bot to leave."""
MERCY = 1.0
"""Seconds more, for a machine that is busy."""
OUTPUT_KEPT = 64 * 1024
"""Bytes of each launch's output that the results of a run keep."""
OUTPUT_MOST = 1 << 20


def one_question(visit: Visit, number: int) -> None:
    case = Case(preset("standard"), 2, number)
    visit.put([case])
    visit.close(case)


@registry.step("waits for a slow referee")
def slow_referee(room: Room) -> str:
    visit = room.visit()
    one_question(visit, 1)
    cpu, begun = visit.talk.process.cpu_seconds(), time.monotonic()
    visit.talk.listen(PAUSE)
    used = visit.talk.process.cpu_seconds() - cpu
    room.notes.cpu_waiting = used / (time.monotonic() - begun)
    one_question(visit, 2)
    return f"of {PAUSE:g} s between two asks"


@registry.step("goes on after it was stopped between two asks")
def stopped(room: Room) -> str:
    visit = room.visit()
    one_question(visit, 3)
    process = visit.talk.process
    process.signal_group(signal.SIGSTOP)
    try:
        time.sleep(STOPPED)
    finally:
        process.signal_group(signal.SIGCONT)
    one_question(visit, 4)
    return "as with --no-pondering"


@registry.step("sends nothing that nobody asked for")
def nothing_unasked(room: Room) -> str:
    visit = room.visit()
    for number in range(5):
        one_question(visit, number)
    visit.tell_ends()  # what was sent before this answer has come before it
    strays = room.notes.strays
    if strays:
        words, asked, received = strays[0]
        raise Problem(
            f"{len(strays)} messages came that nobody asked for, the first: {words}",
            "Say hello once, answer every ask once, and send nothing else. More than 100 such messages "
            "in one launch are the fault flood, a second hello is malformed.",
            asked=asked,
            received=received,
        )
    return ""


@registry.step("leaves when it is refused", asks=False)
def refused(room: Room) -> str:
    talk = room.launch()
    talk.hear_hello()
    talk.refuse("this is only a test of how it takes a refusal")
    if talk.wait_for_exit(LEAVING + MERCY) is None:
        raise Remark(
            f"it still ran {LEAVING + MERCY:g} s after the message refused",
            "Where type is refused, print its reason and exit: it tells what is wrong with the hello.",
        )
    return ""


@registry.step("leaves within a second of bye", asks=False)
def leaves(room: Room) -> str:
    visit = room.visit()
    talk = visit.talk
    talk.goodbye()
    seconds = talk.wait_for_exit(LEAVING + MERCY)
    if seconds is None:
        raise Problem(
            f"it still ran {LEAVING + MERCY:g} s after bye",
            "Where type is bye, close the socket (LINGER 100 ms) and exit; do not answer it. A thread "
            "that still works may keep a program alive.",
            printed=talk.process.output(500),
        )
    return f"after {seconds:.2f} s"


@registry.step("exits with code 0 after bye", asks=False)
def exit_code(room: Room) -> str:
    talk = room.greet().talk
    talk.goodbye()
    talk.wait_for_exit(LEAVING + MERCY)
    if talk.process.status is None:
        return "it had to be ended"
    if talk.process.status != 0:
        raise Problem(
            f"it {talk.process.how_it_ended()}",
            "bye is the regular end: leave with exit code 0, so that a failure can be told from it.",
            printed=talk.process.output(500),
        )
    return "also when it was never asked anything"


@registry.step("prints little", asks=False)
def output(room: Room) -> str:
    room.tidy(failed=True)  # so that the last launch counts too
    most = max(room.notes.output, default=0)
    if most >= OUTPUT_MOST:
        raise Problem(
            "one launch printed more than a megabyte",
            "Print only what you will read, a few lines a game: printing takes time, and "
            f"of each launch only the last {OUTPUT_KEPT // 1024} KiB are kept.",
            printed=room.notes.printed,
        )
    if most > OUTPUT_KEPT:
        raise Remark(
            f"one launch printed {most // 1024} KiB",
            f"Of each launch only the last {OUTPUT_KEPT // 1024} KiB are kept.",
            printed=room.notes.printed,
        )
    return f"at most {most} bytes in one launch"


@registry.step("answers in time")
def in_time(room: Room) -> str:
    limit, notes = room.limits.move, room.notes
    if notes.late:
        raise Problem(
            f"{notes.late} answers did not come within {limit * 1000:.0f} ms for a call",
            "See the steps above. --move-time allows more, if the tournament will, too.",
            Kind.LATE,
        )
    worst = max((used / max(1, acts) for used, acts in notes.times), default=0.0)
    return f"the slowest took {worst * 1000:.1f} ms of {limit * 1000:.0f} ms for a call"
