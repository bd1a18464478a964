"""The log's format: one JSON line for the header, one per finished game, one at the end.

Referee and readers share these structs, so the format is typed in one place. Everything that depends
on the clock or on how the run was set up lies in a game's `timing`, or in `used_ms` and `stderr` of a
fault; all else of a game follows from ruleset, secret, and the bots' calls. Lines may stand in any
order; `game` numbers them.

Per round a game has one entry in each of the parallel lists `openers` ... `changes`:

openers   seat that opened the round
palifico  1 for a palifico round, else 0
hands     dice per seat, sorted, seats separated by spaces, "-" for a seat that is out: "11346 25 -"
calls     in order, separated by spaces: "2x3 3x3 dudo". A call belongs to the seat on turn, which is
          the opener, then always the next live seat after the last bidder; any other seat stands
          before its call: "0:pass", "3:calza". A void round ends in "<seat>:forfeit".
counts    dice that counted for the bid at the reveal; null where none were counted
changes   dice lost and gained: "2-1" seat 2 lost one, "0+1" seat 0 gained one, separated by spaces
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

FORMAT = 1


class Bot(Struct):
    """A bot as the header lists it. `fingerprint` is a hash of its folder or command.

    version, language, games, out_of_turn and past are what its hello said; `out` is the reason why
    it did not start before the first game ("" if it did): then it forfeits every game. `remote`: it
    ran on another machine, its fingerprint is that of its key.
    """

    name: str
    author: str
    team: str
    language: str
    version: str
    fingerprint: str
    games: int
    out_of_turn: bool
    past: bool
    out: str
    remote: bool = False


class Settings(Struct):
    """How the games are run. Times in milliseconds."""

    move_ms: int
    start_ms: int
    grace_ms: int
    games_in_flight: int
    games_per_launch: int
    workers: int
    sandbox: str
    names_shown: bool
    bank_ms: int = 0
    increment_ms: int = 0
    pondering: bool = True


GAME_MODELS = ("bayesian", "cutechess")
"""Models of a test that know single games only: for comparison with other programs."""
SPRT_MODELS = ("logistic", "normalized", *GAME_MODELS)
MOST_ELO = 500.0


class Sprt(Struct, frozen=True):
    """A sequential probability ratio test of the first bot against the second: H0 says that their
    difference is `elo0`, H1 that it is `elo1`. H1 is accepted wrongly with probability `alpha`, H0 with
    `beta`.

    model  "logistic": Elo; "normalized": normalised Elo, per standard deviation of a game; for counts of
           single games also "bayesian": BayesElo, and "cutechess": Elo as that program tests it

    Raises `ValueError` naming the field that cannot be.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "logistic"

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= MOST_ELO:
                raise ValueError(f"{name}: expected -{MOST_ELO:g} to {MOST_ELO:g}")
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo1: expected more than elo0, which is {self.elo0:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name}: expected a probability above 0 and below 0.5")
        if self.model not in SPRT_MODELS:
            raise ValueError(f"model: {self.model!r} is not one of {', '.join(SPRT_MODELS)}")


class Header(Struct, tag_field="type", tag="header"):
    """First line. `dice` is "secret" or "predictable"; `secret_hash` is SHA-256 of the secret, hex.

    `ruleset` has name and every option, `wild_face` 0 for none, `dice` a list where seats differ.
    `schedule` tells blocks per line-up or a budget of games; `games` is how many will be played, or at
    most will be where `sprt` may end the run before.
    """

    format: int
    arena: str
    name: str
    created: str
    ruleset: dict[str, Any]
    players: int
    bots: list[Bot]
    deals: str
    dice: str
    secret_hash: str
    public_salt: str
    schedule: dict[str, int]
    games: int
    settings: Settings
    host: dict[str, Any]
    sprt: Sprt | None = None


class Fault(Struct):
    """What a bot did wrong. `received` holds the first 64 bytes of the offending message, hex.

    penalty  "forfeit": the seat left the game; "default-call": the referee called for it
    call     place of the call that it cost among the calls of its round, from 0
    asked    the question in words
    used_ms  time since it was sent
    stderr   the tail of what the bot wrote there
    """

    seat: int
    cause: str
    round: int
    detail: str
    penalty: str = "forfeit"
    call: int = 0
    asked: str = ""
    received: str = ""
    used_ms: float = 0.0
    stderr: str = ""


HOST_CAUSES = frozenset({"host", "interrupted"})
"""Causes of faults that say nothing about a bot: a game with one spoils its block."""


class Timing(Struct):
    """When and how fast. `us` holds the microseconds per call, in lists per round as `calls`.

    started  Unix time in seconds
    seconds  from the first question to the end
    batch    mean number of questions in the messages that held this game's questions
    lag_ms   longest delay of the referee's own loop while the game ran
    load     the machine's load average over the last minute, at the end
    cpu_ms   CPU time of each seat's bot while the game ran; [] with several games in flight
    """

    started: float
    seconds: float
    us: list[list[int]]
    batch: float
    lag_ms: float
    load: float = 0.0
    cpu_ms: list[float] = []


class GameRecord(Struct, tag_field="type", tag="game"):
    """One finished game. `seats` are indexes into the header's bots; places 1 = winner, shared."""

    game: int
    block: int
    rotation: int
    deal: int
    seats: list[int]
    commitment: str
    openers: list[int]
    palifico: list[int]
    hands: list[str]
    calls: list[str]
    counts: list[int | None]
    changes: list[str]
    places: list[int]
    faults: list[Fault]
    timing: Timing


class End(Struct, tag_field="type", tag="end"):
    """Last line of a finished run: the master secret (hex), from which all dice can be recomputed.

    `decided` is the block that decided the sequential test, where one did. No game of a later block had
    to be played; some may have been under way.
    """

    finished: str
    secret: str
    decided: int | None = None


Line = Header | GameRecord | End

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Line)


def encode_line(line: Line) -> bytes:
    """A line of the log, with its newline."""
    return _encoder.encode(line) + b"\n"


def decode_line(line: bytes) -> Line:
    """The struct of a line. Raises `msgspec.MsgspecError` (a ValueError) saying what is wrong."""
    return _decoder.decode(line)
