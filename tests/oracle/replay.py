"""A second reading of the rules, to check logs by: nothing of the arena is imported here.

The arena plays with a state machine. This module judges what was written down: given a game of the
log it walks through the calls once and says where they differ from the rules. It knows the rules and
the log's format only, so an error has to be made twice, in two forms, to go unseen. Speed is no aim.

    replay(game, options, listeners)   discrepancies of one game (a parsed line of the log)
    check_log(path)                    the same for a whole log, its dice included
    dice_of, opening_seat              the dice of a hand and of the opening roll, from the secret
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROUND_LIMIT = 1000

Bid = tuple[int, int]
Options = dict[str, Any]

# What the options of the second tier are when a ruleset leaves them out.
TIER_B: Options = {
    "wild_face": 1,
    "loss": "one",
    "next_opener": "loser",
    "calza_reward": "regain",
    "calza_in_palifico": True,
    "palifico_once": False,
    "one_round": False,
}


class Position(NamedTuple):
    """What is known when a round begins. `former` are the seats that are or were palifico.

    `state` is "yes" in a palifico round, "may" while its opener can still call it so, else "no".
    """

    dice: list[int]
    opener: int
    state: str
    former: frozenset[int]


# --- seats -----------------------------------------------------------------------------------------


def live(dice: Sequence[int]) -> list[int]:
    return [seat for seat, held in enumerate(dice) if held > 0]


def after(seat: int, dice: Sequence[int]) -> list[int]:
    """The other live seats in turn order, the one to the left of `seat` first."""
    return [s % len(dice) for s in range(seat + 1, seat + len(dice)) if dice[s % len(dice)] > 0]


def this_or_next(seat: int, dice: Sequence[int]) -> int:
    return seat if dice[seat] > 0 else after(seat, dice)[0]


def before(seat: int, dice: Sequence[int]) -> int:
    """The nearest live seat against the direction of play; `seat` itself if all others are out."""
    others = after(seat, dice)
    return others[-1] if others else seat


# --- bids and dice ---------------------------------------------------------------------------------


def parse_bid(text: str) -> Bid | None:
    match = re.fullmatch(r"([1-9][0-9]*)x([1-6])", text)
    return (int(match[1]), int(match[2])) if match else None


def raises(rule: str, old: Bid, new: Bid) -> bool:
    """Whether `new` outbids `old` where ones are just the lowest face."""
    (q, f), (a, g) = old, new
    if rule == "reset-quantity":
        return (g, a) > (f, q)
    if rule == "no-reset":
        return a >= q and g >= f and new != old
    return (a, g) > (q, f)


def outbids(options: Options, old: Bid | None, new: Bid) -> bool:
    """An ordinary round's bids; `old` is None for the opening."""
    aces = options["ace_bids"]
    if old is None:
        return new[1] != 1 or aces != "halve"
    (q, f), (a, g) = old, new
    if aces == "double":
        # One order of all claims: n aces stand just below 2n of the lowest plain face.
        return (a * 2 if g == 1 else a, g) > (q * 2 if f == 1 else q, f)
    if aces == "halve" and (f == 1) != (g == 1):
        return 2 * a >= q if g == 1 else a > 2 * q
    return raises(options["bidding_rule"], old, new)


def free_face(options: Options, position: Position, seat: int) -> bool:
    """Whether the seat may change the face in a palifico round."""
    who = options["palifico_change"]
    return (who == "one-die" and position.dice[seat] == 1) or (
        who == "ex-palifico" and seat in position.former
    )


def judge_bid(options: Options, position: Position, seat: int, old: Bid | None, new: Bid) -> str:
    """ "legal", "tabba" (stands unless somebody calls it) or "illegal"."""
    if new[0] > sum(position.dice):
        return "illegal"
    if position.state != "yes":
        return "legal" if outbids(options, old, new) else "illegal"
    if old is None:
        return "legal"
    if new[1] == old[1]:
        return "legal" if new[0] > old[0] else "illegal"
    if options["palifico_change"] == "ex-palifico":
        fine_but_for_face = new[0] > old[0]
    else:
        fine_but_for_face = raises(options["bidding_rule"], old, new)
    if not fine_but_for_face:
        return "illegal"
    if free_face(options, position, seat):
        return "legal"
    return "tabba" if options["tabba"] == "call" else "illegal"


