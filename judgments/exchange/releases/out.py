"""Campaigns → files in one of the field's formats."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from judgments.files.uploads import CannotWrite, Folder
from judgments.models import Campaign, TestSet
from judgments.models.moments import read_moment

from .format import Format, TextsFormat
from .from_database import glance, release_of, release_of_texts, texts_part
from .records import Release
from .registry import BY_SLUG, FORMATS


def written_formats() -> list[Format]:
    return [each for each in FORMATS if each.writes]


def choices(campaign: Campaign) -> list[tuple[Format, str]]:
    """Return the formats that judgments are written in, each with the reason why this campaign
    cannot go into it, or "" where it can."""
    release = glance(campaign)
    formats = [each for each in written_formats() if not isinstance(each, TextsFormat)]
    return [(each, each.may_write(release)) for each in formats]


def choices_of_texts(test_set: TestSet) -> list[Format]:
    """Return the formats that the texts of a test set can be written in, with its metric scores
    where they have a place there."""
    release = Release(texts=[replace(texts_part(test_set), segments=lambda: iter(()))])
    return [each for each in written_formats() if not each.may_write(release)]


def write(what: Sequence[Campaign] | TestSet, slug: str, folder: Folder) -> None:
    """All current judgments of some campaigns, with the texts, or a test set alone, as files in a
    folder, as they are at one moment.

    Raises CannotWrite for a format that has no place for them, and for one that is not known.
    """
    found = BY_SLUG.get(slug)
    if found is None or not found.writes:
        known = ", ".join(each.slug for each in written_formats())
        raise CannotWrite(f"There is no format “{slug}” for writing. The formats: {known}.")
    with read_moment():
        release = release_of_texts(what) if isinstance(what, TestSet) else release_of(what)
        if reason := found.may_write(release):
            raise CannotWrite(reason)
        found.write(release, folder)


def packed(what: Sequence[Campaign] | TestSet, slug: str) -> tuple[str, IO[bytes]]:
    """Return (name, open file) of what `write` writes: the one file of a format that has one, else
    a zip of the folder. It lies on the disk of this machine, without a name, until it is closed."""
    with tempfile.TemporaryDirectory(prefix="mteval-export-") as place:
        folder = Path(place)
        write(what, slug, Folder(folder))
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        if len(files) == 1:
            return files[0].name, files[0].open("rb")
        archive = tempfile.TemporaryFile(prefix="mteval-export-")  # noqa: SIM115  the caller's
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
            for path in files:
                zipped.write(path, str(path.relative_to(folder)))
        archive.seek(0)
        return f"{slug}.zip", archive
