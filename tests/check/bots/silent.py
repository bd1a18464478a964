"""Lives, and never says hello."""

import time

time.sleep(600)