def matching(options: Options, palifico: bool, face: int, hand: Sequence[int]) -> int:
    """Dice of the hand that count for a bid on the face."""
    faces = {face} if palifico else {face, options["wild_face"]}
    return sum(1 for die in hand if die in faces)


def starting_dice(options: Options, seats: int) -> list[int]:
    """The option is one number for all or a list with a number for each seat."""
    dice = options["dice"]
    return [dice] * seats if isinstance(dice, int) else list(dice)


def full(options: Options, held: int) -> bool:
    """Whether so many dice are as many as a seat may have."""
    return held >= max(starting_dice(options, 1))


# --- who may say what ------------------------------------------------------------------------------


def calza_open(options: Options, position: Position, seat: int) -> bool:
    """Whether dice and kind of round let the seat call calza; whose turn it is counts elsewhere."""
    return (options["calza_at_cap"] or not full(options, position.dice[seat])) and (
        position.state != "yes" or options["calza_in_palifico"]
    )


def on_turn(
    options: Options, position: Position, seat: int, standing: Bid | None, tabba: bool
) -> set[str]:
    """Calls other than bids for the seat on turn; `tabba` if the standing bid broke the face rule."""
    if standing is None:
        return {"palifico"} if position.state == "may" else set()
    calls = {"dudo"}
    if options["calza"] == "turn" and calza_open(options, position, seat):
        calls.add("calza")
    if tabba:
        calls.add("tabba")
    return calls


def out_of_turn(options: Options, position: Position, bidder: int, tabba: bool) -> dict[int, set[str]]:
    """The seats that may speak after a bid, in the order in which they are asked, and their calls."""
    asked = {}
    for seat in after(bidder, position.dice)[1:]:
        calls = set()
        if options["calza"] == "others" and calza_open(options, position, seat):
            calls.add("calza")
        if tabba:
            calls.add("tabba")
        if calls:
            asked[seat] = calls
    return asked


# --- a round ---------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What a round came to, or why it breaks the rules."""

    problems: list[str]
    ending: str = ""
    palifico: bool = False
    counted: int | None = None
    changes: dict[int, int] = {}  # noqa: RUF012  (never written to)
    after: Position | None = None


def play_round(
    options: Options,
    position: Position,
    hands: Sequence[Sequence[int]],
    calls: Sequence[str],
    listeners: Collection[int],
) -> Outcome:
    """Walk through a round's calls as the log writes them."""
    dice = position.dice
    turn = position.opener
    standing: Bid | None = None
    bidder = -1
    tabba = False
    asked: dict[int, set[str]] = {}
    for number, written in enumerate(calls):
        last = number == len(calls) - 1
        where = f"call {number} ({written})"
        prefix, colon, text = written.rpartition(":")
        if colon and not (prefix.isdigit() and int(prefix) < len(dice)):
            return Outcome([f"{where}: no such seat"])
        seat = int(prefix) if colon else turn
        if dice[seat] == 0:
            return Outcome([f"{where}: seat {seat} is out of the game"])

        if text == "forfeit":
            if not colon:
                return Outcome([f"{where}: a forfeit must name its seat"])
            if not last:
                return Outcome([f"{where}: calls after the forfeit that ended the round"])
            palifico = position.state == "yes"
            return Outcome([], "forfeit", palifico, None, {seat: -dice[seat]}, _void(position, seat))

        if asked:
            due = next(iter(asked))
            if not colon or seat != due:
                return Outcome([f"{where}: seat {due} was to be asked first"])
            possible = asked.pop(due)
            if text == "pass":
                continue
            if text not in possible:
                return Outcome([f"{where}: seat {seat} may only say {sorted(possible)} or pass"])
        else:
            if colon:
                return Outcome([f"{where}: only seat {turn}, which is on turn, may speak (unnamed)"])
            bid = parse_bid(text)
            if bid is not None:
                verdict = judge_bid(options, position, seat, standing, bid)
                if verdict == "illegal":
                    stands = "nothing" if standing is None else f"{standing[0]}x{standing[1]}"
                    return Outcome([f"{where}: illegal bid of seat {seat}, {stands} stands"])
                if position.state == "may":
                    position = position._replace(state="no")  # too late once a bid stands
                standing, bidder, tabba = bid, seat, verdict == "tabba"
                turn = after(seat, dice)[0]
                everyone = out_of_turn(options, position, bidder, tabba)
                asked = {s: possible for s, possible in everyone.items() if s in listeners}
                continue
            if text not in on_turn(options, position, seat, standing, tabba):
                return Outcome([f"{where}: illegal call of seat {seat}"])
            if text == "palifico":
                position = position._replace(state="yes", former=position.former | {seat})
                continue

        if not last:
            return Outcome([f"{where}: calls after the {text} that ended the round"])
        assert standing is not None  # no such call is open before a bid
        palifico = position.state == "yes"
        counted = None
        if text != "tabba":
            counted = sum(matching(options, palifico, standing[1], hand) for hand in hands)
        if text == "dudo":
            changes, opens = _doubt(options, dice, seat, bidder, counted=counted, claimed=standing[0])
        elif text == "calza":
            changes, opens = _calza(options, dice, seat, bidder, exact=counted == standing[0])
        else:
            changes, opens = {bidder: -1}, bidder
        following = _move_on(options, position, changes, opens)
        return Outcome([], text, palifico, counted, changes, following)
    return Outcome(["the round has no end"])


