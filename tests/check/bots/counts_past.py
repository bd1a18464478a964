"""Asks for rounds that are over, and thinks that all of them ended with dice on the table."""

from tests.hostile.bots.raw import answer, hello, receive

hello(past=True)
while True:
    ask = receive()
    for act in ask["acts"]:
        for past in act["past"]:
            mean = past["count"] / sum(map(len, past["hands"]))
    answer(ask)
