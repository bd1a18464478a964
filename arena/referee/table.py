"""One game at the referee's table: the game itself, its question for the wire, its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.game import (
    Dice,
    Game,
    IllegalCall,
    InvalidCall,
    Round,
    Ruleset,
    Word,
    first_opener,
    parse_call,
)
from arena.game.seeds import Randoms
from arena.record.columns import write_change, write_hands
from arena.record.schema import Fault, GameRecord, Timing
from arena.referee.faults import BotFault, Cause
from arena.referee.task import GameSpec, Penalties
from arena.referee.wire import Act, Past


class Table:
    """A game in progress. `players` are the seats' indexes into the tournament's bots."""

    __slots__ = (
        "_asks",
        "_calls",
        "_randoms",
        "_said",
        "_strikes",
        "_us",
        "bank",
        "cpu",
        "faults",
        "game",
        "players",
        "questions",
        "random",
        "spec",
        "started",
    )

    def __init__(
        self, spec: GameSpec, ruleset: Ruleset, listeners: Sequence[int], bank: float = 0.0
    ) -> None:
        dice = Dice(spec.deal_seed)
        seats = len(spec.seats)
        opener = first_opener(dice.opening_rolls(seats)) if ruleset.opener == "roll" else 0
        self.spec = spec
        self.players = spec.seats
        self.game = Game(ruleset, seats, dice, opener=opener, listeners=listeners)
        self.faults: list[Fault] = []
        self.started = 0.0
        self.questions = 0
        self.bank = [bank] * seats
        self.cpu: list[float] = []
        self._strikes = [0] * seats
        self._randoms = Randoms(spec.key)
        self._calls: list[tuple[int, str]] = []
        self._said: list[list[str]] = [[]]
        """Per round its calls as the log writes them; `_us` has their times."""
        self._us: list[list[int]] = [[]]
        self._asks = 0.0
        self.random = self._draw()

    @property
    def asked(self) -> int:
        """The bot whose answer the game waits for."""
        assert self.game.ask is not None
        return self.players[self.game.ask.seat]

    def question(self, local: int, told: int | None) -> Act:
        """The pending question as an act. `local` is its game number on that connection; `told`,
        for a bot that wants `past`, how many rounds of the game it has heard of.
        """
        game = self.game
        ask = game.ask
        assert ask is not None
        seat = ask.seat
        this = game.rounds[-1]
        standing = game.standing or _NOTHING
        act = Act(
            local,
            seat,
            game.dice,
            this.number,
            this.hands[seat],
            this.palifico,
            game.wild,
            standing[0],
            standing[1],
            self._calls,
            ask.minimums,
            ask.maximum,
            ask.words,
            self.random,
            int(self.bank[seat] * 1000),
        )
        if ask.tabba_minimums is not None:
            act.min_tabba = ask.tabba_minimums
        if told is not None:
            act.past = self.past(told, len(game.rounds) - 1)
        return act

    def past(self, told: int, until: int) -> list[Past]:
        """Rounds number told+1 .. until as the bots may see them."""
        return [past_round(r) for r in self.game.rounds[told:until]]

    def rounds_seen(self, seat: int) -> int:
        """How many rounds this seat took part in."""
        return sum(1 for r in self.game.rounds if r.hands[seat])

    def answer(self, text: str, us: int, size: int) -> None:
        """The asked seat answered `text` after `us` microseconds, in an ask of `size` questions.

        Raises `BotFault` (illegal): the game has not moved.
        """
        game = self.game
        ask = game.ask
        assert ask is not None
        this, word = game.rounds[-1], self._written(ask.seat, text)
        try:
            game.answer(parse_call(text))
        except (InvalidCall, IllegalCall) as error:
            raise BotFault(Cause.ILLEGAL, str(error), text.encode()[:64]) from None
        self._said[-1].append(word)
        self._note(this, ask.seat, text, us, size)

    def charge(self, seconds: float, increment: float) -> None:
        """Take time from the bank of the asked seat; an answer on turn earns the increment."""
        ask = self.game.ask
        assert ask is not None
        left = max(0.0, self.bank[ask.seat] - seconds)
        self.bank[ask.seat] = left if Word.PASS in ask.words else left + increment

    def penalise(self, fault: Fault, size: int, penalties: Penalties) -> None:
        """The asked seat, which is that of `fault`, is out, or the referee calls for it."""
        game, seat = self.game, fault.seat
        ask = game.ask
        assert ask is not None
        this = game.rounds[-1]
        fault.asked = self.describe()
        fault.call = len(this.calls)
        self.faults.append(fault)
        word = "forfeit"
        written = f"{seat}:forfeit"
        if fault.cause in penalties.default_call and self._strikes[seat] < penalties.strikes:
            self._strikes[seat] += 1
            fault.penalty = "default-call"
            call = ask.default_call()
            word = str(call)
            written = self._written(seat, word)
            game.answer(call)
        else:
            game.forfeit(seat)
        self._said[-1].append(written)
        self._note(this, seat, word, int(fault.used_ms * 1000), size)

    def _written(self, seat: int, text: str) -> str:
        """The call as the log writes it: that of a seat not on turn with the seat."""
        return text if seat == self.game.on_turn else f"{seat}:{text}"

    def _note(self, this: Round, seat: int, text: str, us: int, size: int) -> None:
        self._us[-1].append(us)
        self.questions += 1
        self._asks += 1.0 / size
        game = self.game
        if game.ask is None:
            return
        if game.rounds[-1] is this:
            self._calls.append((seat, text))
        else:
            self._calls = []
            self._us.append([])
            self._said.append([])
        self.random = self._draw()

    def _draw(self) -> int:
        assert self.game.ask is not None
        return self._randoms.draw(self.game.ask.seat)

    def describe(self) -> str:
        """The pending question in words."""
        game = self.game
        ask = game.ask
        if ask is None:
            return ""
        standing = str(game.standing) if game.standing else "no bid"
        bids = " ".join(
            f"{least}x{face}" for face, least in enumerate(ask.minimums, 1) if least <= ask.maximum
        )
        words = " ".join(ask.words)
        return f"round {game.round.number}, {standing} stands, may call: {bids} {words}".strip()

    def record(
        self, seconds: float, started: float, lag_ms: float, load: float, cpu_ms: list[float]
    ) -> GameRecord:
        """The line for the log. The game is over."""
        spec, rounds = self.spec, self.game.rounds
        return GameRecord(
            game=spec.number,
            block=spec.block,
            rotation=spec.rotation,
            deal=spec.deal,
            seats=list(spec.seats),
            commitment=spec.commitment,
            openers=[r.opener for r in rounds],
            palifico=[int(r.palifico) for r in rounds],
            hands=[write_hands(r.hands) for r in rounds],
            calls=[" ".join(said) for said in self._said],
            counts=[r.count for r in rounds],
            changes=[write_change(r.change) for r in rounds],
            places=self.game.places,
            faults=self.faults,
            timing=Timing(
                started=round(started, 3),
                seconds=round(seconds, 6),
                us=self._us,
                batch=round(self.questions / self._asks, 2) if self._asks else 0.0,
                lag_ms=round(lag_ms, 1),
                load=round(load, 2),
                cpu_ms=[round(ms, 2) for ms in cpu_ms],
            ),
        )


_NOTHING = (0, 0)


def past_round(r: Round) -> Past:
    """A round that is over, as bots may see it: without the hands where nobody showed them."""
    before = [len(hand) for hand in r.hands]
    return Past(
        round=r.number,
        opener=r.opener,
        palifico=r.palifico,
        hands=[list(hand) if r.revealed else [] for hand in r.hands],
        calls=[(seat, "forfeit" if call is None else str(call)) for seat, call in r.calls],
        count=r.count or 0,
        dice_after=[held + change for held, change in zip(before, r.change, strict=True)],
    )


def ruleset_on_the_wire(ruleset: Ruleset) -> dict[str, Any]:
    """Name and every option; no wild face is 0, `dice` is the cap (each `start` tells the rest)."""
    options = ruleset.options() | {"dice": ruleset.dice_cap, "wild_face": ruleset.wild_face or 0}
    return {"name": ruleset.name, **options}
