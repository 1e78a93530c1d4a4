"""How long a WebM file lasts, as its head says: the element Info of Matroska (RFC 9559, 5.1.2),
which is written in EBML (RFC 8794).

Nothing else is looked into: other elements are passed over by their sizes, and no more is read than
a few bytes of each. A recording that was never finished, as browsers make them, has no length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO

HEADER, SEGMENT, INFO = 0x1A45DFA3, 0x18538067, 0x1549A966
TIMESTAMP_SCALE, DURATION = 0x2AD7B1, 0x4489
NANOSECONDS = 1_000_000  # of a tick, where the file does not say
MOST_ELEMENTS = 10_000  # in a file; Info stands among the first few
LONGEST_ID, LONGEST_SIZE = 4, 8  # bytes
FLOATS = {4: ">f", 8: ">d"}


def seconds_of_webm(path: Path) -> float | None:
    """Return none where the file does not say, or is not as it should be."""
    with path.open("rb") as stream:
        end = path.stat().st_size
        for name, start, after in _elements(stream, 0, end):
            if name != SEGMENT:
                continue
            for child, first, last in _elements(stream, start, after):
                if child == INFO:
                    return _duration(stream, first, last)
            return None
    return None


def _duration(stream: IO[bytes], start: int, end: int) -> float | None:
    ticks, scale = None, NANOSECONDS
    for name, first, last in _elements(stream, start, end):
        n = last - first
        if name == TIMESTAMP_SCALE and 0 < n <= 8:
            stream.seek(first)
            scale = int.from_bytes(stream.read(n), "big")
        elif name == DURATION and n in FLOATS:
            stream.seek(first)
            (ticks,) = struct.unpack(FLOATS[n], stream.read(n))
    return None if ticks is None else ticks * scale / 1e9


def _elements(stream: IO[bytes], start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield (name, where its content begins, where it ends) of the elements of a stretch, up to one
    that does not fit into it. One of unknown size ends where the stretch does."""
    for _ in range(MOST_ELEMENTS):
        stream.seek(start)
        name = _number(stream, LONGEST_ID, keeps_marker=True)
        size = _number(stream, LONGEST_SIZE, keeps_marker=False)
        first = stream.tell()
        if name is None or size is None or first > end:
            return
        after = end if size < 0 else first + size
        if after > end:
            return
        yield name, first, after
        start = after


def _number(stream: IO[bytes], longest: int, *, keeps_marker: bool) -> int | None:
    """Return a number whose first byte says by its leading zeros how many bytes follow; −1:
    unknown, all bits being set. None where there is none."""
    head = stream.read(1)
    if not head:
        return None
    n = 9 - head[0].bit_length()  # bytes, this one included
    rest = stream.read(n - 1) if n <= longest else b""
    if n > longest or len(rest) < n - 1:
        return None
    value = int.from_bytes(head + rest, "big")
    if keeps_marker:
        return value
    value -= 1 << 7 * n
    return -1 if value == (1 << 7 * n) - 1 else value
