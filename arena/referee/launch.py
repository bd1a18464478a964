"""Launching bots through the warden: private folder, clean environment, capped output.

A `Launcher` is the worker's side of one warden; a `Process` is one launch of one bot.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from arena.errors import ConfigError
from arena.referee import sandbox, warden
from arena.referee.sandbox import NOT_HELD, Level, Sandbox

TREE_KEPT = 0.5
"""Seconds for which the list of a bot's processes is good enough for its CPU time."""
MAX_ROOT = 107 - len("/999999/door")
"""Bytes of the path below which the doors are: a socket's has 107 at most (`man 7 unix`)."""
TAIL = 4096
"""Bytes of output that a fault quotes."""


bot_cores: list[int] = []
"""The cores that the bots of this process are bound to; [] = all. Set once, when a worker begins."""


class LauncherError(RuntimeError):
    """The warden is gone or did not come up: the arena's own fault, never a bot's."""


@dataclass(frozen=True)
class Program:
    """What is run as a bot: its name in the tournament, command words, working folder, and the
    variables that are added to its clean environment.

    In a room it does not see the folders `hidden`. One that `builds` may change its folder and has the
    network; its variables go before those of the clean environment. One that is `trusted` is the arena's
    own: it gets no room, but bounds like any bot.
    """

    name: str
    command: tuple[str, ...]
    folder: str
    env: tuple[tuple[str, str], ...] = ()
    hidden: tuple[str, ...] = ()
    builds: bool = False
    trusted: bool = False


@dataclass(slots=True)
class Process:
    """One launch. `pid` is known soon after the start; `status` is None while it runs, then its exit
    code, or minus the signal; then `cpu_at_end` holds the seconds that it and its descendants used, and
    `reason` why it was killed, if it used too much of something.
    """

    number: int
    program: Program
    folder: Path
    pid: int | None = None
    status: int | None = None
    cpu_at_end: float = 0.0
    reason: str = ""
    _tree: list[int] = field(default_factory=list)
    _tree_at: float = -math.inf

    @property
    def endpoint(self) -> str:
        """Where this bot finds its referee."""
        return f"ipc://{self.folder}/door"

    def output(self, last: int) -> str:
        """The last bytes of what it printed so far, as text."""
        try:
            with open(self.folder / "output", "rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - last))
                return file.read(last).decode("utf-8", "replace")
        except OSError:
            return ""

    def cpu_seconds(self) -> float:
        """CPU time used so far by it and its living descendants, in seconds."""
        tree = self.tree()
        return sum(map(_cpu_seconds, tree)) if tree else self.cpu_at_end

    def tree(self, age: float = TREE_KEPT) -> list[int]:
        """It and its living descendants, as of `age` seconds ago at most."""
        if self.status is not None or self.pid is None:
            return []
        now = time.monotonic()
        if now >= self._tree_at + age:
            self._tree = [self.pid, *warden.descendants(self.pid)]
            self._tree_at = now
        return self._tree

    def signal_group(self, number: int) -> None:
        """Send a signal to its process group, if it still runs."""
        if self.status is None and self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, number)

    def how_it_ended(self) -> str:
        if self.status is None:
            return "is running"
        if self.reason:
            return f"was killed: {self.reason}"
        if self.status < 0:
            return f"was killed by signal {-self.status}"
        return f"exited with code {self.status}"


