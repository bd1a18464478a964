"""Playing on a Dask cluster: the same tasks, handed to workers on other machines.

The coordinator's side. `distributed` is imported when a cluster is asked for; what runs on the workers
is in `guests`. Nothing that a bot sent is ever unpickled: a worker sends lines of the log and text.
"""

from __future__ import annotations

import logging
import re
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from arena import __version__
from arena.errors import ArenaError, ConfigError
from arena.record.log import read_header
from arena.referee.sandbox import Level
from arena.tournament.bots import BotSpec
from arena.tournament.config import AUTO, Config
from arena.tournament.executor import WorkerDied
from arena.tournament.parcels import pack
from arena.tournament.remote import remotes

DISTRIBUTION = "perudo-arena"
_ADDRESS = re.compile(r"(tcp|tls)://.+:[0-9]+", re.ASCII)
PATIENCE = 10.0
"""Seconds to reach the scheduler."""


class ClusterLost(ArenaError):
    """The scheduler is gone, or forgot what it was given."""

    def __init__(self) -> None:
        super().__init__("the cluster is lost; the same command goes on where it stopped")


class Cluster:
    """A Dask cluster at an address such as `tcp://host:8786`. Use it as a context manager.

    Raises `ConfigError` where it cannot be reached, has no workers or some with another version of the
    arena; or where the bots cannot play on other machines.
    """

    def __init__(self, address: str, bots: Sequence[BotSpec]) -> None:
        for bot in remotes(bots):
            raise ConfigError(
                f"--cluster: {bot.name} is remote and waits at a port of this machine; "
                "play with it on this machine"
            )
        self.address = address
        self._client = _connect(address)
        self._run = f"arena-{secrets.token_hex(8)}"
        self._sent = False
        try:
            self._check_versions()
            workers = self._client.scheduler_info(n_workers=-1)["workers"]
        except BaseException:
            self._client.close()
            raise
        self.workers = sum(told["nthreads"] for told in workers.values())
        """One task for each thread that Dask has there."""

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        if self._sent and self._client.status == "running":
            with suppress(OSError, ValueError):  # it went away just now
                self._client.unregister_worker_plugin(self._run)
        self._client.close()

    def _check_versions(self) -> None:
        told = self._client.get_versions(packages=[DISTRIBUTION])["workers"]
        if not told:
            start = f"dask worker {self.address} --nthreads 1"
            raise ConfigError(f"there is no worker at {self.address}; start some: {start}")
        for worker, found in told.items():
            version = found["packages"].get(DISTRIBUTION)
            if version != __version__:
                has = f"arena {version}" if version else "no arena"
                raise ConfigError(
                    f"worker {worker} has {has}, here is {__version__}; make them the same"
                )

    def caution(self, workers: int) -> str:
        """What a host should know of so many workers: nothing."""
        return ""

    def settle(self, config: Config, log: Path) -> tuple[Config, str]:
        """The configuration with a level of sandbox that works on every worker: the level that was
        asked for, or that of the log, or else the best of all workers, if it is the same.

        Raises `ConfigError`.
        """
        from arena.tournament.guests import level_here

        asked = config.sandbox
        if asked == AUTO and log.exists():
            asked = read_header(log).settings.sandbox
        found: dict[str, tuple[str, str]] = self._client.run(level_here, asked)
        level, note = agreed(asked, found)
        return replace(config, sandbox=level), note

    def prepare(self, config: Config, tell: Callable[[str], None]) -> None:
        """Send the bots to every worker, also to those that join later, and build them there. Raises
        `ConfigError` naming worker and bot where that fails.
        """
        from arena.tournament.guests import Guests

        parcels = [pack(bot) for bot in config.bots]
        size = sum(len(parcel.archive) for parcel in parcels)
        tell(f"sending {len(parcels)} bots ({size / 1e6:.1f} MB) to {self.workers} workers")
        guests = Guests(self._run, __version__, parcels, config.holding.level)
        self._sent = True
        self._client.register_plugin(guests, self._run)

    def executor(self, _workers: int = 0) -> Executor:
        """Where tasks are handed to the cluster."""
        return ClusterExecutor(self._client, self._run)


