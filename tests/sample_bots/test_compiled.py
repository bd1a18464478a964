"""The bots in C, C++ and Go, built as the arena builds them and run as programs of their own."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import pytest

from arena.game import PRESETS, Dice, Game, parse_call, preset
from arena.referee.wire import Act, End, Refused
from arena.tournament.bots import build, load_bot
from perudo_bot import Question, bid
from tests.protocol.acts import act_of, questions
from tests.protocol.talk import ROOT, environment, talk
from tests.sample_bots.load import SAMPLES, load

VECTORS = ROOT / "protocol" / "vectors"
PATIENCE = 300.0
"""Seconds for a compiler on a busy machine."""


@dataclass(frozen=True)
class Language:
    """A language by the folder of its bots.

    tool     what builds them, and what `probe` needs to be there
    includes what a program must find to be built, where the tool alone is not enough
    kit      the files that are the same in every bot's folder
    main     the file with the bot's decision
    """

    folder: str
    tools: tuple[str, ...]
    includes: tuple[str, ...]
    kit: tuple[str, ...]
    main: str

    @property
    def bots(self) -> Path:
        return SAMPLES / self.folder

    def missing(self) -> str:
        """What is not installed, "" if nothing."""
        for tool in self.tools:
            if shutil.which(tool) is None:
                return f"{tool} is not installed"
        if self.includes:
            lines = "\n".join(f"#include <{name}>" for name in self.includes)
            kind = "c++" if self.folder == "cpp" else "c"
            command = [self.tools[0], "-DMSGPACK_NO_BOOST", "-x", kind, "-E", "-o", os.devnull, "-"]
            if subprocess.run(
                command, input=lines, text=True, capture_output=True, check=False
            ).returncode:
                return f"there is no {' or no '.join(self.includes)}"
        return ""


C = Language(
    "c", ("cc", "make", "pkg-config"), ("zmq.h", "msgpack.h"), ("perudo.h", "perudo.c"), "bot.c"
)
CPP = Language("cpp", ("g++", "make"), ("zmq.hpp", "msgpack.hpp"), ("perudo.hpp",), "bot.cpp")
GO = Language("go", ("go",), (), ("perudo.go", "go.mod", "go.sum"), "bot.go")
LANGUAGES = {language.folder: language for language in (C, CPP, GO)}
BOTS = ("random", "honest", "template")


def run(command: list[str], folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a tool and wait for it, with what it prints as text."""
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | env,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


class Built:
    """Copies of a language's bots, each built when it is first asked for; the sources stay clean."""

    def __init__(self, language: Language, folder: Path) -> None:
        self.language = language
        self.folder = folder

    def __getitem__(self, bot: str) -> tuple[list[str], Path]:
        """The command of a bot and the folder to run it in."""
        folder = self.folder / bot
        if not folder.exists():
            self.copy(bot, folder)
        spec = load_bot(folder)
        build(spec, timeout=PATIENCE)
        return list(spec.command), folder

    def copy(self, bot: str, folder: Path) -> Path:
        """A copy of a bot's sources."""
        shutil.copytree(
            self.language.bots / bot, folder, ignore=shutil.ignore_patterns("build", ".arena-built")
        )
        return folder


@pytest.fixture(scope="module", params=LANGUAGES)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    language = LANGUAGES[request.param]
    if why := language.missing():
        pytest.skip(f"no bots in {language.folder}: {why}")
    if language is GO:
        try:
            done = run(["go", "mod", "download"], GO.bots / "honest")
        except subprocess.TimeoutExpired:
            pytest.skip("go mod download took too long (no network?)")
        if done.returncode:
            pytest.skip(f"go mod download failed (no network?): {done.stderr.strip()[-200:]}")
    return Built(language, tmp_path_factory.mktemp(language.folder))


@pytest.fixture(scope="module")
def acts() -> list[Act]:
    """Questions of every ruleset at its smallest and its largest table."""
    found: list[Act] = []
    for name, rules in PRESETS.items():
        for players in sorted(set(rules.players)):
            found += questions(name, players, seed=players + 20, most=150)
    assert len(found) > 3000
    assert sum("pass" in act.words for act in found) > 100
    assert sum(act.min_tabba is not msgspec.UNSET for act in found) > 100
    assert max(len(act.calls) for act in found) > 10
    return found


def to_question(act: Act) -> Question:
    return Question(msgspec.to_builtins(act))


def batches(acts: list[Act]) -> Iterator[list[Act]]:
    for first in range(0, len(acts), 64):
        yield acts[first : first + 64]


# -- the same calls as in Python -------------------------------------------------------------------


def template(question: Question) -> str:
    """What every template does before anybody fills it in."""
    if "dudo" in question.words and question.quantity > question.count(question.face) + (
        question.unseen // 3
    ):
        return "dudo"
    bids = [(least, face) for face in range(1, 7) if (least := question.minimum(face))]
    return bid(*min(bids)) if bids else question.words[0]


