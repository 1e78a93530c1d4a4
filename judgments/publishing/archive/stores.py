"""Where an archive is written: a folder, a zip, or the pieces of a zip that is being sent."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO, Protocol

from judgments.files.uploads import Folder

File = tuple[str, Iterable[bytes]]


class Store(Protocol):
    def write(self, path: str, pieces: Iterable[bytes]) -> None: ...


class FolderStore:
    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def write(self, path: str, pieces: Iterable[bytes]) -> None:
        with self.folder.open(path) as stream:
            for piece in pieces:
                stream.write(piece)


class ZipStore:
    """A zip with one folder in it. ``stream`` needs no seeking."""

    def __init__(self, stream: IO[bytes], folder: str) -> None:
        self.zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED)
        self.folder = folder

    def write(self, path: str, pieces: Iterable[bytes]) -> None:
        with self.zip.open(f"{self.folder}/{path}", "w", force_zip64=True) as stream:
            for piece in pieces:
                stream.write(piece)

    def close(self) -> None:
        self.zip.close()


class _Sent(io.RawIOBase):
    """Buffer for bytes that are not sent yet."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data) -> int:  # type: ignore[override]
        self.waiting.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        found = b"".join(self.waiting)
        self.waiting.clear()
        return found


def zipped(files: Iterable[File], folder: str) -> Iterator[bytes]:
    """Yield a zip of the files, piece by piece, as they are made: at most one of them is in
    memory."""
    sent = _Sent()
    store = ZipStore(sent, folder)  # type: ignore[arg-type]
    for path, pieces in files:
        store.write(path, pieces)
        yield sent.taken()
    store.close()
    yield sent.taken()
