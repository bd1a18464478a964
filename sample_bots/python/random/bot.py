"""The smallest bot: any legal call, all equally likely."""

import perudo_bot


def call(question: perudo_bot.Question) -> str:
    calls = question.legal_calls()
    return calls[question.random % len(calls)]


if __name__ == "__main__":
    perudo_bot.run(call, name="random")
