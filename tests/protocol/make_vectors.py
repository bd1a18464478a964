"""Writes `protocol/vectors/`: run ``python -m tests.protocol.make_vectors`` after a change of the wire.

Every message comes from games really played, so the examples agree with each other and the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgpack
import msgspec

from arena.game import Dice, Game, Position, first_opener, parse_call, preset
from arena.game.seeds import Randoms, commitment, deal_seed, game_key, secret_hash, secret_of_seed
from arena.referee.table import past_round, ruleset_on_the_wire
from arena.referee.wire import Act, Answer, Ask, Bye, End, Hello, Refused, Start, Welcome
from tests.protocol.acts import act_of

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors"
SECRET = secret_of_seed(7)
MOVE_MS = 100
Message = Hello | Answer | Welcome | Refused | Ask | Bye | dict[str, Any]


def new_game(name: str, deal: int, players: int, position: Position | None = None) -> Game:
    rules, dice = preset(name), Dice(deal_seed(SECRET, deal))
    opener = first_opener(dice.opening_rolls(players)) if rules.opener == "roll" else 0
    return Game(rules, players, dice, opener=opener, position=position)


def play(game: Game, calls: str) -> Game:
    for call in calls.split():
        game.answer(parse_call(call))
    return game


def ask(number: int, acts: Iterable[Act] = (), ends: Iterable[End] = ()) -> Ask:
    acts = list(acts)
    return Ask(number, MOVE_MS * max(1, len(acts)), acts, [], list(ends))


def question(game: Game, local: int, number: int, told: int | None = None) -> Act:
    """The pending question; `told` = rounds that the bot has heard of, None if it does not want them."""
    assert game.ask is not None
    seat, randoms = game.ask.seat, Randoms(game_key(SECRET, number))
    asked = sum(other == seat for r in game.rounds for other, _ in r.calls)
    act = act_of(game, local, [randoms.draw(seat) for _ in range(asked + 1)][asked])
    if told is not None:
        act.past = [past_round(r) for r in game.rounds[told:-1]]
    return act


def start(game: Game, local: int, number: int, seat: int) -> Start:
    names = ["me" if other == seat else f"seat {other}" for other in range(game.players)]
    commit = commitment(SECRET, number, deal_seed(SECRET, number))
    rules = game.ruleset
    held = list(rules.starting_dice(game.players))
    return Start(local, seat, names, commit, ruleset_on_the_wire(rules), held)


def messages() -> Iterator[tuple[str, Message]]:
    yield "hello", Hello(1, "0123456789abcdef", "me", "1.2", "Cobol", 4, out_of_turn=True, past=True)
    yield "hello_minimal", {"type": "hello", "protocol": 1, "token": "0123456789abcdef"}
    yield "welcome", Welcome(1, "me", 4, "0.1.0", MOVE_MS, 0, 0)
    yield "refused", Refused(1, "this arena speaks protocol 1, not 2")
    yield "bye", Bye("the games are over")
    yield "answer", Answer(2, ["3x5"])
    yield "answer_batch", Answer(31, ["3x2", "1x6", "dudo"])
    yield "answer_empty", Answer(32, [])

    duel = new_game("standard", 0, 2)
    first = Ask(1, 30000, [question(duel, 1, 0)], [start(duel, 1, 0, 0)], [])
    yield "ask_first", first
    play(duel, "1x4 2x4")
    yield "ask", ask(2, [question(duel, 1, 0)])

    table = new_game("santaba", 1, 6, Position((4, 5, 3, 5, 2, 1), to_act=1))
    play(table, "2x3 pass pass pass 1x1 pass pass pass 3x2 pass pass pass 2x1 pass pass 3x1 pass pass")
    yield "ask_six_players", ask(9, [question(table, 2, 1)])

    palifico = new_game("santaba", 2, 3, Position((3, 1, 4), to_act=1, palifico="may"))
    yield "ask_palifico_offered", ask(20, [question(palifico, 3, 2)])
    play(palifico, "palifico")
    yield "ask_palifico_opening", ask(21, [question(palifico, 3, 2)])
    play(palifico, "1x3")
    yield "ask_out_of_turn", ask(22, [question(palifico, 3, 2)])
    play(palifico, "pass")
    yield "ask_tabba_bids", ask(23, [question(palifico, 3, 2)])
    play(palifico, "2x5")
    yield "ask_tabba_out_of_turn", ask(24, [question(palifico, 3, 2)])
    play(palifico, "pass")
    yield "ask_tabba", ask(25, [question(palifico, 3, 2)])
    play(palifico, "tabba")

    old = new_game("wikipedia", 3, 3)
    play(old, "2x4 3x4 5x4 dudo 1x2 2x2 calza 1x5 2x5")
    old.forfeit(2)
    yield "ask_past", ask(30, [question(old, 4, 3, told=0)])
    several = ((duel, 1), (palifico, 3), (table, 2))
    yield "ask_batch", ask(31, [question(game, n, n, told=0) for game, n in several])

    over = new_game("snyd", 4, 2)
    play(over, "9x6 dudo")
    last = [past_round(r) for r in over.rounds]
    lost = "3x3 is not legal: on face 3 bid 4 to 10"
    ends = [End(5, over.places, "", "", last), End(6, [2, 1], "illegal", lost, [])]
    yield "ask_ends", ask(32, ends=ends)


def dice_vectors() -> dict[str, Any]:
    """Streams, opening rolls, seeds and random numbers, as `arena.game` has them."""
    seed = deal_seed(SECRET, 0)
    streams = [
        {"seed": s.hex(), "round": r, "seat": seat, "dice": list(Dice(s).stream(r, seat, length))}
        for s, r, seat, length in [
            (seed, 1, 0, 5),
            (seed, 1, 1, 5),
            (seed, 2, 0, 40),
            (seed, 1000, 5, 30),
            (bytes(32), 1, 0, 64),
        ]
    ]
    rolls = []
    for deal, players in ((0, 2), (1, 6), (2, 6), (3, 3), (6, 6), (7, 6)):
        dice = Dice(deal_seed(SECRET, deal))
        shown = [list(roll) for roll, _ in zip(dice.opening_rolls(players), range(4), strict=False)]
        opener = first_opener(dice.opening_rolls(players))
        rolls.append({"seed": dice.seed.hex(), "players": players, "rolls": shown, "opener": opener})
    seeds = [
        {
            "secret": SECRET.hex(),
            "secret_hash": secret_hash(SECRET),
            "deal": deal,
            "public_salt": salt,
            "deal_seed": deal_seed(SECRET, deal, salt).hex(),
            "game": game,
            "game_key": game_key(SECRET, game).hex(),
            "commitment": commitment(SECRET, game, deal_seed(SECRET, deal, salt)),
        }
        for deal, salt, game in ((0, "", 0), (0, "", 1), (12, "lottery 4 8 15", 345))
    ]
    key = game_key(SECRET, 0)
    draws = Randoms(key)
    randoms = [
        {"game_key": key.hex(), "seat": s, "random": [draws.draw(s) for _ in range(20)]} for s in (0, 5)
    ]
    predictable = [{"seed": n, "secret": secret_of_seed(n).hex()} for n in (0, 7)]
    return {
        "predictable": predictable,
        "seeds": seeds,
        "streams": streams,
        "opening": rolls,
        "randoms": randoms,
    }


def pretty(value: Any, indent: int = 0) -> str:
    """JSON in lines of bounded width: short parts stay on one line."""
    short = json.dumps(value)
    plain = not isinstance(value, dict | list) or value == [v for v in value if type(v) is int]
    if plain or len(short) + indent <= 100:
        return short
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {pretty(part, indent + 2)}" for key, part in value.items()]
        return "{\n" + ",\n".join(pad + part for part in parts) + "\n" + " " * indent + "}"
    parts = [pretty(part, indent + 2) for part in value]
    return "[\n" + ",\n".join(pad + part for part in parts) + "\n" + " " * indent + "]"


def dump(frame: bytes) -> str:
    """Bytes as `SPEC.md` shows them, sixteen a line."""
    lines = []
    for at in range(0, len(frame), 16):
        part = frame[at : at + 16]
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"    {part.hex(' '):48}{text}")
    return "\n".join(lines)


def files() -> dict[str, bytes]:
    """Every file of the folder by name, as it should be."""
    made: dict[str, bytes] = {"dice.json": (pretty(dice_vectors()) + "\n").encode()}
    for name, message in messages():
        frame = msgspec.msgpack.encode(message)
        made[f"{name}.msgpack"] = frame
        made[f"{name}.json"] = (pretty(msgpack.unpackb(frame)) + "\n").encode()
    return made


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    made = files()
    for old in FOLDER.glob("*.*"):
        if old.name not in made:
            old.unlink()
    for name, content in made.items():
        (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    main()
