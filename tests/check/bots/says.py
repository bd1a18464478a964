"""Says hello with what its argument adds, a JSON map; then it plays well."""

import json
import sys

from tests.hostile.bots.raw import hello, play_well

hello(**json.loads(sys.argv[1]))
play_well()
