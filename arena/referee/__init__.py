"""One worker: it launches bots, plays games with them, keeps the time and judges the calls."""
