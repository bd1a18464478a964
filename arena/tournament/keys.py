"""Key files: two lines that TOML and shells read alike."""

from __future__ import annotations

import os
from pathlib import Path

import zmq

from arena.referee.gateway import PUBLIC, SECRET

TEXT = """\
# A key pair for remote bots of the Perudo Arena. Keep it secret; only the public key is for others.
{PUBLIC}='{public}'
{SECRET}='{secret}'
"""


def write_key_file(path: Path) -> str:
    """Make a key pair and keep it in a new file that nobody else can read; the public key.

    Raises `OSError`; an existing file is never touched.
    """
    public, secret = (key.decode() for key in zmq.curve_keypair())
    text = TEXT.format(PUBLIC=PUBLIC, SECRET=SECRET, public=public, secret=secret)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "w") as stream:
        stream.write(text)
    return public
