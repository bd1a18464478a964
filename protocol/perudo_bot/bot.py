"""`Bot` and `run`: the conversation with the referee, one blocking loop around one socket."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NoReturn, cast

import msgpack
import zmq

from perudo_bot.messages import End, Question, Start, Welcome

PROTOCOL = 1
MAX_GAMES = 64
LINGER_MS = 100
"""How long a bot that ends waits for its last message to leave, in milliseconds."""


class Bot:
    """A bot with a memory: override `call`, and what else it needs.

    name         how it calls itself, at most 64 characters
    version      of the bot, as its author numbers it
    games        most games it plays at once, 1 to 64; `question.game` tells them apart
    out_of_turn  whether it wants to be asked when another seat is on turn (calza, tabba)
    past         whether it wants to be told the rounds that are over
    """

    name: str = ""
    version: str = ""
    games: int = 1
    out_of_turn: bool = False
    past: bool = False

    welcome: Welcome
    """What the referee said first: limits in milliseconds."""
    time_ms: int = 0
    """Milliseconds for the whole answer that is being worked on: `questions` calls together."""
    questions: int = 0

    def call(self, question: Question) -> str:
        """The call: a bid such as "3x5", or one of `question.words`."""
        raise NotImplementedError

    def started(self, start: Start) -> None:
        """A game begins."""

    def ended(self, end: End) -> None:
        """A game is over."""


def run(
    bot: Bot | type[Bot] | Callable[[Question], str],
    *,
    name: str | None = None,
    version: str | None = None,
    games: int | None = None,
    out_of_turn: bool | None = None,
    past: bool | None = None,
) -> None:
    """Play until the referee says bye. Options given here outrank those of the class.

    A function remembers nothing, so it plays up to 64 games at once unless `games` says otherwise.
    Exits with 2 where the arena did not start the program, with 1 where it refuses the bot. What
    `bot` raises ends the program with its traceback, which the referee keeps.
    """
    if isinstance(bot, type) and issubclass(bot, Bot):
        bot = bot()
    call: Callable[[Question], str]
    if isinstance(bot, Bot):
        player, call = bot, bot.call
    else:
        player, call = Bot(), cast("Callable[[Question], str]", bot)
        player.games = MAX_GAMES
    options = {
        "name": name,
        "version": version,
        "games": games,
        "out_of_turn": out_of_turn,
        "past": past,
    }
    for option, value in options.items():
        if value is not None:
            setattr(player, option, value)
    endpoint = os.environ.get("ARENA_ENDPOINT")
    if not endpoint:
        _stop(2, "a bot is started by the arena, which tells it ARENA_ENDPOINT and ARENA_TOKEN")
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = LINGER_MS
        socket.connect(endpoint)
        try:
            _greet(player, socket)
            _play(player, call, socket)
        except KeyboardInterrupt:
            sys.exit(130)


def _greet(bot: Bot, socket: zmq.Socket[bytes]) -> None:
    """Say hello and read the answer. Exits where the bot is refused."""
    hello = {
        "type": "hello",
        "protocol": PROTOCOL,
        "token": os.environ.get("ARENA_TOKEN", ""),
        "name": bot.name,
        "version": bot.version,
        "language": f"Python {sys.version_info[0]}.{sys.version_info[1]}",
        "games": bot.games,
        "out_of_turn": bot.out_of_turn,
        "past": bot.past,
    }
    socket.send(msgpack.packb(hello))
    reply = msgpack.unpackb(socket.recv(), use_list=False)
    if reply["type"] != "welcome":
        _stop(1, f"the arena refused the bot: {reply.get('reason', reply['type'])}")
    bot.welcome = Welcome(reply)


def _play(bot: Bot, call: Callable[[Question], str], socket: zmq.Socket[bytes]) -> None:
    """Answer every ask until bye. Nothing in this loop that a single question does not need."""
    receive, send = socket.recv, socket.send
    unpack, pack = msgpack.unpackb, msgpack.Packer().pack
    while True:
        ask = unpack(receive(), use_list=False)
        if ask["type"] != "ask":
            return
        for end in ask["ends"]:
            bot.ended(End(end))
        for start in ask["starts"]:
            bot.started(Start(start))
        acts = ask["acts"]
        bot.time_ms = ask["time_ms"]
        bot.questions = len(acts)
        calls = [call(Question(act)) for act in acts]
        send(pack({"type": "answer", "id": ask["id"], "calls": calls}))


def _stop(code: int, message: str) -> NoReturn:
    print(f"perudo_bot: {message}", file=sys.stderr)
    sys.exit(code)
