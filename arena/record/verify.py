"""A whole log against its rules, its secret and its own numbers, one line at a time.

`verify` keeps no game: one bit per game number, and the seats of the blocks that are not complete.
Without an end line the secret is not yet known, so hands are believed and only the rules are checked;
the dice of a predictable run follow from the seed in the configuration beside the log.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from arena.game import OPTIONS, Ruleset, RulesetError
from arena.game.seeds import commitment, deal_seed, secret_hash, secret_of_seed
from arena.record.log import LogError, lines_of, read_end, read_games, read_header
from arena.record.numbers import Numbers
from arena.record.replay import Problem, check_play, differs
from arena.record.schema import End, GameRecord, Header, decode_line

CONFIG = "tournament.toml"
"""The configuration in a results folder; `seed` in it makes the dice predictable."""
SAMPLE = 99
"""Games from which unequal starting dice are read."""


@dataclass
class Report:
    """What came of it: games checked, the first problems, how many more there are.

    `finished` tells whether the log has its end line, `dice` whether dice, commitments and opening
    rolls were checked; `notes` say what a reader should know besides.
    """

    games: int = 0
    finished: bool = False
    dice: bool = False
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    more: int = 0

    @property
    def ok(self) -> bool:
        return not self.problems


def verify(path: Path, limit: int = 20) -> Report:
    """Check the log at `path`; the report keeps up to `limit` problems.

    Raises `LogError` for a log that cannot be read, or whose header names rules that cannot be.
    """
    header = read_header(path)
    verifier = _Verifier(path, header, limit)
    verifier.check_header()
    for number, line in islice(lines_of(path), 1, None):
        verifier.line(number, line)
    verifier.end()
    return verifier.report


def ruleset_of(header: Header) -> Ruleset:
    """The rules of a log. Raises `LogError` for options that this version does not know."""
    given: dict[str, Any] = {
        option: tuple(value) if isinstance(value, list) else value
        for option, value in header.ruleset.items()
    }
    unknown = sorted(given.keys() - {"name", *OPTIONS})
    if unknown:
        raise LogError(f"the header's ruleset has options unknown here: {', '.join(unknown)}")
    if given.get("wild_face") == 0:
        given["wild_face"] = None
    if not isinstance(given.get("name", ""), str):
        raise LogError("the name of the header's ruleset is no text")
    try:
        ruleset = Ruleset(**given)
        ruleset.starting_dice(header.players)
    except RulesetError as error:
        raise LogError(f"the header's ruleset cannot be: {error}") from None
    return ruleset


def starting_dice(path: Path, ruleset: Ruleset, players: int) -> Ruleset:
    """`ruleset` with a handicap that the header cannot tell: it has only the cap.

    Every game of a log starts with the same dice, so they are what most games hold in round 1.
    """
    if isinstance(ruleset.dice, tuple):
        return ruleset
    starts: Counter[tuple[int, ...]] = Counter()
    try:
        for record in islice(read_games(path), SAMPLE):
            hands = record.hands[0].split(" ") if record.hands else []
            starts[tuple(0 if hand == "-" else len(hand) for hand in hands)] += 1
    except LogError:
        pass  # the damaged line is found when the games are checked
    if starts:
        held = starts.most_common(1)[0][0]
        if len(held) == players and min(held) >= 1 and max(held) == ruleset.dice and len(set(held)) > 1:
            return dataclasses.replace(ruleset, dice=held)
    return ruleset


class _Verifier:
    """The check of one log; lines are given to it in their order."""

    def __init__(self, path: Path, header: Header, limit: int) -> None:
        self.path = path
        self.header = header
        self.limit = limit
        self.report = Report()
        ruleset = ruleset_of(header)
        self.ruleset = starting_dice(path, ruleset, header.players)
        if self.ruleset != ruleset:
            dice = " ".join(map(str, self.ruleset.starting_dice(header.players)))
            self.report.notes.append(f"starting dice {dice}, as the games' first rounds have them")
        self.secret: bytes | None = None
        self._salt = header.public_salt
        self._deaf = frozenset(i for i, bot in enumerate(header.bots) if not bot.out_of_turn)
        self._out = frozenset(i for i, bot in enumerate(header.bots) if bot.out)
        self._seen = Numbers()
        self._blocks: dict[int, dict[int, tuple[int, ...]]] = {}
        self._ended = False
        self._decided: int | None = None

    def _add(self, *problems: Problem) -> None:
        room = max(0, self.limit - len(self.report.problems))
        self.report.problems += problems[:room]
        self.report.more += len(problems[room:])

    # -- header and end ----------------------------------------------------------------------------

    def check_header(self) -> None:
        header = self.header
        if header.deals not in ("mirrored", "independent"):
            raise LogError(f"the header's deals are {header.deals!r}, not mirrored or independent")
        if header.dice not in ("secret", "predictable"):
            raise LogError(f"the header's dice are {header.dice!r}, not secret or predictable")
        if header.games % header.players:
            told = f"{header.games} are no whole blocks of {header.players}"
            self._add(Problem(None, None, "header.games", told))
        budget = header.schedule.get("budget")
        if budget is not None and budget // header.players * header.players != header.games:
            told = differs(header.games, budget // header.players * header.players, "by the budget")
            self._add(Problem(None, None, "header.games", told))
        self._find_secret()

    def _find_secret(self) -> None:
        header, report = self.header, self.report
        end = read_end(self.path)
        report.finished = end is not None
        self._decided = end.decided if end else None
        if self._decided is not None and not (
            header.sprt and 0 <= self._decided < header.games // header.players
        ):
            told = f"block {self._decided} cannot have decided: there is no such block or no test"
            self._add(Problem(None, None, "decided", told))
            self._decided = None
        if end is not None:
            try:
                secret = bytes.fromhex(end.secret)
            except ValueError:
                self._add(Problem(None, None, "secret", f"{end.secret!r} is not hex"))
                return
            source = "the published secret"
        else:
            seed = self._seed()
            if header.dice != "predictable" or seed is None:
                report.notes.append("the dice cannot be checked before the secret is published")
                return
            secret = secret_of_seed(seed)
            source = f"the seed in {CONFIG}"
        found = secret_hash(secret)
        if found != header.secret_hash:
            told = differs(header.secret_hash, found, f"of {source}")
            self._add(Problem(None, None, "header.secret_hash", told))
            report.notes.append("the dice cannot be checked without the right secret")
            return
        self.secret = secret
        report.dice = True

    def _seed(self) -> int | None:
        try:
            seed = tomllib.loads((self.path.parent / CONFIG).read_text("utf-8")).get("seed")
        except (OSError, ValueError):
            return None
        return seed if type(seed) is int else None

    def end(self) -> None:
        """All lines were given."""
        for block, seats in self._blocks.items():
            self._check_order(block, seats)
        self.report.games = len(self._seen)
        needed = self.header.games
        missing = needed - len(self._seen)
        if self._decided is not None:  # later games may be there, as they were under way
            needed = (self._decided + 1) * self.header.players
            missing = sum(number not in self._seen for number in range(needed))
        if not self.report.finished:
            so_far = f"{self.report.games} of {self.header.games} games so far"
            self.report.notes.insert(0, f"the run is not finished: {so_far}")
        elif missing > 0:
            absent = (n for n in range(needed) if n not in self._seen)
            first = ", ".join(map(str, islice(absent, 5)))
            told = f"{missing} of {needed} are missing: {first}{', ...' * (missing > 5)}"
            self._add(Problem(None, None, "games", told))

    # -- lines -------------------------------------------------------------------------------------

    def line(self, number: int, line: bytes) -> None:
        if not line.endswith(b"\n") and not self.report.finished:
            self.report.notes.append("the last line is torn: a game that was being written")
            return
        where = f"line {number}"
        try:
            found = decode_line(line)
        except (ValueError, RecursionError) as error:
            self._add(Problem(None, None, where, str(error)))
            return
        if self._ended:
            self._add(Problem(None, None, where, "it stands after the end line"))
        if isinstance(found, GameRecord):
            self._game(found)
        elif isinstance(found, End):
            self._ended = True
            if not self.report.finished:
                self._add(Problem(None, None, where, "an end line, and the log goes on"))
        else:
            self._add(Problem(None, None, where, "a second header"))

    def _game(self, record: GameRecord) -> None:
        wrong = self._check_numbers(record) + self._check_seats(record)
        self._add(*wrong)
        bots = record.seats
        if any(each.field == "seats" for each in wrong):
            return
        seed = None
        if self.secret is not None and not wrong:
            seed = deal_seed(self.secret, record.deal, self._salt)
            promised = commitment(self.secret, record.game, seed)
            if promised != record.commitment:
                told = differs(record.commitment, promised, "by the secret")
                self._add(Problem(record.game, None, "commitment", told))
        listeners = [seat for seat, bot in enumerate(bots) if bot not in self._deaf]
        silent = [seat for seat, bot in enumerate(bots) if bot in self._out] if self._out else ()
        self._add(*check_play(record, self.ruleset, listeners, silent, seed))

    def _check_numbers(self, record: GameRecord) -> list[Problem]:
        """Which game it says it is. One that has its number wrong is checked without its dice."""
        header, game = self.header, record.game
        found = []
        if not 0 <= game < header.games:
            found.append(("game", f"there are games 0 to {header.games - 1}"))
        elif not self._seen.add(game):
            found.append(("game", "it is in the log twice"))
        number = record.block * header.players + record.rotation
        if not 0 <= record.rotation < header.players:
            found.append(("rotation", f"{record.rotation} of {header.players} seats"))
        elif number != game:
            reason = f"by its block {record.block} and rotation {record.rotation}"
            found.append(("game", differs(game, number, reason)))
        else:
            deal = record.block if header.deals == "mirrored" else game
            if record.deal != deal:
                found.append(("deal", differs(record.deal, deal, f"with {header.deals} deals")))
        return [Problem(game, None, field, text) for field, text in found]

    def _check_seats(self, record: GameRecord) -> list[Problem]:
        seats, bots, players = record.seats, len(self.header.bots), self.header.players
        text = ""
        if len(seats) != players:
            text = f"{seats} in the log, {players} bots by the header"
        elif len(set(seats)) != players:
            text = f"{seats} in the log, but no bot has two seats"
        elif not all(0 <= bot < bots for bot in seats):
            text = f"{seats} in the log, but there are bots 0 to {bots - 1}"
        if text:
            return [Problem(record.game, None, "seats", text)]
        if record.block * players + record.rotation == record.game:
            together = self._blocks.setdefault(record.block, {})
            together[record.rotation] = tuple(seats)
            if len(together) == players:
                self._check_order(record.block, self._blocks.pop(record.block))
        return []

    def _check_order(self, block: int, together: dict[int, tuple[int, ...]]) -> None:
        """All rotations of a block seat its bots in one circular order: the one that most have."""
        if len(together) < 2:
            return
        orders = {rotation: _turned(seats, -rotation) for rotation, seats in together.items()}
        (order, times), *others = Counter(orders.values()).most_common(2)
        base = block * self.header.players
        for rotation, own in orders.items():
            if own != order:
                like = next(r for r in orders if orders[r] == order)
                reason = f"in the order of game {base + like}"
                if others[0][1] == times:
                    reason += ", which may be the wrong one"
                told = differs(list(together[rotation]), list(_turned(order, rotation)), reason)
                self._add(Problem(base + rotation, None, "seats", told))


def _turned(seats: tuple[int, ...], by: int) -> tuple[int, ...]:
    return seats[by:] + seats[:by]
