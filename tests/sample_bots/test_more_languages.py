"""The bots in Rust, Java, TypeScript and JavaScript, and the Python template: built as the arena builds
them, and asked as it asks. In every language a bot decides as its Python namesake, call by call.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest
import zmq

from arena.errors import ConfigError
from arena.game import PRESETS
from arena.referee.wire import Act, End, Refused, Start
from arena.tournament.bots import BUILT, PRODUCTS, BotSpec, build, find_bot
from perudo_bot import Question
from tests.protocol.acts import questions
from tests.protocol.talk import ROOT, Talk, environment
from tests.sample_bots.load import SAMPLES, load

VECTORS = ROOT / "protocol" / "vectors"
BOTS = ("random", "honest", "template")
SUFFIX = {"rust": "rust", "java": "java", "typescript": "ts", "javascript": "js"}
SHARED = {
    "rust": ("src/perudo.rs", "rustfmt.toml"),
    "java": ("src/Perudo.java", "pom.xml"),
    "typescript": ("perudo.ts", "tsconfig.json"),
    "javascript": ("perudo.js",),
}
"""Files that are the same in each of a language's bots."""
VERSIONS = {
    "rust": ((["cargo", "--version"], 1, 85), (["c++", "-dumpversion"], 5, 0)),
    "java": ((["javac", "-version"], 17, 0), (["mvn", "--version"], 3, 6)),
    "typescript": ((["node", "--version"], 18, 0), (["npm", "--version"], 8, 0)),
    "javascript": ((["node", "--version"], 18, 0), (["npm", "--version"], 8, 0)),
}
"""What building needs: a command that says its version, and the lowest that will do."""
OFFLINE = re.compile(
    r"could not resolve|couldn't resolve|unknown host|enotfound|eai_again|econnrefused|spurious network"
    r"|could not transfer|network is unreachable|name resolution",
    re.IGNORECASE,
)
PYTHON: dict[str, Callable[[Question], str]] = {
    "random": load("python/random").call,
    "honest": load("python/honest").decide,
    "template": load("python/template").decide,
}
ALL = [(language, bot) for language in SUFFIX for bot in BOTS]
EVERY_BOT = pytest.mark.parametrize(
    ("language", "bot"), ALL, ids=[f"{language}-{bot}" for language, bot in ALL]
)
EVERY_LANGUAGE = pytest.mark.parametrize("language", SUFFIX)


# -- building and talking --------------------------------------------------------------------------


def need(command: list[str], *least: int) -> None:
    """Skip the test where a program is missing or too old."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    found = re.search(r"(\d+)(?:\.(\d+))?(?![\dm])", done.stdout + done.stderr)
    if done.returncode != 0 or found is None:
        pytest.skip(f"{' '.join(command)} fails")
    if (int(found[1]), int(found[2] or 0)) < least:
        pytest.skip(f"{command[0]} {found[0]} is too old, {'.'.join(map(str, least))} is needed")


class Workshop:
    """Copies of the bots' folders, built once; the sources' folders stay as they are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bots: dict[tuple[str, str], BotSpec] = {}

    def bot(self, language: str, bot: str) -> BotSpec:
        if (language, bot) not in self.bots:
            for command, *least in VERSIONS[language]:
                need(command, *least)
            folder = self.folder / f"{bot}-{SUFFIX[language]}"
            if not folder.exists():
                ignored = shutil.ignore_patterns(*PRODUCTS, BUILT)
                shutil.copytree(SAMPLES / language / bot, folder, ignore=ignored)
            others = [spec for (other, _), spec in self.bots.items() if other == language]
            if language == "rust" and others and not (folder / "target").exists():
                # The same libraries, so they need not be compiled again; the bot itself must be.
                shutil.copytree(others[0].folder / "target", folder / "target")
                for path in (folder / "src").iterdir():
                    path.touch()
            spec = find_bot(str(folder))
            try:
                build(spec)
            except ConfigError as error:
                if OFFLINE.search(str(error)):
                    pytest.skip(f"no network to build {spec.name} with")
                raise
            self.bots[language, bot] = spec
        return self.bots[language, bot]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("bots"))


