"""The log: its schema, writing, recovery and reading; and the pandas tables made from it."""
