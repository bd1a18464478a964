"""Whole logs of random games, made in process: the referee's own tables, but nobody to talk to."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.game import Ask, Bid, Call, Ruleset
from arena.game.seeds import commitment, deal_seed, game_key, secret_hash, secret_of_seed
from arena.record.schema import Bot, End, Fault, GameRecord, Header, Settings, encode_line
from arena.referee.faults import BotFault
from arena.referee.table import Table, ruleset_on_the_wire
from arena.referee.task import GameSpec, Penalties
from arena.tournament.schedule import Schedule

SEED = 5
SECRET = secret_of_seed(SEED)
SALT = "salt"
FORFEIT = Penalties()
LENIENT = Penalties(default_call=frozenset({"illegal", "timeout"}), strikes=1)
NEVER = "it did not start before the first game: no hello within 10 s"

Json = dict[str, Any]


@dataclass
class Log:
    """Parsed lines: a header, games in a mixed order, an end."""

    header: Json
    games: list[Json]
    end: Json

    def write(self, path: Path, end: bool = True) -> Path:
        lines = [self.header, *self.games, *([self.end] if end else [])]
        path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
        return path


def play_log(
    ruleset: Ruleset,
    players: int,
    *,
    bots: int = 0,
    blocks: int = 2,
    deals: str = "mirrored",
    faults: float = 0.01,
    deaf: Sequence[int] = (1,),
    out: Sequence[int] = (),
) -> Log:
    """`blocks` per line-up of `bots` (as many as players by default). `faults` is how often a seat
    forfeits when asked; bots in `deaf` are not asked out of turn, those in `out` never started.
    """
    bots = bots or players
    schedule = Schedule(tuple(range(bots)), players, b"schedule", blocks_each=blocks)
    header = Header(
        format=1,
        arena="0",
        name="played",
        created="",
        ruleset=ruleset_on_the_wire(ruleset),
        players=players,
        bots=[
            Bot(f"bot{i}", "", "", "", "", "", 1, i not in deaf, False, NEVER if i in out else "")
            for i in range(bots)
        ],
        deals=deals,
        dice="predictable",
        secret_hash=secret_hash(SECRET),
        public_salt=SALT,
        schedule={"blocks": blocks},
        games=schedule.total_games,
        settings=Settings(100, 10000, 20, 1, 50, 1, "none", False),
        host={},
    )
    chance = random.Random(f"{ruleset.name} {players} {deals}")
    lines = []
    for block in schedule.blocks():
        for rotation in range(players):
            number = block.number * players + rotation
            deal = block.number if deals == "mirrored" else number
            seed = deal_seed(SECRET, deal, SALT)
            spec = GameSpec(
                number=number,
                block=block.number,
                rotation=rotation,
                deal=deal,
                seats=block.seats(rotation),
                deal_seed=seed,
                key=game_key(SECRET, number),
                commitment=commitment(SECRET, number, seed),
            )
            lines.append(encode_line(play_game(spec, ruleset, chance, faults, deaf, out)))
    chance.shuffle(lines)
    end = encode_line(End("", SECRET.hex()))
    return Log(json.loads(encode_line(header)), [json.loads(line) for line in lines], json.loads(end))


def play_game(
    spec: GameSpec,
    ruleset: Ruleset,
    chance: random.Random,
    faults: float = 0.0,
    deaf: Sequence[int] = (),
    out: Sequence[int] = (),
) -> GameRecord:
    listeners = [seat for seat, bot in enumerate(spec.seats) if bot not in deaf]
    table = Table(spec, ruleset, listeners)
    while table.game.ask is not None:
        seat, number = table.game.ask.seat, table.game.round.number
        if spec.seats[seat] in out:
            table.penalise(Fault(seat, "start", number, NEVER), 1, FORFEIT)
        elif chance.random() >= faults:
            table.answer(str(any_call(table.game.ask, chance)), chance.randrange(99999), 1)
        elif chance.random() < 0.5:
            late = Fault(seat, "timeout", number, "no answer within 100 ms", used_ms=120.5)
            table.penalise(late, 1, LENIENT)
        else:
            wrong = chance.choice(["9x9", "99x2", "liar!", "é" * 99, "1 x 2", "pass" if seat else ""])
            try:
                table.answer(wrong, 7, 1)
            except BotFault as fault:
                received = fault.received[:64].hex()
                told = Fault(seat, "illegal", number, fault.detail, received=received)
                table.penalise(told, 1, chance.choice([FORFEIT, LENIENT]))
    return table.record(0.5, 1.5, 0.0, 0.0, [])


def any_call(ask: Ask, chance: random.Random) -> Call:
    """A legal call; bids are mostly low, so that a round lasts."""
    bids = []
    for face, least in enumerate(ask.minimums, 1):
        if ask.tabba_minimums is not None and chance.random() < 0.3:
            least = min(least, ask.tabba_minimums[face - 1])  # noqa: PLW2901
        if least <= ask.maximum:
            bids.append(Bid(min(least + int(chance.expovariate(2)), ask.maximum), face))
    if ask.words and (not bids or chance.random() < 0.2):
        return chance.choice(ask.words)
    return chance.choice(bids)
