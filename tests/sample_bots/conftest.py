"""The kit is imported from where it lies; bots get it the same way (see `tests.protocol.talk`)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "protocol"))
