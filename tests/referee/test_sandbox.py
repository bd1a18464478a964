"""The levels of the sandbox: how a room is described, and what is held with real processes."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from arena.referee.launch import Launcher, Process, Program
from arena.referee.probe import best, obstacle
from arena.referee.sandbox import (
    Bounds,
    Level,
    Room,
    Sandbox,
    arguments,
    interpreter,
    is_wide,
    parts_of,
    room_of,
    runtime_of,
)
from tests.referee.levels import HOLDING, LEVELS, needs_bwrap
from tests.referee.processes import eventually, launch, prints, python, runs, wait

MIB = 1 << 20
realtime = pytest.mark.realtime


def rules(room: Room) -> list[str]:
    """The words that make up a room's file system, in their order, one text for each place."""
    text = " ".join(arguments(room))
    found = re.findall(
        r"--(?:size \d+ --tmpfs|tmpfs|ro-bind|bind|symlink|dir|remount-ro) [^-]\S*(?: [^-]\S*)?", text
    )
    return [rule for rule in found if " /proc" not in rule and " /dev" not in rule]


# -- what a room is made of ------------------------------------------------------------------------


def test_inner_folders_come_after_outer_ones() -> None:
    room = Room("/a/b", {}, ["/a/b", "/usr"], scratch={"/a": 9, "/a/b/home": 7}, hidden=["/a/b/x"])
    assert rules(room) == [
        "--size 9 --tmpfs /a",
        "--ro-bind /a/b /a/b",
        "--size 7 --tmpfs /a/b/home",
        "--tmpfs /a/b/x",
        "--ro-bind /usr /usr",
        "--remount-ro /a/b/x",
        "--remount-ro /",
    ]


def test_what_is_seen_already_is_not_shown_again() -> None:
    readable = ["/usr", "/usr/local/go", "/tmp/bot", "/tmp/bot/.venv", "/tmp/bot-2"]
    links = [("usr/bin", "/bin"), ("node-20", "/usr/bin/node")]
    room = Room("/tmp/bot", {}, readable, links, scratch={"/tmp": 9})
    assert rules(room) == [
        "--symlink usr/bin /bin",
        "--size 9 --tmpfs /tmp",
        "--ro-bind /tmp/bot /tmp/bot",
        "--ro-bind /tmp/bot-2 /tmp/bot-2",
        "--ro-bind /usr /usr",
        "--remount-ro /",
    ]


def test_a_folder_is_hidden_only_where_it_would_be_seen_and_its_inside_may_be_shown() -> None:
    room = Room("/c/a", {}, ["/c", "/c/a/own"], hidden=["/c/a", "/c/b", "/elsewhere"])
    assert rules(room) == [
        "--ro-bind /c /c",
        "--tmpfs /c/a",
        "--ro-bind /c/a/own /c/a/own",
        "--tmpfs /c/b",
        "--remount-ro /c/a",
        "--remount-ro /c/b",
        "--remount-ro /",
    ]


def test_a_room_has_no_network_unless_it_is_a_build_s() -> None:
    assert "--unshare-net" in arguments(Room("/", {}))
    assert "--unshare-net" not in arguments(Room("/", {}, network=True))


def test_a_file_of_its_own_stands_for_the_machine_s() -> None:
    room = Room("/", {}, ["/usr"], files={"/etc/passwd": "/tmp/p/passwd"})
    assert rules(room) == [
        "--ro-bind /tmp/p/passwd /etc/passwd",
        "--ro-bind /usr /usr",
        "--dir /",
        "--remount-ro /",
    ]


def test_its_environment_is_all_that_it_gets() -> None:
    words = arguments(Room("/", {"A": "1", "B": "x y"}))
    at = words.index("--clearenv")
    assert words[at:] == ["--clearenv", "--setenv", "A", "1", "--setenv", "B", "x y", "--chdir", "/"]


@pytest.mark.parametrize("folder", ["/", "/etc", "/tmp", "/home", str(Path.home())])
def test_of_a_wide_folder_only_the_files_that_the_command_names_are_seen(folder: str) -> None:
    assert is_wide(folder)
    room = room_of(("sh", "-x"), folder, {"PATH": "/usr/bin"}, "/tmp/p", Bounds())
    assert folder not in room.readable
    assert not is_wide("/home/someone/bots/mine")


