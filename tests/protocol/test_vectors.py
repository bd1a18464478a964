"""`protocol/vectors/` and `SPEC.md` against the referee's structs, the kit and the game."""

from __future__ import annotations

import json
from hashlib import sha256
from hmac import digest
from typing import Any

import msgpack
import msgspec
import pytest

from arena.game import CHOICES, OPTIONS, Ruleset
from arena.referee import wire
from perudo_bot import Past, Question
from tests.protocol import make_vectors

FOLDER = make_vectors.FOLDER
SPEC = (FOLDER.parent / "SPEC.md").read_text()
NAMES = sorted(path.stem for path in FOLDER.glob("*.msgpack"))
STRUCTS: tuple[type[msgspec.Struct], ...] = (
    wire.Hello,
    wire.Answer,
    wire.Welcome,
    wire.Refused,
    wire.Ask,
    wire.Bye,
)
ANY = msgspec.msgpack.Decoder(
    wire.Hello | wire.Answer | wire.Welcome | wire.Refused | wire.Ask | wire.Bye
)


def frame(name: str) -> bytes:
    return (FOLDER / f"{name}.msgpack").read_bytes()


def test_the_files_are_what_the_generator_makes() -> None:
    assert {path.name: path.read_bytes() for path in FOLDER.iterdir()} == make_vectors.files()


@pytest.mark.parametrize("name", NAMES)
def test_bytes_and_text_agree(name: str) -> None:
    assert msgpack.unpackb(frame(name)) == json.loads((FOLDER / f"{name}.json").read_text())


@pytest.mark.parametrize("name", [name for name in NAMES if name != "hello_minimal"])
def test_the_structs_encode_to_these_bytes(name: str) -> None:
    assert msgspec.msgpack.encode(ANY.decode(frame(name))) == frame(name)


def test_hello_has_defaults() -> None:
    hello = wire.decode(frame("hello_minimal"))
    assert hello == wire.Hello(1, "0123456789abcdef", "", "", "", 1, False, False)


def test_there_is_a_vector_of_every_message_and_word() -> None:
    messages = [msgpack.unpackb(frame(name)) for name in NAMES]
    assert {m["type"] for m in messages} == {"hello", "answer", "welcome", "refused", "ask", "bye"}
    acts = [act for m in messages for act in m.get("acts", [])]
    assert {w for act in acts for w in act["words"]} == {"dudo", "calza", "palifico", "tabba", "pass"}
    told = [past for act in acts for past in act.get("past", [])]
    told += [past for m in messages for end in m.get("ends", []) for past in end.get("past", [])]
    assert {past["calls"][-1][1] for past in told} == {"dudo", "calza", "tabba", "forfeit"}


def test_the_answers_fit_the_asks() -> None:
    for asked, answered in (
        ("ask", "answer"),
        ("ask_batch", "answer_batch"),
        ("ask_ends", "answer_empty"),
    ):
        ask, answer = msgpack.unpackb(frame(asked)), msgpack.unpackb(frame(answered))
        assert ask["id"] == answer["id"]
        acts = [Question(act) for act in ask["acts"]]
        assert all(act.allows(call) for act, call in zip(acts, answer["calls"], strict=True))


@pytest.mark.parametrize("struct", [*STRUCTS, wire.Act, wire.Start, wire.End, wire.Past])
def test_the_spec_has_every_field(struct: type[msgspec.Struct]) -> None:
    name = struct.__name__.lower()
    section = SPEC.split(f"\n### {name}", 1)[1].split("\n### ", 1)[0].split("\n## ", 1)[0]
    told = {
        word
        for line in section.splitlines()
        if line.startswith("| `")
        for word in line.split("|")[1].replace("?", "").replace("`", "").replace(" ", "").split(",")
    }
    assert told == set(struct.__struct_fields__) | ({"type"} if struct in STRUCTS else set())


