"""The gateway of a remote bot, between a referee's door and a bot: a bare socket, or the kit."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

import msgspec
import pytest
import zmq

from arena.referee import gateway
from arena.referee.gateway import Gateway, read_key_file
from tests.protocol.acts import questions
from tests.referee.far import (
    HELLO,
    PATIENCE_MS,
    TOKEN,
    WELCOME,
    Client,
    Host,
    Wire,
    answer,
    ask,
    client,
    gone,
    host,
    pair,
    start_kit,
    variables,
)

pytestmark = pytest.mark.realtime


@pytest.fixture
def it() -> Iterator[Host]:
    with host() as running:
        yield running


# -- relaying ----------------------------------------------------------------------------------------


def plays_a_launch(it: Host) -> None:
    with client(it) as bot:
        bot.say(HELLO)
        it.greet()
        assert bot.hear() == WELCOME
        it.say({"type": "bye", "reason": ""})
        assert bot.hear()["type"] == "bye"


def test_a_launch_from_hello_to_bye(it: Host) -> None:
    with client(it) as bot:
        bot.say(HELLO | {"token": "whatever", "name": "me"})
        assert it.greet() == HELLO | {"token": TOKEN, "name": "me"}
        assert bot.hear() == WELCOME
        it.say(ask(1))
        assert bot.hear() == ask(1)
        bot.say(answer(1))
        assert it.heard() == answer(1)
        it.say({"type": "bye", "reason": "enough"})
        assert bot.hear() == {"type": "bye", "reason": "enough"}
    assert it.ended() == (0, "")


def test_it_leaves_soon_though_the_bot_stays(it: Host) -> None:
    with client(it) as bot:
        bot.say(HELLO)
        it.greet()
        it.say({"type": "bye", "reason": "enough"})
        assert it.ended()[0] == 0
        assert [bot.hear()["type"], bot.hear()["type"]] == ["welcome", "bye"]


@pytest.mark.parametrize(
    "frames", [[b"\xc1"], [b"", b"two"], [bytes(gateway.MAX_FRAME + 1)], [b"\x93" * 2000]]
)
def test_what_is_wrong_is_passed_on_for_the_referee_to_name(it: Host, frames: list[bytes]) -> None:
    with client(it) as bot:
        bot.socket.send_multipart(frames)
        assert it.hear() == frames, "before the hello"
        bot.say(HELLO)
        it.greet()
        bot.socket.send_multipart(frames)
        assert it.hear() == frames


def test_a_refusal_is_passed_on_and_the_bot_may_try_again(it: Host) -> None:
    with client(it) as bot:
        bot.say(HELLO | {"protocol": 7})
        assert it.heard()["protocol"] == 7
        it.say({"type": "refused", "protocol": 1, "reason": "not 7"})
        assert bot.hear()["reason"] == "not 7"
        bot.say(HELLO)
        it.greet()


def test_a_message_without_end_is_named_oversize(it: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory that it fills is what is seen of it; here it is full from the beginning."""
    it.kill()
    monkeypatch.setenv("ARENA_ENDPOINT", it.door_at)
    inside = Gateway(it.endpoint, it.bot.public, read_key_file(it.key_file))
    inside.memory -= 2 * gateway.MEMORY_STEP
    thread = threading.Thread(target=inside.run)
    thread.start()
    assert len(it.hear()[0]) == gateway.MAX_FRAME + 1
    it.say({"type": "bye", "reason": ""})
    thread.join(PATIENCE_MS / 1000)
    assert not thread.is_alive()


# -- dropping and coming back ------------------------------------------------------------------------


def test_a_bot_that_comes_back_gets_the_welcome_and_the_same_ask(it: Host) -> None:
    with client(it) as bot:
        bot.say(HELLO)
        it.greet()
        it.say(ask(1))
        assert [bot.hear()["type"], bot.hear()["type"]] == ["welcome", "ask"]
    with client(it) as bot:
        bot.say(HELLO)
        assert [bot.hear(), bot.hear()] == [WELCOME, ask(1)]
        bot.say(answer(1))
        assert it.heard() == answer(1)
    with client(it) as bot:
        bot.say(HELLO)
        assert bot.hear() == WELCOME
        assert bot.nothing(), "the ask is answered"
        it.say(ask(2))
        assert bot.hear() == ask(2)