def test_a_wide_folder_with_a_named_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bot.py").touch()
    (tmp_path / "diary").touch()
    room = room_of(("python3", "bot.py"), str(tmp_path), {"PATH": "/usr/bin"}, "/tmp/p", Bounds())
    assert str(tmp_path / "bot.py") in room.readable
    assert str(tmp_path) not in room.readable


def test_a_build_may_write_to_its_folder_and_to_its_home_on_disk(tmp_path: Path) -> None:
    folder = str(tmp_path)
    room = room_of(("sh",), folder, {"PATH": "/usr/bin"}, "/tmp/p", Bounds(), builds=True)
    assert room.writable == [folder, "/tmp/p/home"]
    assert "/tmp/p/home" not in room.scratch
    room = room_of(("sh",), "/etc", {"PATH": "/usr/bin"}, "/tmp/p", Bounds(), builds=True)
    assert room.writable == ["/tmp/p/home"]


def test_a_runtime_is_found_through_links(tmp_path: Path) -> None:
    """As version managers install it: a link in one folder, the program in another."""
    real = tmp_path / "versions" / "20"
    for part in ("bin", "lib", "share"):
        (real / part).mkdir(parents=True)
    (real / "bin" / "node-20").touch(mode=0o755)
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "node"
    link.symlink_to("../versions/20/bin/node-20")
    shown, links = runtime_of("node", "/", str(link.parent))
    assert shown == [str(real / "bin"), str(real / "lib"), str(real / "bin" / "node-20")]
    assert links == [("../versions/20/bin/node-20", str(link))]
    assert runtime_of("no-such-program", "/", "/usr/bin") == ([], [])
    assert runtime_of("./bot", str(tmp_path), "/usr/bin") == ([], [])


def test_the_home_is_no_runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bin").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "bin" / "bot").touch(mode=0o755)
    assert parts_of(str(tmp_path)) == []
    assert runtime_of("bot", "/", str(tmp_path / "bin")) == ([str(tmp_path / "bin" / "bot")], [])


def test_the_arena_s_own_python_is_shown_with_its_packages() -> None:
    shown = interpreter()
    site = next(path for path in sys.path if path.endswith("site-packages"))
    assert any(site == path or site.startswith(path + "/") for path in shown)


# -- which level works -----------------------------------------------------------------------------


@realtime
def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.referee.sandbox.program", lambda: None)
    assert obstacle(Level.BWRAP) == "bwrap is not installed"
    assert best() == (Level.LIMITS, "sandbox: limits; bwrap is not installed")


@realtime
def test_what_does_not_work_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho bwrap: No permissions to create new namespace >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr("arena.referee.sandbox.program", lambda: str(broken))
    why = "bwrap does not work here: bwrap: No permissions to create new namespace"
    assert best() == (Level.LIMITS, f"sandbox: limits; {why}")


@realtime
@needs_bwrap
def test_where_the_best_works_there_is_nothing_to_say() -> None:
    assert best() == (Level.BWRAP, "")


# -- what every level keeps ------------------------------------------------------------------------


def held(level: Level, **bounds: int) -> Launcher:
    return Launcher(Sandbox(level, Bounds(**bounds)))


def output_of(level: Level, program: Program, **bounds: int) -> tuple[str, Process]:
    """What a program prints, and how it ended."""
    with held(level, **bounds) as launcher:
        process = launch(launcher, program)
        return wait(launcher, process), process


@realtime
@pytest.mark.parametrize("level", LEVELS)
def test_its_environment_folder_files_and_session(level: Level, tmp_path: Path) -> None:
    script = "pwd; ls /proc/self/fd | wc -l; ulimit -c; env"
    output, process = output_of(level, Program("bot", ("sh", "-c", script), str(tmp_path)))
    folder, files, core, *variables = output.splitlines()
    assert folder == str(tmp_path)
    assert files == "4", "the standard ones, and the listing"
    assert core == "0"
    names = {line.partition("=")[0] for line in variables}
    assert names - {"PWD", "_", "OLDPWD", "SHLVL"} == {
        *("PATH", "LANG", "HOME", "TMPDIR", "ARENA_ENDPOINT", "ARENA_TOKEN"),
        *("PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE"),
    }
    assert process.how_it_ended() == "exited with code 0"