def test_the_spec_has_every_option_and_value() -> None:
    for option in OPTIONS:
        assert f"| `{option}` |" in SPEC
    for values in CHOICES.values():
        for value in values:
            assert f"| `{value}` |" in SPEC
    start = msgpack.unpackb(frame("ask_first"))["starts"][0]
    assert list(start["ruleset"]) == ["name", *OPTIONS]
    assert start["ruleset"]["bidding_rule"] == Ruleset().bidding_rule


def test_the_spec_shows_the_vectors() -> None:
    for name in ("hello_minimal", "ask", "answer"):
        assert make_vectors.dump(frame(name)) in SPEC
    shown = (FOLDER / "ask.json").read_text().splitlines()
    assert "\n".join("    " + line for line in shown) in SPEC


def test_a_past_round_reads_in_the_kit() -> None:
    question = Question(msgpack.unpackb(frame("ask_past"), use_list=False)["acts"][0])
    dudo, calza, void = question.past
    assert isinstance(dudo, Past)
    assert [past.calls[-1][1] for past in (dudo, calza, void)] == ["dudo", "calza", "forfeit"]
    assert dudo.count == sum(die in (1, 4) for hand in dudo.hands for die in hand)
    assert void.hands == ((), (), ())
    assert void.dice_after == question.dice
    assert Question(msgpack.unpackb(frame("ask"))["acts"][0]).past == ()


# -- the dice, computed again from the text of SPEC.md alone -----------------------------------------

DICE: dict[str, Any] = json.loads((FOLDER / "dice.json").read_text())


def spec_stream(seed: bytes, number: int, seat: int, length: int) -> list[int]:
    found: list[int] = []
    block = 0
    while len(found) < length:
        joined = digest(seed, f"dice/{number}/{seat}/{block}".encode(), "sha256")
        found += [byte % 6 + 1 for byte in joined if byte < 252]
        block += 1
    return found[:length]


def test_seeds() -> None:
    for case in DICE["predictable"]:
        assert sha256(f"seed/{case['seed']}".encode()).hexdigest() == case["secret"]
    for case in DICE["seeds"]:
        secret, game = bytes.fromhex(case["secret"]), case["game"]
        seed = digest(secret, f"deal/{case['deal']}/{case['public_salt']}".encode(), "sha256")
        salt = digest(secret, f"salt/{game}".encode(), "sha256")[:16]
        assert sha256(secret).hexdigest() == case["secret_hash"]
        assert seed.hex() == case["deal_seed"]
        assert digest(secret, f"game/{game}".encode(), "sha256").hex() == case["game_key"]
        assert sha256(salt + seed + str(game).encode()).hexdigest() == case["commitment"]


def test_streams_skip_high_bytes() -> None:
    skipped = 0
    for case in DICE["streams"]:
        seed, wanted = bytes.fromhex(case["seed"]), case["dice"]
        assert spec_stream(seed, case["round"], case["seat"], len(wanted)) == wanted
        first = digest(seed, f"dice/{case['round']}/{case['seat']}/0".encode(), "sha256")
        skipped += sum(byte >= 252 for byte in first)
    assert skipped, "no vector needs the rejection"
    assert max(len(case["dice"]) for case in DICE["streams"]) > 32, "no vector needs a second block"


def test_opening_rolls() -> None:
    ties = 0
    for case in DICE["opening"]:
        seed, tied = bytes.fromhex(case["seed"]), list(range(case["players"]))
        for length, roll in enumerate(case["rolls"], 1):
            assert roll == [spec_stream(seed, 0, seat, length)[-1] for seat in range(case["players"])]
            if len(tied) > 1:
                ties += length > 1
                tied = [seat for seat in tied if roll[seat] == max(roll[s] for s in tied)]
        assert tied == [case["opener"]]
    assert ties


def test_randoms() -> None:
    for case in DICE["randoms"]:
        for question, wanted in enumerate(case["random"]):
            label = f"random/{case['seat']}/{question // 8}".encode()
            block = digest(bytes.fromhex(case["game_key"]), label, "sha256")
            part = block[4 * (question % 8) :][:4]
            assert int.from_bytes(part, "big") % 2**31 == wanted
