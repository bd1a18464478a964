"""The conversation with one launch, as conversations: what the bot says, and what becomes of it."""

from __future__ import annotations

import contextlib
import struct
import tracemalloc
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.faults import BotFault, Cause
from arena.referee.link import MAX_STRAY, Link
from arena.referee.transport import Heard
from arena.referee.wire import MAX_FRAME, Answer, Hello, Refused

TOKEN = "0123456789abcdef"
BOT, STRANGER = 1, 2


def pack(message: object) -> bytes:
    return bytes(msgpack.packb(message))


def hello(token: str = TOKEN, protocol: Any = 1, **more: Any) -> bytes:
    return pack({"type": "hello", "protocol": protocol, "token": token, **more})


def answer(number: Any, calls: Any = ("dudo",), **more: Any) -> bytes:
    return pack({"type": "answer", "id": number, "calls": calls, **more})


class Talk:
    """A conversation: `says` is the bot's turn, `link.ask()` the referee's."""

    def __init__(self, *, greeted: bool = True) -> None:
        self.link = Link(TOKEN)
        if greeted:
            assert isinstance(self.says(hello()), Hello)

    def says(self, heard: Heard, peer: int = BOT) -> Hello | Answer | Refused | None:
        return self.link.receive(peer, heard)

    def fails(self, frame: bytes, peer: int = BOT) -> BotFault:
        with pytest.raises(BotFault) as caught:
            self.says(frame, peer)
        assert caught.value.received == frame
        return caught.value


# -- the good conversation -------------------------------------------------------------------------


def test_hello_then_asks_and_answers() -> None:
    talk = Talk(greeted=False)
    said = talk.says(hello(name="Ann", version="1", language="C", games=4, out_of_turn=True, past=True))
    assert said == Hello(1, TOKEN, "Ann", "1", "C", 4, True, True)
    for number in (1, 2, 3):
        assert talk.link.ask() == number
        assert talk.link.open
        assert talk.says(answer(number, ["2x3", "dudo"])) == Answer(number, ["2x3", "dudo"])
        assert not talk.link.open


def test_the_smallest_hello() -> None:
    said = Talk(greeted=False).says(hello())
    assert said == Hello(1, TOKEN, "", "", "", 1, False, False)


def test_an_answer_without_calls() -> None:
    talk = Talk()
    talk.link.ask()
    assert talk.says(answer(1, [])) == Answer(1, [])


def test_unknown_keys_are_ignored() -> None:
    talk = Talk(greeted=False)
    assert isinstance(talk.says(hello(colour="red", lucky=[7, None, 1.5])), Hello)
    talk.link.ask()
    assert talk.says(answer(1, comment={"why": b"?"})) == Answer(1, ["dudo"])


def test_any_integer_format_will_do() -> None:
    talk = Talk()
    start = b"\x83\xa4type\xa6answer\xa2id"
    for number, form in enumerate(
        (b"\xcc\x01", b"\xcd\0\x02", b"\xce\0\0\0\x03", b"\xd3" + bytes(7)), 1
    ):
        talk.link.ask()
        frame = start + form + (b"\x04" if number == 4 else b"") + b"\xa5calls\x90"
        assert talk.says(frame) == Answer(number, [])


# -- who may speak ---------------------------------------------------------------------------------


def test_a_wrong_token_is_refused_and_the_right_one_still_welcome() -> None:
    talk = Talk(greeted=False)
    said = talk.says(hello("guessed"), STRANGER)
    assert said == Refused(1, "the token is not the one in ARENA_TOKEN")
    assert isinstance(talk.says(hello()), Hello)
    assert talk.link.peer == BOT


def test_tokens_are_texts_of_any_kind() -> None:
    talk = Talk(greeted=False)
    for token in ("", TOKEN[:-1], TOKEN + " ", "é", "\0", TOKEN.upper()):
        assert isinstance(talk.says(hello(token)), Refused)