@realtime
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("script", "ended"),
    [
        ("exit 3", "exited with code 3"),
        ("kill -SEGV $$", "was killed by signal 11"),
        ("kill -KILL $$", "was killed by signal 9"),
    ],
)
def test_how_it_ended(level: Level, script: str, ended: str) -> None:
    _, process = output_of(level, Program("bot", ("sh", "-c", script), "/"))
    assert process.how_it_ended() == ended


@realtime
@pytest.mark.parametrize("level", LEVELS)
def test_the_kit_is_there_for_python(level: Level, tmp_path: Path) -> None:
    code = "import perudo_bot, msgpack, zmq; print('it is')"
    output, _ = output_of(level, Program("bot", ("python3", "-c", code), str(tmp_path)))
    assert output == "it is\n"


@realtime
@pytest.mark.parametrize("level", LEVELS)
def test_it_can_be_stopped_and_go_on(level: Level) -> None:
    code = "import time\nwhile True: print('.', end='', flush=True); time.sleep(0.005)"
    with held(level) as launcher:
        process = launch(launcher, python(code))
        prints(launcher, process, "..")
        launcher.poll()
        process.signal_group(signal.SIGSTOP)
        time.sleep(0.1)
        before = process.output(1 << 16)
        time.sleep(0.1)
        assert process.output(1 << 16) == before
        process.signal_group(signal.SIGCONT)
        prints(launcher, process, before + "..")


@realtime
@pytest.mark.parametrize("level", LEVELS)
def test_it_may_clear_up_when_it_is_asked_to_go(level: Level) -> None:
    code = (
        "import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(5))\n"
        "print('ready', flush=True)\ntime.sleep(600)"
    )
    with held(level) as launcher:
        process = launch(launcher, python(code))
        prints(launcher, process, "ready")
        launcher._send({"terminate": process.number})
        wait(launcher, process)
        assert process.how_it_ended() == "exited with code 5"


DAEMON = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
os.wait()
print("ready", flush=True)
"""


@realtime
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("ends", [True, False], ids=["it ends", "it is ended"])
def test_daemons_go_with_it(level: Level, ends: bool) -> None:
    from arena.referee.warden import descendants

    with held(level) as launcher:
        process = launch(launcher, python(DAEMON + ("time.sleep(0.3)" if ends else "time.sleep(600)")))
        prints(launcher, process, "ready")
        warden = launcher._warden.pid
        family = descendants(warden)
        assert len(family) >= 3
        if ends:
            wait(launcher, process)
        else:
            launcher.end([process], patience=0.0)
        assert process.status == (0 if ends else -9)
        assert not any(runs(pid) for pid in family[1:]), "gone before the end is told"


@realtime
@pytest.mark.parametrize("level", LEVELS)
def test_cpu_time_is_counted(level: Level) -> None:
    _, process = output_of(level, python("import time\nwhile time.process_time() < 0.2: pass"))
    assert process.cpu_seconds() >= 0.2


# -- bounds ----------------------------------------------------------------------------------------

GROWS = """
import time
held = []
for _ in range(40):
    held.append(b"x" * (20 << 20))
    time.sleep(0.02)
print("I have it all", flush=True)
"""


@realtime
@pytest.mark.parametrize("level", HOLDING)
def test_one_who_takes_too_much_memory(level: Level) -> None:
    output, process = output_of(level, python(GROWS), memory=200 * MIB)
    assert output == ""
    assert process.status == -9
    told = re.fullmatch(
        r"was killed: it used ([\d.]+) MiB of memory; the limit is 200 MiB", process.how_it_ended()
    )
    assert told is not None, process.how_it_ended()
    assert 200 < float(told[1]) < 800


SPREADS = """
import os, time
for _ in range(8):
    if os.fork() == 0:
        held = b"x" * (40 << 20)
        time.sleep(600)
time.sleep(600)
"""


@realtime
@pytest.mark.parametrize("level", HOLDING)
def test_what_its_processes_take_is_added_up(level: Level) -> None:
    _, process = output_of(level, python(SPREADS), memory=200 * MIB)
    assert "MiB of memory; the limit is 200 MiB" in process.how_it_ended()


SHARES = """
import os, time
held = b"x" * (60 << 20)
for _ in range(8):
    if os.fork() == 0:
        time.sleep(0.5)
        os._exit(0)
for _ in range(8):
    os.wait()