def test_an_ask_that_comes_while_it_is_away_waits_for_it(it: Host) -> None:
    with client(it) as bot:
        bot.say(HELLO)
        it.greet()
        bot.hear()
    it.say(ask(1))
    with client(it) as bot:
        bot.say(HELLO)
        assert [bot.hear(), bot.hear()] == [WELCOME, ask(1)]


def test_hello_again_on_the_same_connection_does_no_harm(it: Host) -> None:
    with client(it) as bot:
        bot.say(HELLO)
        it.greet()
        it.say(ask(1))
        assert [bot.hear(), bot.hear()] == [WELCOME, ask(1)]
        bot.say(HELLO)
        assert [bot.hear(), bot.hear()] == [WELCOME, ask(1)]
        bot.say(answer(1))
        bot.say(answer(1))
        assert it.heard() == answer(1)
        assert it.nothing(), "an ask that was sent twice may be answered twice"
        it.say(ask(2))
        bot.say(answer(2))
        bot.say(answer(2))
        assert [it.heard(), it.heard()] == [answer(2), answer(2)]


def test_hello_again_has_to_say_the_same(it: Host) -> None:
    with client(it) as bot:
        bot.say(HELLO | {"games": 8})
        it.greet()
    with client(it) as bot:
        bot.say(HELLO)
        assert "must say the same" in bot.hear()["reason"]
        bot.say(HELLO | {"games": 8, "version": "2"})
        assert bot.hear() == WELCOME


def test_an_answer_to_an_earlier_launch_is_dropped(it: Host) -> None:
    with client(it) as bot:
        bot.say(answer(7, "1x1"))
        bot.say(HELLO)
        it.greet()
        assert it.nothing()


def test_of_two_programs_with_the_same_key_the_later_one_plays(it: Host) -> None:
    with client(it) as first, client(it) as second:
        first.say(HELLO)
        it.greet()
        first.hear()
        second.say(HELLO)
        assert second.hear() == WELCOME
        assert first.hear()["reason"] == "another program has said hello with this key"
        it.say(ask(1))
        first.say(answer(1, "dudo"))
        assert it.nothing()
        assert second.hear() == ask(1)
        second.say(answer(1))
        assert it.heard() == answer(1)
        assert first.nothing()


def test_a_bot_with_a_routing_id_comes_back_before_its_old_connection_is_gone(it: Host) -> None:
    def mine() -> Client:
        return Client(it.endpoint, it.server, it.bot, b"me")

    with mine() as before:
        before.say(HELLO)
        it.greet()
        assert before.hear() == WELCOME
        with mine() as after:  # only now: of two at once, the network decides which is the later
            after.say(HELLO)
            assert after.hear() == WELCOME
            it.say(ask(1))
            assert after.hear() == ask(1)


# -- who is let in -----------------------------------------------------------------------------------


def test_strangers_do_no_harm(it: Host) -> None:
    stranger = pair()
    it.wait_open()
    with (
        Client(it.endpoint, it.server, stranger) as unknown,
        Client(it.endpoint, stranger.public, it.bot) as astray,
        socket.create_connection(("127.0.0.1", it.port)) as browser,
        socket.create_connection(("127.0.0.1", it.port)),
    ):
        with contextlib.suppress(zmq.Again):  # it is refused by now, or it is not
            unknown.say(HELLO)
        astray.say(HELLO)
        browser.settimeout(PATIENCE_MS / 1000)
        browser.sendall(b"GET / HTTP/1.1\r\nHost: far\r\n\r\n")
        with contextlib.suppress(ConnectionResetError):
            while browser.recv(100):  # until it is closed
                pass
        assert it.nothing(500)
        plays_a_launch(it)
    code, output = it.ended()
    assert code == 0
    assert output == f"gateway: refused a connection from 127.0.0.1: its key is {stranger.public}\n"


def test_a_port_that_is_taken_and_a_key_file_that_is_none(it: Host) -> None:
    first = it.process
    it.wait_open()
    it.launch()
    code, output = it.ended()
    assert (code, output) == (1, f"gateway: cannot listen at {it.endpoint}: Address already in use\n")
    it.key_file.write_text("nothing")
    it.launch()
    assert "it is no key file; arena keygen makes one" in it.ended()[1]
    it.process = first


