"""Storage of files by their content: MEDIA_ROOT/ab/abcdef…, the name being the SHA-256 of the
bytes.

Nothing here is executed or unpacked, and no name given by a person is on the disk. A lock of the
database keeps an import and the deletion of unused files apart. Files left by a killed import are
swept a day later.
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
NEW = ".new-"  # prefix of unfinished copies


def path_of(sha256: str) -> Path:
    """Return the path of a file. Raise ValueError for anything but a hash, since paths are made of
    it."""
    if not SHA256.fullmatch(sha256):
        raise ValueError("not a SHA-256")
    return Path(settings.MEDIA_ROOT, sha256[:2], sha256)


def lock() -> None:
    """Lock: until the transaction ends, nobody else stores or deletes files."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def hash_of(source: Path) -> str:
    with source.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def keep(source: Path) -> str:
    """Store a copy of a file and return its hash. It is on the disk before this returns."""
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
    """Delete those files that no test set uses any more; return their number."""
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
    """Delete files that no test set uses, and unfinished copies, if they were written before that
    time, in seconds of the epoch; return their number. Anything else in the folder stays."""
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
