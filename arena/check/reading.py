"""Reading what a bot sends as a kind teacher would: what exactly is wrong with it, in words.

The referee's own `wire.decode` has the last word on what is right; this only explains, and reads on
where the referee would stop, so that one mistake does not hide all others.
"""

from __future__ import annotations

from typing import Any

import msgspec

from arena.referee.wire import MAX_GAMES, PROTOCOL, Malformed, decode

BIGGEST = 2**31 - 1


def unpack(frame: bytes) -> Any:
    """The value of a frame, whatever it is. Raises ValueError if it is no msgpack."""
    try:
        return msgspec.msgpack.decode(frame)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def shape(frame: bytes) -> tuple[dict[str, Any], str]:
    """The map that a message is, and ""; or {} and why it is no message at all."""
    try:
        value = unpack(frame)
    except ValueError as error:
        return {}, f"it is not one msgpack value: {error}"
    if not isinstance(value, dict):
        return {}, f"it is {article(value)}; every message is a msgpack map"
    if not all(isinstance(key, str) for key in value):
        return {}, "its keys are not all texts (msgpack str)"
    return value, ""


def article(value: Any) -> str:
    """What a value is, in words."""
    names = {
        bool: "a bool",
        int: "an integer",
        float: "a float",
        str: "a text",
        bytes: "binary (msgpack bin)",
        list: "a list",
        dict: "a map",
        type(None): "nil",
    }
    return names.get(type(value), f"of type {type(value).__name__}")


def wrong_in_hello(frame: bytes, hello: dict[str, Any], token: str) -> list[str]:
    """Everything that is wrong with a hello."""
    wrong = []
    if hello.get("type") != "hello":
        wrong.append(f"type is {hello.get('type')!r}, not 'hello'")
    for key, kind in (("protocol", int), ("token", str)):
        if key not in hello:
            wrong.append(f"{key} is missing")
        elif type(hello[key]) is not kind:
            wrong.append(f"{key} is {article(hello[key])}, not {article(kind())}")
    if type(hello.get("protocol")) is int and hello["protocol"] != PROTOCOL:
        wrong.append(f"protocol is {hello['protocol']}; this arena speaks {PROTOCOL}")
    if isinstance(hello.get("token"), str) and hello["token"] != token:
        wrong.append("token is not what stands in ARENA_TOKEN; send that text as it is")
    for key in ("name", "version", "language"):
        text = hello.get(key, "")
        if not isinstance(text, str):
            wrong.append(f"{key} is {article(text)}, not a text")
        elif len(text) > 64:
            wrong.append(f"{key} has {len(text)} characters; at most 64 are allowed")
    games = hello.get("games", 1)
    if type(games) is not int:
        wrong.append(f"games is {article(games)}, not an integer")
    elif not 1 <= games <= MAX_GAMES:
        wrong.append(f"games is {games}; it must be 1 to {MAX_GAMES}")
    for key in ("out_of_turn", "past"):
        if not isinstance(hello.get(key, False), bool):
            wrong.append(f"{key} is {article(hello[key])}, not a bool")
    if not wrong:
        try:
            decode(frame)
        except Malformed as error:
            wrong.append(str(error))
    return wrong


def wrong_in_answer(answer: dict[str, Any]) -> tuple[str, str]:
    """What is wrong with the id of an answer, and with all else of it; "" where nothing is."""
    wrong_id = ""
    if "id" not in answer:
        wrong_id = "id is missing"
    elif type(answer["id"]) is not int:
        wrong_id = f"id is {article(answer['id'])}, not an integer"
    elif not 0 <= answer["id"] <= BIGGEST:
        wrong_id = f"id is {answer['id']}"
    if answer.get("type") != "answer":
        return wrong_id, f"type is {answer.get('type')!r}, not 'answer'"
    if "calls" not in answer:
        return wrong_id, "calls is missing"
    calls = answer["calls"]
    if not isinstance(calls, list):
        return wrong_id, f"calls is {article(calls)}, not a list"
    for place, call in enumerate(calls):
        if not isinstance(call, str):
            return wrong_id, f"calls[{place}] is {article(call)}, not a text"
    return wrong_id, ""