# -- the kit -----------------------------------------------------------------------------------------


def test_the_kit_says_why_its_key_is_refused(it: Host) -> None:
    code, errors = gone(start_kit(it.endpoint, **variables(it.server, pair())))
    assert code == 1
    assert f"the arena at {it.endpoint} refused the bot: it does not know ARENA_PUBLIC_KEY" in errors


def test_the_kit_says_what_may_be_wrong_with_the_server_key(it: Host) -> None:
    bot = start_kit(it.endpoint, **variables(pair().public, it.bot))
    assert bot.stderr is not None
    told = ""
    while "is ARENA_SERVER_KEY the public key of that arena?" not in told:
        line = bot.stderr.readline()
        assert line, told
        told += line
    bot.kill()
    gone(bot)


def test_the_kit_without_keys(it: Host) -> None:
    code, errors = gone(start_kit(it.endpoint))
    assert code == 1
    assert "wants keys: ARENA_SERVER_KEY, ARENA_PUBLIC_KEY, ARENA_SECRET_KEY" in errors


@pytest.mark.parametrize(
    ("endpoint", "missing", "told"),
    [
        ("tcp://192.0.2.1:5670", None, "tcp://192.0.2.1:5670 is on another machine; that needs keys"),
        ("tcp://far.example:5670", None, "is on another machine; that needs keys"),
        ("tcp://192.0.2.1:5670", {"ARENA_SECRET_KEY": ""}, "ARENA_SECRET_KEY is missing"),
        ("tcp://192.0.2.1:5670", {"ARENA_SERVER_KEY": "x"}, "ARENA_SERVER_KEY is not a key of 40"),
        ("tcp://192.0.2.1:5670", {"ARENA_PUBLIC_KEY": "x" * 40}, "does not belong to ARENA_SECRET_KEY"),
    ],
)
def test_keys_that_will_not_do(endpoint: str, missing: dict[str, str] | None, told: str) -> None:
    given = {} if missing is None else variables(pair().public, pair()) | missing
    code, errors = gone(start_kit(endpoint, **given))
    assert code == 2
    assert told in errors
    assert len(errors.splitlines()) == 1


COUNTING = """
import sys, time
import perudo_bot
class Slow(perudo_bot.Bot):
    def __init__(self):
        print("made", file=sys.stderr, flush=True)
    def call(self, question):
        print("called", file=sys.stderr, flush=True)
        time.sleep(0.5)
        return question.legal_calls()[0]
perudo_bot.run(Slow)
"""


def test_the_kit_comes_back_and_does_not_think_twice(it: Host) -> None:
    act = msgspec.to_builtins(next(questions("standard", 2, seed=3, most=1)))
    wire = Wire(it.port)
    bot = start_kit(wire.endpoint, COUNTING, **variables(it.server, it.bot), ARENA_ONCE="1")
    assert bot.stderr is not None
    try:
        it.greet()
        it.say(ask(1, [act]))
        while bot.stderr.readline() != "called\n":
            pass
        wire.cut()
        first = it.heard()
        assert first["id"] == 1
        assert it.nothing()
        it.kill()  # a launch that ends without bye
        it.launch()
        it.greet()
        it.say(ask(1, [act | {"random": 5}]))
        assert it.heard() == first
        it.say({"type": "bye", "reason": ""})
        assert it.ended()[0] == 0
        code, errors = gone(bot)
        assert code == 0
        said = [line for line in errors.splitlines() if not line.startswith("perudo_bot: ")]
        assert said == ["made", "called"]  # the kit may tell of the moment in which nobody listened
    finally:
        bot.kill()
        wire.close()


def test_the_kit_goes_from_launch_to_launch(it: Host) -> None:
    bot = start_kit(it.endpoint, COUNTING, **variables(it.server, it.bot))
    try:
        for _ in range(3):
            it.greet()
            it.say({"type": "bye", "reason": ""})
            assert it.ended() == (0, "")
            it.launch()
        it.greet()
    finally:
        bot.kill()
    assert gone(bot)[1].splitlines().count("made") == 4
