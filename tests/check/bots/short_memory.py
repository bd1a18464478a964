"""Has room for 256 calls of a round."""

from tests.hostile.bots.raw import answer, hello, receive

hello()
while True:
    ask = receive()
    for act in ask["acts"]:
        room = [""] * 256
        for place, (_, call) in enumerate(act["calls"]):
            room[place] = call
    answer(ask)
