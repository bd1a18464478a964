"""What several commands share."""

from __future__ import annotations

from pathlib import Path

import click

results_folder = click.argument(
    "folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
"""The argument DIR: the results folder of a tournament."""