def _void(position: Position, seat: int) -> Position:
    """After a forfeit: the seat's dice leave, the seat after it opens, nothing else changes."""
    dice = [0 if s == seat else held for s, held in enumerate(position.dice)]
    return Position(dice, this_or_next(seat, dice), "no", position.former)


# Both return what each seat gains or loses, and who is to open.


def _doubt(
    options: Options, dice: list[int], caller: int, bidder: int, *, counted: int | None, claimed: int
) -> tuple[dict[int, int], int]:
    assert counted is not None
    loser, winner = (caller, bidder) if counted >= claimed else (bidder, caller)
    opens = winner if options["next_opener"] == "winner" else loser
    if options["loss"] == "one":
        return {loser: -1}, opens
    if counted == claimed:
        return {seat: -1 for seat in live(dice) if seat != bidder}, opens
    return {loser: -min(abs(counted - claimed), dice[loser])}, opens


def _calza(
    options: Options, dice: list[int], caller: int, bidder: int, *, exact: bool
) -> tuple[dict[int, int], int]:
    if not exact:
        return {caller: -1}, caller
    reward = options["calza_reward"]
    if reward == "others-lose":
        return {seat: -1 for seat in live(dice) if seat != caller}, caller
    if reward == "bidder-loses":
        return {bidder: -1}, bidder
    return ({} if full(options, dice[caller]) else {caller: 1}), caller


def _move_on(options: Options, position: Position, changes: dict[int, int], opens: int) -> Position:
    """The next round's position."""
    dice = [held + changes.get(seat, 0) for seat, held in enumerate(position.dice)]
    if options["next_opener"] == "rotate":
        opener = before(position.opener, dice)
    else:
        opener = this_or_next(opens, dice)
    dropped = {s for s, held in enumerate(position.dice) if held > 1 and dice[s] == 1}
    if options["palifico_once"]:
        dropped -= position.former
    if len(live(dice)) < max(2, options["palifico_min_players"]):
        dropped = set()
    if options["palifico"] == "auto" and dropped:
        return Position(dice, opener, "yes", position.former | dropped)
    if options["palifico"] == "call" and opener in dropped:
        return Position(dice, opener, "may", position.former)
    return Position(dice, opener, "no", position.former)


# --- a game ----------------------------------------------------------------------------------------

PER_ROUND = ("openers", "palifico", "hands", "calls", "counts", "changes")


def parse_hands(text: str) -> list[list[int]]:
    """Sorted hands as the log writes them, e.g. "11346 25 -"; none for any other text."""
    if not re.fullmatch(r"(1*2*3*4*5*6*|-)( (1*2*3*4*5*6*|-))*", text):
        return []
    return [[] if hand == "-" else [int(die) for die in hand] for hand in text.split(" ")]


