"""The game of Perudo: rules, calls, dice. Pure: no clock, socket, file or process."""

from arena.game.ask import Ask
from arena.game.calls import Bid, Call, InvalidCall, Word, parse_call
from arena.game.dice import Deal, Dice, Hand, first_opener
from arena.game.game import Game, IllegalCall, Position, Round, count_dice
from arena.game.presets import DEFAULT, PRESETS, preset
from arena.game.ruleset import CHOICES, OPTIONS, Ruleset, RulesetError, parse_option

__all__ = [
    "CHOICES",
    "DEFAULT",
    "OPTIONS",
    "PRESETS",
    "Ask",
    "Bid",
    "Call",
    "Deal",
    "Dice",
    "Game",
    "Hand",
    "IllegalCall",
    "InvalidCall",
    "Position",
    "Round",
    "Ruleset",
    "RulesetError",
    "Word",
    "count_dice",
    "first_opener",
    "parse_call",
    "parse_option",
    "preset",
]
