"""What the steps share: the bot's launches, one after the other, and the games it is asked about."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from arena.check.cases import Case
from arena.check.notes import Notes
from arena.check.problem import Kind, NotClaimed, Problem
from arena.check.talk import Change, Talk
from arena.game import Ask
from arena.referee.door import Doors
from arena.referee.faults import BotFault
from arena.referee.launch import Launcher
from arena.referee.task import Limits
from arena.referee.wire import SPLIT_AT, Act, End, Start, encode
from arena.referee.wire import Ask as AskMessage
from arena.tournament.bots import BotSpec


class Visit:
    """A launch of the bot that was welcomed, and the games that it hears of."""

    def __init__(self, talk: Talk, change: Change | None = None) -> None:
        self.talk = talk
        self.change = change
        self.ends: list[End] = []
        self._games = 0

    @property
    def past(self) -> bool:
        return self.talk.claims("past")

    def compose(self, cases: Sequence[Case]) -> tuple[list[Act], list[Start]]:
        """The pending questions of these games, and the starts of those it has not heard of."""
        for case in cases:
            if not case.local:
                self._games += 1
                case.local = self._games
        starts = [case.start() for case in cases if not case.started]
        return [case.act(self.past) for case in cases], starts

    def put(self, cases: Sequence[Case]) -> None:
        """Ask the questions of these games at once, after the ends that wait, and judge the calls."""
        acts, starts = self.compose(cases)
        ends, self.ends = self.ends, []
        calls = self.talk.ask(acts, starts, ends, self.change)
        for case in cases:
            case.heard()
        for place, (case, call) in enumerate(zip(cases, calls, strict=True)):
            self.judge(case, call, place)

    def judge(self, case: Case, call: str, place: int) -> None:
        """Make the call. Raises `Problem` if it is not legal."""
        ask = case.table.game.ask
        assert ask is not None
        try:
            if self.talk.limits.bank:
                case.table.charge(self.talk.used, self.talk.limits.increment)
            case.table.answer(call, 0, 1)
        except BotFault as fault:
            raise Problem(
                f"the call {call[:40]!r} is not legal: {fault.detail} ({case.describe()})",
                f"Legal here: {legal(ask)}. Go by min_quantity, max_quantity and words of the act "
                "alone: they hold all rules.",
                Kind.ILLEGAL,
                asked=self.talk.asked,
                received=self.talk.frame,
                act=place,
                printed=self.talk.process.output(500),
            ) from None

    def close(self, case: Case) -> None:
        """Play the game out without the bot; it hears the end with the next ask."""
        case.finish()
        self.ends.append(case.end(self.past))

    def scenes(self, cases: Iterable[Case]) -> None:
        """Ask one question of each of these games, one after the other."""
        for case in cases:
            self.put([case])
            self.close(case)

    def tell_ends(self) -> None:
        """An ask without acts, for the ends that wait."""
        ends, self.ends = self.ends, []
        self.talk.ask([], [], ends, self.change)

    def play(self, cases: Iterable[Case], at_once: int = 1) -> int:
        """Play whole games, so many at once, all questions that wait in one ask; the largest ask."""
        todo, active = deque(cases), list[Case]()
        largest = 0
        while todo or active:
            while todo and len(active) < at_once:
                case = todo.popleft()
                case.advance()
                if not case.over:  # else it was never asked, and does not hear of the game
                    active.append(case)
            if not active:
                continue
            asked = self._as_many_as_fit(active)
            largest = max(largest, len(asked))
            self.put(asked)
            active = active[len(asked) :] + asked
            for case in asked:
                case.advance()
                if case.over:
                    active.remove(case)
                    self.ends.append(case.end(self.past))
        if self.ends:
            self.tell_ends()
        return largest

    def _as_many_as_fit(self, cases: list[Case]) -> list[Case]:
        """The referee splits an ask that would be large."""
        while len(cases) > 1:
            acts, starts = self.compose(cases)
            if len(encode(AskMessage(1, 0, acts, starts, self.ends))) <= SPLIT_AT:
                break
            cases = cases[: (len(cases) + 1) // 2]
        return cases


class Room:
    """One bot under test. `visit` is its present launch, or a new one where there is none. `say` tells
    what may take minutes, before it begins."""

    def __init__(
        self, bot: BotSpec, limits: Limits, launcher: Launcher, say: Callable[[str], None]
    ) -> None:
        self.bot = bot
        self.limits = limits
        self.say = say
        self.notes = Notes()
        self.first: Talk | None = None
        """Its first launch, as far as it came."""
        self._launcher = launcher
        self._doors = Doors()
        self._visit: Visit | None = None
        self._talks: list[Talk] = []

    def __enter__(self) -> Room:
        return self

    def __exit__(self, *_: object) -> None:
        self.tidy(failed=True)
        self._doors.close()

    def launch(self, limits: Limits | None = None) -> Talk:
        """A launch of its own, which has not even said hello. It ends with the step."""
        bot, notes = self.bot, self.notes
        talk = Talk(self._launcher, self._doors, bot.program, limits or self.limits, notes)
        self._talks.append(talk)
        self.first = self.first or talk
        return talk

    def greet(self, limits: Limits | None = None, change: Change | None = None) -> Visit:
        """A launch of its own, welcomed. It ends with the step."""
        talk = self.launch(limits)
        talk.hear_hello()
        talk.welcome(change)
        return Visit(talk, change)

    def visit(self) -> Visit:
        """The launch that goes on from step to step."""
        if self._visit is None or not self._visit.talk.open:
            self._visit = self.greet()
        return self._visit

    def keep(self, talk: Talk) -> None:
        """Go on with this launch, which has said hello, after the step."""
        talk.welcome()
        self._visit = Visit(talk)

    def games(self) -> int:
        return self.visit().talk.games

    def need(self, what: str) -> None:
        """Raises `NotClaimed` unless the hello claims this: `out_of_turn`, `past` or `games`."""
        talk = self.visit().talk
        if what == "games":
            if talk.games == 1:
                raise NotClaimed("its hello offers one game at a time (games is 1 or missing)")
        elif not talk.claims(what):
            raise NotClaimed(f"its hello does not ask for it ({what}: true)")

    def out_of_turn(self) -> bool:
        return self.visit().talk.claims("out_of_turn")

    def tidy(self, failed: bool) -> None:
        """After a step: end its launches, and the present one too where it failed."""
        kept = None if failed or self._visit is None else self._visit.talk
        for talk in self._talks:
            if talk is not kept:
                talk.close()
        self._talks = [kept] if kept is not None and kept.open else []
        if not self._talks:
            self._visit = None


def legal(ask: Ask) -> str:
    """What may be called, in a few words."""
    lows = ask.minimums
    if ask.tabba_minimums is not None:
        lows = tuple(map(min, lows, ask.tabba_minimums))
    parts = [
        f"{low}x{face}" + (f" to {ask.maximum}x{face}" if low < ask.maximum else "")
        for face, low in enumerate(lows, 1)
        if low <= ask.maximum
    ]
    return ", ".join([*parts, *ask.words])
