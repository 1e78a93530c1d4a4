"""Restore a backup into an empty database."""

import hashlib
import json
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mteval_site.backup import BackupProblem, database, tools
from mteval_site.backup.writing import DUMP, FORMAT, FORMAT_VERSION, MANIFEST, MEDIA, SECRET
from mteval_site.shared_files import SharedFolder

SHA256 = re.compile("[0-9a-f]{64}")
# Exceptions that reading a damaged zip file may raise.
DAMAGE = (OSError, zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError, RuntimeError)
OPTIONS = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")


def checked(file: Path) -> dict[str, Any]:
    """Return the manifest of a backup with correct checksums. Raise BackupProblem."""
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            if (manifest["format"], manifest["format_version"]) != (FORMAT, FORMAT_VERSION):
                raise BackupProblem(f"{file} is not a backup that this version can read.")
            for name, expected in manifest["files"].items():
                if _sha256(archive, name) != expected["sha256"]:
                    raise BackupProblem(f"{file} was altered: the checksum of {name} is wrong.")
    except FileNotFoundError:
        raise BackupProblem(f"There is no file {file}.") from None
    except DAMAGE as error:
        raise not_whole(file, error) from None
    return manifest


def not_whole(file: object, error: Exception) -> BackupProblem:
    return BackupProblem(f"{file} is not a complete backup: {str(error).rstrip('.')}.")


def _sha256(archive: zipfile.ZipFile, name: str) -> str:
    digest = hashlib.sha256()
    for chunk in _chunks(archive, name):
        digest.update(chunk)
    return digest.hexdigest()


def _chunks(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Yield the content of a member in chunks. Raise BackupProblem if it is damaged, also if it
    became so after the check: by a failing disk, or an unfinished copy."""
    try:
        with archive.open(name) as member:
            while chunk := member.read(tools.CHUNK):
                yield chunk
    except DAMAGE as error:
        raise not_whole(archive.filename, error) from None


def require_known(manifest: dict[str, Any], known: set[str]) -> None:
    """Raise BackupProblem for a backup from a newer version; known: names of migrations."""
    newer = sorted(set(manifest["migrations"]) - known)
    if newer:
        raise BackupProblem(
            f"The backup comes from a newer version of mteval ({manifest['mteval']}, with "
            f"{newer[0]}); restore it with that version."
        )


def require_empty(manifest: dict[str, Any], settings: dict, tables: set[str]) -> None:
    """Raise BackupProblem for a database that is not empty; arguments as for `restore`."""
    with database.transaction(settings, reading=True) as cursor:
        database.require_empty(cursor, tables | set(manifest["rows"]))


def restore(file: Path, manifest: dict[str, Any], settings: dict, tables: set[str]) -> None:
    """Fill an empty database from a checked backup, and count the rows afterwards.

    settings: an entry of DATABASES. tables: those that an empty database may have. Raise
    BackupProblem; until `pg_restore` has finished, the database has no rows.
    """
    with database.transaction(settings, reading=False) as cursor:
        known = tables | set(manifest["rows"])
        database.require_empty(cursor, known)
        server = database.server_version(cursor)
        program, _ = tools.find("pg_restore", server, manifest["pg_dump"])
        database.clear(cursor)
    with zipfile.ZipFile(file) as archive:
        tools.feed(program, settings, OPTIONS, _chunks(archive, DUMP))
    with database.transaction(settings, reading=True) as cursor:
        found = database.counted(cursor)
    for what, expected in manifest.items():
        if what in found and found[what] != expected:
            raise BackupProblem(
                f"What was restored differs from the backup in its {what}; do not use it."
            )


def restore_media(file: Path, manifest: dict[str, Any], folder: Path) -> list[Path]:
    """Put sound, pictures and videos into their folder. Return the new files.

    Raise BackupProblem for a file whose name does not match its content, or that is damaged; then
    none is added.
    """
    new: list[Path] = []
    try:
        with zipfile.ZipFile(file) as archive:
            for name, known in manifest["files"].items():
                if not name.startswith(MEDIA):
                    continue
                sha256 = known["sha256"]
                if name != MEDIA + sha256 or not SHA256.fullmatch(sha256):
                    raise BackupProblem(f"{file} was altered: {name} is not what its name says.")
                target = folder / sha256[:2] / sha256
                target.parent.mkdir(parents=True, exist_ok=True)
                new += [] if target.exists() else [target]
                _put(target, _chunks(archive, name))
    except BaseException:
        remove(new)
        raise
    return new


def share_media(manifest: dict[str, Any], folder: Path) -> None:
    """Put restored media into the object store, if the site has one. Raise StoreAway."""
    shared = SharedFolder("media", folder)
    for name, known in manifest["files"].items():
        if name.startswith(MEDIA):
            shared.upload(f"{known['sha256'][:2]}/{known['sha256']}")


def remove(files: list[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _put(target: Path, chunks: Iterator[bytes]) -> None:
    """Write a file completely or not at all."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as out:
            for chunk in chunks:
                out.write(chunk)
            out.flush()
            os.fsync(handle)
        Path(name).rename(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def secret_of(file: Path, manifest: dict[str, Any]) -> bytes | None:
    """Return the site's secret, if the backup contains it. Raise BackupProblem."""
    if SECRET not in manifest["files"]:
        return None
    with zipfile.ZipFile(file) as archive:
        return b"".join(_chunks(archive, SECRET))


def restore_secret(secret: bytes | None, target: Path) -> bool:
    """Store the site's secret, if the backup has one and it differs; return whether it was
    stored."""
    if secret is None or (target.exists() and target.read_bytes() == secret):
        return False
    _put(target, iter([secret]))
    return True
