"""How the text of a log becomes the bytes of a file: as it is, or as gzip members (RFC 1952).

A compressed log is an ordinary gzip file. Each append to it ends in a sync flush: an empty deflate
block that brings the stream to a whole byte, after which all text so far can be read, however the
writer ends. So games of small tasks are compressed together, though each is in the file at once. A
member is closed, with its checksum, when it holds `MEMBER` bytes of text, and when the writer closes.

A kill therefore leaves at most one *open* member, the last, and at most one append of it torn; its end
is found by its last sync flush, and `mend` cuts it there and closes it by hand.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from zlib import _Compress

SUFFIX = ".gz"
MEMBER = 1 << 20
"""Bytes of text after which a member is closed."""
LEVEL = 6
_GZIP = 16 + zlib.MAX_WBITS
_PIECE = 1 << 18
"""Bytes that are read, and at most made, at once."""
_HEADER = 10
"""Bytes of a member's header as zlib writes it: no name, no comment, nothing extra."""
_PLAIN_HEADER = b"\x1f\x8b\x08\x00"
_SYNC = b"\x00\x00\xff\xff"
"""A sync flush ends in the length of an empty stored block and its complement (RFC 1951, 3.2.4)."""
_LAST_BLOCK = b"\x03\x00"
"""A final block without content; it may follow a sync flush."""


@dataclass(frozen=True)
class Packer:
    """The state of an appending writer. `pack` gives the bytes for some text and the state after them;
    a writer whose write fails keeps the old state.
    """

    zipped: bool
    _open: _Compress | None = None
    _size: int = 0

    def pack(self, text: bytes) -> tuple[bytes, Packer]:
        if not self.zipped or not text:
            return text, self
        stream = self._open.copy() if self._open else zlib.compressobj(LEVEL, zlib.DEFLATED, _GZIP)
        size = self._size + len(text)
        data = stream.compress(text)
        if size >= MEMBER:
            return data + stream.flush(), Packer(True)
        return data + stream.flush(zlib.Z_SYNC_FLUSH), Packer(True, stream, size)

    def end(self) -> bytes:
        """What closes the file."""
        return self._open.copy().flush() if self._open else b""


@dataclass(frozen=True)
class Tear:
    """Where an open member ends: at byte `at` of a file, after its last whole append. `closing` follows
    there to close it; what follows now, `lost` bytes, is an append that was being written.
    """

    at: int
    closing: bytes
    lost: int


class Unpacker:
    """The text of a compressed log, piece by piece, to where it is whole or torn; some of the append
    that is torn is among it. After `pieces` is exhausted, `tear` tells of a torn end.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.member = 0
        """The byte where the member begins that is being read."""
        self.tear: Tear | None = None
        self._file = file

    def pieces(self) -> Iterator[bytes]:
        """Raises `zlib.error` where the file is damaged in a way that no kill explains."""
        size = self._file.seek(0, os.SEEK_END)
        end = self._without_zeros(size)
        self._file.seek(0)
        stream, data, read = None, b"", 0
        while data or read < end:
            if not data:
                data = self._file.read(min(_PIECE, end - read))
                read += len(data)
                if not data:
                    break
            if stream is None:
                stream, self.member = zlib.decompressobj(_GZIP), read - len(data)
            piece = stream.decompress(data, _PIECE)
            if piece:
                yield piece
            data = stream.unused_data if stream.eof else stream.unconsumed_tail
            if stream.eof:
                stream, self.member = None, read - len(data)
        if stream is not None:
            while piece := stream.decompress(b"", _PIECE):
                yield piece
            # A member ends in its size, so up to three of the zeros may belong to it.
            zeros = b"\0" * min(3, size - end)
            with suppress(zlib.error):
                stream.decompress(zeros)
            if stream.eof:
                self.member = end = end + len(zeros) - len(stream.unused_data)
        if self.member < size:
            self.tear = self._find_tear(end, size)

    def _find_tear(self, end: int, size: int) -> Tear:
        """Where the last member, open or nothing but zeros, is torn. Raises `zlib.error` where no kill
        can have left it so: what is torn is less than an append, and never in the first member.
        """
        if not self.member:
            raise zlib.error("it does not begin with a whole header")
        self._file.seek(self.member)
        data = self._file.read(end - self.member)
        kept, closing = _whole_appends(data)
        begun = data[kept:]
        may_begin = _PLAIN_HEADER.startswith(data[: len(_PLAIN_HEADER)])
        if _SYNC in begun or _PLAIN_HEADER in begun[1:] or not may_begin:
            raise zlib.error("more than an append is torn")
        at = self.member + kept
        return Tear(at, closing, size - at)

    def _without_zeros(self, size: int) -> int:
        """The size of the file without the zeros at its end, which a power cut leaves."""
        while size:
            begin = max(0, size - _PIECE)
            self._file.seek(begin)
            left = len(self._file.read(size - begin).rstrip(b"\0"))
            size = begin + left
            if left:
                break
        return size


def mend(path: Path, tear: Tear) -> None:
    """Cut what is torn, and close the open member."""
    with path.open("r+b") as file:
        # Killed between these two, it is what it was before: a file with an open member.
        file.truncate(tear.at)
        file.seek(tear.at)
        file.write(tear.closing)
        file.flush()
        os.fsync(file.fileno())


def last_text(path: Path) -> bytes:
    """The text of the last member that this module wrote, as far as it is whole; b"" if there is none
    near the end of the file.
    """
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4 * MEMBER))
        data = file.read()
    at = data.rfind(_PLAIN_HEADER)
    while at >= 0:
        try:
            return zlib.decompressobj(_GZIP).decompress(data[at:])
        except zlib.error:
            at = data.rfind(_PLAIN_HEADER, 0, at)
    return b""


def _whole_appends(data: bytes) -> tuple[int, bytes]:
    """Bytes of an open member up to its last sync flush, and what closes it there; (0, b"") without."""
    at = len(data) if data.startswith(_PLAIN_HEADER) else 0
    while (at := data.rfind(_SYNC, _HEADER, at)) >= 0:
        kept = at + len(_SYNC)
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        text = b""
        with suppress(zlib.error):
            text = stream.decompress(data[_HEADER:kept] + _LAST_BLOCK)
        # These four bytes may also stand by chance inside a block, which then does not end here.
        if stream.eof and text.endswith(b"\n"):
            return kept, _LAST_BLOCK + struct.pack("<II", zlib.crc32(text), len(text) & 0xFFFFFFFF)
        at += len(_SYNC) - 1
    return 0, b""
