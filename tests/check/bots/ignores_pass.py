"""Asks for questions out of turn, and doubts when it is asked one."""

from tests.hostile.bots.raw import answer, any_call, hello, receive

hello(out_of_turn=True)
while True:
    ask = receive()
    answer(ask, ["dudo" if "pass" in act["words"] else any_call(act) for act in ask["acts"]])