def parse_changes(text: str) -> dict[int, int]:
    parsed: dict[int, int] = {}
    for entry in text.split():
        match = re.fullmatch(r"([0-9]+)([+-][1-9][0-9]*)", entry)
        if match is None or int(match[1]) in parsed:
            raise ValueError(f"changes {text!r} cannot be read")
        parsed[int(match[1])] = int(match[2])
    return parsed


def replay(game: dict[str, Any], options: Options, listeners: Collection[int]) -> list[str]:
    """Where the game departs from the rules; nothing if it does not.

    `listeners` are the seats that are asked out of turn. It stops at the first round with a
    discrepancy: what follows from a wrong position would only hide it.
    """
    options = {**TIER_B, **options}
    seats = len(game["seats"])
    rounds = len(game["calls"])
    problems: list[str] = []
    if any(len(game[name]) != rounds for name in PER_ROUND):
        return ["the lists per round differ in length"]
    if not options["players"][0] <= seats <= options["players"][1]:
        problems.append(f"{seats} players, allowed are {options['players']}")
    if rounds == 0:
        return [*problems, "no rounds"]
    if rounds > ROUND_LIMIT:
        problems.append(f"{rounds} rounds, more than {ROUND_LIMIT}")

    first = game["openers"][0]
    if first not in range(seats):
        return [*problems, f"no seat {first} can have opened the game"]
    if options["opener"] == "agreed" and first != 0:
        problems.append(f"seat {first} opened the game, agreed was 0")
    position = Position(starting_dice(options, seats), first, "no", frozenset())
    places = [0] * seats
    forfeits: list[tuple[int, int]] = []
    over = False
    for index in range(rounds):
        if over:
            problems.append(f"round {index + 1}: the game was over before it")
            break
        outcome = _check_round(game, options, position, listeners, index)
        if outcome.problems or outcome.after is None:
            return problems + [f"round {index + 1}: {problem}" for problem in outcome.problems]
        if outcome.ending == "forfeit":
            forfeits.append((index + 1, next(iter(outcome.changes))))

        old, position = position, outcome.after
        left = live(position.dice)
        for seat in live(old.dice):
            if position.dice[seat] == 0:
                places[seat] = len(left) + 1
        if len(left) == 1:
            over = True
            places[left[0]] = 1
        elif options["one_round"] and outcome.ending != "forfeit":
            over = True
            unhurt = [seat for seat in left if outcome.changes.get(seat, 0) >= 0]
            for seat in left:
                places[seat] = 1 if seat in unhurt else len(unhurt) + 1
        elif index + 1 == ROUND_LIMIT:
            over = True
            for seat in left:
                places[seat] = 1 + sum(1 for other in left if position.dice[other] > position.dice[seat])

    if not over:
        problems.append(f"the log ends after {rounds} rounds, the game was not over")
    elif places != game["places"]:
        problems.append(f"places {game['places']}, should be {places}")
    faults = [
        (fault["round"], fault["seat"])
        for fault in game["faults"]
        if fault.get("penalty", "forfeit") == "forfeit"
    ]
    if faults != forfeits:
        problems.append(f"faults (round, seat) {faults}, forfeits in the calls {forfeits}")
    return problems


def _check_round(
    game: dict[str, Any],
    options: Options,
    position: Position,
    listeners: Collection[int],
    index: int,
) -> Outcome:
    """The outcome of a round as the rules have it, with all that the log says otherwise."""
    problems = []
    if game["openers"][index] != position.opener:
        problems.append(f"opener {game['openers'][index]}, should be {position.opener}")
    hands = parse_hands(game["hands"][index])
    if [len(hand) for hand in hands] != position.dice:
        problems.append(f"hands {game['hands'][index]!r}, dice should be {position.dice}")
    if problems:
        return Outcome(problems)

    outcome = play_round(options, position, hands, game["calls"][index].split(" "), listeners)
    if outcome.problems:
        return outcome
    if game["palifico"][index] != int(outcome.palifico):
        problems.append(f"palifico {game['palifico'][index]}, should be {int(outcome.palifico)}")
    if game["counts"][index] != outcome.counted:
        problems.append(f"count {game['counts'][index]}, should be {outcome.counted}")
    try:
        changes = parse_changes(game["changes"][index])
    except ValueError as error:
        problems.append(str(error))
    else:
        if changes != outcome.changes:
            problems.append(f"changes {changes}, should be {outcome.changes}")
    return outcome._replace(problems=problems)


