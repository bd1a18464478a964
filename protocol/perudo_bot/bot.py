"""`Bot` and `run`: the conversation with the referee, one blocking loop around one socket; around many,
one after the other, where the bot is remote.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn, cast

import msgpack
import zmq

from perudo_bot.messages import End, Question, Start, Welcome
from perudo_bot.remote import LINGER_MS, Dropped, Keys, Line, find_keys, stop

PROTOCOL = 1
MAX_GAMES = 64
PAUSE = 0.1
"""Seconds before a connection that was lost is begun anew."""


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
        raise TypeError(f"{type(self).__name__} does not say what to call: override call()")

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

    With ARENA_SERVER_KEY, ARENA_PUBLIC_KEY and ARENA_SECRET_KEY the bot is remote (see SPEC.md): it is
    started by hand and plays launch after launch until it is interrupted. A class is made anew for each.
    """
    options = {
        "name": name,
        "version": version,
        "games": games,
        "out_of_turn": out_of_turn,
        "past": past,
    }

    def make() -> tuple[Bot, Callable[[Question], str]]:
        """Who plays the next launch: of a class a new one."""
        made = bot() if isinstance(bot, type) and issubclass(bot, Bot) else bot
        call: Callable[[Question], str]
        if isinstance(made, Bot):
            player, call = made, made.call
        else:
            player, call = Bot(), cast("Callable[[Question], str]", made)
            player.games = MAX_GAMES
        for option, value in options.items():
            if value is not None:
                setattr(player, option, value)
        return player, call

    endpoint = os.environ.get("ARENA_ENDPOINT")
    if not endpoint:
        stop(2, "a bot is started by the arena, which tells it ARENA_ENDPOINT and ARENA_TOKEN")
    keys = find_keys(os.environ, endpoint)
    try:
        if keys is not None:
            _play_remotely(make, endpoint, keys)
        elif endpoint.startswith("tcp:"):
            with Line(endpoint, None, set()) as line:
                _play_launch(*make(), line.receive, line.send)
        else:
            with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
                socket.linger = LINGER_MS
                socket.connect(endpoint)
                _play_launch(*make(), socket.recv, socket.send)
    except Dropped:
        stop(1, "the arena is gone")
    except KeyboardInterrupt:
        sys.exit(130)


def _play_launch(
    bot: Bot, call: Callable[[Question], str], receive: Callable[[], bytes], send: Callable[[bytes], Any]
) -> None:
    """One launch on this machine: greet, then answer every ask until bye. Nothing in this loop that a
    single question does not need.
    """
    _greet(bot, receive, send)
    unpack, pack = msgpack.unpackb, msgpack.Packer().pack
    while True:
        ask = unpack(receive(), use_list=False)
        if ask["type"] != "ask":
            return
        send(pack({"type": "answer", "id": ask["id"], "calls": _calls(bot, call, ask)}))


def _play_remotely(
    make: Callable[[], tuple[Bot, Callable[[Question], str]]],
    endpoint: str,
    keys: Keys,
) -> None:
    """Launch after launch, over as many connections as it takes; one launch where ARENA_ONCE is set.

    After a new connection the open ask comes again, byte for byte. If it was answered, the same answer
    goes back, so that the bot is not told twice that a game began.
    """
    told: set[str] = set()
    bot, call = make()
    latest, ask_frame, answer_frame = 0, b"", b""
    while True:
        try:
            with Line(endpoint, keys, told) as line:
                _greet(bot, line.receive, line.send)
                while True:
                    frame = line.receive()
                    if frame != ask_frame:
                        ask = msgpack.unpackb(frame, use_list=False)
                        if ask["type"] == "refused":
                            _refused(ask)
                        if ask["type"] != "ask":
                            break
                        if ask["id"] <= latest:  # the launch before ended without bye
                            welcome = bot.welcome
                            bot, call = make()
                            bot.welcome = welcome
                        calls = _calls(bot, call, ask)
                        answer = {"type": "answer", "id": ask["id"], "calls": calls}
                        latest, ask_frame, answer_frame = ask["id"], frame, msgpack.packb(answer)
                    line.send(answer_frame)
        except Dropped:
            time.sleep(PAUSE)
            continue
        if os.environ.get("ARENA_ONCE") == "1":
            return
        bot, call = make()
        latest, ask_frame = 0, b""


def _greet(bot: Bot, receive: Callable[[], bytes], send: Callable[[bytes], Any]) -> None:
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
    send(msgpack.packb(hello))
    reply = msgpack.unpackb(receive(), use_list=False)
    if reply["type"] != "welcome":
        _refused(reply)
    bot.welcome = Welcome(reply)


def _calls(bot: Bot, call: Callable[[Question], str], ask: dict[str, Any]) -> list[str]:
    """What the bot calls, after it was told what ended and began."""
    for end in ask["ends"]:
        bot.ended(End(end))
    for start in ask["starts"]:
        bot.started(Start(start))
    acts = ask["acts"]
    bot.time_ms = ask["time_ms"]
    bot.questions = len(acts)
    return [call(Question(act)) for act in acts]


def _refused(reply: dict[str, Any]) -> NoReturn:
    stop(1, f"the arena refused the bot: {reply.get('reason', reply['type'])}")
