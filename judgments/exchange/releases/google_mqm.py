"""Google's tables of MQM: a row for each error, which stands between `<v>` and `</v>`.

    system  doc  doc_id  seg_id  rater  source  target  category  severity

github.com/google/wmt-mqm-human-evaluation has them, with changing columns: some have comments, some
name a rater in the header but not in the rows; some quote texts as CSV does, some do not. Columns
of other names that mean the same are read, too (`marked_columns`). Every output with its source is
in the table, so that a test set and a closed campaign come of each file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from judgments.files.uploads import Folder, ReleaseFile

from .format import Answers, Format
from .language_answers import language_questions, languages_of
from .languages import PAIRS, SHORT, WORD
from .marked_out import why_not, write_table
from .marked_rows import MarkedTable, layout_of_file
from .records import Problems, Release, TextsPart

DASHED = re.compile("([a-z]{2,3})-([a-z]{2,3})")
# How we name a file whose languages have subtags or codes that few files have.
OURS = re.compile(r"mqm\.(?:[0-9]+\.)?([A-Za-z0-9-]+)_([A-Za-z0-9-]+)\.tsv")
KNOWN = {*SHORT, *SHORT.values(), "liv", "hsb", "dsb", "sah", "bho", "mas"}


class GoogleMqm(Format):
    slug = "google-mqm"
    name = "Google's MQM"
    holds = "marked errors of experts, a row each, with source and translation"
    described = "https://github.com/google/wmt-mqm-human-evaluation"
    writes = True
    is_marot = False
    columns: tuple[str, ...] = (
        *("system", "doc", "doc_id", "seg_id", "rater"),
        *("source", "target", "category", "severity"),
    )

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        layouts = [(file, layout_of_file(file)) for file in files]
        return [file for file, layout in layouts if layout and layout.is_marot == self.is_marot]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        """Return the languages come from the name of a file or from its metadata; else they are
        asked."""
        release = Release()
        asks = len(files) == 1
        for file in files:
            layout = layout_of_file(file)
            if layout is None:
                continue
            table = MarkedTable(file, layout, problems).read()
            known = languages_in(file) or table.languages
            if len(files) == 1:
                release.questions += language_questions(*known)
            elif not all(known) and not release.questions:
                release.questions += language_questions()
            given = answers if asks or not all(known) else {}
            release.add(table.release(*languages_of(given, *known)))
        return release

    def may_write(self, release: Release) -> str:
        return why_not(self.name, release)

    def write(self, release: Release, folder: Folder) -> None:
        write_table(release, folder, self.file_of, self.columns)

    def file_of(self, texts: TextsPart) -> str:
        """Return the name of a file, which says the languages of its texts."""
        pair = (texts.source_language, texts.target_language)
        usual = f"mqm_{'-'.join(pair)}.tsv"
        return usual if languages_said(usual) == pair else f"mqm.{'_'.join(pair)}.tsv"


def languages_in(file: ReleaseFile) -> tuple[str, str] | None:
    """`mqm_ted_zhen.tsv` → zh, en; also `ratings.en-de.tsv`, and from the folders' names."""
    parts = reversed([*file.folders, file.name])
    return next(filter(None, map(languages_said, parts)), None)


def languages_said(name: str) -> tuple[str, str] | None:
    """Return the languages that a name of a file or folder says, as releases and as we write it."""
    if ours := OURS.match(name):
        return ours[1], ours[2]
    for word in WORD.findall(name):
        found = DASHED.fullmatch(word)
        if found and {found[1], found[2]} <= KNOWN:
            return found[1], found[2]
        if word in PAIRS:
            return word[:2], word[2:]
    return None
