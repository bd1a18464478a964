"""Write a bot for the Perudo Arena in Python: a function from question to call, and `run`.

::

    import perudo_bot

    def call(question):
        return "dudo" if "dudo" in question.words else question.legal_bids()[0]

    perudo_bot.run(call)
"""

from perudo_bot.bot import Bot, run
from perudo_bot.messages import End, Past, Question, Start, Welcome, bid, parse_bid

__version__ = "0.1.0"

__all__ = ["Bot", "End", "Past", "Question", "Start", "Welcome", "bid", "parse_bid", "run"]
