"""Tournaments on a real Dask cluster of processes: as here, and none the worse for workers that die."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena import __version__
from arena.errors import ConfigError
from arena.tournament.bots import find_bot
from arena.tournament.cluster import Cluster, agreed
from arena.tournament.parcels import Parcel, cache, pack, unpack
from arena.tournament.remote import RemoteBot
from tests.tournament.runs import (
    CULPRIT,
    HONEST,
    PATIENT,
    RANDOM,
    ROOT,
    Workplace,
    discrepancies,
    game_lines,
    games_of,
    header_of,
    wait_for_games,
    wait_until,
)

distributed: Any = pytest.importorskip("distributed")
pytestmark = pytest.mark.realtime


class Dask:
    """A running cluster, all of whose files and bots are below `place.tmp`."""

    def __init__(self, place: Workplace, python_path: Path = ROOT) -> None:
        self.place = place
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("dask_cluster.py"))],
            env=os.environ
            | {
                "TMPDIR": str(place.tmp),
                "XDG_CACHE_HOME": str(place.tmp / "cache"),
                "PYTHONPATH": str(python_path),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.address = self._read()

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def scale(self, workers: int) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{workers}\n")
        self._process.stdin.flush()
        assert self._read() == str(workers)

    def pids(self) -> list[int]:
        """The processes of the workers."""
        with distributed.Client(self.address, set_as_default=False) as client:
            return sorted(client.run(os.getpid).values())

    def at_table(self) -> dict[int, str]:
        """What plays: wardens, keepers, bots."""
        return {
            pid: command
            for pid, command in self.place.processes().items()
            if "warden.py" in command or "bot.py" in command or CULPRIT.name in command
        }

    def wardens_of(self, worker: int) -> set[int]:
        """The wardens of what a worker plays: the children of its children."""
        parents = {}
        for pid, command in self.place.processes().items():
            with suppress(OSError):
                told = Path(f"/proc/{pid}/stat").read_text()
                parents[pid] = int(told.rpartition(")")[2].split()[1]), "warden.py" in command
        slots = {pid for pid, (parent, _) in parents.items() if parent == worker}
        return {pid for pid, (parent, warden) in parents.items() if warden and parent in slots}

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)


@pytest.fixture(scope="module")
def dask(shared_place: Workplace) -> Iterator[Dask]:
    cluster = Dask(shared_place)
    cluster.scale(2)
    yield cluster
    cluster.close()


def copy_bot(place: Workplace, name: str, **more: str) -> Path:
    """The honest bot in a folder of its own, with more lines in its bot.toml."""
    folder = Path(
        shutil.copytree(HONEST, place.tmp / name, ignore=shutil.ignore_patterns("__pycache__"))
    )
    lines = [f'name = "{name}"', 'command = ["python3", "bot.py"]']
    (folder / "bot.toml").write_text(
        "\n".join([*lines, *(f"{k} = '{v}'" for k, v in more.items())]) + "\n"
    )
    return folder


RULES = ("--budget", 48, "--games-per-launch", 4, "--seed", 7, *PATIENT)


def test_it_plays_what_would_be_played_here(place: Workplace, dask: Dask) -> None:
    here, there = place.tmp / "here", place.tmp / "there"
    place.play(RANDOM, HONEST, *RULES, "--out", here)
    ended = place.play(RANDOM, HONEST, *RULES, "--cluster", dask.address, "--compress", "--out", there)
    assert "to 2 workers" in ended.err
    assert games_of(there) == games_of(here)
    assert discrepancies(there) == []
    local, remote = header_of(here), header_of(there)
    assert remote["settings"].pop("workers") == 2
    del local["settings"]["workers"]
    for header in (local, remote):
        del header["created"], header["name"]
    assert local == remote


def culprit(place: Workplace, way: str) -> Path:
    """A bot that misbehaves, in a folder of its own."""
    folder = place.tmp / way
    folder.mkdir()
    shutil.copy(CULPRIT, folder)
    (folder / "bot.toml").write_text(f'name = "{way}"\ncommand = ["python3", "culprit.py", "{way}"]\n')
    return folder


def test_a_worker_that_is_killed_costs_no_game(place: Workplace, dask: Dask) -> None:
    calm, out = place.tmp / "calm", place.tmp / "out"
    rules = (RANDOM, culprit(place, "plods"), "--budget", 24, "--games-per-launch", 4, "--seed", 9)
    place.play(*rules, *PATIENT, "--out", calm)
    pids = dask.pids()
    process = place.start("run", *rules, *PATIENT, "--cluster", dask.address, "--out", out)
    wait_for_games(out, 4, process)
    before = dask.wardens_of(pids[0])
    wait_until(  # so that it is killed at the beginning of a task
        lambda: bool(dask.wardens_of(pids[0]) - before), 60, lambda: f"no task: {dask.at_table()}"
    )
    time.sleep(0.5)  # what it said about the task has to arrive, else nobody knows that it had begun
    os.kill(pids[0], signal.SIGKILL)
    told, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    assert "a worker process died; its games are played again" in error
    assert "plays no more" not in error
    assert "distributed" not in error
    assert len(game_lines(out)) == 24  # each once
    assert games_of(out) == games_of(calm)
    assert discrepancies(out) == []
    assert "24 of 24 games" in told
    wait_until(lambda: len(dask.pids()) == 2, 30, lambda: "the worker did not come back")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_leaves_no_bot(place: Workplace, dask: Dask, number: int) -> None:
    """Killed, it cannot say so; Dask sees that it is gone."""
    sleeper = culprit(place, "sleeps")
    process = place.start(
        "run",
        RANDOM,
        sleeper,
        "--move-time",
        "10m",
        "--cluster",
        dask.address,
        "--out",
        place.tmp / "out",
    )
    wait_until(
        lambda: len([c for c in dask.at_table().values() if "culprit.py" in c]) >= 2,
        60,
        lambda: f"no game began: {process.poll()} {dask.at_table()}",
    )
    time.sleep(0.5)
    process.send_signal(number)
    _, error = process.communicate(timeout=60)
    if number != signal.SIGKILL:
        assert process.returncode == 128 + number
        assert error.splitlines()[-1].startswith(f"arena: stopped by {signal.Signals(number).name}")
        assert "Traceback" not in error
    wait_until(lambda: not dask.at_table(), 30, lambda: f"left: {dask.at_table()}")
    wait_until(lambda: not dask.place.folders(), 5, lambda: f"left: {dask.place.folders()}")


def test_a_bot_is_built_once_per_machine_and_fingerprint(place: Workplace, dask: Dask) -> None:
    built = place.tmp / "built"
    folder = copy_bot(place, "made", build="sh build.sh")
    (folder / "build.sh").write_text(f"echo once >> {built}\ncp source.py made.py\n")
    (folder / "bot.py").rename(folder / "source.py")
    (folder / "bot.toml").write_text((folder / "bot.toml").read_text().replace("bot.py", "made.py"))
    rules = ["--budget", 8, "--games-per-launch", 1, "--sandbox", "none", *PATIENT]
    for out in ("a", "b"):
        place.play(folder, RANDOM, *rules, "--cluster", dask.address, "--out", place.tmp / out)
    assert built.read_text() == "once\n"  # by two workers, for two runs
    assert not (folder / "made.py").exists()
    assert all(not game["faults"] for game in games_of(place.tmp / "a"))


def test_a_build_that_fails_is_an_error_that_names_worker_and_bot(place: Workplace, dask: Dask) -> None:
    folder = copy_bot(place, "broken", build='sh -c "echo no compiler; exit 3"')
    ended = place.arena("run", folder, RANDOM, "--cluster", dask.address, "--out", place.tmp / "out")
    assert ended.code == 2
    last = "\n".join(ended.err.splitlines()[-2:])
    assert last.startswith("arena: worker tcp://127.0.0.1:")
    assert "bot broken: sh -c" in last
    assert last.endswith("failed with code 3:\nno compiler")
    assert "Traceback" not in ended.err
    assert not (place.tmp / "out").exists()


# -- refused -----------------------------------------------------------------------------------------


def test_what_cannot_be_played_on_a_cluster_is_refused(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.tournament.cluster.PATIENCE", 0.5)
    nobody = "tcp://127.0.0.1:9"
    with pytest.raises(ConfigError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9: .*"):
        Cluster(nobody, [])
    with pytest.raises(ConfigError, match="--cluster: 'here' is no address such as tcp://host:8786"):
        Cluster("here", [])
    with pytest.raises(
        ConfigError, match=r"tls://127.0.0.1:9 needs certificates in Dask's configuration"
    ):
        Cluster("tls://127.0.0.1:9", [])
    far = RemoteBot("far", ("gateway",), place.tmp)
    with pytest.raises(ConfigError, match="--cluster: far is remote and waits at a port"):
        Cluster(nobody, [find_bot(RANDOM), far])
    with pytest.raises(
        ConfigError, match=r"its command names /.*culprit.py; on other machines it finds"
    ):
        pack(find_bot(f"outside=python3 {CULPRIT} dawdles"))
    ended = place.arena("run", RANDOM, HONEST, "--pin", "--cluster", nobody)
    assert ended.code == 2
    assert ended.err.startswith("arena: --pin: the cores are those of other machines")
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("banner", [b"SSH-2.0-OpenSSH_9.2\r\n", bytes(7) + b"\x01" + bytes(8)])
def test_what_is_no_scheduler_is_refused_at_once(place: Workplace, banner: bytes) -> None:
    def greet() -> None:
        with suppress(OSError):  # closed
            while True:
                visitor, _ = server.accept()
                visitor.sendall(banner)
                visitors.append(visitor)

    visitors: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=greet, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        ended = place.arena("run", RANDOM, HONEST, "--cluster", address, timeout=15)
    assert ended.code == 2
    assert ended.err.startswith(f"arena: --cluster: no Dask scheduler answers at {address}: ")
    assert ended.err.count("\n") == 1


def test_a_configuration_of_tls_that_does_not_fit_is_refused(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASK_CONFIG", str(place.tmp))

    def refused(address: str, comm: str) -> str:
        (place.tmp / "distributed.yaml").write_text(f"distributed: {{comm: {comm}}}")
        ended = place.arena("run", RANDOM, HONEST, "--cluster", address)
        assert ended.code == 2
        assert ended.err.count("\n") == 1
        return ended.err

    nowhere, empty = place.tmp / "nowhere.pem", place.tmp / "empty.pem"
    empty.touch()
    for file, why in ((nowhere, "No such file"), (empty, "NO_CERTIFICATE")):
        tls = f"{{tls: {{ca-file: {file}, client: {{cert: {file}, key: {file}}}}}}}"
        said = refused("tls://127.0.0.1:9", tls)
        assert "a certificate or key that Dask's configuration names" in said
        assert why in said
    said = refused("tcp://127.0.0.1:9", "{require-encryption: true}")
    assert said.endswith("requires encryption, so the address is tls://127.0.0.1:9\n")


def test_workers_that_will_not_do_are_refused(place: Workplace) -> None:
    """None at all; and one of another version."""
    other = place.tmp / "path" / "perudo_arena-9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: perudo-arena\nVersion: 9.9\n")
    dask = Dask(place, other.parent)
    try:
        with pytest.raises(
            ConfigError, match=r"there is no worker at tcp://.*; start some: dask worker"
        ):
            Cluster(dask.address, [])
        dask.scale(1)
        with pytest.raises(ConfigError, match=f"has arena 9.9, here is {__version__}; make them the"):
            Cluster(dask.address, [])
    finally:
        dask.close()


def test_workers_must_hold_bots_alike() -> None:
    assert agreed("auto", {"a": ("bwrap", ""), "b": ("bwrap", "")}) == ("bwrap", "")
    note = "sandbox: limits; bwrap is not installed"
    assert agreed("auto", {"a": ("limits", note)}) == ("limits", f"{note} (on the workers)")
    with pytest.raises(ConfigError, match="sandbox bwrap, but on worker b bwrap is not installed"):
        agreed("bwrap", {"a": ("bwrap", ""), "b": ("", "bwrap is not installed")})
    with pytest.raises(ConfigError, match=r"a has bwrap; b has sandbox: limits; .*--sandbox limits, or"):
        agreed("auto", {"a": ("bwrap", ""), "b": ("limits", note)})


# -- parcels -----------------------------------------------------------------------------------------


def test_a_parcel_is_unpacked_once_and_again_when_somebody_changed_it(
    place: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copy_bot(place, "sent")
    (folder / "run.sh").write_text("true\n")
    (folder / "run.sh").chmod(0o755)
    parcel = pack(find_bot(str(folder)))
    monkeypatch.setenv("XDG_CACHE_HOME", str(place.tmp / "cache"))
    with cache() as there:
        assert there.stat().st_mode & 0o777 == 0o700
        bot = unpack(parcel, there)
        assert bot.folder == there / parcel.fingerprint
        assert os.access(bot.folder / "run.sh", os.X_OK)
        inode = (bot.folder / "bot.py").stat().st_ino
        unpack(parcel, there)
        assert (bot.folder / "bot.py").stat().st_ino == inode
        (bot.folder / "bot.py").write_text("changed")
        unpack(parcel, there)
        assert (bot.folder / "bot.py").read_text() == (folder / "bot.py").read_text()
        with pytest.raises(ConfigError, match="bot sent did not arrive as it was sent"):
            unpack(Parcel(parcel.bot, "0" * 64, parcel.archive), there)


def test_no_place_for_parcels(place: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    (place.tmp / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(place.tmp / "file"))
    with (
        pytest.raises(ConfigError, match=r"cannot keep bots in .*Not a directory; set XDG_CACHE_HOME"),
        cache(),
    ):
        pass
