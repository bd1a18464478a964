"""Plays any legal call until it is told goodbye."""

from tests.hostile.bots.raw import hello, play_well

hello()
play_well()
