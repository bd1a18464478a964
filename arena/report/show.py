"""A game as text: round by round what everybody held, called and lost, and how long it took."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console
from rich.text import Text

from arena.record.columns import RoundText, read_rounds
from arena.record.schema import GameRecord, Header

STYLES = {"dudo": "bold red", "calza": "bold green", "tabba": "bold red", "forfeit": "bold red"}


def show_game(header: Header, record: GameRecord, console: Console) -> None:
    """Print the game; colours where the console has them."""
    names = [header.bots[index].name for index in record.seats]
    width = max(map(len, names))
    console.print(
        Text(
            f"Game {record.game}: {header.ruleset['name']}, block {record.block}, "
            f"rotation {record.rotation}",
            style="bold",
        )
    )
    for played in read_rounds(record):
        console.print()
        for line in _round(played, names, width, header.ruleset["wild_face"]):
            console.print(line, soft_wrap=True)
    console.print()
    for place, name in sorted(zip(record.places, names, strict=True)):
        console.print(Text(f"{place}. {name}"))
    for fault in record.faults:
        console.print(
            Text(f"{names[fault.seat]} forfeited in round {fault.round}: {fault.cause}: {fault.detail}")
        )


def _round(played: RoundText, names: list[str], width: int, wild: int) -> list[Text]:
    dice = sum(map(len, played.hands))
    kind = "palifico round" if played.palifico else "round"
    lines = [
        Text(
            f"{kind.capitalize()} {played.number}, {dice} dice, {names[played.opener]} opens",
            style="bold cyan",
        )
    ]
    standing = played.standing
    face = standing[1].face if standing else 0
    counted = {face} if played.palifico else {face, wild}
    for name, hand in zip(names, played.hands, strict=True):
        if hand:
            line = Text(f"  {name:{width}}  ")
            for die in hand:
                line.append(f" {die}", style="bold yellow" if die in counted else "")
            lines.append(line)
    for seat, word, us in played.calls:
        line = Text(f"    {names[seat]:{width}}  ")
        line.append(f"{word:9}", style=STYLES.get(word, "dim" if word == "pass" else ""))
        line.append(f"{us / 1000:8.2f} ms", style="dim")
        lines.append(line)
    lines.append(Text(f"  {outcome(played, names)}", style="italic"))
    return lines


def outcome(played: RoundText, names: list[str]) -> str:
    """How a round ended, in a sentence."""
    parts = []
    seat, word, _ = played.calls[-1]
    standing = played.standing
    if word == "forfeit":
        parts.append(f"{names[seat]} forfeits; the round is void")
    elif word == "tabba":
        assert standing is not None
        parts.append(f"{names[seat]} calls tabba on {standing[1]} of {names[standing[0]]}")
    elif played.count is not None and standing is not None:
        bid = standing[1]
        verdict = "right" if played.count >= bid.quantity else "wrong"
        if word == "calza":
            verdict = "exact" if played.count == bid.quantity else "not exact"
        parts.append(f"{played.count} count for {bid}: {verdict}")
    for who, change in played.change.items():
        left = len(played.hands[who]) + change
        verb = "loses" if change < 0 else "gains"
        dice = "a die" if abs(change) == 1 else f"{abs(change)} dice"
        parts.append(f"{names[who]} {verb} {dice} ({left} left)" if left else f"{names[who]} is out")
    return "; ".join(parts)


def game_as_json(header: Header, record: GameRecord) -> str:
    """The game with names for numbers: seats, rounds with hands and calls, places, faults."""
    names = [header.bots[index].name for index in record.seats]
    rounds: list[dict[str, Any]] = [
        {
            "round": played.number,
            "opener": played.opener,
            "palifico": played.palifico,
            "hands": [list(hand) for hand in played.hands],
            "calls": [{"seat": seat, "call": word, "us": us} for seat, word, us in played.calls],
            "count": played.count,
            "change": [played.change.get(seat, 0) for seat in range(len(names))],
            "outcome": outcome(played, names),
        }
        for played in read_rounds(record)
    ]
    return json.dumps(
        {
            "game": record.game,
            "block": record.block,
            "rotation": record.rotation,
            "ruleset": header.ruleset,
            "seats": names,
            "rounds": rounds,
            "places": record.places,
            "faults": [
                {"seat": f.seat, "cause": f.cause, "round": f.round, "detail": f.detail}
                for f in record.faults
            ],
        },
        indent=2,
    )
