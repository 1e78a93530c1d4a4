"""Marot's tables: as Google's, with the segment's number in its document, and metadata as JSON.

    system  doc  docSegId  globalSegId  rater  source  target  category  severity  metadata

The README of github.com/google-research/google-research/tree/master/marot describes them. The
header may be missing. Read from the metadata: times, references, languages. Marot knows marked
errors only: a score beside them (ESA) goes out as `score` of the metadata, and comes in from there;
campaigns of plain scores do not go into it. A rater's second judgment of an output is told from the
first by `repeat` of the metadata.
"""

from __future__ import annotations

from collections.abc import Sequence

from judgments.files.uploads import Folder, ReleaseFile

from .format import Answers, Format
from .google_mqm import read_tables
from .marked_out import why_not, write_table
from .marked_rows import layout_of_file
from .records import Problems, Release

COLUMNS = (
    *("system", "doc", "docSegId", "globalSegId", "rater"),
    *("source", "target", "category", "severity", "metadata"),
)


class Marot(Format):
    slug = "marot"
    name = "Marot"
    holds = "marked errors, a row each, with times"
    described = "https://github.com/google-research/google-research/tree/master/marot"
    writes = True
    file = "marot.tsv"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        layouts = [(file, layout_of_file(file)) for file in files]
        return [file for file, layout in layouts if layout and layout.is_marot]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        return read_tables(files, answers, problems)

    def may_write(self, release: Release) -> str:
        return why_not(self.name, release)

    def write(self, release: Release, folder: Folder) -> None:
        write_table(release, folder, self.file, COLUMNS)
