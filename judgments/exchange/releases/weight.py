"""Whether an upload is small enough to be read while a page waits, also once it is unpacked."""

from __future__ import annotations

import zlib

from judgments.models import Upload

LIGHT = 2 * 2**20  # bytes
PACKED = (".gz", ".tgz")
# Their sizes are known only after unpacking; what people zip is seldom more than ten times smaller.
ZIPPED, ZIP_FACTOR = (".zip", ".xlsx"), 10


def is_light(upload: Upload) -> bool:
    """Return whether all files together, unpacked, have at most LIGHT bytes."""
    left = LIGHT - upload.n_bytes
    if left < 0:
        return False
    sizes = dict(upload.pieces.filter(position=0).values_list("file", "path"))
    for file, path in sizes.items():
        if path.endswith(ZIPPED):
            left -= ZIP_FACTOR * sum(len(p.content) for p in upload.pieces.filter(file=file))
        elif path.endswith(PACKED):
            content = b"".join(bytes(p.content) for p in upload.pieces.filter(file=file))
            left -= unpacked(content, left + 1)
        if left < 0:
            return False
    return True


def unpacked(content: bytes, most: int) -> int:
    """Return how many bytes a gzip file has unpacked, counted up to `most`; 0 for what is none."""
    n = 0
    while content and n < most:
        inflating = zlib.decompressobj(wbits=31)
        try:
            n += len(inflating.decompress(content, most))
        except zlib.error:
            return n
        content = inflating.unused_data
    return n
