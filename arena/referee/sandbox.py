"""What holds a bot: the levels, and how bubblewrap is told to build a room for one launch.

`none`     a process group of its own, a clean environment, a private folder, capped output
`limits`   besides: bounds on memory, processes, files and disk, by the kernel and the bot's keeper
`bwrap`    besides: a room of its own. No network, no process but its own, and of the file system only
           what its program needs, read-only, plus a small home in memory

The functions here look at the file system and return words; nothing is run. Exactly what each level
promises is in docs/2-hosting.md.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path


class Level(StrEnum):
    """How strictly bots are held, weakest first."""

    NONE = "none"
    LIMITS = "limits"
    BWRAP = "bwrap"


@dataclass(frozen=True)
class Bounds:
    """What one launch may use, all its processes together; bytes where it is not a number of things.

    `memory` and `disk` (its home folder) are looked at now and then; `file` is the largest single file.
    """

    memory: int = 1 << 30
    processes: int = 64
    threads: int = 1024
    disk: int = 64 << 20
    file: int = 64 << 20
    open_files: int = 1024


BUILD_BOUNDS = Bounds(
    memory=4 << 30, processes=512, threads=8192, disk=4 << 30, file=1 << 30, open_files=4096
)
"""A build may use more: compilers and package managers do."""
SPARE_TASKS = 4096
"""Threads that a user's bots may start beyond those that run, against fork bombs; not for root."""
SMALL = 16 << 20
"""Bytes of the folders /tmp and /dev/shm in a room."""


@dataclass(frozen=True)
class Sandbox:
    level: Level = Level.NONE
    bounds: Bounds = field(default_factory=Bounds)


NOT_HELD = Sandbox()


# -- what a room shows -----------------------------------------------------------------------------

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
ETC = (
    *("alternatives", "crypto-policies", "ld.so.cache", "localtime", "nsswitch.conf"),
    *("pki/java", "ssl/certs", "ssl/openssl.cnf"),
    *("dotnet", "java-*", "julia", "mono", "php", "R"),
)
"""Below /etc: what loaders, runtimes and look-ups of names read, and no secrets. (Each costs 0.2 ms.)"""
ETC_NETWORK = (
    *("ca-certificates*", "gai.conf", "host.conf", "hosts", "maven", "pki/ca-trust", "pki/tls"),
    *("npmrc", "pip.conf", "protocols", "resolv.conf", "services"),
)
"""Besides, for a build, which has the network."""
PASSWD = """\
bot:x:{user}:{group}:bot:{home}:/bin/sh
root:x:0:0:root:/:/bin/sh
nobody:x:65534:65534:nobody:/:/bin/sh
"""
"""The users of a room, for programs that look for their home here."""
PARTS = ("bin", "boot", "lib", "lib32", "lib64", "libexec", "conf", "jmods", "release")
"""Of the folder that a runtime is installed in. (`share` would show the keyrings in ~/.local.)"""
WIDE = {"/", "/boot", "/dev", "/etc", "/home", "/media", "/mnt", "/opt", "/proc", "/root", "/run"}
WIDE |= {"/srv", "/sys", "/tmp", "/var", "/var/tmp"}
PROC_OF_ROOT = ("acpi", "bus", "fs", "irq", "scsi", "sys", "sysrq-trigger")
"""Below /proc, where the owner of all files could change the machine, though without any privilege."""


ADAPTER = str(Path(__file__).with_name("adapter.py"))
"""Runs in the room, before the bot that cannot speak for itself."""


def is_wide(folder: str) -> bool:
    """Whether a folder holds so much that a bot may not see all of it: a system's, the user's home, or
    one above it.
    """
    home = str(Path.home())
    return folder in WIDE or folder == home or is_below(home, folder)


def is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/") and path != folder


def parts_of(prefix: str) -> list[str]:
    """What a runtime installed in this folder needs."""
    if is_wide(prefix):
        return []
    return [path for part in PARTS if os.path.exists(path := os.path.join(prefix, part))]


@cache
def interpreter() -> tuple[str, ...]:
    """The Python that runs the arena, with its packages, the kit and the adapter, wherever they are."""
    found: list[str] = []
    for prefix in {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}:
        is_venv = os.path.exists(os.path.join(prefix, "pyvenv.cfg"))
        found += [prefix] if is_venv else parts_of(prefix)
    found.append(ADAPTER)
    kit = importlib.util.find_spec("perudo_bot")
    if kit is not None and kit.origin is not None:
        found.append(os.path.dirname(kit.origin))
    return tuple(found)


def runtime_of(program: str, folder: str, path: str) -> tuple[list[str], list[tuple[str, str]]]:
    """What must be seen of a command's program: the file, the links (target, place) on the way to it,
    and what is installed with each of them.
    """
    at = os.path.join(folder, program) if "/" in program else shutil.which(program, path=path)
    shown: list[str] = []
    links: list[tuple[str, str]] = []
    while at is not None and os.path.exists(at):
        parent = os.path.realpath(os.path.dirname(at))
        place = os.path.join(parent, os.path.basename(at))
        shown += parts_of(os.path.dirname(parent)) if os.path.basename(parent) == "bin" else []
        if not os.path.islink(place):
            return [*shown, place], links
        target = os.readlink(place)
        links.append((target, place))
        at = os.path.join(parent, target)
    return shown, links