# --- dice from the secret --------------------------------------------------------------------------


def _mac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _stream(secret: bytes, deal: int, salt: str, round_number: int, seat: int) -> Iterator[int]:
    seed = _mac(secret, f"deal/{deal}/{salt}")
    block = 0
    while True:
        for byte in _mac(seed, f"dice/{round_number}/{seat}/{block}"):
            if byte < 252:  # 252 = 6 * 42: beyond it the faces would not be equally likely
                yield byte % 6 + 1
        block += 1


def dice_of(
    secret: bytes, deal: int, salt: str, *, round_number: int, seat: int, held: int
) -> list[int]:
    """The dice a seat rolls in a round, in the order in which they fall."""
    stream = _stream(secret, deal, salt, round_number, seat)
    return [next(stream) for _ in range(held)]


def opening_seat(secret: bytes, deal: int, salt: str, seats: int) -> int:
    """Who wins the opening roll: one die each, again among those tied for the highest."""
    streams = [_stream(secret, deal, salt, 0, seat) for seat in range(seats)]
    tied = list(range(seats))
    while len(tied) > 1:
        rolls = {}
        for seat, stream in enumerate(streams):
            die = next(stream)  # every stream moves on, so that the j-th roll is die j for all
            if seat in tied:
                rolls[seat] = die
        tied = [seat for seat in tied if rolls[seat] == max(rolls.values())]
    return tied[0]


def check_dice(game: dict[str, Any], options: Options, secret: bytes, salt: str) -> list[str]:
    """Where a game's hands and its first opener are not those that the secret yields."""
    problems = []
    deal = game["deal"]
    if options["opener"] == "roll":
        opener = opening_seat(secret, deal, salt, len(game["seats"]))
        if game["openers"][0] != opener:
            problems.append(f"seat {game['openers'][0]} opened the game, the roll says {opener}")
    for index, text in enumerate(game["hands"]):
        for seat, hand in enumerate(parse_hands(text)):
            rolled = sorted(
                dice_of(secret, deal, salt, round_number=index + 1, seat=seat, held=len(hand))
            )
            if hand != rolled:
                problems.append(f"round {index + 1}: seat {seat} holds {hand}, the secret says {rolled}")
    return problems


# --- a log -----------------------------------------------------------------------------------------


def check_log(path: Path | str) -> list[str]:
    """Discrepancies of a whole games.jsonl, each with the number of its game."""
    lines = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines() if line.strip()]
    if not lines or lines[0]["type"] != "header":
        return ["the first line is no header"]
    header, rest = lines[0], lines[1:]
    options = {**TIER_B, **header["ruleset"]}
    problems = []
    secret = b""
    if rest and rest[-1]["type"] == "end":
        end = rest.pop()
        secret = bytes.fromhex(end["secret"])
        if hashlib.sha256(secret).hexdigest() != header["secret_hash"]:
            problems.append("the secret does not match the hash in the header")
        if end.get("decided") is not None:  # every block up to that one, and what was under way
            needed = set(range((end["decided"] + 1) * header["players"]))
            missing = needed - {game.get("game") for game in rest}
            problems += [f"game {number} is missing" for number in sorted(missing)]
        elif len(rest) != header["games"]:
            problems.append(f"{len(rest)} games, the header announces {header['games']}")
    else:
        problems.append("the last line is no end line, so the dice were not checked")

    seen = set()
    for game in rest:
        if game["type"] != "game":
            problems.append(f"a line of type {game['type']} among the games")
            continue
        found = []
        if game["game"] in seen:
            found.append("its number stands twice")
        seen.add(game["game"])
        if len(game["seats"]) != header["players"]:
            found.append(f"{len(game['seats'])} seats, the header says {header['players']}")
        bots = [header["bots"][bot] for bot in game["seats"]]
        found += replay(game, options, {seat for seat, bot in enumerate(bots) if bot["out_of_turn"]})
        if secret:
            found += check_dice(game, options, secret, header["public_salt"])
        problems += [f"game {game['game']}: {problem}" for problem in found]
    return problems
