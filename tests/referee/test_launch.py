"""Launcher and warden with real processes: what a bot gets, and that nothing of it is left."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.referee.launch import MAX_ROOT, Launcher, LauncherError, Program
from arena.referee.warden import OUTPUT_HEAD, OUTPUT_TAIL
from tests.referee.processes import (
    SOON,
    below,
    children,
    eventually,
    launch,
    open_files,
    prints,
    python,
    runs,
    wait,
)

pytestmark = pytest.mark.realtime

SLEEP = Program("bot", ("sleep", "600"), "/")


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    with Launcher() as launcher:
        yield launcher


# -- what a bot gets -------------------------------------------------------------------------------


def test_the_environment_is_clean(launcher: Launcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_HOST", "1")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    process = launch(launcher, Program("bot", ("env",), "/"))
    found = dict(line.split("=", 1) for line in wait(launcher, process).splitlines())
    home = str(process.folder / "home")
    assert found.pop("PATH").startswith(os.path.dirname(sys.executable) + ":")
    assert found == {
        "LANG": "C.UTF-8",
        "HOME": home,
        "TMPDIR": home,
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "ARENA_ENDPOINT": process.endpoint,
        "ARENA_TOKEN": "secret",
    }


def test_signals_files_and_session_are_its_own(launcher: Launcher) -> None:
    script = "grep Sig /proc/self/status; ls /proc/self/fd; ps -o sid= -p $$; echo $$; ulimit -c; cat"
    output = wait(launcher, launch(launcher, Program("bot", ("sh", "-c", script), "/"))).split()
    mask = dict(zip(output[::2], output[1::2], strict=False))
    of_libc = 0b11 << 31  # signals 32 and 33 are the C library's own, and nobody can reset them
    assert int(mask["SigIgn:"], 16) & ~of_libc == 0, "no signal is ignored"
    assert int(mask["SigBlk:"], 16) == 0, "no signal is blocked"
    *_, fd0, fd1, fd2, _listing, session, pid, core = output
    assert (fd0, fd1, fd2) == ("0", "1", "2"), "standard files and nothing else"
    assert session == pid
    assert core == "0"


def test_it_runs_in_its_folder(launcher: Launcher, tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    script.write_text("#!/bin/sh\npwd\n")
    script.chmod(0o755)
    process = launch(launcher, Program("bot", ("./bot.sh",), str(tmp_path)))
    assert wait(launcher, process) == f"{tmp_path}\n"
    assert process.how_it_ended() == "exited with code 0"


def test_its_private_folder_is_there_and_nobody_else_s_and_gone_after() -> None:
    with Launcher() as launcher:
        processes = [launch(launcher, Program("bot", ("sh", "-c", "echo > $HOME/a"), "/")) for _ in "ab"]
        for process in processes:
            wait(launcher, process)
        homes = [process.folder / "home" for process in processes]
        assert homes[0] != homes[1]
        assert all((home / "a").exists() for home in homes)
        assert homes[0].stat().st_mode & 0o777 == 0o700
        assert launcher.root.stat().st_mode & 0o777 == 0o700
        assert len(processes[0].endpoint.removeprefix("ipc://")) < 107
    assert not launcher.root.exists()


@pytest.mark.parametrize(
    ("command", "folder", "text"),
    [
        (("no-such-program",), "/", "cannot start no-such-program: No such file or directory"),
        (("./bot",), "/", "cannot start ./bot: No such file or directory"),
        (("/etc",), "/", "cannot start /etc: Permission denied"),
        (("python3",), "/no/such/folder", "cannot enter /no/such/folder: No such file or directory"),
    ],
)
def test_a_command_that_cannot_be_started_says_why(
    launcher: Launcher, command: tuple[str, ...], folder: str, text: str
) -> None:
    process = launch(launcher, Program("bot", command, folder))
    assert text in wait(launcher, process)
    assert process.how_it_ended() == "exited with code 127"


def test_how_it_ended_and_what_it_used(launcher: Launcher) -> None:
    busy = "import time\nwhile time.process_time() < 0.2: pass\nraise SystemExit(3)"
    process = launch(launcher, python(busy))
    assert process.how_it_ended() == "is running"
    wait(launcher, process)
    assert process.how_it_ended() == "exited with code 3"
    assert process.cpu_seconds() >= 0.2
    killed = launch(launcher, Program("bot", ("sh", "-c", "kill -SEGV $$"), "/"))
    wait(launcher, killed)
    assert killed.how_it_ended() == "was killed by signal 11"


def test_output_is_kept_from_both_ends(launcher: Launcher) -> None:
    """Eight megabytes on standard error, more than is kept."""
    code = "import sys\nsys.stderr.write('first'); sys.stderr.write('x' * 8_000_000 + 'last')"
    output = wait(launcher, launch(launcher, python(code)))
    assert output.startswith("firstxxx")
    assert output.endswith("xxxlast")
    left_out = 8_000_009 - OUTPUT_HEAD - OUTPUT_TAIL
    assert f"\n[{left_out} bytes left out]\n" in output
    assert len(output) < OUTPUT_HEAD + OUTPUT_TAIL + 100


# -- nothing is left -------------------------------------------------------------------------------


def test_a_kill_right_after_the_launch_is_not_lost(launcher: Launcher) -> None:
    for _ in range(20):
        process = launch(launcher, SLEEP)
        begun = time.monotonic()
        launcher.end([process], patience=0.0)
        assert process.status is not None
        assert time.monotonic() - begun < SOON


FORKS = """
import os, sys, time
def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            print("daemon", os.getpid(), flush=True)
            time.sleep(600)
        os._exit(0)
    os.wait()