DECISIONS = {
    "random": load("python/random").call,
    "honest": load("python/honest").decide,
    "template": template,
}


@pytest.mark.parametrize("bot", BOTS)
def test_calls_are_those_of_the_python_bot(built: Built, acts: list[Act], bot: str) -> None:
    command, folder = built[bot]
    decide = DECISIONS[bot]
    with talk(command, folder) as it:
        hello = it.greet()
        assert hello.name == load_bot(folder).name
        assert (hello.games, hello.out_of_turn) == (64, bot == "honest")
        assert hello.language
        for batch in batches(acts):
            wanted = [decide(to_question(act)) for act in batch]
            assert it.ask(batch) == wanted
        assert it.ask() == []
        assert it.bye() == (0, "")


@pytest.mark.parametrize("bot", BOTS)
def test_calls_are_legal(acts: list[Act], bot: str) -> None:
    for act in acts:
        question = to_question(act)
        assert DECISIONS[bot](question) in question.legal_calls()


def test_odds_agree_to_the_last_bit(built: Built, tmp_path: Path) -> None:
    """Bits of P(exactly k) and P(at least k) for every number of dice, printed by the bot's own code."""
    language = built.language
    folder = built.copy("honest", tmp_path / "odds")
    text = (folder / language.main).read_text()
    main = {
        "c": """
            int bot(void);
            #include <inttypes.h>
            #include <stdio.h>
            #include <string.h>
            static void print(double x) { uint64_t b; memcpy(&b, &x, 8); printf("%" PRIu64 "\\n", b); }
            int main(void) {
                for (int s = 3; s <= 6; s += 3) for (int n = 0; n < 180; n++) {
                    odds(n, s);
                    for (int k = 0; k <= n; k++) { print(exactly[k]); print(at_least[k]); }
                }
            }""",
        "cpp": """
            #include <cstdint>
            #include <cstring>
            static void print(double x) {
                std::uint64_t b;
                std::memcpy(&b, &x, 8);
                std::cout << b << "\\n";
            }
            int main() {
                for (int s = 3; s <= 6; s += 3) for (int n = 0; n < 180; n++) {
                    const Odds &it = odds(n, s);
                    for (int k = 0; k <= n; k++) { print(it.exactly[k]); print(it.at_least[k]); }
                }
            }""",
        "go": """
            func main() {
                for s := 3; s <= 6; s += 3 { for n := 0; n < 180; n++ {
                    it := odds(n, s)
                    for k := 0; k <= n; k++ {
                        println(math.Float64bits(it.exactly[k]))
                        println(math.Float64bits(it.atLeast[k]))
                    }
                }}
            }""",
    }[language.folder]
    text = re.sub(r"\bmain\(", "bot(", text)
    if language is GO:
        text = text.replace("package main\n", 'package main\n\nimport "math"\n')
    (folder / language.main).write_text(text + main)
    build(load_bot(folder), timeout=PATIENCE)
    done = run(["build/bot"], folder)
    odds = load("python/honest").odds
    mine = [
        p
        for sides in (3, 6)
        for dice in range(180)
        for pair in zip(*odds(dice, sides), strict=True)
        for p in pair
    ]
    theirs = [int(line) for line in (done.stdout or done.stderr).split()]
    assert theirs == list(struct.unpack(f"{len(mine)}Q", struct.pack(f"{len(mine)}d", *mine)))


# -- the conversation ------------------------------------------------------------------------------


def test_it_plays_games(built: Built) -> None:
    """A game on its own and eight at once, of the template against itself."""
    command, folder = built["template"]
    with talk(command, folder) as it:
        it.greet()
        for count in (1, 8):
            games = [Game(preset("standard"), 3, Dice(n.to_bytes(32))) for n in range(count)]
            while asked := [(n, game) for n, game in enumerate(games, 1) if not game.over]:
                calls = it.ask([act_of(game, number) for number, game in asked])
                for (_, game), call in zip(asked, calls, strict=True):
                    game.answer(parse_call(call))
            assert it.ask(ends=[End(n + 1, game.places, "", "") for n, game in enumerate(games)]) == []
        assert it.bye() == (0, "")