print("done", flush=True)
"""


@realtime
@pytest.mark.parametrize("level", HOLDING)
def test_memory_that_processes_share_counts_once(level: Level) -> None:
    output, process = output_of(level, python(SHARES), memory=200 * MIB)
    assert (output, process.how_it_ended()) == ("done\n", "exited with code 0")


FORKS = """
import os, time
for _ in range(300):
    if os.fork() == 0:
        time.sleep(30)
        os._exit(0)
time.sleep(30)
"""
THREADS = """
import threading, time
for _ in range(80):
    threading.Thread(target=time.sleep, args=(30,)).start()
"""


@realtime
@pytest.mark.parametrize("level", HOLDING)
def test_one_who_runs_too_many_processes(level: Level) -> None:
    _, process = output_of(level, python(FORKS))
    assert process.how_it_ended() == "was killed: it ran more than 64 processes at once"


@realtime
@pytest.mark.parametrize("level", HOLDING)
def test_one_who_runs_too_many_threads(level: Level) -> None:
    _, process = output_of(level, python(THREADS), threads=60)
    assert process.how_it_ended() == "was killed: it ran more than 60 threads at once"


FILLS = """
import os, time
for number in range(4):
    with open(os.path.join(os.environ["HOME"], str(number)), "wb") as file:
        file.write(bytes(20 << 20))