def test_another_protocol_is_refused_with_both_numbers() -> None:
    said = Talk(greeted=False).says(hello(protocol=2))
    assert said == Refused(1, "this arena speaks protocol 1, not 2")


def test_a_hello_of_another_protocol_may_look_otherwise() -> None:
    """Type, protocol and token never change; all else may."""
    said = Talk(greeted=False).says(hello(protocol=2, games="as many as you like", name=None))
    assert said == Refused(1, "this arena speaks protocol 1, not 2")


def test_the_first_who_has_the_token_is_the_bot() -> None:
    talk = Talk()
    for frame in (hello(), answer(1), b"anything", bytes(2 * MAX_FRAME)):
        assert talk.says(frame, STRANGER) == Refused(1, "this bot is connected already")
    talk.link.ask()
    assert isinstance(talk.says(answer(1), STRANGER), Refused)
    assert talk.says(answer(1)) == Answer(1, ["dudo"])


def test_a_flood_is_one_whoever_sends_it() -> None:
    talk = Talk()
    assert talk.says(BotFault(Cause.OVERSIZE, "much"), STRANGER) is not None
    flood = BotFault(Cause.FLOOD, "very much")
    with pytest.raises(BotFault) as caught:
        talk.says(flood, STRANGER)
    assert caught.value is flood


def test_a_second_hello_is_a_fault() -> None:
    assert (Talk().fails(hello()).cause, Talk().fails(hello()).detail) == (
        Cause.MALFORMED,
        "a second hello",
    )


def test_an_answer_before_the_hello_is_a_fault() -> None:
    assert Talk(greeted=False).fails(answer(1)).detail == "an answer before the hello"


# -- what nobody asked for -------------------------------------------------------------------------


def test_late_answers_are_dropped() -> None:
    talk = Talk()
    talk.link.ask()
    talk.says(answer(1))
    assert talk.says(answer(1)) is None
    talk.link.ask()
    assert talk.says(answer(1)) is None
    assert talk.says(answer(0)) is None
    assert talk.link.open
    assert talk.says(answer(2)) == Answer(2, ["dudo"])


def test_an_id_that_was_never_asked_is_a_fault() -> None:
    talk = Talk()
    assert talk.fails(answer(1)).detail == "an answer with id 1, but the last ask was 0"
    talk.link.ask()
    assert talk.fails(answer(2)).cause is Cause.MALFORMED


def test_an_ask_that_was_given_up_may_be_answered_late() -> None:
    """However often: the bot owes these answers."""
    talk = Talk()
    for _ in range(2 * MAX_STRAY):
        number = talk.link.ask()
        talk.link.give_up()
        assert talk.says(answer(number)) is None
    for _ in range(MAX_STRAY):
        talk.says(answer(1))
    assert talk.fails(answer(1)).cause is Cause.FLOOD


@pytest.mark.parametrize("kind", ["late", "stranger", "wrong token", "wrong protocol", "mixed"])
def test_a_flood_begins_after_a_hundred(kind: str) -> None:
    talk = Talk(greeted=kind in ("late", "stranger", "mixed"))
    says = {
        "late": [(answer(0), BOT)],
        "stranger": [(b"?", STRANGER)],
        "wrong token": [(hello("guessed"), BOT)],
        "wrong protocol": [(hello(protocol=2), BOT)],
        "mixed": [(answer(0), BOT), (hello(), STRANGER)],
    }[kind]
    for number in range(MAX_STRAY):
        talk.says(*says[number % len(says)])
    fault = talk.fails(*says[0])
    assert fault.cause is Cause.FLOOD
    assert fault.detail == "more than 100 messages that nobody asked for"


def test_answers_to_asks_are_no_flood() -> None:
    talk = Talk()
    for _ in range(10 * MAX_STRAY):
        talk.says(answer(talk.link.ask()))


# -- what is no message ----------------------------------------------------------------------------


