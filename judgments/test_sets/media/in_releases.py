"""Media in a release: a folder in its file, whose table says which segment has what. From there a
test set takes them again.

The names that people gave the files stay at home. That nothing was altered on the way the manifest
of the release says, with the SHA-256 of every file; who signed it, `verify_release` says.
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
MOST_FILES = 4_000  # which a release has room for
LONGEST_MANIFEST = 2**24  # bytes
COLUMNS = ("segment", "media", "captions", "media_start", "media_end")


class NotReleased(ValueError):
    """The files cannot go into a release. The message says why."""


@dataclass(frozen=True)
class ReleasedSize:
    """How many files, and bytes of them, a release of a test set takes along."""

    n_files: int
    n_bytes: int

    @classmethod
    def of(cls, test_set: TestSet) -> ReleasedSize:
        found = test_set.media.aggregate(n_bytes=Sum("n_bytes", default=0))
        return cls(test_set.media.count(), found["n_bytes"])


def write_media(test_set: TestSet, to: Path) -> None:
    """Write the files and their table into the folder of a release; nothing where there are none.
    Raises NotReleased for too many, and for one that is not on the disk as it came in."""
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
    """Return how the names of a release's files begin that are not its media; they can be larger
    than what the site takes. Nothing for an archive that is no release."""
    try:
        with zipfile.ZipFile(archive) as packed:
            is_release = MANIFEST in packed.namelist()
    except (zipfile.BadZipFile, OSError, UnicodeDecodeError):
        return ()  # whoever unpacks it says what is wrong
    return NO_MEDIA if is_release else ()


def of_release(files: Mapping[str, Path], archive: str) -> dict[str, Path] | None:
    """Return the media of a release among the files of an archive, by their names in its folder;
    None where it is no release. Raise ImportProblem for one that has none, and for files that are
    not as its manifest says."""
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
