"""Always raises, also where all dice are bid."""

from tests.hostile.bots.raw import answer, hello, receive

hello()
while True:
    ask = receive()
    calls = []
    for act in ask["acts"]:
        quantity, face = min(zip(act["min_quantity"], range(1, 7), strict=True))
        calls.append("pass" if "pass" in act["words"] else f"{quantity}x{face}")
    answer(ask, calls)
