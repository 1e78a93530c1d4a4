"""Media in a release: a folder in its file, with a table of each segment's files. A test set can
import them from there.

Original file names are not included. The manifest of the release has the SHA-256 of every file,
which shows that nothing was altered; `verify_release` shows who signed it.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import Sum

from judgments.files import ImportProblem
from judgments.models import MediaFile, SegmentMedia, TestSet

from . import store
from .kinds import ENDINGS

FOLDER, TABLE = "media", "media.tsv"
MANIFEST, SCHEMA = "manifest.json", "mteval release"
NO_MEDIA = ("judgments.jsonl", "rows/", "results/", "report/", "campaigns/")
MOST_FILES = 4_000  # capacity of a release
LONGEST_MANIFEST = 2**24  # bytes
COLUMNS = ("segment", "media", "captions", "media_start", "media_end")


class NotReleased(ValueError):
    """The files cannot be included in a release. The message says why."""


@dataclass(frozen=True)
class ReleasedSize:
    """Number and size of the files that a release of a test set includes."""

    n_files: int
    n_bytes: int

    @classmethod
    def of(cls, test_set: TestSet) -> ReleasedSize:
        found = test_set.media.aggregate(n_bytes=Sum("n_bytes", default=0))
        return cls(test_set.media.count(), found["n_bytes"])


def write_media(test_set: TestSet, to: Path) -> None:
    """Write the files and their table into the folder of a release; nothing if there are none.
    Raise NotReleased for too many, and for one whose content has changed or is missing."""
    files = list(test_set.media.order_by("pk"))
    if not files:
        return
    if len(files) > MOST_FILES:
        raise NotReleased(
            f"The test set has {len(files):,} files of sound, pictures and videos; a release has "
            f"room for {MOST_FILES:,}."
        )
    folder = to / FOLDER
    folder.mkdir()
    names = {}
    for n, file in enumerate(files, 1):
        names[file.pk] = f"{n:04}.{ENDINGS[file.kind][0]}"
        _copy(file, folder / names[file.pk])
    found = SegmentMedia.objects.filter(segment__test_set=test_set).select_related("segment")
    with (folder / TABLE).open("w", encoding="utf-8", newline="\n") as out:
        out.write("\t".join(COLUMNS) + "\n")
        for each in found.order_by("segment__position", "segment"):
            times = ("" if time is None else repr(time) for time in (each.start, each.end))
            captions = names[each.captions_id] if each.captions_id else ""
            cells = (each.segment.key, names[each.file_id], captions, *times)
            out.write("\t".join(cells) + "\n")


def _copy(file: MediaFile, to: Path) -> None:
    digest = hashlib.sha256()
    try:
        with store.path_of(file.sha256).open("rb") as source, to.open("wb") as out:
            while piece := source.read(store.PIECE):
                digest.update(piece)
                out.write(piece)
    except FileNotFoundError:
        raise NotReleased(f"The file {file.name} is not on this computer.") from None
    if digest.hexdigest() != file.sha256:
        raise NotReleased(f"The file {file.name} is damaged: it differs from what was uploaded.")


def left_in(archive: Path) -> tuple[str, ...]:
    """Return the prefixes of the files in a release that are not its media; these can be larger
    than the site accepts. Empty for an archive that is no release."""
    try:
        with zipfile.ZipFile(archive) as packed:
            is_release = MANIFEST in packed.namelist()
    except (zipfile.BadZipFile, OSError, UnicodeDecodeError):
        return ()  # reported when it is unpacked
    return NO_MEDIA if is_release else ()


def of_release(files: Mapping[str, Path], archive: str) -> dict[str, Path] | None:
    """Return the media of a release from the files of an archive, by their names in its folder;
    None if it is no release. Raise ImportProblem for a release without media, and for files that
    differ from its manifest."""
    manifest = _manifest(files)
    if manifest is None:
        return None

    def problem(reason: str) -> ImportProblem:
        return ImportProblem(archive, None, "", reason)

    start = f"{FOLDER}/"
    found = {name: path for name, path in files.items() if name.startswith(start)}
    said = manifest.get("files")
    listed = {}
    if isinstance(said, dict):
        listed = {name: said[name] for name in said if name.startswith(start)}
    if "project" in manifest:
        raise problem("it is a release of a project. Use one of the releases in its campaigns/.")
    if not listed and not found:
        raise problem("it is a release without sound, pictures and videos.")
    for name in sorted(listed.keys() | found.keys()):
        if name not in found:
            raise problem(f"{name} is missing, although the release lists it.")
        if name not in listed:
            raise problem(f"{name} is in it, although the release does not list it.")
        if store.hash_of(found[name]) != listed[name]:
            raise problem(f"{name} does not match the release: it was altered, or is damaged.")
    return {name.removeprefix(start): path for name, path in found.items()}


def _manifest(files: Mapping[str, Path]) -> dict[str, Any] | None:
    path = files.get(MANIFEST)
    if path is None or path.stat().st_size > LONGEST_MANIFEST:
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("schema") == SCHEMA else None