def test_what_came_instead_of_a_message_is_the_fault_of_the_peer() -> None:
    talk = Talk()
    fault = BotFault(Cause.OVERSIZE, "a message of 65537 bytes; the largest is 65536", b"x")
    with pytest.raises(BotFault) as caught:
        talk.says(fault)
    assert caught.value is fault


def test_what_came_instead_of_a_message_from_a_stranger_is_a_stray() -> None:
    talk = Talk()
    fault = BotFault(Cause.OVERSIZE, "a message of 65537 bytes; the largest is 65536", b"x")
    for _ in range(MAX_STRAY):
        assert talk.says(fault, STRANGER) == Refused(1, "this bot is connected already")
    with pytest.raises(BotFault) as caught:
        talk.says(fault, STRANGER)
    assert caught.value.cause is Cause.FLOOD


def test_the_largest_message() -> None:
    talk = Talk()
    talk.link.ask()
    room = MAX_FRAME - len(answer(1, [], note="")) - 2  # a long text has two more bytes of length
    assert len(answer(1, [], note="x" * room)) == MAX_FRAME
    assert talk.says(answer(1, [], note="x" * room)) == Answer(1, [])


def text(value: str) -> bytes:
    return pack(value)


HEAD = b"\x83" + text("type") + text("answer") + text("id")

NONSENSE = {
    "empty": b"",
    "text": b"GET / HTTP/1.1\r\n\r\n",
    "json": b'{"type":"answer","id":1,"calls":["dudo"]}',
    "never used byte": b"\xc1",
    "nil": b"\xc0",
    "a list": pack(["answer", 1, ["dudo"]]),
    "cut short": answer(1)[:-1],
    "trailing byte": answer(1) + b"\0",
    "two messages": answer(1) + answer(1),
    "float id": answer(1.0),
    "bool id": answer(True),
    "text id": answer("1"),
    "nil id": answer(None),
    "negative id": answer(-1),
    "large id": answer(2**31),
    "huge id": answer(2**64 - 1),
    "no id": pack({"type": "answer", "calls": ["dudo"]}),
    "no calls": pack({"type": "answer", "id": 1}),
    "calls a text": answer(1, "dudo"),
    "calls a map": answer(1, {"0": "dudo"}),
    "calls nil": answer(1, None),
    "a call is a number": answer(1, [1]),
    "a call is nil": answer(1, [None]),
    "a call is bytes": answer(1, [b"dudo"]),
    "a call is a list": answer(1, [[3, 5]]),
    "not utf-8": HEAD + b"\x01" + text("calls") + b"\x91\xa2\xff\xfe",
    "bytes for keys": pack({b"type": b"answer", b"id": 1, b"calls": []}),
    "bytes for type": pack({"type": b"answer", "id": 1, "calls": []}),
    "numbers for keys": pack({"type": "answer", "id": 1, "calls": [], 7: 7}),
    "no type": pack({"id": 1, "calls": []}),
    "type nil": pack({"type": None, "id": 1, "calls": []}),
    "unknown type": pack({"type": "ask", "id": 1, "calls": []}),
    "two types": b"\x84" + text("type") + text("answer") + HEAD[1:] + b"\x01",
    "ext for calls": HEAD + b"\x01" + text("calls") + b"\xd4\x05\x01",
    "deep lists": b"\x91" * 60_000 + b"\xc0",
    "deep lists, ignored": b"\x84" + answer(1)[1:] + text("x") + b"\x91" * 60_000 + b"\xc0",
    "deep maps, ignored": b"\x84" + answer(1)[1:] + text("x") + b"\x81\xa0" * 30_000 + b"\xc0",
    "huge list": HEAD + b"\x01" + text("calls") + b"\xdd\xff\xff\xff\xff",
    "huge map": b"\xdf\xff\xff\xff\xff",
    "huge text": HEAD + b"\x01" + text("calls") + b"\x91\xdb\xff\xff\xff\xff",
    "huge bytes, ignored": b"\x84" + answer(1)[1:] + text("x") + b"\xc6\xff\xff\xff\xff",
}


