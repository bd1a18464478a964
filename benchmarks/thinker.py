"""A bot that thinks for a millisecond, in its sleep: it costs the referee's machine next to nothing."""

import time

import perudo_bot

THINKING = 0.001


def call(question: perudo_bot.Question) -> str:
    time.sleep(THINKING)
    calls = question.legal_calls()
    return calls[question.random % len(calls)]


if __name__ == "__main__":
    perudo_bot.run(call, name="thinker")