@pytest.mark.parametrize("bot", BOTS)
def test_it_skips_what_it_does_not_know(built: Built, bot: str) -> None:
    """Fields of later versions, in every map; a message as long as they may be; other integers."""
    news: dict[str, Any] = {"news": {"deep": [1, -1, 2.5, None, b"raw", {"x": [[]]}], "more": {}}}
    (act,) = questions("standard", 2, seed=1, most=1)
    plain = msgspec.to_builtins(act)
    said = [[n % 2, f"{n + 1}x6"] for n in range(7000)]
    assert 60_000 < len(msgpack.packb(said)) < 65_000
    ruleset = msgspec.to_builtins(preset("standard")) | {"players": [2, 6]} | news
    start = {
        "game": 1,
        "seat": 0,
        "names": ["ä", "b"],
        "commitment": "0" * 64,
        "ruleset": ruleset,
        "dice": [5, 5],
    }
    end = {"game": 1, "places": [1, 2], "fault": "", "detail": ""}
    asks = [
        {"acts": [plain | news], "starts": [start | news], "ends": [end | news]} | news,
        {"acts": [plain | {"calls": said}], "starts": [], "ends": []},
        {"acts": [], "starts": [], "ends": [end]},
    ]
    command, folder = built[bot]
    with talk(command, folder) as it:
        it.greet()
        for number, ask in enumerate(asks, 1):
            message = news | {"type": "ask", "id": number, "time_ms": 1000} | ask
            it.socket.send_multipart([it.peer, msgpack.packb(message)])
            answer = it.receive()
            assert msgspec.to_builtins(answer) == {
                "type": "answer",
                "id": number,
                "calls": [DECISIONS[bot](to_question(act))] * len(ask["acts"]),
            }
        assert it.bye() == (0, "")


@pytest.mark.parametrize("bot", BOTS)
def test_it_goes_when_told(built: Built, bot: str) -> None:
    """Refused, it says why and exits with 1; after bye it is gone within a second."""
    command, folder = built[bot]
    with talk(command, folder) as it:
        it.receive()
        it.send(Refused(1, "no, thank you"))
        code, printed = it.leave()
        assert (code, len(printed.splitlines())) == (1, 1)
        assert "no, thank you" in printed
    with talk(command, folder) as it:
        it.greet()
        began = time.monotonic()
        assert it.bye() == (0, "")
        assert time.monotonic() - began < 5  # one second on a machine that has nothing else to do


@pytest.mark.parametrize("bot", BOTS)
def test_started_by_hand_it_says_so(built: Built, bot: str) -> None:
    command, folder = built[bot]
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "started by the arena" in done.stderr
    assert len(done.stderr.splitlines()) == 1


# -- the sources -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_every_folder_has_the_same_kit(language: Language) -> None:
    for name in language.kit:
        assert len({(language.bots / bot / name).read_bytes() for bot in BOTS}) == 1, name


def test_the_kit_reads_every_vector(built: Built, tmp_path: Path) -> None:
    """The tests that come with the template, as its README says."""
    folder = built.copy("template", tmp_path / "template")
    if built.language is GO:
        done = run(["go", "test", "-v", "."], folder, PERUDO_VECTORS=str(VECTORS))
        for path in VECTORS.glob("*.msgpack"):
            assert f"--- PASS: TestEveryVector/{path.stem} " in done.stdout, done.stdout
        assert "SKIP" not in done.stdout
    else:
        done = run(["make", "test", f"VECTORS={VECTORS}"], folder)
        assert "all tests passed" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("bot", BOTS)
def test_sources_are_clean(built: Built, bot: str, tmp_path: Path) -> None:
    """Formatted, and without warnings."""
    folder = built.copy(bot, tmp_path / bot)
    if built.language is GO:
        done = run(["go", "vet", "."], folder)
        assert (done.returncode, done.stderr) == (0, "")
        assert run(["go", "mod", "verify"], folder).returncode == 0
        assert run(["gofmt", "-l", "."], folder).stdout == ""
        return
    targets = ["build/bot", "build/test"] if bot == "template" else ["build/bot"]
    warned = run(["make", "CFLAGS=-O2 -Werror", "CXXFLAGS=-O2 -Werror", *targets], folder)
    assert (warned.returncode, warned.stderr) == (0, "")


@pytest.mark.parametrize("language", [C, CPP], ids=["c", "cpp"])
def test_sources_are_formatted(language: Language) -> None:
    """By clang-format 14; others may differ in details."""
    if shutil.which("clang-format") is None:
        pytest.skip("clang-format is not installed")
    version = run(["clang-format", "--version"], language.bots).stdout
    if " version 14." not in version:
        pytest.skip(f"the sources are formatted by clang-format 14, this is {version.strip()}")
    files = [str(path) for path in sorted(language.bots.glob("*/*.[ch]*"))]
    assert len(files) >= 6
    done = run(["clang-format", "--dry-run", "-Werror", *files], language.bots)
    assert (done.returncode, done.stderr) == (0, "")


def test_go_names_its_modules_and_nothing_else() -> None:
    text = (GO.bots / "honest" / "go.mod").read_text()
    assert "replace" not in text
    sums = (GO.bots / "honest" / "go.sum").read_text()
    modules = re.findall(r"^\t(\S+) (v\S+)", text, re.MULTILINE)
    assert len(modules) >= 2
    for module, version in modules:
        assert f"{module} {version} h1:" in sums


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_the_smallest_bot_is_small(language: Language) -> None:
    assert len((language.bots / "random" / language.main).read_text().splitlines()) <= 15
