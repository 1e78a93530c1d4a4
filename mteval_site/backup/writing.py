"""Making a backup: PostgreSQL's dump, the secret and a manifest with checksums, in one zip file."""

import contextlib
import hashlib
import itertools
import json
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mteval_site.backup import BackupProblem, database, tools
from mteval_site.shared_files import SharedFolder

FORMAT = "mteval backup"
FORMAT_VERSION = 1
MANIFEST, DUMP, SECRET = "manifest.json", "database.dump", "secret_key"
MEDIA = "media/"  # followed by the SHA-256 of a file of sound, picture or video
HASHES = "SELECT DISTINCT sha256 FROM judgments_mediafile ORDER BY 1"
NOTE = "last_backup.json"
# Files that somebody is about to import: large, deleted within a day, and their owners still have
# them.
LEFT_OUT = "judgments_uploadpiece"


def write(
    file: Path, settings: dict, *, secret: Path | None, media: Path, version: str
) -> dict[str, Any]:
    """Write a backup of the database (an entry of DATABASES) to a new file.

    The dump and all counts are of one moment, while others go on writing. The file appears when it
    is complete and on the disk, readable only by its owner. secret: the file with the site's
    secret, None if the environment has it. media: the folder of sound, pictures and videos. Return
    the manifest, with the `sha256` of the whole file. Raise BackupProblem.
    """
    if file.exists():
        raise BackupProblem(f"{file} already exists; choose another name.")
    with _whole_file(file) as part, database.transaction(settings, reading=True) as cursor:
        manifest = _write_members(part, cursor, settings, secret, media, version)
    return manifest | {"sha256": sha256_of(file), "bytes": file.stat().st_size}


def _write_members(
    part: Path, cursor: Any, settings: dict, secret: Path | None, media: Path, version: str
) -> dict[str, Any]:
    server = database.server_version(cursor)
    pg_dump, major = tools.find("pg_dump", server)
    cursor.execute("SELECT pg_export_snapshot()")
    (snapshot,) = cursor.fetchone()
    options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
    options += [f"--exclude-table-data={LEFT_OUT}"]
    counts = database.counted(cursor)
    counts["rows"] |= {LEFT_OUT: 0} if LEFT_OUT in counts["rows"] else {}
    files = {}
    with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
        files[DUMP] = _add(archive, DUMP, tools.output_of(pg_dump, settings, options))
        if secret is not None:
            files[SECRET] = _add(archive, SECRET, [secret.read_bytes()])
        has_media = "judgments_mediafile" in counts["rows"]  # a site of 0.1 has no such table
        media_files, missing = _add_media(archive, cursor, media) if has_media else ({}, [])
        files |= media_files
        manifest = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "mteval": version,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "postgresql": server,
            "pg_dump": major,
            **counts,
            "missing_media": missing,
            "files": files,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return manifest


def _add_media(
    archive: zipfile.ZipFile, cursor: Any, media: Path
) -> tuple[dict[str, Any], list[str]]:
    """Return the files that the database names at that moment, and those that are missing."""
    files, missing = {}, []
    shared = SharedFolder("media", media)
    cursor.execute(HASHES)
    for (sha256,) in cursor.fetchall():
        pieces = shared.pieces(f"{sha256[:2]}/{sha256}")
        try:
            first = next(pieces, b"")
        except FileNotFoundError:
            missing.append(sha256)
            continue
        files[MEDIA + sha256] = _add(archive, MEDIA + sha256, itertools.chain([first], pieces))
    return files, missing


def _add(archive: zipfile.ZipFile, name: str, chunks: Iterable[bytes]) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    with archive.open(name, "w", force_zip64=True) as member:
        for chunk in chunks:
            member.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return {"sha256": digest.hexdigest(), "bytes": size}


@contextlib.contextmanager
def _whole_file(file: Path) -> Iterator[Path]:
    """Yield a temporary file next to the final one, which is renamed on success and deleted
    otherwise."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".part")
    part = Path(name)  # mode 0600
    try:
        yield part
        os.fsync(handle)
        part.rename(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)
    folder = os.open(file.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def sha256_of(file: Path) -> str:
    with open(file, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def note(folder: Path, file: Path, manifest: dict[str, Any]) -> None:
    """Record the last backup, for pages that show it."""
    summary = {key: manifest[key] for key in ("created", "sha256", "bytes")}
    summary |= {"file": str(file.resolve()), "n_missing": len(manifest["missing_media"])}
    part = folder / f"{NOTE}.part"
    part.write_text(json.dumps(summary))
    part.replace(folder / NOTE)