@pytest.mark.parametrize("frame", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_is_malformed(frame: bytes) -> None:
    talk = Talk()
    talk.link.ask()
    fault = talk.fails(frame)
    assert fault.cause is Cause.MALFORMED
    assert 0 < len(fault.detail) <= 200
    assert Talk(greeted=False).fails(frame).cause is Cause.MALFORMED


@pytest.mark.parametrize(
    "field",
    [
        {"games": 0},
        {"games": 65},
        {"games": 1.0},
        {"games": "8"},
        {"games": True},
        {"past": 1},
        {"past": "yes"},
        {"out_of_turn": None},
        {"name": "x" * 65},
        {"version": 3},
        {"language": b"C"},
        {"token": 5},
        {"protocol": "1"},
        {"protocol": 1.0},
        {"protocol": -1},
    ],
    ids=str,
)
def test_a_hello_with_a_wrong_field_is_malformed(field: dict[str, Any]) -> None:
    message = {"type": "hello", "protocol": 1, "token": TOKEN} | field
    fault = Talk(greeted=False).fails(pack(message))
    assert fault.cause is Cause.MALFORMED
    assert f"`$.{next(iter(field))}`" in fault.detail


def test_a_key_that_comes_twice_counts_as_it_came_last() -> None:
    talk = Talk()
    talk.link.ask()
    talk.says(answer(1))
    talk.link.ask()
    frame = b"\x84" + HEAD[1:] + b"\x01" + text("id") + b"\x02" + text("calls") + b"\x90"
    assert talk.says(frame) == Answer(2, [])


def test_headers_that_lie_about_their_length_cost_no_memory() -> None:
    talk = Talk()
    tracemalloc.start()
    try:
        for name, frame in NONSENSE.items():
            if name.startswith("huge"):
                talk.fails(frame)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


# -- whatever it says ------------------------------------------------------------------------------

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(0, 9), inner),
    max_leaves=8,
)
messages = st.builds(
    lambda base, changes: base | changes,
    st.sampled_from(
        [
            {"type": "hello", "protocol": 1, "token": TOKEN},
            {"type": "answer", "id": 1, "calls": ["dudo"]},
        ]
    ),
    st.dictionaries(
        st.sampled_from(["type", "protocol", "token", "name", "games", "past", "id", "calls", "x"]),
        values,
        max_size=3,
    ),
)
damaged = st.builds(
    lambda frame, at, byte: frame[: at % len(frame)] + byte + frame[at % len(frame) + 1 :],
    messages.map(pack),
    st.integers(0, 1000),
    st.binary(max_size=2),
)
turns = st.lists(
    st.tuples(
        st.binary(max_size=64) | messages.map(pack) | damaged | st.integers(0, 8).map(answer),
        st.sampled_from([BOT, STRANGER]),
    ),
    max_size=12,
)


@settings(max_examples=300, deadline=None)
@given(turns, st.booleans())
def test_any_bytes_are_a_fault_or_dropped_or_refused(
    said: list[tuple[bytes, int]], greeted: bool
) -> None:
    talk = Talk(greeted=greeted)
    for frame, peer in said:
        if talk.link.hello is not None and not talk.link.open:
            talk.link.ask()
        before = talk.link.peer
        with contextlib.suppress(BotFault):
            came = talk.says(frame, peer)
            if isinstance(came, Answer):
                assert peer == talk.link.peer
                assert came.id == talk.link.next_id - 1
                assert not talk.link.open
            elif isinstance(came, Hello):
                assert (came.token, came.protocol, before) == (TOKEN, 1, 0)
            else:
                assert came is None or isinstance(came, Refused)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_struct_noise_after_a_good_beginning(noise: bytes) -> None:
    """Bytes after the head of an answer reach the decoder's inner parts."""
    talk = Talk()
    talk.link.ask()
    frame = b"\xdf" + struct.pack(">I", 4) + HEAD[1:] + b"\x01" + noise
    with contextlib.suppress(BotFault):
        assert talk.says(frame) is None or not talk.link.open