@contextmanager
def talk(bot: BotSpec) -> Iterator[Talk]:
    """Launch a bot with the transport that it wants, and listen to it."""
    with (
        tempfile.TemporaryDirectory(prefix="talk-") as door,
        zmq.Context() as context,
        context.socket(zmq.ROUTER) as socket,
    ):
        socket.linger = 0
        if bot.transport == "tcp":
            endpoint = f"tcp://127.0.0.1:{socket.bind_to_random_port('tcp://127.0.0.1')}"
        else:
            endpoint = f"ipc://{door}/door"
            socket.bind(endpoint)
        env = environment(endpoint) | {"HOME": door}
        with subprocess.Popen(
            bot.command, cwd=bot.folder, env=env, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                yield Talk(socket, process)
            finally:
                process.kill()


def send(it: Talk, message: dict[str, Any]) -> None:
    it.socket.send_multipart([it.peer, msgpack.packb(message)])


@cache
def every_question(most: int) -> list[Act]:
    """Of random games under all presets, at the smallest and the largest table; and rare ones."""
    acts = [
        act
        for name, rules in PRESETS.items()
        for players in sorted({rules.players[0], rules.players[1]})
        for act in questions(name, players, seed=players + 20, most=most)
    ]
    many = questions("santaba", 4, seed=20, most=10_000)
    return acts + [act for act in many if {"tabba", "palifico"} & set(act.words)]


def python_call(bot: str, act: Act) -> str:
    return PYTHON[bot](Question(msgspec.to_builtins(act)))


def run(command: list[str], folder: Path, **env: str) -> str:
    """What the command printed. Fails with it if the command does."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout[-4000:]}"
    return done.stdout


# -- decisions -------------------------------------------------------------------------------------


@EVERY_BOT
def test_decisions_are_those_of_the_python_bot(workshop: Workshop, language: str, bot: str) -> None:
    acts = every_question(150 if bot == "honest" else 40)
    asked = Counter(word for act in acts for word in act.words)
    assert min(asked[word] for word in ("dudo", "calza", "palifico", "tabba", "pass")) > 20
    if bot == "template":
        acts = [act for act in acts if "pass" not in act.words]
    assert len(acts) > (3000 if bot == "honest" else 500)
    spec = workshop.bot(language, bot)
    with talk(spec) as it:
        hello = it.greet()
        assert (hello.name, hello.games, hello.past) == (spec.name, 64, False)
        assert hello.language.startswith(spec.language)
        assert hello.out_of_turn == (bot == "honest")
        for first in range(0, len(acts), 64):
            batch = acts[first : first + 64]
            wanted = [python_call(bot, act) for act in batch]
            assert it.ask(batch) == wanted
        assert it.bye() == (0, "")


def test_the_python_template_plays_the_smallest_legal_bid_or_doubts() -> None:
    for act in every_question(100):
        question = Question(msgspec.to_builtins(act))
        call = PYTHON["template"](question)
        assert call in question.legal_calls()
        if not question.out_of_turn:
            assert ("x" in call) == bool(question.legal_bids())


def test_the_python_template_runs_as_its_file_says() -> None:
    spec = find_bot(str(SAMPLES / "python" / "template"))
    with talk(BotSpec(spec.name, (sys.executable, *spec.command[1:]), spec.folder)) as it:
        hello = it.greet()
        assert (hello.name, hello.games) == (spec.name, 64)
        acts = list(questions("standard", 3, seed=1, most=30))
        assert it.ask(acts) == [python_call("template", act) for act in acts]
        assert it.bye() == (0, "")


# -- the conversation ------------------------------------------------------------------------------


@EVERY_BOT
def test_it_copes_with_all_that_an_ask_may_hold(workshop: Workshop, language: str, bot: str) -> None:
    act = next(act for act in questions("standard", 2, seed=3, most=9) if act.quantity)
    wanted = python_call(bot, act)
    start = Start(1, 0, ["me", "seat 1"], "0" * 64, {"name": "x", "dice": 5, "players": [2, 6]}, [5, 5])
    ends = [End(2, [2, 1], "", ""), End(3, [1, 2], "illegal", "7x7 is no call")]
    with talk(workshop.bot(language, bot)) as it:
        it.greet()
        assert it.ask([act], starts=[start]) == [wanted]
        assert it.ask(ends=ends) == []
        assert it.ask() == []
        assert it.ask([act], starts=[start], ends=ends) == [wanted]

        new = {"map": {"list": [1, "two", False, {}]}, "text": "\N{GAME DIE}" * 400, "number": 2**31 - 1}
        send(it, {"type": "news", "new": new})
        fields = msgspec.to_builtins(act)
        long = [[seat % 2, "pass"] for seat in range(4000)]
        fields |= {"calls": [*long, *fields["calls"]], "new": new}
        told = {"new": new} | msgspec.to_builtins(start)
        told["ruleset"] |= {"new": new, "list": [], "text": ""}
        over = msgspec.to_builtins(ends[0]) | {"new": new}
        body = {"time_ms": 1000, "acts": [fields] * 2, "starts": [told], "ends": [over]}
        send(it, {"new": new, "id": 2**31 - 1, **body, "type": "ask"})
        answer = it.receive()
        assert (answer.id, answer.calls) == (2**31 - 1, [wanted] * 2)  # type: ignore[union-attr]
        assert it.bye() == (0, "")


@EVERY_BOT
def test_refused_it_says_why(workshop: Workshop, language: str, bot: str) -> None:
    with talk(workshop.bot(language, bot)) as it:
        it.receive()
        it.send(Refused(1, "we are full"))
        code, errors = it.leave()
        assert code == 1
        assert "we are full" in errors
        assert len(errors.splitlines()) == 1


@EVERY_BOT
def test_started_by_hand_it_says_so(workshop: Workshop, language: str, bot: str) -> None:
    spec = workshop.bot(language, bot)
    for env in (environment(), environment() | {"ARENA_ENDPOINT": ""}):
        done = subprocess.run(
            spec.command,
            cwd=spec.folder,
            env=env,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 2
        assert "started by the arena" in done.stderr
        assert len(done.stderr.splitlines()) == 1


# -- the kits --------------------------------------------------------------------------------------


def test_rust_reads_the_vectors(workshop: Workshop) -> None:
    folder = workshop.bot("rust", "honest").folder
    command = ["cargo", "test", "--release", "--locked"]
    assert "5 passed" in run(command, folder, PERUDO_VECTORS=str(VECTORS))


def test_java_reads_the_vectors(workshop: Workshop) -> None:
    """Compiled without a warning of any kind."""
    folder = workshop.bot("java", "honest").folder
    sources = [str(path) for part in ("src", "test") for path in (folder / part).glob("*.java")]
    lint = ["-Xlint:all", "-Werror", "--release", "17"]
    run(["javac", *lint, "-cp", "target/lib/*", "-d", "target/test", *sources], folder)
    printed = run(["java", "-cp", "target/test:target/lib/*", "Vectors", str(VECTORS)], folder)
    assert f"{len(list(VECTORS.glob('*.msgpack')))} vectors agree" in printed


@pytest.mark.parametrize("language", ["typescript", "javascript"])
def test_node_reads_the_vectors(workshop: Workshop, language: str) -> None:
    folder = workshop.bot(language, "honest").folder
    file = "dist/perudo.test.js" if language == "typescript" else "perudo.test.js"
    printed = run(["node", "--test", file], folder, PERUDO_VECTORS=str(VECTORS))
    assert re.search(r"^. fail 0$", printed, re.MULTILINE)


@pytest.mark.parametrize("bot", BOTS)
def test_rust_is_formatted_and_clean(workshop: Workshop, bot: str) -> None:
    folder = workshop.bot("rust", bot).folder
    need(["cargo", "fmt", "--version"])
    run(["cargo", "fmt", "--check"], folder)
    need(["cargo", "clippy", "--version"])
    run(["cargo", "clippy", "--release", "--locked", "--all-targets", "--", "-D", "warnings"], folder)


@pytest.mark.parametrize("language", ["typescript", "javascript"])
def test_scripts_are_formatted(language: str) -> None:
    need(["prettier", "--version"])
    files = [
        str(path)
        for path in sorted((SAMPLES / language).glob("*/*.?s"))
        if path.suffix in {".ts", ".js"}
    ]
    run(["prettier", "--print-width", "100", "--check", *files], SAMPLES)


# -- the folders -----------------------------------------------------------------------------------


def sources(language: str) -> Iterator[Path]:
    for where, folders, files in os.walk(SAMPLES / language):
        folders[:] = sorted(set(folders) - PRODUCTS)
        yield from (Path(where) / file for file in sorted(files))


@EVERY_LANGUAGE
def test_every_bot_has_the_same_kit(language: str) -> None:
    for name in SHARED[language]:
        texts = {(SAMPLES / language / bot / name).read_text() for bot in BOTS}
        assert len(texts) == 1, f"{language}/*/{name} differ"


@EVERY_BOT
def test_names_and_readmes(language: str, bot: str) -> None:
    folder = SAMPLES / language / bot
    spec = find_bot(str(folder))
    assert spec.name == f"{bot}-{SUFFIX[language]}"
    assert (spec.author, spec.transport == "tcp") == ("Perudo Arena", language == "java")
    assert (folder / "README.md").is_file() == (bot == "template")


@EVERY_LANGUAGE
def test_libraries_come_from_public_registries(language: str) -> None:
    """Whatever registry an author installed from, no file names another than the public ones."""
    public = {
        "registry.npmjs.org",
        "github.com/rust-lang/crates.io-index",
        "maven.apache.org",
        "www.w3.org",
    }
    for path in sources(language):
        assert path.name not in {".npmrc", ".cargo", "settings.xml"}
        for url in re.findall(r"https?://([^\s\"'<>]+)", path.read_text()):
            assert any(url.startswith(known) for known in public), f"{path}: {url}"


def test_versions_are_pinned() -> None:
    for bot in BOTS:
        lock = (SAMPLES / "rust" / bot / "Cargo.lock").read_text()
        assert lock.count("\nchecksum = ") == lock.count("\n[[package]]") - 1
        for language in ("typescript", "javascript"):
            package = msgspec.json.decode((SAMPLES / language / bot / "package.json").read_bytes())
            lock_file = (SAMPLES / language / bot / "package-lock.json").read_bytes()
            packages = msgspec.json.decode(lock_file)["packages"]
            for name, version in (package["dependencies"] | package.get("devDependencies", {})).items():
                assert packages[f"node_modules/{name}"]["version"] == version
                assert packages[f"node_modules/{name}"]["integrity"].startswith("sha512-")
        versions = re.findall(
            r"<version>(.*?)</version>", (SAMPLES / "java" / bot / "pom.xml").read_text()
        )
        assert all(re.fullmatch(r"[\d.]+", version) for version in versions)
