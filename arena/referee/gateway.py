"""The gateway of a remote bot: what the arena launches in place of a program on this machine.

    python -I gateway.py LISTEN PUBLIC_KEY KEY_FILE

It listens at LISTEN, a tcp:// address, under the arena's own key (CURVE: encrypted, both sides proven),
lets in the holder of one key, and relays frames between it and the door of this launch. To the referee
it is the bot, and what the bot sends is judged there. The gateway keeps what a bot needs that lost its
connection: hello again, on a new connection, gets it the welcome again and the ask that is open.

The rules of this file. The connection that said hello last is the bot; the one before it is refused. An
answer before the hello is dropped: it belongs to an earlier launch. With bye it is over.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import msgpack
import zmq
from zmq.utils import z85

MAX_FRAME = 65_536
"""As in the SPEC. Larger frames are passed on too, for the referee to name the fault."""
HARD_LIMIT = 4 * MAX_FRAME
"""Frames beyond this are cut off by ZeroMQ, with the connection. Strangers may fill as much each."""
MEMORY_STEP = 128 << 20
"""Bytes by which this process may grow: a message without end never reaches it, but fills it."""
SLICE_MS = 100
QUEUE = 128
"""Messages to the referee: more than it takes to be a flood."""
BIND_SECONDS = 3.0
"""The gateway of the launch before may take a moment to leave the port."""
HEARTBEAT_MS = 2000
SILENCE_MS = 6000
"""A connection whose other end does not answer heartbeats for so long is over."""
HANDSHAKE_MS = 5000
LINGER_MS = 500
"""Time for the bye to leave."""
MAX_NOTES = 20
PUBLIC, SECRET = "ARENA_PUBLIC_KEY", "ARENA_SECRET_KEY"
SETTLED = {"protocol": None, "games": 1, "out_of_turn": False, "past": False}
"""What a launch's hello settles, with the defaults: hello again has to say the same."""

Socket = zmq.Socket[bytes]


def read_key_file(path: Path) -> tuple[bytes, bytes]:
    """Public and secret key of a file that `arena keygen` wrote. Raises OSError, ValueError."""
    try:
        table = tomllib.loads(path.read_text())
        public, secret = table[PUBLIC].encode(), table[SECRET].encode()
        fits = zmq.curve_public(secret) == public
    except (KeyError, AttributeError, ValueError, zmq.ZMQError):
        raise ValueError("it is no key file; arena keygen makes one") from None
    if not fits:
        raise ValueError("its public key does not belong to its secret key")
    return public, secret


