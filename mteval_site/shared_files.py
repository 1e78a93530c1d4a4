"""Files that all hosts of a site share: media, snapshots of observations, computed results.

With one host, they are in folders. With MTEVAL_OBJECT_STORE=s3://BUCKET/PREFIX, they are in a
bucket of any service with the interface of Amazon S3, and the folders of a host have copies of what
it has used. A name always stands for the same bytes, so no copy is ever out of date.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage, storages

ALIAS = "shared"  # in settings.STORAGES, if there is an object store
NEW = ".new-"  # prefix of unfinished copies
NOT_FOUND = 404
REST = 30.0  # seconds without requests to a store that has failed

logger = logging.getLogger(__name__)


class StoreAway(OSError):
    """The object store cannot be reached, or refuses a request."""


class Bucket:
    """One folder of the object store. After a failure it is left alone for a while, so that no
    request waits for a store that is away."""

    away_until = 0.0  # of the process

    def __init__(self, part: str) -> None:
        self.part = part

    def read(self, name: str) -> bytes:
        """Return a file's content. Raise FileNotFoundError, StoreAway."""
        return b"".join(self.pieces(name))

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a file's content. Raise FileNotFoundError, StoreAway."""
        with _reaching(), self._storage.open(self._key(name)) as stream:
            yield from stream.chunks()

    def write(self, name: str, content: bytes | File) -> None:
        """Store a file, in place of another one of this name. Raise StoreAway."""
        file = ContentFile(content) if isinstance(content, bytes) else content
        with _reaching():
            self._storage.save(self._key(name), file)

    def names(self, folder: str = "") -> list[str]:
        """Return the names of the files in a folder, and not of those below it. Raise StoreAway."""
        with _reaching():
            _, files = self._storage.listdir(self._key(folder))
        return [f"{folder}/{name}" if folder else name for name in files]

    def folders(self, folder: str = "") -> list[str]:
        """Return the names of the folders in a folder. Raise StoreAway."""
        with _reaching():
            found, _ = self._storage.listdir(self._key(folder))
        return [f"{folder}/{name}" if folder else name for name in found]

    def written_at(self, name: str) -> float:
        """Return when a file was stored, in seconds since 1970. Raise FileNotFoundError,
        StoreAway."""
        with _reaching():
            return self._storage.get_modified_time(self._key(name)).timestamp()

    def delete(self, names: Iterable[str]) -> None:
        """Delete files that may exist. Raise StoreAway."""
        for name in names:
            with _reaching():
                self._storage.delete(self._key(name))

    @functools.cached_property
    def _storage(self) -> Storage:
        return storages[ALIAS]

    def _key(self, name: str) -> str:
        return f"{self.part}/{name}" if name else self.part


@contextlib.contextmanager
def _reaching() -> Iterator[None]:
    """A block that talks to the store: its failures become StoreAway, and end talking for REST
    seconds."""
    if time.monotonic() < Bucket.away_until:
        raise StoreAway("the object store was away a moment ago")
    try:
        yield
    except (FileNotFoundError, StoreAway):
        raise
    except Exception as error:
        response: dict[str, Any] = getattr(error, "response", {})
        if response.get("ResponseMetadata", {}).get("HTTPStatusCode") == NOT_FOUND:
            raise FileNotFoundError(str(error)) from error
        Bucket.away_until = time.monotonic() + REST
        logger.warning("The object store is away: %s", error)
        raise StoreAway(str(error)) from error


def bucket(part: str) -> Bucket | None:
    """Return a folder of the object store; None if the site has no store."""
    return Bucket(part) if settings.OBJECT_STORE else None


class SharedFolder:
    """A folder of files whose names never stand for other bytes."""

    def __init__(self, part: str, folder: Path) -> None:
        self.folder, self.bucket = folder, bucket(part)

    def path(self, name: str) -> Path:
        """Return the path of a file on this host, after fetching it if need be. Raise
        FileNotFoundError, StoreAway."""
        path = self.folder / name
        if path.exists():
            return path
        if self.bucket is None:
            raise FileNotFoundError(path)
        write(path, self.bucket.pieces(name))
        return path

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        """Store a file for all hosts. It is on the disk, and in the store, before this returns.
        Raise StoreAway."""
        path = self.folder / name
        if not path.exists():
            write(path, pieces)
        if self.bucket is not None:
            with path.open("rb") as stream:
                self.bucket.write(name, File(stream))

    def names(self, folder: str = "") -> list[str]:
        """Return the names of the files in a folder. Raise StoreAway."""
        if self.bucket is not None:
            return self.bucket.names(folder)
        return self._there(folder, Path.is_file)

    def folders(self, folder: str = "") -> list[str]:
        """Return the names of the folders in a folder. Raise StoreAway."""
        if self.bucket is not None:
            return self.bucket.folders(folder)
        return self._there(folder, Path.is_dir)

    def forget_copies(self) -> None:
        """Delete this host's copies of files that are not in the store. Raise StoreAway."""
        if self.bucket is None or not self.folder.is_dir():
            return
        for place in [self.folder, *filter(Path.is_dir, self.folder.rglob("*"))]:
            folder = "" if place == self.folder else place.relative_to(self.folder).as_posix()
            for name in set(self._there(folder, Path.is_file)) - set(self.bucket.names(folder)):
                (self.folder / name).unlink(missing_ok=True)

    def _there(self, folder: str, is_wanted: Callable[[Path], bool]) -> list[str]:
        place = self.folder / folder
        found = (
            sorted(each for each in place.iterdir() if is_wanted(each)) if place.is_dir() else []
        )
        return [
            each.relative_to(self.folder).as_posix()
            for each in found
            if not each.name.startswith(NEW)
        ]

    def written_at(self, name: str) -> float:
        """Return when a file was stored, in seconds since 1970. Raise FileNotFoundError,
        StoreAway."""
        if self.bucket is not None:
            return self.bucket.written_at(name)
        return (self.folder / name).stat().st_mtime

    def delete(self, names: Iterable[str]) -> int:
        """Delete files, of which some may not exist; return how many were in this host's folder.
        Raise StoreAway."""
        names, n = list(names), 0
        if self.bucket is not None:
            self.bucket.delete(names)
        for name in names:
            path = self.folder / name
            n += path.exists()
            path.unlink(missing_ok=True)
        return n

    def forget_unfinished(self, before: float) -> int:
        """Delete copies that were begun before that time and never finished; return their
        number."""
        found = [each for each in self.folder.rglob(f"{NEW}*") if each.stat().st_mtime < before]
        for path in found:
            path.unlink(missing_ok=True)
        return len(found)


def write(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file that is never seen unfinished, and is on the disk before this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=NEW, delete=False) as copy:
        try:
            for piece in pieces:
                copy.write(piece)
            copy.flush()
            os.fsync(copy.fileno())
            os.replace(copy.name, path)
        except BaseException:
            Path(copy.name).unlink(missing_ok=True)
            raise