daemon()
os.spawnlp(os.P_NOWAIT, "setsid", "setsid", "sh", "-c", "echo daemon $$; exec sleep 600")
if os.fork() == 0:
    import signal
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    print("daemon", os.getpid(), flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("ends", [True, False], ids=["it ends", "it is ended"])
def test_descendants_go_with_the_bot(launcher: Launcher, ends: bool) -> None:
    last = "time.sleep(0.5)" if ends else "time.sleep(600)"
    process = launch(launcher, python(FORKS + last))
    assert eventually(lambda: process.output(4096).count("daemon") == 3)
    pids = [int(word) for word in process.output(4096).split()[1::2]]
    if ends:
        wait(launcher, process)
    else:
        assert all(runs(pid) for pid in pids)
        launcher.end([process], patience=0.0)
    assert process.status == (0 if ends else -9)
    assert not any(runs(pid) for pid in pids), "gone before the end is told"


STUBBORN = """
import signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(600)
"""


def test_one_who_ignores_sigterm_is_killed(launcher: Launcher) -> None:
    process = launch(launcher, python(STUBBORN))
    prints(launcher, process, "ready")
    begun = time.monotonic()
    launcher.end([process], patience=0.2)
    assert process.how_it_ended() == "was killed by signal 9"
    assert 0.4 <= time.monotonic() - begun < SOON


def test_one_who_heeds_it_may_clear_up(launcher: Launcher) -> None:
    code = (
        "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(5))\n"
        "print('ready', flush=True)\ntime.sleep(600)"
    )
    process = launch(launcher, python(code))
    prints(launcher, process, "ready")
    launcher.end([process], patience=0.2)
    assert process.how_it_ended() in ("exited with code 5", "was killed by signal 9")


def test_one_who_writes_without_end_is_killed_all_the_same(launcher: Launcher) -> None:
    code = "import os\nfor _ in range(3): os.spawnlp(os.P_NOWAIT, 'yes', 'yes')\nos.execlp('yes', 'yes')"
    process = launch(launcher, python(code))
    assert eventually(lambda: process.output(1) != "")
    time.sleep(0.2)
    launcher.end([process], patience=0.0)
    assert process.status == -9


def test_a_stopped_bot_is_killed(launcher: Launcher) -> None:
    process = launch(launcher, Program("bot", ("sh", "-c", "echo ready; kill -STOP $$"), "/"))
    prints(launcher, process, "ready")
    launcher.end([process], patience=0.0)
    assert process.status == -9


def test_a_bot_that_kills_its_keeper_dies_with_its_daemons(launcher: Launcher) -> None:
    code = FORKS + "time.sleep(1)\nos.kill(os.getppid(), 9)\ntime.sleep(600)"
    process = launch(launcher, python(code))
    assert eventually(lambda: process.output(4096).count("daemon") == 3)
    pids = [int(word) for word in process.output(4096).split()[1::2]]
    wait(launcher, process)
    assert process.status == -9
    assert eventually(lambda: not any(runs(pid) for pid in pids))


OWNER = """
import sys, time
from arena.referee.launch import Launcher
from tests.referee.processes import python, launch
from tests.referee.test_launch import FORKS, STUBBORN
launcher = Launcher()
processes = [launch(launcher, python(FORKS + "time.sleep(600)")), launch(launcher, python(STUBBORN))]
while processes[0].output(4096).count("daemon") < 3 or "ready" not in processes[1].output(4096):
    time.sleep(0.01)
print(launcher.root, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_when_the_owner_is_killed_nothing_is_left(how: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", OWNER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as owner:
        assert owner.stdout is not None
        root = Path(owner.stdout.readline().strip())
        family = below(owner.pid)
        assert len(family) >= 8, "a warden, two keepers, two bots, three daemons"
        assert root.is_dir()
        owner.send_signal(how)
        owner.wait()
        assert eventually(lambda: not any(runs(pid) for pid in family))
        assert eventually(lambda: not root.exists())


def test_even_if_a_keeper_is_killed_meanwhile() -> None:
    """The keeper cannot obey its warden, and then its end cannot be told to the owner any more."""
    with subprocess.Popen(
        [sys.executable, "-c", OWNER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as owner:
        assert owner.stdout is not None
        root = Path(owner.stdout.readline().strip())
        family = below(owner.pid)
        [warden] = children(owner.pid)
        keeper = children(warden)[0]
        os.kill(keeper, signal.SIGSTOP)
        owner.kill()
        owner.wait()
        time.sleep(0.3)
        os.kill(keeper, signal.SIGKILL)
        assert eventually(lambda: not any(runs(pid) for pid in family))
        assert eventually(lambda: not root.exists())


def test_when_the_warden_is_killed_the_owner_is_told_and_the_bots_die() -> None:
    launcher = Launcher()
    try:
        process = launch(launcher, python(FORKS + "time.sleep(600)"))
        assert eventually(lambda: process.output(4096).count("daemon") == 3)
        [warden] = [pid for pid in children(os.getpid()) if b"warden" in cmdline(pid)]
        family = below(warden)
        os.kill(warden, signal.SIGKILL)
        assert eventually(lambda: not any(runs(pid) for pid in family))
        with pytest.raises(LauncherError, match="the warden is gone"):
            launcher.poll()
        with pytest.raises(LauncherError, match="the warden is gone"):
            launcher.end([process], patience=0.0)
        with pytest.raises(LauncherError, match="the warden is gone"):
            launch(launcher, SLEEP)
    finally:
        launcher.close()
    assert not launcher.root.exists()


def cmdline(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


# -- thirty launches -------------------------------------------------------------------------------


def test_launches_leak_no_files_and_no_processes() -> None:
    with Launcher() as launcher:
        pass
    files, processes = open_files(), len(below(os.getpid()))
    with Launcher() as launcher:
        first = launch(launcher, SLEEP)
        [warden] = [pid for pid in children(os.getpid()) if b"warden" in cmdline(pid)]
        launcher.end([first], patience=0.0)
        in_use, held = open_files(), len(os.listdir(f"/proc/{warden}/fd"))
        for number in range(30):
            process = launch(launcher, SLEEP if number % 2 else Program("bot", ("true",), "/"))
            launcher.end([process], patience=0.0)
        assert open_files() == in_use
        assert eventually(lambda: children(warden) == []), "keepers are collected"
        assert len(os.listdir(f"/proc/{warden}/fd")) == held
    assert open_files() == files
    assert len(below(os.getpid())) == processes


def test_a_warden_that_is_killed_before_it_is_ready_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = tmp_path / "killed.py"
    killed.write_text("import os, sys\nos.mkdir(sys.argv[2])\nos.kill(os.getpid(), 9)\n")
    monkeypatch.setattr("arena.referee.warden.__file__", str(killed))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(LauncherError, match="the warden did not start: it ended at once"):
        Launcher()
    assert list(tmp_path.iterdir()) == [killed]


@pytest.mark.parametrize("over", [0, 1])
def test_a_temporary_folder_too_deep_for_sockets_is_named(
    over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = "/tmp/" + "d" * (MAX_ROOT - len("/tmp//arena-0123456789abcdef") + over)
    os.mkdir(folder)
    monkeypatch.setattr(tempfile, "tempdir", folder)
    try:
        if over:
            with pytest.raises(
                ConfigError, match=f"{folder} has too long a path .* of {len(folder) - 1} bytes at most"
            ):
                Launcher()
        else:
            with Launcher() as launcher:
                path = launcher.prepare(Program("it", ("true",), "/")).folder / "door"
                with socket.socket(socket.AF_UNIX) as deepest:
                    deepest.bind(str(path))
    finally:
        shutil.rmtree(folder)