class Gateway:
    """`run` relays until bye, then returns the exit code."""

    def __init__(self, listen: str, bot_key: str, keys: tuple[bytes, bytes]) -> None:
        self.bot_key = bot_key
        self.peer = b""
        self.hello: dict[str, Any] | None = None
        self.welcome = b""
        self.ask = b""
        """The open ask, to be sent again; empty where none is."""
        self.open_id = 0
        self.again_id = 0
        """The last ask that was sent more than once: it may be answered more than once."""
        self.over = False
        self.notes = 0
        self.memory = resident_bytes()
        self.context: zmq.Context[Socket] = zmq.Context()
        self.door = self.context.socket(zmq.DEALER)
        self.door.sndhwm = QUEUE
        self.door.connect(os.environ["ARENA_ENDPOINT"])
        self.keeper = self.context.socket(zmq.REP)
        self.keeper.bind("inproc://zeromq.zap.01")
        self.public = self._listen(listen, keys)

    def _listen(self, listen: str, keys: tuple[bytes, bytes]) -> Socket:
        public = self.context.socket(zmq.ROUTER)
        public.curve_publickey, public.curve_secretkey = keys
        public.curve_server = 1
        public.zap_domain = b"bots"
        public.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
        public.sndhwm = public.rcvhwm = 16
        public.maxmsgsize = HARD_LIMIT
        public.handshake_ivl = HANDSHAKE_MS
        public.heartbeat_ivl = HEARTBEAT_MS
        public.heartbeat_timeout = public.heartbeat_ttl = SILENCE_MS
        public.ipv6 = "[" in listen
        public.setsockopt(zmq.ROUTER_MANDATORY, 1)
        public.setsockopt(zmq.ROUTER_HANDOVER, 1)  # for a bot that keeps a routing id of its own
        deadline = time.monotonic() + BIND_SECONDS
        while True:
            try:
                public.bind(listen)
                return public
            except zmq.ZMQError as error:
                if error.errno != zmq.EADDRINUSE or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def run(self) -> int:
        poller = zmq.Poller()
        for each in (self.keeper, self.public, self.door):
            poller.register(each, zmq.POLLIN)
        while not self.over:
            ready = dict(poller.poll(SLICE_MS))
            if self.keeper in ready:
                self.admit()
            if self.public in ready:
                peer, *frames = self.public.recv_multipart()
                self.hear_bot(peer, frames)
            if self.door in ready:
                self.hear_referee(self.door.recv())
            if not self.public.closed and resident_bytes() - self.memory > MEMORY_STEP:
                self.note("the bot sends a message without end")
                self.forward([bytes(MAX_FRAME + 1)])  # the referee calls it oversize
                poller.unregister(self.public)
                self.public.close(0)
        self.context.destroy(LINGER_MS)
        return 0

    # -- who comes in ------------------------------------------------------------------------------

    def admit(self) -> None:
        """Answer ZeroMQ's question (ZAP) whether the holder of a key may come in."""
        version, request, _domain, address, _identity, mechanism, *credentials = (
            self.keeper.recv_multipart()
        )
        key = z85.encode(credentials[0]).decode() if mechanism == b"CURVE" and credentials else "none"
        if key == self.bot_key:
            told = [b"200", b"OK", key.encode(), b""]
        else:
            self.note(f"refused a connection from {address.decode()}: its key is {key}")
            told = [b"400", b"not the key of this bot", b"", b""]
        self.keeper.send_multipart([version, request, *told])

    # -- relaying ----------------------------------------------------------------------------------

    def hear_bot(self, peer: bytes, frames: list[bytes]) -> None:
        message = decode(frames)
        if message.get("type") == "hello":
            self.greet(peer, message)
        elif peer != self.peer and (self.hello is not None or message.get("type") == "answer"):
            self.note("dropped a message of a connection that has not said hello")
        elif message.get("type") == "answer" and message.get("id") == self.open_id:
            if self.ask or self.again_id != self.open_id:
                self.forward(frames)
            self.ask = b""
        else:
            self.forward(frames)

    def greet(self, peer: bytes, hello: dict[str, Any]) -> None:
        """A hello: the first goes to the referee, one that comes again is answered here."""
        if self.hello is not None and settled(hello) != settled(self.hello):
            self.refuse(peer, f"a hello that comes again must say the same: {settled(self.hello)}")
            return
        if self.peer and peer != self.peer:
            self.note("the bot said hello on a new connection")
            self.refuse(self.peer, "another program has said hello with this key")
        self.peer = peer
        if self.hello is None:
            self.hello = hello
            token = os.environ.get("ARENA_TOKEN", "")
            self.forward([msgpack.packb(hello | {"token": token})])
        elif self.welcome:
            self.tell(self.welcome)
            if self.ask:
                self.again_id = self.open_id
                self.tell(self.ask)

    def hear_referee(self, frame: bytes) -> None:
        message = decode([frame])
        kind = message.get("type")
        if kind == "welcome":
            self.welcome = frame
        elif kind == "refused":
            self.hello = None
        elif kind == "ask":
            self.ask, self.open_id = frame, message["id"]
        elif kind == "bye":
            self.over = True
        self.tell(frame)

    def forward(self, frames: list[bytes]) -> None:
        """Send to the referee. What a flood piles up beyond the queue is lost."""
        with contextlib.suppress(zmq.Again):
            self.door.send_multipart(frames, zmq.NOBLOCK)

    def refuse(self, peer: bytes, reason: str) -> None:
        self.tell(msgpack.packb({"type": "refused", "protocol": 1, "reason": reason}), peer)

    def tell(self, frame: bytes, peer: bytes | None = None) -> None:
        """Send without waiting. A bot that is gone or does not read misses it: it may come again."""
        with contextlib.suppress(zmq.ZMQError):
            self.public.send_multipart([self.peer if peer is None else peer, frame], zmq.NOBLOCK)

    def note(self, text: str) -> None:
        """Print, as the output of this bot; not without end, for strangers can cause it."""
        self.notes += 1
        if self.notes <= MAX_NOTES:
            print(f"gateway: {text}", flush=True)


def decode(frames: list[bytes]) -> dict[str, Any]:
    """The map of a message; an empty one for anything that is none."""
    if len(frames) != 1 or len(frames[0]) > MAX_FRAME:
        return {}
    try:
        message = msgpack.unpackb(frames[0])
    except (ValueError, TypeError, RecursionError, OverflowError):
        return {}
    return message if isinstance(message, dict) else {}


def settled(hello: dict[str, Any]) -> dict[str, Any]:
    return {key: hello.get(key, default) for key, default in SETTLED.items()}


def resident_bytes() -> int:
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main(listen: str, bot_key: str, key_file: str) -> int:
    try:
        keys = read_key_file(Path(key_file))
    except (OSError, ValueError) as error:
        print(f"gateway: {key_file}: {getattr(error, 'strerror', None) or error}")
        return 1
    try:
        gateway = Gateway(listen, bot_key, keys)
    except zmq.ZMQError as error:
        print(f"gateway: cannot listen at {listen}: {os.strerror(error.errno or 0)}")
        return 1
    return gateway.run()


if __name__ == "__main__":
    code = main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)
