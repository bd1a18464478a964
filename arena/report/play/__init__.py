"""How the bots play: from the tables to rates, means and curves, each with its interval."""

from arena.report.play.measures import MEASURES, Measure
from arena.report.play.read import Play, PlayReader, play_of, read_play
from arena.report.play.stakes import stakes, turning_points, win_chances
from arena.report.play.weigh import weigh

__all__ = [
    "MEASURES",
    "Measure",
    "Play",
    "PlayReader",
    "play_of",
    "read_play",
    "stakes",
    "turning_points",
    "weigh",
    "win_chances",
]
