"""The sandbox levels as parameters of tests; the strongest is skipped where it does not work."""

from __future__ import annotations

import pytest

from arena.referee.probe import obstacle
from arena.referee.sandbox import Level

NO_BWRAP = obstacle(Level.BWRAP)
needs_bwrap = pytest.mark.skipif(bool(NO_BWRAP), reason=NO_BWRAP)

BWRAP = pytest.param(Level.BWRAP, marks=needs_bwrap)
LEVELS = [Level.NONE, Level.LIMITS, BWRAP]
HOLDING = [Level.LIMITS, BWRAP]
"""Those that hold a bot at all."""
