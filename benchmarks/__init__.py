"""How fast the arena is, beside loops that do less and programs alike: `python -m benchmarks`."""