def agreed(asked: str, found: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """The level of sandbox of all workers, and a note where it is not the best there is. `found` has the
    level of each, "" where what was asked for does not work, and why it is no stricter.

    Raises `ConfigError` where they differ: bots that are held differently do not play the same contest.
    """
    for worker, (level, why) in found.items():
        if not level:
            raise ConfigError(f"sandbox {asked}, but on worker {worker} {why}")
    levels = {level for level, _ in found.values()}
    if len(levels) > 1:
        order = [str(level) for level in Level]
        each = "; ".join(f"{worker} has {why or level}" for worker, (level, why) in found.items())
        raise ConfigError(
            f"the workers cannot hold bots alike: {each}; "
            f"give --sandbox {min(levels, key=order.index)}, or make them alike"
        )
    return levels.pop(), next((f"{why} (on the workers)" for _, why in found.values() if why), "")


def _connect(address: str) -> Any:
    """A `distributed.Client`, which is typed only in part."""
    try:
        import distributed
    except ImportError:
        raise ConfigError("--cluster needs Dask: pip install 'perudo-arena[cluster]'") from None
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is raised
    if not _ADDRESS.fullmatch(address):
        raise ConfigError(f"--cluster: {address!r} is no address such as tcp://host:8786")

    class Client(distributed.Client):
        def __del__(self) -> None:
            """Nothing: what is done is closed, and Dask would wait long for what was never connected."""

    client: Any = Client
    security: Any = distributed.Security
    try:
        told = security().get_connection_args("client")
    except OSError as error:  # OpenSSL's too; it never says which file
        raise ConfigError(
            "--cluster: a certificate or key that Dask's configuration names (distributed.comm.tls) "
            f"cannot be used: {error}"
        ) from None
    if address.startswith("tls:") and not told.get("ssl_context"):
        raise ConfigError(
            f"--cluster: {address} needs certificates in Dask's configuration (see docs/11-clusters.md)"
        )
    if address.startswith("tcp:") and told["require_encryption"]:
        raise ConfigError(
            f"--cluster: Dask's configuration requires encryption, so the address is tls:{address[4:]}"
        )
    try:
        return client(address, timeout=PATIENCE, set_as_default=False, name="arena")
    except (OSError, ValueError, TypeError, MemoryError) as error:  # whatever listens there
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ConfigError(f"--cluster: no Dask scheduler answers at {address}: {why}") from None


class ClusterExecutor(Executor):
    """Dask as an executor that says which task's worker died.

    Dask itself plays a task again when its worker died, up to `allowed-failures` times, and so hides
    who killed it. A worker announces each task that it begins; one that is begun a second time had
    its worker die, so it is taken back and fails with `WorkerDied`. Who plays it again, and how often,
    is then decided as for workers on this machine (see `deaths`).
    """

    tells_who_died = True

    def __init__(self, client: Any, run: str) -> None:
        self._client = client
        self._run = run
        self._lock = threading.Lock()
        self._open: dict[str, tuple[Any, Future[Any]]] = {}
        self._begun: set[str] = set()
        self._number = 0
        client.subscribe_topic(run, self._heard)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        from arena.tournament.guests import play_here

        self._number += 1
        key = f"{self._run}-{self._number}"
        ours: Future[Any] = Future()
        self._open[key] = (None, ours)
        theirs = self._client.submit(
            play_here, self._run, function, *args, **kwargs, key=key, pure=False, retries=0
        )
        with self._lock:
            if key in self._open:
                self._open[key] = (theirs, ours)
        theirs.add_done_callback(partial(self._done, key))
        return ours

    def _done(self, key: str, theirs: Any) -> None:
        """Called in a thread of Dask's when a task came to an end, whichever."""
        from distributed import CancelledError, KilledWorker

        ours = self._take(key)
        if ours is None:
            return
        try:
            ours.set_result(theirs.result())
        except KilledWorker:
            ours.set_exception(WorkerDied("a worker died"))
        except CancelledError:  # not by us
            ours.set_exception(ClusterLost())
        except BaseException as error:
            ours.set_exception(error)

    def _heard(self, event: tuple[float, Any]) -> None:
        """A worker begins a task."""
        key = event[1]
        if key not in self._begun:
            self._begun.add(key)
            return
        with self._lock:
            theirs, ours = self._open.pop(key, (None, None))
        if ours is not None:
            if theirs is not None:
                self._client.loop.add_callback(self._client.cancel, [theirs], force=True)
            ours.set_exception(WorkerDied("a worker died"))

    def _take(self, key: str) -> Future[Any] | None:
        with self._lock:
            self._begun.discard(key)
            return self._open.pop(key, (None, None))[1]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take back every task; the workers end the bots of those that they are playing."""
        with self._lock:
            left = [theirs for theirs, _ in self._open.values() if theirs is not None]
            self._open.clear()
        if self._client.status == "running":
            self._client.unsubscribe_topic(self._run)
            self._client.cancel(left, force=True)
