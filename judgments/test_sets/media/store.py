"""Storage of files by their content: MEDIA_ROOT/ab/abcdef…, the name being the SHA-256 of the
bytes; with an object store, MEDIA_ROOT has this host's copies.

Nothing here is executed or unpacked, and no name given by a person is on the disk. A lock of the
database keeps an import and the deletion of unused files apart. Files left by a killed import are
swept a day later.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from judgments.models import MediaFile
from mteval_site.shared_files import SharedFolder, StoreAway

LOCK = 7_264_883_101  # of PostgreSQL's advisory locks
PIECE = 2**20
logger = logging.getLogger(__name__)
SHA256 = re.compile("[0-9a-f]{64}")


def shared() -> SharedFolder:
    return SharedFolder("media", Path(settings.MEDIA_ROOT))


def name_of(sha256: str) -> str:
    """Return the name of a file. Raise ValueError for anything but a hash, since paths are made of
    it."""
    if not SHA256.fullmatch(sha256):
        raise ValueError("not a SHA-256")
    return f"{sha256[:2]}/{sha256}"


def path_of(sha256: str) -> Path:
    """Return the path of a file on this host. Raise FileNotFoundError, or StoreAway if it cannot be
    fetched."""
    return shared().path(name_of(sha256))


def lock() -> None:
    """Lock: until the transaction ends, nobody else stores or deletes files."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def hash_of(source: Path) -> str:
    with source.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def keep(source: Path) -> str:
    """Store a copy of a file and return its hash. It is on the disk, and in the object store if
    there is one, before this returns."""
    sha256 = hash_of(source)
    with source.open("rb") as stream:
        shared().add(name_of(sha256), iter(partial(stream.read, PIECE), b""))
    return sha256


def forget(hashes: Iterable[str]) -> int:
    """Delete those files that no test set uses any more; return how many this host had. What cannot
    be deleted from the object store now, a sweep deletes later."""
    files = shared()
    with transaction.atomic():
        lock()
        hashes = set(hashes)
        used = MediaFile.objects.filter(sha256__in=hashes).values_list("sha256", flat=True)
        unused = [name_of(sha256) for sha256 in hashes - set(used)]
        n = files.forget(unused)
        if files.bucket is not None:
            try:
                files.bucket.delete(unused)
            except StoreAway as error:
                logger.warning("Unused media stay in the object store for now: %s", error)
    return n


def share_all() -> tuple[int, list[str]]:
    """Put the files of all test sets into the object store; return how many were added, and the
    hashes of those that are nowhere. Raise StoreAway."""
    files, n, missing = shared(), 0, []
    hashes = MediaFile.objects.order_by("sha256").values_list("sha256", flat=True).distinct()
    there = files.names()
    for sha256 in hashes:
        if name_of(sha256) in there:
            continue
        try:
            files.upload(name_of(sha256))
        except FileNotFoundError:
            missing.append(sha256)
        else:
            n += 1
    return n, missing


def sweep(before: float) -> int:
    """Delete files that no test set uses, and unfinished copies, if they were written before that
    time, in seconds of the epoch; return how many this host had. Anything else in the folder
    stays."""
    files = shared()
    with transaction.atomic():
        lock()
        unused = _unused(files.local_names(), before)
        removed = files.forget(unused)
        if files.bucket is not None:
            files.bucket.delete(_unused(files.bucket.names(), before))
    return removed + files.forget_unfinished(before)


def _unused(names: dict[str, float], before: float) -> list[str]:
    """Return those of the stored files that no test set uses, and that were written before a
    time."""
    used = set(MediaFile.objects.values_list("sha256", flat=True))
    return [
        name
        for name, at in names.items()
        if SHA256.fullmatch(name[3:]) and name[3:] not in used and at < before
    ]
