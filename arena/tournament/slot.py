"""A process beside a Dask worker that plays its tasks, one at a time.

A referee should share its interpreter with nobody: in a thread of the Dask worker it would wait for
Dask's own threads while a bot's clock runs. And a process can be killed, which a thread cannot. The two
talk in pickles over a pair of sockets; the child dies with its parent, and its warden ends the bots.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from arena.tournament.executor import WorkerDied


class Slot:
    """The parent's side. `call` from one thread at a time; `kill` from any."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the Dask worker
            )
        self._line = Connection(ours.detach())

    def call(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """What the function returns there, or raises. Raises `WorkerDied` if the process dies."""
        try:
            self._line.send((function, args))
            fine, value = self._line.recv()
        except (EOFError, OSError):
            self.kill()
            raise WorkerDied("a worker process died") from None
        if fine:
            return value
        raise value

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """End it now, and the bots with it."""
        self._process.kill()
        self._process.wait()


def main(line: Connection) -> None:
    """The child's side: plays until the parent is gone."""
    tasks: SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]]] = SimpleQueue()

    def listen() -> None:
        while True:
            try:
                tasks.put(line.recv())
            except (EOFError, OSError):
                os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        function, args = tasks.get()
        answer: tuple[bool, Any]
        try:
            answer = True, function(*args)
        except Exception as error:
            answer = False, error
        line.send(answer)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main(Connection(int(sys.argv[1])))
