"""Remote bots in a tournament: the file that names them, whole runs, and their faults."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import zmq
from click.testing import CliRunner

from arena.cli import main
from arena.errors import ConfigError
from arena.game import preset
from arena.game.seeds import commitment, deal_seed, game_key, secret_of_seed
from arena.record.schema import GameRecord, decode_line
from arena.referee.launch import Program
from arena.referee.sandbox import Level, Sandbox
from arena.referee.task import Entrant, GameSpec, Limits, Task
from arena.referee.worker import play_task
from arena.tournament.config import Config
from arena.tournament.file import load_tournament
from arena.tournament.keys import write_key_file
from arena.tournament.remote import check_start, remotes
from tests.oracle.replay import check_log
from tests.referee.far import (
    HELLO,
    PLAIN_BOT,
    Client,
    Host,
    Pair,
    answer,
    client,
    free_port,
    gone,
    host,
    pair,
    start_kit,
    variables,
)
from tests.tournament.runs import HONEST, RANDOM, Workplace, games_of, header_of

OTHER = "x" * 40


@dataclass
class Contest:
    """A folder with the keys of an arena, and a bot's."""

    folder: Path
    bot: Pair
    port: int
    server: str

    def write(self, top: str = "", bots: str = "", **changes: str) -> Path:
        table = {"name": "far", "public_key": self.bot.public, "listen": self.endpoint} | changes
        lines = [f"{key} = {json.dumps(value)}" for key, value in table.items() if value]
        keys = 'server_key = "keys/arena.key"'
        local = f'[[bots]]\nfolder = "{RANDOM}"\n{bots}'
        path = self.folder / "cup.toml"
        path.write_text("\n".join([keys, top, local, "[[bots]]", *lines, ""]))
        return path

    @property
    def endpoint(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    def start(self, code: str = PLAIN_BOT) -> subprocess.Popen[str]:
        return start_kit(self.endpoint, code, **variables(self.server, self.bot))


@pytest.fixture
def contest(tmp_path: Path) -> Contest:
    (tmp_path / "keys").mkdir()
    server = write_key_file(tmp_path / "keys" / "arena.key")
    return Contest(tmp_path, pair(), free_port(), server)


# -- the file ----------------------------------------------------------------------------------------


def test_what_a_file_says_and_what_follows_from_it(contest: Contest) -> None:
    config = load_tournament(contest.write("budget = 40", author="Ann", language="Rust"))
    local, far = config.bots
    assert (config.deals, [bot.name for bot in remotes(config.bots)]) == ("independent", ["far"])
    assert (far.name, far.author, far.language) == ("far", "Ann", "Rust")
    assert far.program.trusted
    assert not local.program.trusted
    secret = (contest.folder / "keys" / "arena.key").read_text().split("'")[3]
    assert secret not in repr(far.program)
    first = far.fingerprint()
    moved = load_tournament(contest.write("budget = 40", listen="tcp://0.0.0.0:5670"))
    assert moved.bots[1].fingerprint() == first
    assert moved.bots[1].fingerprint() != local.fingerprint()
    other = load_tournament(contest.write("budget = 40", public_key=pair().public))
    assert other.bots[1].fingerprint() != first


def test_the_frozen_file_reads_back(contest: Contest) -> None:
    config = load_tournament(contest.write("budget = 40", team="T", language="Rust"))
    out = contest.folder / "results" / "deep"
    out.mkdir(parents=True)
    (out / "tournament.toml").write_text(config.frozen(out))
    again = load_tournament(out / "tournament.toml")
    assert again.as_table(out) == config.as_table(out)
    assert again.bots == config.bots or again.bots[1].program == config.bots[1].program
    assert str(contest.folder) not in config.frozen(out)


def refusal(load: Callable[[], object]) -> str:
    with pytest.raises(ConfigError) as caught:
        load()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("top", "changes", "told"),
    [
        ('deals = "mirrored"', {}, "deals: mirrored, but far is remote and may remember a deal"),
        ("pondering = false", {}, "pondering: false, but far is remote and cannot be stopped"),
        ("", {"name": ""}, "bots.1.public_key: needs name too"),
        ("", {"listen": ""}, "bots.1.public_key: needs listen too"),
        ("", {"public_key": ""}, "bots.1.listen: needs public_key too"),
        ("", {"public_key": "short"}, "must be the 40 characters that arena keygen prints"),
        ("", {"listen": "tcp://0.0.0.0"}, 'must be an address such as "tcp://0.0.0.0:5670"'),
        ("", {"listen": "tcp://0.0.0.0:99999"}, "must be an address such as"),
        ("", {"listen": "ipc:///tmp/x"}, "must be an address such as"),
        ("", {"folder": "x"}, "bots.1.folder: not for a remote bot: its author starts it, elsewhere"),
        ("", {"restart": "game"}, "bots.1.restart: not for a remote bot"),
        ("", {"pubic_key": "x"}, "there is no such key; did you mean public_key?"),
    ],
)
def test_what_is_refused(contest: Contest, top: str, changes: dict[str, str], told: str) -> None:
    path = contest.write(top, **changes)
    assert told in refusal(lambda: load_tournament(path))


