"""Works out the smallest quantities once per ask, from its first act."""

from tests.hostile.bots.raw import answer, any_call, hello, receive

hello()
while True:
    ask = receive()
    acts = ask["acts"]
    answer(ask, [any_call(act | {"min_quantity": acts[0]["min_quantity"]}) for act in acts])
