"""Append-only log files of bounded size: one old part is kept."""

import contextlib
import os
import shutil
from pathlib import Path
from typing import BinaryIO

LARGEST = 10_000_000  # bytes; then the content becomes the old part, `NAME.1`
TAIL = 65_536


def open_to_append(path: Path) -> BinaryIO:
    """Return the file in append mode: writers add at the end, so it may be truncated below them."""
    bound(path)
    return open(path, "ab")


def bound(path: Path) -> None:
    """Rotate a file that has become too large, also while it is written to.

    A line that is written between the copy and the truncation is lost; servers that can reopen
    their logs would each have to be asked in a different way. On a full disk the old part is
    dropped: making room matters more.
    """
    if size(path) > LARGEST:
        with contextlib.suppress(OSError):
            shutil.copyfile(path, path.with_name(path.name + ".1"))
        os.truncate(path, 0)


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def said(path: Path, since: int = 0) -> str:
    """Return the text written from the byte `since` on, at most its last part."""
    with open(path, "rb") as file:
        file.seek(max(since, size(path) - TAIL))
        return file.read().decode(errors="replace")
