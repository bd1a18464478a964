"""Does not know that the face of a palifico round is bound."""

from typing import Any

from tests.hostile.bots.raw import answer, any_call, hello, receive


def call(act: dict[str, Any]) -> str:
    quantity, face = act["quantity"] + 1, act["face"] % 6 + 1
    if act["palifico"] and act["quantity"] and quantity <= act["max_quantity"]:
        return f"{quantity}x{face}"
    return any_call(act)


hello()
while True:
    ask = receive()
    answer(ask, [call(act) for act in ask["acts"]])
