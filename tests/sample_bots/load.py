"""Sample bots as modules: their decisions, without a process."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

SAMPLES = Path(__file__).parents[2] / "sample_bots"


def load(bot: str) -> ModuleType:
    """The module of a Python bot, such as "python/honest"."""
    spec = spec_from_file_location(bot.replace("/", "_"), SAMPLES / bot / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
