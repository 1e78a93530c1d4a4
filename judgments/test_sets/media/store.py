"""Files by what is in them: MEDIA_ROOT/ab/abcdef…, the name being the SHA-256 of the bytes.

Nothing here is executed or unpacked, and no name that somebody gave is on the disk. An import and
the removal of what nobody needs any more exclude each other by a lock of the database. What an
import leaves that is killed on its way is swept a day later.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from judgments.models import MediaFile

LOCK = 7_264_883_101  # of PostgreSQL's advisory locks
PIECE = 2**20
SHA256 = re.compile("[0-9a-f]{64}")
NEW = ".new-"  # how a copy is called that is not whole yet


def path_of(sha256: str) -> Path:
    """Return ValueError for what is no hash: a path is made of nothing else."""
    if not SHA256.fullmatch(sha256):
        raise ValueError("not a SHA-256")
    return Path(settings.MEDIA_ROOT, sha256[:2], sha256)


def lock() -> None:
    """Until the transaction ends nobody else stores or forgets files."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def hash_of(source: Path) -> str:
    with source.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def keep(source: Path) -> str:
    """Store a copy of a file; its hash. On the disk before this returns."""
    sha256 = hash_of(source)
    target = path_of(sha256)
    if target.exists():
        return sha256
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        source.open("rb") as stream,
        tempfile.NamedTemporaryFile(dir=target.parent, prefix=NEW, delete=False) as copy,
    ):
        try:
            while piece := stream.read(PIECE):
                copy.write(piece)
            copy.flush()
            os.fsync(copy.fileno())
            os.replace(copy.name, target)
        except BaseException:
            Path(copy.name).unlink(missing_ok=True)
            raise
    return sha256


def forget(hashes: Iterable[str]) -> int:
    """Remove those files that no test set has any more; how many."""
    removed = 0
    with transaction.atomic():
        lock()
        hashes = set(hashes)
        used = MediaFile.objects.filter(sha256__in=hashes).values_list("sha256", flat=True)
        for sha256 in hashes - set(used):
            path = path_of(sha256)
            removed += path.exists()
            path.unlink(missing_ok=True)
    return removed


def sweep(before: float) -> int:
    """Remove files that no test set has, and copies that were never finished, if they were written
    before that time, in seconds of the epoch; how many. Anything else in the folder stays."""
    removed = 0
    with transaction.atomic():
        lock()
        used = set(MediaFile.objects.values_list("sha256", flat=True))
        for path in Path(settings.MEDIA_ROOT).glob("[0-9a-f][0-9a-f]/*"):
            is_ours = SHA256.fullmatch(path.name) or path.name.startswith(NEW)
            if is_ours and path.name not in used and path.stat().st_mtime < before:
                path.unlink()
                removed += 1
    return removed
