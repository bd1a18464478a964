"""Makes a call more than it was asked for."""

from tests.hostile.bots.raw import answer, any_call, hello, play_well, receive

hello()
ask = play_well(2)
answer(ask, [any_call(act) for act in ask["acts"]] + ["dudo"])
receive()
