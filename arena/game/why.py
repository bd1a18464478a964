"""Why a call is not legal, in a sentence that names the rule. Nothing here decides what is legal.

`Ask.allows` decides; this module only explains what it refused, so it is never needed while calls are
legal. The word in brackets is the value of the option that forbids the call (see `arena rules`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.game.calls import Bid, Call, Word
from arena.game.game import Game


def why_not(game: Game, call: Call, seat: int | None = None, names: Sequence[str] = ()) -> str:
    """Why `seat` (by default the one that is asked) may not make this call now; "" if it may.

    A seat may call what it could once the seats asked before it have passed. `names` stand for
    "seat 0", "seat 1", ... in the sentence.
    """
    ask = game.ask
    if ask is None:
        return "the game is over"
    seat = ask.seat if seat is None else seat
    there = reach(game, seat)
    if there is not None and there.ask is not None and there.ask.allows(call):
        return ""

    def who(number: int) -> str:
        return names[number] if names else f"seat {number}"

    if not 0 <= seat < game.players or not game.dice[seat]:
        return f"{who(seat) if seat in range(game.players) else f'seat {seat}'} has no dice left"
    if isinstance(call, Bid):
        return _bid(game, call, seat, who)
    reasons: dict[str, Callable[[Game, int, Callable[[int], str]], str]] = {
        Word.DUDO: _dudo,
        Word.CALZA: _calza,
        Word.PALIFICO: _palifico,
        Word.TABBA: _tabba,
        Word.PASS: _pass,
    }
    return reasons[call](game, seat, who) if call in reasons else f"{call!r} is no call"


def reach(game: Game, seat: int) -> Game | None:
    """The game with `seat` asked, those before it having passed; None if they are not asked so."""
    if game.ask is not None and game.ask.seat != seat and Word.PASS in game.ask.words:
        game = game.copy()
        while game.ask is not None and game.ask.seat != seat and Word.PASS in game.ask.words:
            game.answer(Word.PASS)
    return game if game.ask is not None and game.ask.seat == seat else None


# -- bids --------------------------------------------------------------------------------------------


def _bid(game: Game, bid: Bid, seat: int, who: Callable[[int], str]) -> str:
    quantity, face = bid
    if type(quantity) is not int or type(face) is not int:
        return f"{bid} is no bid: quantity and face are whole numbers"
    if not 1 <= face <= 6:
        return f"{bid} is no bid: the faces are 1 to 6"
    if quantity < 1:
        return f"{bid} is no bid: the quantity is 1 or more"
    if seat != game.on_turn:
        return f"{who(seat)} is not on turn to bid; {who(game.on_turn)} is"
    dice = sum(game.dice)
    if quantity > dice:
        return f"{dice} dice are in play, {bid} is more: no bid may be"
    standing = game.standing
    if standing is None:
        return f"{bid} may not open: aces may not open an ordinary round (halve)"
    palifico = game.round.palifico
    if palifico and face != standing.face and game.ruleset.tabba == "reject":
        locked = _locked(game, seat, who)
        if locked:
            return f"the face is locked in this palifico round: {locked}"
    reason = _palifico_raise if palifico else _ordinary_raise
    return f"{bid} is not a raise over {standing}: {reason(game, standing, bid)}"


def _locked(game: Game, seat: int, who: Callable[[int], str]) -> str:
    """Why the face is locked for `seat` in a palifico round; "" if it is not."""
    change = game.ruleset.palifico_change
    if change == "one-die" and game.dice[seat] > 1:
        return f"{who(seat)} has {game.dice[seat]} dice (one-die)"
    if change == "ex-palifico" and seat not in game.former:
        return f"{who(seat)} is not and was not palifico (ex-palifico)"
    return "nobody may change it (nobody)" if change == "nobody" else ""


def _palifico_raise(game: Game, standing: Bid, bid: Bid) -> str:
    if game.ruleset.palifico_change == "ex-palifico":
        return "the quantity must rise in a palifico round (ex-palifico)"
    return _plain_raise(game.ruleset.bidding_rule, standing, bid)


def _ordinary_raise(game: Game, standing: Bid, bid: Bid) -> str:
    rules = game.ruleset
    if rules.ace_bids == "double":
        there = reach(game, game.on_turn)
        assert there is not None
        assert there.ask is not None
        least = there.ask.minimums[bid.face - 1]
        if least > there.ask.maximum:
            return f"in Neller's order no bid on face {bid.face} follows it (double)"
        return f"in Neller's order the next one on face {bid.face} is {least}x{bid.face} (double)"
    if rules.ace_bids == "halve" and (standing.face == 1) != (bid.face == 1):
        if bid.face == 1:
            least = (standing.quantity + 1) // 2
            return f"aces need half the quantity, rounded up: {least}x1 or more (halve)"
        least = 2 * standing.quantity + 1
        return f"out of aces it takes twice the quantity and one more: {least}x{bid.face} (halve)"
    return _plain_raise(rules.bidding_rule, standing, bid)


def _plain_raise(rule: str, standing: Bid, bid: Bid) -> str:
    if bid.face == standing.face:
        return f"on the same face the quantity must rise ({rule})"
    if bid.face > standing.face:
        return f"the quantity may not fall ({rule})"
    if rule == "reset-face":
        return f"with a lower face the quantity must rise ({rule})"
    return f"the face may not fall ({rule})"


# -- words -------------------------------------------------------------------------------------------


def _dudo(game: Game, seat: int, who: Callable[[int], str]) -> str:
    if game.standing is None:
        return "dudo needs a standing bid"
    return f"dudo is for the player on turn: {who(seat)} is not, {who(game.on_turn)} is"


def _calza(game: Game, seat: int, who: Callable[[int], str]) -> str:
    rules = game.ruleset
    if rules.calza == "off":
        return "calza is not played (off)"
    if game.standing is None:
        return "calza needs a standing bid"
    if game.round.palifico and not rules.calza_in_palifico:
        return "calza may not be called in a palifico round (calza_in_palifico)"
    if rules.calza == "turn" and seat != game.on_turn:
        return f"calza is for the player on turn: {who(seat)} is not, {who(game.on_turn)} is (turn)"
    if rules.calza == "others" and seat in (game.on_turn, game.bidder):
        role = "made the bid" if seat == game.bidder else "is next"
        return f"calza: only players who are neither bidder nor next; {who(seat)} {role} (others)"
    if not rules.calza_at_cap and game.dice[seat] >= rules.dice_cap:
        return f"calza: {who(seat)} has all {rules.dice_cap} dice (calza_at_cap)"
    return f"{who(seat)} has passed"


def _palifico(game: Game, seat: int, who: Callable[[int], str]) -> str:
    rules = game.ruleset
    live = sum(held > 0 for held in game.dice)
    if rules.palifico == "off":
        return "there are no palifico rounds (off)"
    if rules.palifico == "auto":
        return "palifico is not called: it comes by itself (auto)"
    if game.round.palifico:
        return "this is a palifico round already"
    if game.standing is not None:
        return "palifico is called before the first bid (call)"
    if seat != game.on_turn:
        return f"only the opener may call palifico; {who(game.on_turn)} opens (call)"
    if game.dice[seat] == 1 and live < rules.palifico_min_players:
        least = rules.palifico_min_players
        return f"palifico needs {least} players, {live} are left (palifico_min_players)"
    if game.dice[seat] == 1 and rules.palifico_once and seat in game.former:
        return f"{who(seat)} has had his palifico round (palifico_once)"
    return f"palifico: {who(seat)} has not just dropped to one die (call)"


def _tabba(game: Game, seat: int, who: Callable[[int], str]) -> str:
    if game.ruleset.tabba == "reject":
        return "tabba is not played (reject)"
    if game.standing is None:
        return "tabba needs a standing bid"
    then = reach(game, game.on_turn)
    if then is None or then.ask is None or Word.TABBA not in then.ask.words:
        return f"{game.standing} is no tabba: it broke no face rule (call)"
    if seat == game.bidder:
        return f"tabba: {who(seat)} made the bid (call)"
    return f"{who(seat)} has passed"


def _pass(game: Game, seat: int, who: Callable[[int], str]) -> str:
    if seat == game.on_turn:
        return f"{who(seat)} is on turn and may not pass"
    return f"{who(seat)} is not asked: there is nothing to pass on"