def test_two_remote_bots_need_two_keys_and_two_ports(contest: Contest) -> None:
    other = '[[bots]]\nname = "off"\npublic_key = "{}"\nlisten = "tcp://127.0.0.1:{}"\n'
    path = contest.write(bots=other.format(contest.bot.public, free_port()))
    assert "off and far have the same public key" in refusal(lambda: load_tournament(path))
    path = contest.write(bots=other.format(pair().public, contest.port))
    assert "off and far have the same port" in refusal(lambda: load_tournament(path))


def test_the_arenas_own_keys(contest: Contest) -> None:
    path = contest.write()
    key = contest.folder / "keys" / "arena.key"

    def told() -> str:
        return refusal(lambda: load_tournament(path))

    path.write_text(path.read_text().replace(contest.bot.public, contest.server))
    assert "that is the arena's own key" in told()
    contest.write()
    key.chmod(0o640)
    assert f"line 1: server_key: others can read {key}; chmod 600 it" in told()
    key.write_text(key.read_text().replace("PUBLIC", "PUBIC"))
    assert "it is no key file; arena keygen makes one" in told()
    key.unlink()
    assert f"{key}: No such file or directory" in told()
    path.write_text(path.read_text().replace("server_key", "# server_key"))
    assert 'remote bots need server_key = "arena.key"' in told()


def test_no_bot_may_run_where_the_keys_lie(contest: Contest) -> None:
    path = contest.write(bots='[[bots]]\nname = "own"\ncommand = "python3 x.py"\n')
    assert "lies in the folder where own runs, which could read it" in refusal(
        lambda: load_tournament(path)
    )


def test_one_worker_and_a_free_port(contest: Contest) -> None:
    bots = load_tournament(contest.write()).bots
    check_start(bots, 1)
    assert "workers: 2, but far is remote and plays at one port" in refusal(lambda: check_start(bots, 2))
    with zmq.Context() as context, context.socket(zmq.ROUTER) as taken:
        taken.bind(contest.endpoint)
        told = f"bot far: cannot listen at {contest.endpoint}: Address already in use"
        assert refusal(lambda: check_start(bots, 1)) == told


# -- keys --------------------------------------------------------------------------------------------


def keygen(*words: object, code: int = 0) -> str:
    result = CliRunner().invoke(main, ["keygen", *map(str, words)])
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


def test_keygen_makes_a_file_for_its_owner_once(tmp_path: Path) -> None:
    path = tmp_path / "my.key"
    public = keygen(path).strip()
    assert len(public) == 40
    assert path.stat().st_mode & 0o777 == 0o600
    before = path.read_bytes()
    assert keygen(path, code=2) == f"arena: {path} exists already; name another file\n"
    assert path.read_bytes() == before
    assert "cannot write" in keygen(tmp_path / "no" / "my.key", code=2)
    assert keygen(tmp_path / "other.key").strip() != public


def test_a_shell_reads_a_key_file(tmp_path: Path) -> None:
    path = tmp_path / "my.key"
    public = write_key_file(path)
    words = 'set -a; . "$1"; "$2" -c "import os; print(os.environ[\'ARENA_PUBLIC_KEY\'])"'
    done = subprocess.run(
        ["sh", "-c", words, "sh", path, sys.executable], capture_output=True, text=True, check=True
    )
    assert done.stdout == public + "\n"


# -- whole runs --------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Workplace]:
    (tmp_path / "tmp").mkdir()
    it = Workplace(tmp_path / "tmp")
    yield it
    it.assert_clean()


@pytest.mark.realtime
def test_a_remote_bot_plays_a_tournament(contest: Contest, place: Workplace) -> None:
    top = 'budget = 12\nseed = 3\ngames_per_launch = 3\nmove_time = "5s"\nstart_time = "30s"'
    path, out = contest.write(top), contest.folder / "out"
    bot = contest.start()
    try:
        ended = place.play(path, "--out", out)
    finally:
        bot.kill()
    assert "remote bots play: every game has dice of its own" in ended.err
    header, games = header_of(out), games_of(out)
    assert header["deals"] == "independent"
    assert header["settings"]["workers"] == 1
    assert [each["remote"] for each in header["bots"]] == [False, True]
    assert len(games) == 12
    assert not any(game["faults"] for game in games)
    assert check_log(out / "games.jsonl") == []
    code, errors = gone(bot)
    assert code < 0
    assert errors in ("", f"perudo_bot: waiting for the arena at {contest.endpoint}\n")
    assert "workers must be 1" in place.arena("run", path, "--workers", 2, "--out", out).err


