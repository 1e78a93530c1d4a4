"""Log files that are added to, and never grow without end: one old part is kept."""

import contextlib
import os
import shutil
from pathlib import Path
from typing import BinaryIO

LARGEST = 10_000_000  # bytes; then what is in the file becomes its old part, `NAME.1`
TAIL = 65_536


def open_to_append(path: Path) -> BinaryIO:
    """Return its writers add at the end, wherever that is, so the file may be shortened below
    them."""
    bound(path)
    return open(path, "ab")


def bound(path: Path) -> None:
    """Put away what is in a file that has become too large, also while it is written to.

    A line that is written between the copy and the cut is lost; a server that is told to open its
    log again would have to be asked in its own way, each in another. On a full disk the old part is
    given up: making room matters more.
    """
    if size(path) > LARGEST:
        with contextlib.suppress(OSError):
            shutil.copyfile(path, path.with_name(path.name + ".1"))
        os.truncate(path, 0)


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def said(path: Path, since: int = 0) -> str:
    """Return what was written from the byte `since` on, of that the last part at most."""
    with open(path, "rb") as file:
        file.seek(max(since, size(path) - TAIL))
        return file.read().decode(errors="replace")