@cache
def system(network: bool) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Of this machine's system: paths to show, and links (target, place) to make."""
    links = [(os.readlink(path), path) for path in SYSTEM if os.path.islink(path)]
    shown = [path for path in SYSTEM if os.path.isdir(path) and not os.path.islink(path)]
    for pattern in (*ETC, *ETC_NETWORK) if network else ETC:
        shown += [str(path) for path in sorted(Path("/etc").glob(pattern)) if path.exists()]
    return tuple(shown), tuple(links)


@dataclass(frozen=True)
class Room:
    """What is in a room. Paths are the same inside and outside, but for those of `files`.

    readable   files and folders to be seen; `links` (target, place) to be made
    files      others, with the file outside that is shown there
    writable   folders outside that the inside may change (of a build)
    scratch    folders in memory, empty at first, with their largest size in bytes
    hidden     folders that are empty, where they would be seen because they are below others
    root       whether root runs the arena
    """

    folder: str
    env: Mapping[str, str]
    readable: Iterable[str] = ()
    links: Iterable[tuple[str, str]] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    writable: Iterable[str] = ()
    scratch: Mapping[str, int] = field(default_factory=dict)
    hidden: Iterable[str] = ()
    network: bool = False
    root: bool = False


def arguments(room: Room) -> list[str]:
    """What bubblewrap must be told to build a room."""
    words = ["--unshare-user", "--disable-userns", "--unshare-ipc", "--unshare-pid", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--hostname", "bot", "--die-with-parent", "--cap-drop", "ALL"]
    if not room.network:
        words.append("--unshare-net")
    words += ["--proc", "/proc"]
    for name in PROC_OF_ROOT if room.root else ():
        words += ["--ro-bind-try", f"/proc/{name}", f"/proc/{name}"]
    words += ["--dev", "/dev", "--size", str(SMALL), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    rules = {path: ["--ro-bind", path, path] for path in room.readable}
    rules |= {place: ["--symlink", target, place] for target, place in room.links}
    seen = [*room.readable, *room.writable]
    rules |= {path: ["--size", str(size), "--tmpfs", path] for path, size in room.scratch.items()}
    rules |= {path: ["--bind", path, path] for path in room.writable}
    rules |= {path: ["--ro-bind", source, path] for path, source in room.files.items()}
    hidden = [path for path in room.hidden if any(is_below(path, other) for other in seen)]
    rules |= {path: ["--tmpfs", path] for path in hidden}
    above: list[str] = []
    for path in sorted(rules, key=lambda path: path.split("/")):  # the inner after the outer
        while above and not is_below(path, above[-1]):
            above.pop()
        there = above and rules[above[-1]][0] in ("--ro-bind", "--bind")
        if not there or rules[path][0] not in ("--ro-bind", "--symlink"):
            words += rules[path]
            above.append(path)
    if not any(room.folder == path or is_below(room.folder, path) for path in seen):
        words += ["--dir", room.folder]
    for path in (*hidden, "/"):
        words += ["--remount-ro", path]
    words.append("--clearenv")
    for name, value in room.env.items():
        words += ["--setenv", name, value]
    return [*words, "--chdir", room.folder]


def room_of(
    command: tuple[str, ...],
    folder: str,
    env: Mapping[str, str],
    private: str,
    bounds: Bounds,
    hidden: Iterable[str] = (),
    builds: bool = False,
) -> Room:
    """The room of one launch. `private` is its private folder outside, two below the folder of all
    temporary files. Of it pass in the door, and a file `passwd` (see `PASSWD`).

    A bot sees its folder; of one that `is_wide`, only the files that the command names. A build may
    change the folder, has its home in the private folder on disk, a large /tmp, and the network.
    """
    shown, links = system(builds)
    home, door = os.path.join(private, "home"), os.path.join(private, "door")
    readable = [*shown, *interpreter()]
    adapted = command[4:5] if ADAPTER in command[:3] else ()
    for word in (command[0], *adapted):
        runtime, runtime_links = runtime_of(word, folder, env["PATH"])
        readable += runtime
        links += tuple(runtime_links)
    temporary = os.path.dirname(os.path.dirname(private))
    wide = is_wide(folder) or folder == temporary
    if not wide:
        readable.append(folder)
    else:
        named = [os.path.normpath(os.path.join(folder, word)) for word in command]
        readable += [path for path in named if is_below(path, folder) and os.path.isfile(path)]
    if os.path.exists(door):
        readable.append(door)
    scratch = dict.fromkeys((temporary, "/tmp"), SMALL)
    writable: list[str] = []
    if builds:
        writable = [home] if wide else [folder, home]
        scratch["/tmp"] = bounds.file
        if os.path.isdir(rustup := env.get("RUSTUP_HOME", "")) and not is_wide(rustup):
            readable.append(rustup)
    else:
        scratch[home] = bounds.disk
    return Room(
        folder,
        env,
        readable,
        links,
        {"/etc/passwd": os.path.join(private, "passwd")},
        writable,
        scratch,
        hidden,
        network=builds,
        root=os.geteuid() == 0,
    )


def program() -> str | None:
    """Bubblewrap, if it is installed."""
    return shutil.which("bwrap")
