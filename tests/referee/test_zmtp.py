"""Bytes in, messages out. That libraries understand it is shown by `test_door` and the sample bots."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.referee.faults import BotFault, Cause
from arena.referee.transport import Heard
from arena.referee.wire import MAX_FRAME
from arena.referee.zmtp import GREETING, READY, Reader, frame

# What libzmq 4.3.5 sends when a DEALER connects: its greeting, and READY with an empty identity.
LIBZMQ = b"\xff\0\0\0\0\0\0\0\1\x7f\3\1NULL" + bytes(16) + bytes(32)
DEALER = b"\4\x29\5READY\x0bSocket-Type\0\0\0\6DEALER\x08Identity\0\0\0\0"


def ready(kind: bytes) -> bytes:
    body = b"\5READY\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
    return bytes((4, len(body))) + body


def connected() -> Reader:
    """Past the handshake."""
    reader = Reader()
    assert reader.feed(LIBZMQ + DEALER) == []
    assert reader.replies == READY
    reader.replies.clear()
    return reader


def fault_of(heard: list[Heard]) -> BotFault:
    """The only thing that was heard."""
    [fault] = heard
    assert isinstance(fault, BotFault)
    return fault


def told(heard: list[Heard]) -> list[bytes | str]:
    """Comparable."""
    return [str(each) if isinstance(each, BotFault) else each for each in heard]


def test_the_greeting_as_the_standard_draws_it() -> None:
    assert len(GREETING) == 64
    assert GREETING[:10] == b"\xff\0\0\0\0\0\0\0\0\x7f"
    assert GREETING[10:12] == b"\3\1"
    assert GREETING[12:32] == b"NULL" + bytes(16)
    assert GREETING[32:] == bytes(32)


def test_two_ends_understand_each_other_but_for_their_kind() -> None:
    fault = fault_of(Reader().feed(GREETING + READY))
    assert fault.detail == "a ROUTER socket connected; it must be a DEALER"


@pytest.mark.parametrize("size", [0, 1, 2, 254, 255, 256, 257, 65535, MAX_FRAME])
def test_messages_of_all_sizes(size: int) -> None:
    body = bytes(range(256)) * 256
    reader = connected()
    for _ in range(3):
        assert reader.feed(frame(body[:size])) == [body[:size]]
    assert len(frame(body[:size])) == size + (2 if size < 256 else 9)


def test_a_small_message_with_a_long_size_is_one_too() -> None:
    assert connected().feed(b"\2" + (3).to_bytes(8, "big") + b"abc") == [b"abc"]


def test_several_at_once() -> None:
    assert connected().feed(frame(b"one") + frame(b"") + frame(b"x" * 300)) == [b"one", b"", b"x" * 300]


def test_a_message_that_is_too_large_is_told_by_its_head() -> None:
    size = 1 << 40
    reader = connected()
    fault = fault_of(reader.feed(b"\2" + size.to_bytes(8, "big") + b"beginning"))
    assert fault.cause is Cause.OVERSIZE
    assert fault.detail == f"a message of {size} bytes; the largest is 65536"
    assert fault.received == b"beginning"
    assert reader.over
    assert reader.feed(frame(b"more")) == []


def test_one_byte_too_many() -> None:
    fault = fault_of(connected().feed(frame(bytes(MAX_FRAME + 1))))
    assert fault.detail == "a message of 65537 bytes; the largest is 65536"
    assert len(fault.received) == 64


def test_the_first_part_of_several_is_enough() -> None:
    reader = connected()
    fault = fault_of(reader.feed(b"\1\4part"))
    assert fault.cause is Cause.MALFORMED
    assert fault.detail == "a message of several frames; it must be one (use a DEALER socket)"
    assert fault.received == b"part"


@pytest.mark.parametrize("kind", ["REQ", "PAIR", "ROUTER", "PUSH", "PUB", ""])
def test_other_sockets(kind: str) -> None:
    fault = fault_of(Reader().feed(LIBZMQ + ready(kind.encode())))
    assert fault.cause is Cause.MALFORMED
    assert fault.detail == f"a {kind} socket connected; it must be a DEALER"


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"GET / HTTP/1.1\r\n", "what connected does not speak ZeroMQ's protocol"),
        (b"\xff" + bytes(8) + b"\x7e", "what connected does not speak ZeroMQ's protocol"),
        (b"\xff" + bytes(8) + b"\x7f\1\5\0\0", "a ZeroMQ library older than 4.0 (ZMTP 3)"),
        (
            LIBZMQ.replace(b"NULL\0", b"CURVE"),
            "a connection secured with CURVE; this one needs none",
        ),
        (LIBZMQ + b"\4\6\5ERROR", "a handshake without READY"),
        (LIBZMQ + b"\4\0", "a handshake without READY"),
        (LIBZMQ + frame(b"hello"), "a message before the handshake was over"),
        (LIBZMQ + b"\4\6\5READY", "a none socket connected; it must be a DEALER"),
        (LIBZMQ + b"\6" + (5000).to_bytes(8, "big"), "a handshake of 5000 bytes"),
        (LIBZMQ + DEALER + b"\x08\1x", "flags 8 of a frame, which ZMTP 3 does not have"),
    ],
)
def test_what_is_no_such_connection(data: bytes, detail: str) -> None:
    fault = fault_of(Reader().feed(data))
    assert fault.cause is Cause.MALFORMED
    assert fault.detail == detail


def test_heartbeats_are_answered_and_other_commands_are_not() -> None:
    reader = connected()
    assert reader.feed(b"\4\x0a\4PING\0\x0acde" + b"\4\7\6CANCEL" + frame(b"x")) == [b"x"]
    assert reader.replies == b"\4\x08\4PONGcde"
    assert reader.commands == 2
    long = connected()
    long.feed(b"\4\x47\4PING\0\1" + b"c" * 64)
    assert long.replies == b"\4\x15\4PONG" + b"c" * 16, "a context has 16 bytes at most"


def test_a_detail_cannot_write_on_the_hosts_terminal() -> None:
    fault = fault_of(Reader().feed(LIBZMQ + ready(b"\x1b[2J\r\n")))
    assert fault.detail == "a ?[2J?  socket connected; it must be a DEALER"
    fault = fault_of(Reader().feed(LIBZMQ + ready(b"A" * 200)))
    assert fault.detail == f"a {'A' * 20} socket connected; it must be a DEALER"


def test_properties_in_any_order_and_letters() -> None:
    body = b"\5READY\x08IDENTITY\0\0\0\2me\x0bsocket-type\0\0\0\6DEALER\1X\0\0\0\0"
    reader = Reader()
    assert reader.feed(LIBZMQ + bytes((4, len(body))) + body + frame(b"hi")) == [b"hi"]


parts = st.one_of(
    st.binary(max_size=600).map(frame),
    st.just(frame(bytes(MAX_FRAME))),
    st.just(b"\4\x08\4PING\0\1c"),
    st.sampled_from([b"\1\1x", b"\x0f\1x", b"\4\0", b"\2" + b"\xff" * 8]),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(parts, max_size=5), st.lists(st.integers(0, 700), max_size=12))
def test_however_the_bytes_are_cut_the_messages_are_the_same(said: list[bytes], cuts: list[int]) -> None:
    whole = LIBZMQ + DEALER + b"".join(said)
    at_once = Reader()
    expected = told(at_once.feed(whole))
    places = sorted({min(cut, len(whole)) for cut in cuts})
    in_pieces, heard = Reader(), list[Heard]()
    for begin, end in zip([0, *places], [*places, len(whole)], strict=True):
        heard += in_pieces.feed(whole[begin:end])
    assert told(heard) == expected
    assert in_pieces.over == at_once.over
    assert in_pieces.replies == at_once.replies


@settings(max_examples=500, deadline=None)
@given(st.sampled_from([b"", LIBZMQ, LIBZMQ + DEALER]), st.lists(st.binary(max_size=100), max_size=6))
@example(b"", [b"\xff"])
def test_any_bytes_are_messages_or_one_fault_at_the_end(begin: bytes, noise: list[bytes]) -> None:
    reader = Reader()
    heard = reader.feed(begin)
    for data in noise:
        heard += reader.feed(data)
    faults = [each for each in heard if isinstance(each, BotFault)]
    assert len(faults) == reader.over
    assert heard[-1:] == faults or not faults
    assert all(len(fault.received) <= 64 for fault in faults)
