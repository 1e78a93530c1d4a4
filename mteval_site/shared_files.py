"""Files that all hosts of a site share: media, snapshots of observations, computed results.

With one host, they are in folders. With MTEVAL_OBJECT_STORE=s3://BUCKET/PREFIX, they are in a
bucket of any service with the interface of Amazon S3, and the folders of a host have copies of what
it has used. A name always stands for the same bytes, so no copy is ever out of date.

Whoever can write to the bucket must not be able to write or delete anything else on a host: names
that are no plain relative paths are ignored.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import storages

ALIAS = "shared"  # in settings.STORAGES, if there is an object store
NEW = ".new-"  # prefix of unfinished copies
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*")
PIECE = 2**16
MOST_KEYS = 1000  # that one request deletes
REST = 30.0  # seconds without requests to a store that has failed

logger = logging.getLogger(__name__)


class StoreAway(OSError):
    """The object store cannot be reached, or refuses a request."""


class Bucket:
    """One folder of the object store. After a failure it is left alone for a while, so that not
    every request waits for a store that is away."""

    away_until = 0.0  # of the process

    def __init__(self, part: str) -> None:
        self.part = part

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a file's content. Raise FileNotFoundError, StoreAway."""
        with _reaching():
            yield from self._bucket.Object(self._key(name)).get()["Body"].iter_chunks(PIECE)

    def write(self, name: str, file: Any) -> None:
        """Store an open file, in place of another one of this name. Raise StoreAway."""
        with _reaching():
            self._bucket.upload_fileobj(file, self._key(name))

    def names(self, folder: str = "") -> dict[str, float]:
        """Return the names of all files below a folder, and when they were stored, in seconds since
        1970. Raise StoreAway."""
        start = self._key("")
        with _reaching():
            found = {
                each.key.removeprefix(start): each.last_modified.timestamp()
                for each in self._bucket.objects.filter(Prefix=self._key(folder and f"{folder}/"))
            }
        return {name: at for name, at in found.items() if is_plain(name)}

    def delete(self, names: Iterable[str]) -> None:
        """Delete files, of which some may not exist. Raise StoreAway."""
        keys = [{"Key": self._key(name)} for name in names]
        for start in range(0, len(keys), MOST_KEYS):
            some = {"Objects": keys[start : start + MOST_KEYS], "Quiet": True}
            with _reaching():
                if errors := self._bucket.delete_objects(Delete=some).get("Errors"):
                    raise StoreAway(f"{errors[0].get('Code')} for {errors[0].get('Key')}")

    @property
    def _bucket(self) -> Any:
        return storages[ALIAS].bucket  # type: ignore[attr-defined]  # of each thread

    def _key(self, name: str) -> str:
        place = storages[ALIAS].location  # type: ignore[attr-defined]
        return "/".join(filter(None, [place, self.part])) + f"/{name}"


@contextlib.contextmanager
def _reaching() -> Iterator[None]:
    """A block that talks to the store: its failures become StoreAway, and end talking for REST
    seconds."""
    if time.monotonic() < Bucket.away_until:
        raise StoreAway("the object store was away a moment ago")
    try:
        yield
    except StoreAway:
        raise
    except Exception as error:
        response = getattr(error, "response", None) or {}
        if response.get("Error", {}).get("Code") == "NoSuchKey":
            raise FileNotFoundError(str(error)) from error
        Bucket.away_until = time.monotonic() + REST
        logger.warning("The object store is away: %s", error)
        raise StoreAway(str(error)) from error


def bucket(part: str) -> Bucket | None:
    """Return a folder of the object store; None if the site has no store."""
    return Bucket(part) if settings.OBJECT_STORE else None


def is_plain(name: str) -> bool:
    """Return whether a name is a relative path of plain words."""
    return bool(NAME.fullmatch(name))


class SharedFolder:
    """A folder of files whose names never stand for other bytes."""

    def __init__(self, part: str, folder: Path) -> None:
        self.folder, self.bucket = folder, bucket(part)

    def path(self, name: str) -> Path:
        """Return the path of a file on this host, after fetching it if need be. Raise
        FileNotFoundError, StoreAway."""
        path = self._path(name)
        if path.exists():
            return path
        if self.bucket is None:
            raise FileNotFoundError(path)
        with _unfinished(path) as copy:
            copy.writelines(self.bucket.pieces(name))
        return path

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a file's content, without a copy on this host. Raise FileNotFoundError,
        StoreAway."""
        path = self._path(name)
        if self.bucket is not None and not path.exists():
            yield from self.bucket.pieces(name)
            return
        with path.open("rb") as stream:
            while piece := stream.read(PIECE):
                yield piece

    def add(self, name: str, pieces: Iterable[bytes]) -> None:
        """Store a file for all hosts, unless it is there. It is on the disk, and in the store,
        before this returns. Raise StoreAway; then it is in neither, or was on the disk before."""
        path = self._path(name)
        if path.exists():
            self.upload(name)
            return
        with _unfinished(path) as copy:
            copy.writelines(pieces)
            if self.bucket is not None:
                copy.flush()
                with open(copy.name, "rb") as stream:  # the upload closes it
                    self.bucket.write(name, stream)

    def upload(self, name: str) -> None:
        """Put a file of this host into the store, if there is one. Raise FileNotFoundError,
        StoreAway."""
        if self.bucket is not None:
            with self._path(name).open("rb") as stream:
                self.bucket.write(name, stream)

    def names(self, folder: str = "") -> dict[str, float]:
        """Return the names of all files below a folder, and when they were stored, in seconds since
        1970. Raise StoreAway."""
        return self.local_names(folder) if self.bucket is None else self.bucket.names(folder)

    def local_names(self, folder: str = "") -> dict[str, float]:
        """Return the same for the files that this host has."""
        found = {}
        for path in (self.folder / folder).rglob("*"):
            name = path.relative_to(self.folder).as_posix()
            if is_plain(name) and path.is_file():
                with contextlib.suppress(FileNotFoundError):  # another process deletes, too
                    found[name] = path.stat().st_mtime
        return found

    def delete(self, names: Iterable[str]) -> int:
        """Delete files, of which some may not exist; return how many this host had. Raise
        StoreAway, after those of this host."""
        names = list(names)
        n = self.forget(names)
        if self.bucket is not None:
            self.bucket.delete(names)
        return n

    def forget(self, names: Iterable[str]) -> int:
        """Delete this host's copies of files, of which some may not exist; return how many did."""
        n = 0
        for name in names:
            path = self._path(name)
            n += path.exists()
            path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                path.parent.rmdir()  # if it is empty
        return n

    def forget_copies(self) -> None:
        """Delete this host's copies of files that are not in the store. Raise StoreAway."""
        if self.bucket is not None and (local := self.local_names()):
            self.forget(local.keys() - self.bucket.names().keys())

    def forget_unfinished(self, before: float) -> int:
        """Delete copies that were begun before that time and never finished; return their
        number."""
        n = 0
        for path in self.folder.rglob(f"{NEW}*"):
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_mtime < before:
                    path.unlink()
                    n += 1
        return n

    def _path(self, name: str) -> Path:
        if not is_plain(name):
            raise ValueError(f"{name!r} is not the name of a shared file")
        return self.folder / name


@contextlib.contextmanager
def _unfinished(path: Path) -> Iterator[Any]:
    """Yield a file that has its name only once it is complete and on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=NEW, delete=False) as copy:
        try:
            yield copy
            copy.flush()
            os.fsync(copy.fileno())
            os.replace(copy.name, path)
        except BaseException:
            Path(copy.name).unlink(missing_ok=True)
            raise
