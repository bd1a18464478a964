"""Games that the questions come from: real ones, with the bot in one seat and simple players elsewhere.

A case asks what the referee would ask, since the referee's own table makes the question and judges the
call. `scenes` finds games in which a seat faces a certain situation: it is taken up there, as a bot
takes up its games after it was launched again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from arena.game import Ask, Game, Ruleset, Word
from arena.game.seeds import commitment, deal_seed, game_key, secret_of_seed
from arena.record.schema import Fault
from arena.referee import wire
from arena.referee.table import Table, ruleset_on_the_wire
from arena.referee.task import GameSpec, Penalties

Player = Callable[[Ask, random.Random], str]
Fits = Callable[[Game], bool]

MOST_GAMES = 5000
"""Games that `scenes` looks through before it gives up."""


def bids(ask: Ask) -> list[tuple[int, int]]:
    """The smallest legal bid of each face that may be bid: (quantity, face)."""
    return [(least, face) for face, least in enumerate(ask.minimums, 1) if least <= ask.maximum]


def wander(ask: Ask, rng: random.Random) -> str:
    """Some legal call: mostly low bids, a doubt when they get high, now and then anything else."""
    words = ask.words
    if Word.PASS in words:
        return rng.choice(words) if rng.random() < 0.1 else Word.PASS
    if Word.PALIFICO in words and rng.random() < 0.7:
        return Word.PALIFICO
    if Word.TABBA in words and rng.random() < 0.5:
        return Word.TABBA
    lows = ask.minimums
    if ask.tabba_minimums is not None and rng.random() < 0.3:
        lows = tuple(map(min, lows, ask.tabba_minimums))
    choices = [(low, face) for face, low in enumerate(lows, 1) if low <= ask.maximum]
    if words and Word.PALIFICO not in words:
        lowest = min((low for low, _ in choices), default=ask.maximum)
        if not choices or rng.random() < 0.1 + 0.5 * (2 * lowest > ask.maximum):
            return rng.choice(words)
    low, face = rng.choice(choices)
    if rng.random() < 0.03:
        low = ask.maximum
    return f"{min(ask.maximum, low + rng.choice((0, 0, 0, 1)))}x{face}"


def creep(ask: Ask, rng: random.Random) -> str:
    """The smallest bid there is, lowest face first, for as long as there is one: endless rounds."""
    if Word.PASS in ask.words:
        return Word.PASS
    choices = bids(ask)
    if not choices:
        return Word.DUDO
    quantity, face = min(choices)
    return f"{quantity}x{face}"


def hasten(ask: Ask, rng: random.Random) -> str:
    """Rounds as short as can be: any opening, and a doubt."""
    return Word.DUDO if Word.DUDO in ask.words else wander(ask, rng)


class Case:
    """A game with the bot in `seat`. `number` names the game: same number, same dice.

    `local` is its number on the connection, `told` how many rounds of it the bot has heard of.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        players: int,
        number: int,
        *,
        seat: int = 0,
        out_of_turn: bool = False,
        player: Player = wander,
        bank: float = 0.0,
    ) -> None:
        secret = secret_of_seed(number)
        seed = deal_seed(secret, number)
        committed = commitment(secret, number, seed)
        seats = tuple(range(players))
        spec = GameSpec(number, 0, 0, 0, seats, seed, game_key(secret, number), committed)
        self.table = Table(spec, ruleset, seats if out_of_turn else (), bank)
        self.ruleset = ruleset
        self.seat = seat
        self.local = 0
        self.told = 0
        self.started = False
        self._commitment = committed
        self._rng = random.Random(number)
        self._player = player

    @property
    def over(self) -> bool:
        return self.table.game.over

    def describe(self) -> str:
        """What kind of game it is, for messages."""
        return f"{self.ruleset.name}, {self.table.game.players} players"

    # -- how it goes on ----------------------------------------------------------------------------

    def move(self) -> None:
        """Let a simple player answer the pending question."""
        assert self.table.game.ask is not None
        self.table.answer(self._player(self.table.game.ask, self._rng), 0, 1)

    def advance(self) -> None:
        """Play on until the bot is asked or the game is over."""
        while not self.over and self.table.asked != self.seat:
            self.move()

    def until(self, fits: Fits) -> bool:
        """Play on until somebody is asked such a question, which is the bot's then. False: never."""
        while not self.over:
            if fits(self.table.game):
                self.seat = self.table.asked
                return True
            self.move()
        return False

    def forfeit(self) -> None:
        """The asked seat leaves the game by a fault, and its round is void."""
        assert self.table.game.ask is not None
        seat, number = self.table.game.ask.seat, self.table.game.round.number
        fault = Fault(seat, "crash", number, "")
        self.table.penalise(fault, 1, Penalties())

    def finish(self) -> None:
        """Play it to its end without the bot."""
        while not self.over:
            self.move()

    def desert(self) -> None:
        """End it soon: all others leave by a fault."""
        self._player = hasten
        while not self.over:
            if self.table.asked == self.seat:
                self.move()
            else:
                self.forfeit()

    # -- what the bot is told ----------------------------------------------------------------------

    def start(self) -> wire.Start:
        players = self.table.game.players
        names = [f"seat {seat}" for seat in range(players)]
        names[self.seat] = "you"
        rules = ruleset_on_the_wire(self.ruleset)
        dice = list(self.ruleset.starting_dice(players))
        return wire.Start(self.local, self.seat, names, self._commitment, rules, dice)

    def act(self, past: bool) -> wire.Act:
        return self.table.question(self.local, self.told if past else None)

    def heard(self) -> None:
        """The bot was sent the pending question, with all that had happened before."""
        self.started = True
        self.told = len(self.table.game.rounds) - 1

    def end(self, past: bool, fault: str = "", detail: str = "") -> wire.End:
        end = wire.End(self.local, self.table.game.places, fault, detail)
        if past:
            end.past = self.table.past(self.told, self.table.rounds_seen(self.seat))
        return end


def scenes(
    rulesets: Iterable[Ruleset],
    fits: Fits,
    count: int,
    *,
    players: Iterable[int] = (2, 3, 4, 5, 6),
    out_of_turn: bool = False,
    share: float = 0.5,
) -> Iterator[Case]:
    """Games in which a seat faces such a situation, each played up to there; always the same ones.

    `share` of the fitting moments are let pass, so that not all are the first of their game.
    """
    rules, seats = tuple(rulesets), tuple(players)
    for number in range(MOST_GAMES):
        ruleset = rules[number % len(rules)]
        fitting = [n for n in seats if ruleset.seats(n)]
        if not fitting or count <= 0:
            continue
        rng = random.Random(f"{number} {ruleset.name}")
        case = Case(ruleset, rng.choice(fitting), number, out_of_turn=out_of_turn)
        if case.until(partial(_sometimes, fits, rng, share)):
            count -= 1
            yield case
    assert count <= 0, "no game came to this situation"


def _sometimes(fits: Fits, rng: random.Random, share: float, game: Game) -> bool:
    return fits(game) and rng.random() >= share


def after_rounds(number: int) -> Fits:
    """Whether so many rounds were dealt."""
    return lambda game: len(game.rounds) >= number


def after_calls(number: int) -> Fits:
    """Whether so many calls were made in this round, and a seat is on turn."""
    return lambda game: len(game.round.calls) >= number and not says(game, Word.PASS)


def always(_: Game) -> bool:
    return True


def says(game: Game, word: Word) -> bool:
    """Whether this word may be said."""
    return game.ask is not None and word in game.ask.words
