"""Perudo Arena: a referee for Perudo bots written in any language."""

__version__ = "0.1.0"