@pytest.mark.realtime
def test_a_remote_bot_that_stays_away_is_named(contest: Contest, place: Workplace) -> None:
    top = 'budget = 4\nplayers = 2\nmove_time = "5s"\nstart_time = "6s"'
    path = contest.write(top, bots=f'[[bots]]\nfolder = "{HONEST}"\n')
    out = contest.folder / "out"
    ended = place.play(path, "--out", out)
    assert "bot far does not start, so it forfeits all its games: no hello within 6 s" in ended.err
    assert "no hello within 6 s" in header_of(out)["bots"][2]["out"]
    faults = [fault for game in games_of(out) for fault in game["faults"]]
    assert {fault["cause"] for fault in faults} <= {"start"}


# -- faults ------------------------------------------------------------------------------------------


def play(it: Host, games: int = 1, level: Level = Level.NONE) -> list[GameRecord]:
    """A task of the remote bot against a local one."""
    it.kill()  # the task launches its own
    secret = secret_of_seed(5)
    local = Program("local", (sys.executable, "bot.py"), RANDOM)
    far = Program("far", it.command, "/", trusted=True)
    task = Task(
        number=1,
        ruleset=preset("standard"),
        entrants={index: Entrant(bot) for index, bot in enumerate((far, local))},
        games=tuple(
            GameSpec(
                number=number,
                block=number,
                rotation=0,
                deal=number,
                seats=(0, 1),
                deal_seed=deal_seed(secret, number),
                key=game_key(secret, number),
                commitment=commitment(secret, number, deal_seed(secret, number)),
            )
            for number in range(games)
        ),
        limits=Limits(move=4.0, start=15.0, grace=0.2),
        sandbox=Sandbox(level),
    )
    records = [decode_line(line) for line in play_task(task).lines]
    return [record for record in records if isinstance(record, GameRecord)]


def respond(bot: Client, message: dict[str, Any]) -> None:
    """Answer an ask in the simplest way."""
    calls = []
    for act in message["acts"]:
        bids = [
            f"{quantity}x{face}"
            for face, quantity in enumerate(act["min_quantity"], 1)
            if quantity <= act["max_quantity"]
        ]
        calls.append("dudo" if "dudo" in act["words"] else bids[0])
    bot.say(answer(message["id"], *calls))


def remote(it: Host, act: Callable[[Client, dict[str, Any]], Client]) -> threading.Thread:
    """A remote bot in a thread: it greets, and `act` is what it does about each message until bye."""

    def run() -> None:
        bot = client(it)
        bot.say(HELLO)
        message = bot.hear()
        while message["type"] != "bye":
            bot = act(bot, message)
            if bot.context.closed:
                return
            message = bot.hear()
        bot.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.fixture
def it() -> Iterator[Host]:
    with host() as running:
        yield running


@pytest.mark.realtime
@pytest.mark.parametrize("level", [Level.NONE, Level.LIMITS, Level.BWRAP])
def test_it_drops_in_the_midst_of_every_question_and_loses_nothing(it: Host, level: Level) -> None:
    asked: list[bytes] = []

    def act(bot: Client, message: dict[str, Any]) -> Client:
        if message["type"] != "ask":
            return bot
        asked.append(json.dumps(message).encode())
        if len(asked) % 2 == 0:
            respond(bot, message)
            return bot
        bot.close()
        bot = client(it)
        bot.say(HELLO)
        assert bot.hear()["type"] == "welcome"
        return bot

    thread = remote(it, act)
    (record,) = play(it, level=level)
    thread.join(20)
    assert record.faults == []
    assert asked[::2] == asked[1::2], "every ask came twice"
    assert len(asked) > 4


@pytest.mark.realtime
def test_it_drops_and_stays_away(it: Host) -> None:
    def act(bot: Client, message: dict[str, Any]) -> Client:
        if message["type"] == "ask" and message["id"] == 2:
            bot.close()
        elif message["type"] == "ask":
            respond(bot, message)
        return bot

    thread = remote(it, act)
    (record,) = play(it)
    thread.join(20)
    (fault,) = record.faults
    assert (fault.seat, fault.cause, fault.detail) == (0, "timeout", "no answer within 4000 ms")


@pytest.mark.realtime
@pytest.mark.parametrize(
    ("frames", "cause"),
    [([bytes(70_000)], "oversize"), ([b"", b"x"], "malformed"), ([b"x"], "malformed")],
)
def test_what_it_sends_is_judged_as_anybodys(it: Host, frames: list[bytes], cause: str) -> None:
    def act(bot: Client, message: dict[str, Any]) -> Client:
        if message["type"] == "ask":
            bot.socket.send_multipart(frames)
            bot.socket.linger = 1000
            bot.context.destroy(1000)
        return bot

    thread = remote(it, act)
    (record,) = play(it)
    thread.join(20)
    (fault,) = record.faults
    assert (fault.seat, fault.cause) == (0, cause)


def test_a_config_needs_no_file(contest: Contest) -> None:
    config = load_tournament(contest.write("budget = 40"))
    with pytest.raises(ConfigError, match="deals: mirrored"):
        Config(bots=config.bots, ruleset=config.ruleset, players=2, budget=40)
