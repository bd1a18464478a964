"""Your bot: fill in `decide`. The rest is done."""

import perudo_bot


def decide(question: perudo_bot.Question) -> str:
    """Your call: a bid such as "3x5", or one of `question.words`.

    `question.hand` is your dice, `question.dice` how many each seat holds, `question.quantity` and
    `question.face` the standing bid (0 and 0 = none). It helps with `legal_calls()`, `legal_bids()`,
    `minimum(face)`, `count(face)`, `unseen` and `out_of_turn`.
    """
    # For now: the smallest bid there is, and a doubt where there is none.
    bids = [(quantity, face) for face in range(1, 7) if (quantity := question.minimum(face)) is not None]
    return perudo_bot.bid(*min(bids)) if bids else question.words[0]


if __name__ == "__main__":
    perudo_bot.run(decide, name="template-py", version="1")
