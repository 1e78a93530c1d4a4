"""Files by what is in them: MEDIA_ROOT/ab/abcdef…, the name being the SHA-256 of the bytes.

Nothing here is executed or unpacked, and no name that somebody gave is on the disk. An import and
the removal of what nobody needs any more exclude each other by a lock of the database.
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


def path_of(sha256: str) -> Path:
    """ValueError for what is no hash: a path is made of nothing else."""
    if not SHA256.fullmatch(sha256):
        raise ValueError("not a SHA-256")
    return Path(settings.MEDIA_ROOT, sha256[:2], sha256)


def lock() -> None:
    """Until the transaction ends nobody else stores or forgets files."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def keep(source: Path) -> str:
    """Store a copy of a file; its hash. On the disk before this returns."""
    with source.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    target = path_of(sha256)
    if target.exists():
        return sha256
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        source.open("rb") as stream,
        tempfile.NamedTemporaryFile(dir=target.parent, prefix=".new-", delete=False) as copy,
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