class Launcher:
    """Starts a warden and launches bots through it. Use it as a context manager.

    Raises `ConfigError` where the temporary folder's path is too long.
    """

    def __init__(self, held: Sandbox = NOT_HELD) -> None:
        self._held = held
        self._tasks = 0 if held.level is Level.NONE else most_tasks()
        # The worker names the folder and the warden makes it: whichever is killed, the other removes it.
        self.root = Path(tempfile.gettempdir(), f"arena-{secrets.token_hex(8)}")
        most = MAX_ROOT - len(os.fsencode(self.root.name)) - 1
        if len(os.fsencode(self.root.parent)) > most:
            raise ConfigError(
                f"the temporary folder {self.root.parent} has too long a path for sockets: set TMPDIR "
                f"to one of {most} bytes at most"
            )
        ours, theirs = socket.socketpair()
        self._control = ours
        self._processes: dict[int, Process] = {}
        self._unread = b""
        self._launched = 0
        with theirs:
            self._warden = subprocess.Popen(
                [sys.executable, "-I", "-S", warden.__file__, str(theirs.fileno()), str(self.root)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        ours.settimeout(30)
        try:
            self._read_line()
        except (OSError, EOFError) as error:
            self.close()
            raise LauncherError(f"the warden did not start: {error}") from None
        ours.setblocking(False)

    def __enter__(self) -> Launcher:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fileno(self) -> int:
        """Readable when a bot has ended (see `poll`)."""
        return self._control.fileno()

    def prepare(self, program: Program) -> Process:
        """A private folder for a launch of `program`, which `start` begins."""
        self._launched += 1
        folder = self.root / str(self._launched)
        (folder / "home").mkdir(mode=0o700, parents=True)
        return Process(self._launched, program, folder)

    def start(self, process: Process, token: str) -> None:
        """Run it. Its referee must listen at the process's endpoint by now."""
        self._processes[process.number] = process
        program, home = process.program, process.folder / "home"
        env = dict(program.env) | clean_environment(home, process.endpoint, token)
        if program.builds:
            env |= dict(program.env)
        self._send(
            {
                "launch": process.number,
                "argv": program.command,
                "env": env,
                "cwd": program.folder,
                "output": str(process.folder / "output"),
                "cores": bot_cores,
            }
            | self._holding(process, env)
        )

    def _holding(self, process: Process, env: dict[str, str]) -> dict[str, Any]:
        """What the warden must be told of the sandbox."""
        if self._held.level is Level.NONE:
            return {}
        bounds, program = self._held.bounds, process.program
        order: dict[str, Any] = {"bounds": asdict(bounds) | {"tasks": self._tasks}}
        if self._held.level is Level.LIMITS or program.trusted:
            return order | {"home": str(process.folder / "home")}
        folder, command = program.folder, program.command
        private = str(process.folder)
        users = sandbox.PASSWD.format(user=os.getuid(), group=os.getgid(), home=process.folder / "home")
        (process.folder / "passwd").write_text(users)
        room = sandbox.room_of(command, folder, env, private, bounds, program.hidden, program.builds)
        return order | {"wrap": [sandbox.program() or "bwrap", *sandbox.arguments(room)]}

    def poll(self) -> None:
        """Note which processes have ended since."""
        while True:
            try:
                data = self._control.recv(65536)
            except BlockingIOError:
                return
            except OSError as error:
                raise LauncherError(f"the warden is gone: {error}") from None
            if not data:
                raise LauncherError("the warden is gone")
            *lines, self._unread = (self._unread + data).split(b"\n")
            for line in lines:
                event = json.loads(line)
                if "started" in event:
                    self._processes[event["started"]].pid = event["pid"]
                elif event["ended"] in self._processes:
                    process = self._processes.pop(event["ended"])
                    process.status = event["status"]
                    process.cpu_at_end = event["cpu"]
                    process.reason = event["reason"]

    def end(
        self,
        processes: list[Process],
        patience: float,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        """Wait for these to end by themselves, then SIGTERM, then kill; `patience` in seconds each.

        Without patience they are killed at once. `wait` lets so many seconds pass, or fewer.
        """
        for step in (None, "terminate", "kill") if patience else ("kill",):
            left = [p for p in processes if p.status is None]
            for process in left:
                if step is not None:
                    self._send({step: process.number})
            deadline = time.monotonic() + (patience if step != "kill" else 30)
            while any(p.status is None for p in left) and time.monotonic() < deadline:
                self.poll()
                wait(0.001)

    def close(self) -> None:
        """Kill what still runs, remove the private folders, end the warden."""
        self._control.close()
        try:
            self._warden.wait(30)
        except subprocess.TimeoutExpired:
            self._warden.kill()
            self._warden.wait()
        shutil.rmtree(self.root, ignore_errors=True)  # for a warden that was killed

    def _send(self, order: dict[str, Any]) -> None:
        try:
            self._control.setblocking(True)
            self._control.sendall(json.dumps(order).encode() + b"\n")
        except OSError as error:
            raise LauncherError(f"the warden is gone: {error}") from None
        finally:
            self._control.setblocking(False)

    def _read_line(self) -> dict[str, Any]:
        while b"\n" not in self._unread:
            data = self._control.recv(65536)
            if not data:
                raise EOFError("it ended at once")
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        event: dict[str, Any] = json.loads(line)
        return event


def _cpu_seconds(pid: int) -> float:
    """CPU time of a process, all its threads, to the nanosecond; 0 where it is gone.

    Linux numbers the CPU clock of any process after it (`man clock_getcpuclockid`): a read costs less
    than a microsecond, /proc a hundred times that.
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def most_tasks() -> int:
    """The most threads that this user may have while bots run; 0 for root, whom nothing bounds."""
    user, running = os.geteuid(), 0
    if user == 0:
        return 0
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and entry.stat().st_uid == user:
                running += warden.measure(int(entry.name))[0]
    return running + sandbox.SPARE_TASKS


def clean_environment(home: Path, endpoint: str, token: str) -> dict[str, str]:
    """All that a bot sees of the environment. The interpreter that runs the arena comes first on
    PATH, so that a bot started as `python3 bot.py` finds the kit that is installed with the arena.
    """
    here = os.path.dirname(sys.executable)
    return {
        "PATH": os.pathsep.join([here, os.environ.get("PATH", os.defpath)]),
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "TMPDIR": str(home),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "ARENA_ENDPOINT": endpoint,
        "ARENA_TOKEN": token,
    }