print("done", flush=True)
time.sleep(30)
"""


@realtime
def test_one_who_fills_its_home_is_killed_where_the_home_is_on_disk() -> None:
    _, process = output_of(Level.LIMITS, python(FILLS))
    assert process.how_it_ended() == (
        "was killed: it kept 80 MiB in its home folder; the limit is 64 MiB"
    )


@realtime
@needs_bwrap
def test_and_finds_it_full_where_it_is_in_memory() -> None:
    output, process = output_of(Level.BWRAP, python(FILLS))
    assert "No space left on device" in output
    assert process.how_it_ended() == "exited with code 1"


@realtime
def test_files_without_number() -> None:
    code = "import os, time\nos.chdir(os.environ['HOME'])\nfor n in range(5000): open(str(n), 'w')\n"
    _, process = output_of(Level.LIMITS, python(code + "time.sleep(30)"))
    assert process.how_it_ended() == "was killed: it kept more than 4096 files in its home folder"


@realtime
@pytest.mark.parametrize("level", HOLDING)
def test_one_large_file_cannot_be_written_but_that_is_no_crash(level: Level) -> None:
    code = (
        "import os\nwith open(os.environ['HOME'] + '/x', 'wb', buffering=0) as file:\n"
        "    try:\n        for _ in range(9): file.write(bytes(1 << 20))\n"
        "    except OSError as error: print(error.strerror)"
    )
    output, process = output_of(level, python(code), file=4 * MIB)
    assert (output, process.status) == ("File too large\n", 0)


@realtime
@pytest.mark.parametrize("level", HOLDING)
def test_open_files_and_privileges(level: Level) -> None:
    script = "ulimit -n; grep NoNewPrivs /proc/self/status; cat /proc/self/oom_score_adj"
    output, _ = output_of(level, Program("bot", ("sh", "-c", script), "/"))
    assert output.split() == ["1024", "NoNewPrivs:", "1", "1000"]


# -- the room --------------------------------------------------------------------------------------


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    """Bots side by side in one folder, and results below it."""
    for name in ("mine", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(f"# {name}\n")
    (tmp_path / "results" / "now").mkdir(parents=True)
    (tmp_path / "results" / "now" / "secret").write_text("00")
    (tmp_path / "diary").write_text("dear diary")
    return tmp_path


def attempt(code: str, folder: Path, hidden: tuple[str, ...] = ()) -> str:
    """The name of the error that Python code runs into in a room, or what it prints."""
    guarded = f"try:\n    {code}\nexcept OSError as error: print(type(error).__name__)"
    program = Program("bot", (sys.executable, "-c", guarded), str(folder), hidden=hidden)
    output, process = output_of(Level.BWRAP, program)
    assert process.status == 0, output
    return output.strip()


@realtime
@needs_bwrap
def test_files_of_others_are_not_there(contest: Path) -> None:
    mine = contest / "mine"
    assert attempt("print(open('bot.py').read())", mine) == "# mine"
    for path in (contest / "other/bot.py", contest / "diary", contest / "results/now/secret"):
        assert attempt(f"open({str(path)!r})", mine) == "FileNotFoundError"
    assert attempt(f"import os; print(os.listdir({str(contest)!r}))", mine) == "['mine']"
    assert attempt("open('/etc/shadow')", mine) == "FileNotFoundError"
    assert attempt("import os; print(os.listdir('/etc/ssh'))", mine) == "FileNotFoundError"
    seen = attempt("import os; print(*os.listdir(os.path.expanduser('~')))", mine)
    assert seen == "", "its home is empty"


@realtime
@needs_bwrap
def test_it_has_a_name_and_its_home(contest: Path) -> None:
    code = "import os, pwd; print(pwd.getpwuid(os.getuid()).pw_dir == os.environ['HOME'])"
    assert attempt(code, contest / "mine") == "True"
    assert attempt("import pwd; print(len(pwd.getpwall()))", contest / "mine") == "3"


@realtime
@needs_bwrap
def test_hidden_folders_are_empty_though_it_sees_what_is_around(contest: Path) -> None:
    hidden = (str(contest / "other"), str(contest / "results/now"))
    look = "import os; print(*sorted(os.listdir({!r})))"
    assert attempt(look.format("."), contest, hidden) == "diary mine other results"
    assert attempt(look.format("other"), contest, hidden) == ""
    assert attempt(look.format("results/now"), contest, hidden) == ""
    assert attempt("open('other/x', 'w')", contest, hidden) == "OSError"


@realtime
@needs_bwrap
def test_nothing_can_be_written_but_its_home(contest: Path) -> None:
    for path in ("x", "bot.py", "/x", "/usr/x", "/dev/x", "/etc/x", sys.prefix + "/x"):
        assert attempt(f"open({path!r}, 'a')", contest / "mine") == "OSError", path
    for path in ("/tmp/x", "/dev/shm/x"):
        assert attempt(f"open({path!r}, 'w').write('1'); print('ok')", contest / "mine") == "ok"
    assert not Path("/dev/shm/x").exists()
    swap = attempt("open('/proc/sys/vm/swappiness', 'a')", contest / "mine")
    assert swap in ("OSError", "PermissionError"), "also if root runs the arena"


@realtime
@needs_bwrap
def test_scratch_folders_are_small(contest: Path) -> None:
    for folder in ("/tmp", "/dev/shm"):
        code = f"print(open('{folder}/x', 'wb', buffering=0).write(bytes(20 << 20)) >> 20)"
        assert attempt(code, contest / "mine") == "16"


@realtime
@needs_bwrap
def test_it_has_no_privilege_and_gets_none(contest: Path) -> None:
    code = "print(*[line.split()[1] for line in open('/proc/self/status') if line.startswith('Cap')])"
    assert set(attempt(code, contest / "mine").split()) == {"0" * 16}
    code = "import ctypes; print(ctypes.CDLL(None).unshare(0x10000000))"
    assert attempt(code, contest / "mine") == "-1", "no user namespace of its own"


@realtime
@needs_bwrap
def test_it_sees_its_own_processes_only(contest: Path) -> None:
    code = "import os; print(*sorted(int(p) for p in os.listdir('/proc') if p.isdigit()))"
    assert attempt(code, contest / "mine") == "1 2", "itself, and bubblewrap's first process"
    assert attempt(f"import os; os.kill({os.getpid()}, 0)", contest / "mine") == "ProcessLookupError"
    assert attempt("print(len(open('/proc/1/environ').read()))", contest / "mine") == "0"


@realtime
@needs_bwrap
def test_its_token_does_not_stand_in_a_command_line(contest: Path) -> None:
    program = Program("bot", ("sh", "-c", "echo ready; sleep 600"), str(contest))
    with held(Level.BWRAP) as launcher:
        process = launcher.prepare(program)
        launcher.start(process, "the-secret-token")
        prints(launcher, process, "ready")
        launcher.poll()
        assert process.pid is not None
        command = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        assert command.split(b"\0")[1] == b"--args"
        assert b"the-secret-token" not in command


@realtime
@needs_bwrap
def test_when_its_keeper_is_killed_nothing_is_left() -> None:
    from arena.referee.warden import descendants

    with held(Level.BWRAP) as launcher:
        process = launch(launcher, python(DAEMON + "time.sleep(600)"))
        prints(launcher, process, "ready")
        family = descendants(launcher._warden.pid)
        os.kill(family[0], signal.SIGKILL)
        wait(launcher, process)
        assert eventually(lambda: not any(runs(pid) for pid in family))
