"""Says hello before each answer."""

from tests.hostile.bots.raw import TOKEN, answer, hello, receive, send

hello()
while True:
    ask = receive()
    send({"type": "hello", "protocol": 1, "token": TOKEN})
    answer(ask)
