"""Fails before its hello."""

raise RuntimeError("no such model file")
