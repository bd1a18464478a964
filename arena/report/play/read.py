"""From the log to how the bots play, in one reading and bounded memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from arena.rating.results import Bools, Floats, Ints
from arena.record.log import LogError, log_of, read_games, read_header
from arena.record.schema import HOST_CAUSES, GameRecord, Header
from arena.record.tables import Tables, make_tables
from arena.report.play.measures import MEASURES
from arena.report.play.stakes import stakes
from arena.report.play.sums import Ratios
from arena.report.play.weigh import weigh

MANY_CALLS = 3_000_000
"""Calls that are measured in seconds. Of a log that will hold more, a sample of its blocks is."""
CALLS_A_SEAT = 15
"""Calls of a bot in a game, about."""
BATCH = 300_000
"""Calls that are tables at once: some 200 MB."""
DOUBT_BINS = 10
DIFFICULTY_BINS = 5
MOST_ROUNDS = 60
TOP = 3
"""Comebacks and collapses that are kept of each bot."""


@dataclass(frozen=True, eq=False)
class Play:
    """How the bots of a log play, in complete blocks. Tables, each with `bot` as a category.

    A value stands with `low` and `high`, its 95 % interval over blocks (NaN where there are too few,
    or all are alike), the `blocks` in which there was anything to count, and the `count` of what
    was counted: calls, hands, or games.

    blocks      complete blocks that were measured
    one_in      1, or for a large log k: one block in k is measured, drawn by its number alone
    measures    a row per bot and measure (`MEASURES` says what they mean): measure, value
    doubts      the reliability of doubts, in bins of the chance that the doubted bid was false, as the
                doubter's hand tells: bin (its lower edge), predicted (the mean chance in the bin),
                value (how many were false). Who reads more from the bids than from its hand is
                above the diagonal.
    openings    face, value: the share of the opening bids
    difficulty  bin (lower edge, in bits; `weigh` has the definition), value: the geometric mean of the
                time in ms for raising, doubting or calling calza on a standing bid
    dice        round, value: mean dice held after so many rounds; a game that has ended counts on with
                what was left
    games       a row per bot and game of note: kind ("comeback": won after a low chance; "collapse":
                lost after a high one), game, round, chance; the `TOP` of each kind
    """

    header: Header
    blocks: int
    one_in: int
    measures: pd.DataFrame
    doubts: pd.DataFrame
    openings: pd.DataFrame
    difficulty: pd.DataFrame
    dice: pd.DataFrame
    games: pd.DataFrame

    @property
    def sample(self) -> str:
        """What was measured, in words, where it is not all."""
        return (
            "" if self.one_in == 1 else f"Measured on one block in {self.one_in}: {self.blocks} of them."
        )

    @property
    def calza(self) -> bool:
        """Whether these rules know calza."""
        return self.header.ruleset.get("calza") != "off"

    @property
    def calling(self) -> bool:
        """Whether these rules know calls on a bid other than dudo: calza or tabba."""
        return self.calza or self.header.ruleset.get("tabba") == "call"


def read_play(folder: str | Path) -> Play:
    """The play of a results folder. Raises `LogError`."""
    log = log_of(Path(folder))
    try:
        return play_of(read_header(log), read_games(log))
    except ValueError as error:
        raise LogError(f"{log}: {error}") from None


def play_of(header: Header, games: Iterable[GameRecord]) -> Play:
    """The play of any games. Raises ValueError if a record contradicts its own format."""
    reader = PlayReader(header)
    for game in games:
        reader.add(game)
    return reader.done()


class PlayReader:
    """Takes one game after the other. Games wait until their block is complete, then go in batches."""

    def __init__(self, header: Header) -> None:
        self._header = header
        calls = header.games * header.players * CALLS_A_SEAT
        # A sequential test ends a run long before the most games that its header allows.
        self._one_in = 1 if header.sprt else max(1, calls // MANY_CALLS)
        self._open: dict[int, list[GameRecord]] = {}
        self._whole: list[GameRecord] = []
        self._calls = 0
        self._blocks = 0
        bots = len(header.bots)
        self._measures = Ratios((bots, len(MEASURES)))
        self._predicted = Ratios((bots, DOUBT_BINS))
        self._false = Ratios((bots, DOUBT_BINS))
        self._faces = Ratios((bots, 6))
        self._times = Ratios((bots, DIFFICULTY_BINS))
        self._dice = Ratios((bots, MOST_ROUNDS + 1))
        self._ended = np.zeros(MOST_ROUNDS + 1, np.int64)
        self._notable: list[pd.DataFrame] = []

    def add(self, game: GameRecord) -> None:
        # Line-ups and orders come in cycles, so blocks are drawn by a hash (Knuth 1998, 6.4).
        if game.block * 2654435761 % 2**32 * self._one_in >= 2**32:
            return
        block = self._open.setdefault(game.block, [])
        block.append(game)
        if len(block) < self._header.players:
            return
        del self._open[game.block]
        if not any(fault.cause in HOST_CAUSES for each in block for fault in each.faults):
            self._whole += block
            self._blocks += 1
            self._calls += sum(len(times) for each in block for times in each.timing.us)
            if self._calls >= BATCH:
                self._take()

    def done(self) -> Play:
        if self._whole:
            self._take()
        names = [bot.name for bot in self._header.bots]
        bins = np.arange(DOUBT_BINS) / DOUBT_BINS
        measures = np.array([measure.name for measure in MEASURES])
        shares = np.array([measure.unit == "share" for measure in MEASURES])
        doubts = _long(names, "bin", bins, self._false, np.full(DOUBT_BINS, True))
        predicted = self._predicted.estimate().mean.ravel()
        doubts.insert(2, "predicted", predicted[self._false.below.ravel() > 0])
        difficulty = _long(names, "bin", np.arange(DIFFICULTY_BINS) / DIFFICULTY_BINS, self._times)
        for column in ("value", "low", "high"):
            difficulty[column] = 10 ** difficulty[column]
        shown = self._ended.cumsum() <= 0.99 * self._ended.sum()
        dice = _long(names, "round", np.arange(MOST_ROUNDS + 1), self._dice)
        return Play(
            header=self._header,
            blocks=self._blocks,
            one_in=self._one_in,
            measures=_long(names, "measure", measures, self._measures, shares),
            doubts=doubts,
            openings=_long(names, "face", np.arange(1, 7), self._faces, np.full(6, True)),
            difficulty=difficulty,
            dice=dice[dice["round"] <= shown.sum()].reset_index(drop=True),
            games=_top(pd.concat([_no_games(names), *self._notable])).drop(columns="odd"),
        )

    def _take(self) -> None:
        tables = make_tables(self._header, self._whole)
        self._whole, self._calls = [], 0
        calls, hands = weigh(tables), stakes(tables)
        if calls["default_call"].any():  # those are no calls of the bot
            calls = calls[~calls["default_call"]].reset_index(drop=True)
        pairs = _Pairs(tables)
        self._take_measures(pairs, {"calls": calls, "hands": hands})
        self._take_curves(pairs, calls)
        self._take_dice(pairs, tables)
        self._notable = [_top(pd.concat([*self._notable, _notable(tables, hands)]))]

    def _take_measures(self, pairs: _Pairs, frames: dict[str, pd.DataFrame]) -> None:
        pair = {table: pairs.of(frame) for table, frame in frames.items()}
        above, below = [], []
        for measure in MEASURES:
            frame = frames[measure.table]
            rows = np.flatnonzero(measure.where(frame))
            value = measure.value(frame).to_numpy(np.float64, na_value=np.nan)[rows]
            at = pair[measure.table][rows]
            above.append(pairs.sum(at, value))
            below.append(pairs.games if measure.per_game else pairs.sum(at))
        self._measures.add(np.stack(above, axis=2), np.stack(below, axis=2))

    def _take_curves(self, pairs: _Pairs, calls: pd.DataFrame) -> None:
        pair, kind = pairs.of(calls), calls["kind"]
        dudo = np.flatnonzero(kind == "dudo")
        chance = calls["doubt_chance"].to_numpy()[dudo]
        false = ~calls["true"].to_numpy(np.bool_, na_value=False)[dudo]
        at = pair[dudo], _bin(chance, DOUBT_BINS), DOUBT_BINS
        self._predicted.add(pairs.binned(*at, chance), pairs.binned(*at))
        self._false.add(pairs.binned(*at, false), pairs.binned(*at))

        opening = np.flatnonzero((kind == "bid") & (calls["standing_quantity"] == 0))
        face = calls["face"].to_numpy(np.int64)[opening] - 1
        shares = pairs.binned(pair[opening], face, 6)
        self._faces.add(shares, np.broadcast_to(shares.sum(axis=2, keepdims=True), shares.shape))

        answered = kind.isin(["bid", "dudo", "calza"]) & (calls["standing_quantity"] > 0)
        rows = np.flatnonzero(answered)
        hard = _bin(calls["difficulty"].to_numpy()[rows], DIFFICULTY_BINS)
        time = np.log10(np.maximum(calls["us"].to_numpy()[rows], 1) / 1000)
        at = pair[rows], hard, DIFFICULTY_BINS
        self._times.add(pairs.binned(*at, time), pairs.binned(*at))

    def _take_dice(self, pairs: _Pairs, tables: Tables) -> None:
        """By the seats of each game: dice before each round, and what was left from its end on."""
        seats, hands = tables.seats, tables.hands
        row = np.cumsum(tables.games["players"].to_numpy()) - tables.games["players"].to_numpy()
        row = row[np.searchsorted(tables.games["game"], hands["game"])] + hands["seat"].to_numpy()
        held = np.zeros((len(seats), MOST_ROUNDS + 1))
        number = hands["round"].to_numpy(np.int64) - 1
        early = number <= MOST_ROUNDS
        held[row[early], number[early]] = hands["held"].to_numpy()[early]
        played = np.repeat(tables.games["rounds"].to_numpy(np.int64), tables.games["players"])
        over = np.arange(MOST_ROUNDS + 1) >= played[:, None]
        held = np.where(over, seats["dice_left"].to_numpy()[:, None], held)
        self._ended += np.bincount(
            np.minimum(tables.games["rounds"], MOST_ROUNDS), minlength=MOST_ROUNDS + 1
        )
        pair, columns = pairs.of(seats), np.arange(MOST_ROUNDS + 1)
        at = np.repeat(pair, len(columns)), np.tile(columns, len(seats)), len(columns)
        self._dice.add(pairs.binned(*at, held.ravel()), pairs.binned(*at))


class _Pairs:
    """Rows of tables by block and bot: the cells in which everything is summed."""

    def __init__(self, tables: Tables) -> None:
        games = tables.games
        blocks, self._block = np.unique(games["block"], return_inverse=True)
        self._game = games["game"].to_numpy()
        self._shape = len(blocks), len(tables.header.bots)
        self.games = self.sum(self.of(tables.seats))
        """(blocks, bots): games played."""

    def of(self, frame: pd.DataFrame) -> Ints:
        """The cell of each row."""
        block = self._block[np.searchsorted(self._game, frame["game"].to_numpy())]
        return np.asarray(block * self._shape[1] + frame["bot"].cat.codes.to_numpy())

    def sum(self, cells: Ints, values: Any = None) -> Floats:
        """(blocks, bots): sums of the values, or the number of rows."""
        size = self._shape[0] * self._shape[1]
        return np.bincount(cells, values, size).reshape(self._shape).astype(np.float64)

    def binned(self, cells: Ints, bins: Ints, count: int, values: Any = None) -> Floats:
        """(blocks, bots, count): the same for each bin."""
        size = self._shape[0] * self._shape[1] * count
        sums = np.bincount(cells * count + bins, values, size)
        return sums.reshape(*self._shape, count).astype(np.float64)


def _bin(value: Floats, bins: int) -> Ints:
    """0 to 1 -> 0 to bins - 1; an edge belongs to the bin above it."""
    return np.minimum((value * bins + 1e-9).astype(np.int64), bins - 1)


def _long(
    names: list[str], key: str, labels: Any, ratios: Ratios, shares: Bools | None = None
) -> pd.DataFrame:
    """A row per bot and label for which anything was counted. `shares`: labels whose intervals are cut
    to 0 and 1; None: none.
    """
    found = ratios.estimate()
    bot, label = (index.ravel() for index in np.indices(found.mean.shape))
    mean, half = found.mean.ravel(), found.half.ravel()
    share = np.zeros(len(labels), np.bool_)[label] if shares is None else shares[label]
    frame = pd.DataFrame(
        {
            "bot": pd.Categorical.from_codes(bot, dtype=pd.CategoricalDtype(names)),
            key: labels[label],
            "value": mean,
            "low": np.where(share, np.maximum(mean - half, 0), mean - half),
            "high": np.where(share, np.minimum(mean + half, 1), mean + half),
            "blocks": found.blocks.ravel(),
            "count": ratios.below.ravel().astype(np.int64),
        }
    )
    return frame[ratios.below.ravel() > 0].reset_index(drop=True)


def _notable(tables: Tables, hands: pd.DataFrame) -> pd.DataFrame:
    """The lowest chance of each seat in games that it won, the highest in those it lost."""
    won = tables.seats.set_index(["game", "seat"])["won"]
    keys = pd.MultiIndex.from_frame(hands[["game", "seat"]])
    frame = hands[["bot", "game", "seat", "round"]].assign(
        kind=np.where(won.reindex(keys).to_numpy(), "comeback", "collapse"),
        chance=hands["before"].round(9),
    )
    frame["odd"] = np.where(frame["kind"] == "comeback", -frame["chance"], frame["chance"])
    best = frame.sort_values("odd", ascending=False, kind="stable").drop_duplicates(["game", "seat"])
    return best[["bot", "kind", "game", "round", "chance", "odd"]]


def _top(games: pd.DataFrame) -> pd.DataFrame:
    by = ["bot", "kind", "odd", "game"]
    ordered = games.sort_values(by, ascending=[True, False, False, True])  # comebacks first
    return ordered.groupby(["bot", "kind"], observed=True).head(TOP).reset_index(drop=True)


def _no_games(names: list[str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "bot": pd.Categorical([], categories=names),
            "kind": pd.Series([], dtype=object),
            **{name: pd.Series([], dtype="int64") for name in ("game", "round")},
            **{name: pd.Series([], dtype="float64") for name in ("chance", "odd")},
        }
    )
