"""What each round was worth: the chance to win the game, before and after, from the dice alone."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from scipy import special

from arena.rating.results import Floats, Ints, number_rows
from arena.record.tables import Tables

ROLES = ("caller", "bidder", "onlooker")


def win_chances(dice: Ints) -> Floats:
    """(positions, seats) dice held -> the chance of each seat to be the last that holds any.

    As if each round one of the seats still in, each as likely as the others, lost a die: for two
    players the problem of points (Pascal and Fermat, 1654). Who plays, who opens and that more dice
    know more are left out, so the numbers are the same in every tournament.

    Computed in continuous time: if every seat loses dice at rate 1, independently, the order of losses
    is the same, and a seat with d dice lasts for a gamma (d) time; the chance is the integral over the
    time at which a seat ends after all others did.
    """
    first, at = number_rows(-np.sort(-dice, axis=1))
    rank = np.argsort(np.argsort(-dice, axis=1, kind="stable"), axis=1)
    sorted_dice = -np.sort(-dice[first], axis=1)
    chances = np.concatenate(
        [_chances(sorted_dice[at : at + 500]) for at in range(0, max(1, len(first)), 500)]
    )
    return np.take_along_axis(chances[at], rank, axis=1)


def _chances(dice: Ints) -> Floats:
    most = int(dice.max(initial=1))
    nodes, weights = _legendre()
    end = most + 12 * np.sqrt(most) + 30  # beyond it less than 1e-15 is left
    time, weights = (nodes + 1) / 2 * end, weights / 2 * end
    held = np.arange(1, most + 1)[:, None]
    ended = np.vstack([np.ones_like(time), special.gammainc(held, time)])  # by dice: P(out by then)
    density = np.exp((held - 1) * np.log(time) - time - special.gammaln(held))
    density = np.vstack([np.zeros_like(time), density])
    seats = dice.shape[1]
    chances = np.empty(dice.shape)
    for seat in range(seats):
        others = np.prod([ended[dice[:, other]] for other in range(seats) if other != seat], axis=0)
        chances[:, seat] = (density[dice[:, seat]] * others) @ weights
    return chances


@cache
def _legendre() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(120)
    return nodes, weights


def stakes(tables: Tables) -> pd.DataFrame:
    """The hands dealt, with how the round ended for the seat and what that did to its chance to win.

    palifico, ended_by, right  of the round
    opened         whether the seat opened it
    role           "caller": its call (or forfeit) ended the round; "bidder": that call was about its
                   bid; else "onlooker"
    before, after  its `win_chances` before the round and after it; after the last round of the game 1
                   for the winner, shared by those who share the first place, and 0 for the others
    swing          after - before. Over a game the swings of a seat add up to its result less its
                   chance at the start (win probability added; Lindsey 1963 for baseball).
    """
    hands, rounds, seats = tables.hands, tables.rounds, tables.seats
    in_round = np.cumsum(_begins(hands, "game", "round")) - 1
    seat = hands["seat"].to_numpy(np.int64)
    held = np.zeros((len(rounds), int(seat.max(initial=1)) + 1), np.int64)
    held[in_round, seat] = hands["held"].to_numpy()
    before = win_chances(held)

    game = np.cumsum(_begins(rounds, "game")) - 1
    won = np.zeros_like(held, np.float64)[: game.max(initial=-1) + 1]
    played = seats[seats["rounds_alive"] > 0]
    winners = np.cumsum(_begins(played, "game")) - 1
    won[winners, played["seat"].to_numpy(np.int64)] = played["won"].to_numpy()
    last = np.append(game[1:] != game[:-1], True)[: len(game)]
    after = np.concatenate([before[1:], before[:1]])[: len(before)]
    after[last] = (won / np.maximum(won.sum(axis=1, keepdims=True), 1))[game[last]]

    of_round = rounds.iloc[in_round].reset_index(drop=True)
    forfeited = (of_round["ended_by"] == "forfeit").to_numpy()
    bidder = (of_round["bidder"].to_numpy() == seat) & (of_round["caller"].to_numpy() >= 0) & ~forfeited
    role = np.where(of_round["caller"].to_numpy() == seat, 0, np.where(bidder, 1, 2))
    return hands.assign(
        palifico=of_round["palifico"],
        ended_by=of_round["ended_by"],
        right=of_round["right"],
        opened=of_round["opener"].to_numpy() == seat,
        role=pd.Categorical.from_codes(role, dtype=pd.CategoricalDtype(list(ROLES))),
        before=before[in_round, seat],
        after=after[in_round, seat],
        swing=after[in_round, seat] - before[in_round, seat],
    )


def turning_points(staked: pd.DataFrame) -> pd.DataFrame:
    """From `stakes`: of each game the round that moved most, and who gained and lost most by it.

    moved  half the sum of all seats' absolute swings: the chance that changed hands, 0 to 1; of equal
           rounds the first
    """
    by_round = staked.assign(moved=staked["swing"].abs() / 2).groupby(["game", "round"], sort=False)
    moved = by_round["moved"].sum().round(12).reset_index()
    top = moved.loc[moved.groupby("game")["moved"].idxmax()]
    rows = staked.merge(top, on=["game", "round"])
    grouped = rows.groupby("game")["swing"]
    gains, loses = rows.loc[grouped.idxmax()], rows.loc[grouped.idxmin()]
    return pd.DataFrame(
        {
            "game": gains["game"].to_numpy(),
            "round": gains["round"].to_numpy(),
            "moved": gains["moved"].to_numpy(),
            "gains": gains["bot"].array,
            "gain": gains["swing"].to_numpy(),
            "loses": loses["bot"].array,
            "loss": loses["swing"].to_numpy(),
        }
    )


def _begins(frame: pd.DataFrame, *keys: str) -> Ints:
    """1 at each row that has another key than the row before, else 0."""
    new = np.ones(len(frame), np.int64)
    for number, key in enumerate(keys):
        column = frame[key].to_numpy()
        changed = column[1:] != column[:-1]
        new[1:] = changed if number == 0 else new[1:] | changed
    return new
