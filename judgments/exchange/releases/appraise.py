"""The export of Appraise: scores and marked errors of translations as CSV.

    engdeu6905,wmt23.refA,98,BAD,eng,deu,36,Precis.1103#refA#bad7,False,"[{…}]",1711317247.4,…

`appraise_rows` describes the columns and how names are shortened. The header may be in a separate
file, together with a table of logins and people (columns `login` and `AnnotatorID`) and a table of
the judged segments (`document` and `segment`).

Appraise's code: github.com/AppraiseDev/Appraise, `EvalData/models` and
`Campaign/management/commands/ExportSystemScoresToCSV.py`.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from judgments.files.csv_files import cells_of, read_cells
from judgments.files.problem import ImportProblem
from judgments.files.uploads import Folder, ReleaseFile
from judgments.models import WITHOUT_PLACE
from judgments.protocols import preset_named
from judgments.protocols.spans.marking import slug_of

from .appraise_export import ExportDirection, ExportStore
from .appraise_rows import header_of, places_of, read_rows
from .format import Answers, Format
from .languages import three_letters
from .presets import asks_errors, asks_scores
from .records import JudgedScreen, JudgmentsPart, MarkedSpan, Problems, Release, TextsPart

# ---- Judgments → rows ---------------------------------------------------------------------------


HEADER_LINE = (
    "username,system,itemId,itemType,srcLang,trgLang,score,documentId,isDocument,mqm,"
    "timeStart,timeEnd\n"
)
ITEM_TYPES = {
    "regular": "TGT", "degraded": "BAD", "reference": "REF", "repeat": "CHK",
    "control": "CONTROL", "tutorial": "TUTORIAL", "third": "THIRD",
}  # fmt: skip
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def rows_of(part: JudgmentsPart, texts: TextsPart) -> Iterator[list[str]]:
    """Yield a row for each translation of each screen, and another if its document was rated too.
    The number of an item is its segment's key if that is a number, otherwise its place in the test
    set, from 1."""
    preset = preset_named(part.preset)
    options = {**preset.options, **part.options}
    written = {slug_of(name): name for name in options.get("categories", ())}
    places = {}
    numeric = True
    for n, segment in enumerate(texts.segments(), 1):
        places[segment.key] = (n, segment.document)
        numeric = numeric and segment.key.isascii() and segment.key.isdigit()
    whole = options.get("unit") == "whole document"
    of_document = options.get("of_document", "")
    languages = [three_letters(texts.source_language), three_letters(texts.target_language)]
    times: Counter[int] = Counter()
    for screen in part.screens_without_controls():
        if screen.kind not in ITEM_TYPES:  # an attention check, for which Appraise has no type
            continue
        n, document = places[screen.segment]
        # Repeated judgments are in a copy of the document, like fillers of a task: of two rows of
        # the same item only the later one would count.
        again = hash((screen.annotator, screen.segment, screen.kind, tuple(screen.outputs)))
        if times[again]:
            document += f"#duplicate{times[again]}"
        times[again] += 1
        for system, dimension in rated_in(screen, of_document):
            yield [
                screen.annotator,
                system,
                screen.segment if numeric else str(n),
                ITEM_TYPES[screen.kind],
                *languages,
                score_of(screen, system, dimension),
                document,
                str(whole or bool(dimension)),
                errors_of(screen.spans or [], system, written),
                seconds(screen.started),
                seconds(screen.submitted),
            ]


def rated_in(screen: JudgedScreen, of_document: str) -> Iterator[tuple[str, str]]:
    """Yield (system, ""), and (system, of_document) if its document was rated with the segment."""
    for system in screen.outputs:
        yield system, ""
    for system, dimension, _ in screen.ratings:
        if of_document and dimension == of_document:
            yield system, of_document


def score_of(screen: JudgedScreen, system: str, named: str = "") -> str:
    """Return the score on a named dimension or on the first; 0, as in Appraise, if there are only
    errors."""
    given = [
        value
        for of, dimension, value in screen.ratings
        if of == system
        and named in ("", dimension)
        and (screen.spans is None or dimension not in ("mqm", "esa_spans"))
    ]
    if not given:
        return "0"
    return str(int(given[0])) if given[0] == int(given[0]) else repr(given[0])


def errors_of(spans: list[MarkedSpan], system: str, written: dict[str, str]) -> str:
    """Return errors as JSON. written: the original names of categories by their stored slugs."""
    found = []
    for span in spans:
        if span.system != system:
            continue
        missing = span.side in WITHOUT_PLACE
        category = written.get(span.category, span.category)
        found.append(
            {
                "start_i": "missing" if missing else span.start,
                "end_i": "missing" if missing else span.end - 1,
                "severity": span.severity,
                "error_type": category.split("/") if category else None,
            }
        )
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def seconds(moment: datetime | None) -> str:
    """Return seconds since 1970, without trailing zeros."""
    if moment is None:
        return ""
    whole, rest = divmod((moment - EPOCH) // timedelta(microseconds=1), 10**6)
    digits = f"{rest:06d}".rstrip("0") or "0"
    return f"{whole}.{digits}"


# ---- The format ---------------------------------------------------------------------------------


HEADER_FILE = "header.csv"
PLAIN = re.compile("[^A-Za-z0-9._-]+")
DECORATION = re.compile(r"\.(csv|tsv|txt|scores)$")


@dataclass
class ExportFiles:
    """The files of an upload by their roles."""

    rows: list[ReleaseFile] = field(default_factory=list)
    headers: list[ReleaseFile] = field(default_factory=list)
    people: list[ReleaseFile] = field(default_factory=list)
    listed: list[ReleaseFile] = field(default_factory=list)

    @property
    def all(self) -> list[ReleaseFile]:
        return [*self.rows, *self.headers, *self.people, *self.listed]


def sorted_out(files: Sequence[ReleaseFile]) -> ExportFiles:
    """Sort files by their first lines; files that belong to an export count only together with
    one."""
    found = ExportFiles()
    for file in files:
        lines = [line for line in file.first_lines(3) if line.strip()]
        if not lines:
            continue
        first = cells_of(lines[0])
        if header_of(first):
            second = cells_of(lines[1]) if len(lines) > 1 else []
            (found.rows if len(second) == len(first) else found.headers).append(file)
        elif places_of(first):
            found.rows.append(file)
        elif columns_of(first, "login", "annotatorid"):
            found.people.append(file)
        elif columns_of(first, "document", "segment"):
            found.listed.append(file)
    return found if found.rows else ExportFiles()


def columns_of(cells: Sequence[str], *names: str) -> dict[str, int] | None:
    """Return {name: column} of a header that has all the names and few others."""
    words = [cell.strip().strip("\ufeff").lower() for cell in cells]
    named = [word for word in words if word]
    if len(named) > len(names) + 1 or not set(names) <= set(named):
        return None
    return {name: words.index(name) for name in names}


def pairs_in(file: ReleaseFile, *names: str) -> Iterator[list[str]]:
    """Yield the cells of a small table in the named columns. Raise ImportProblem."""
    places: dict[str, int] | None = None
    for row, cells in read_cells(file.place):
        if places is None:
            places = columns_of(cells, *names)
            if places is None:
                wanted = ", ".join(names)
                raise ImportProblem(file.name, row, "", f"the header has no columns {wanted}.")
        elif any(cell.strip() for cell in cells):
            if len(cells) <= max(places.values()):
                raise ImportProblem(file.name, row, "", "the row is too short.")
            yield [cells[place].strip() for place in places.values()]


class Appraise(Format):
    slug = "appraise"
    name = "Appraise's export"
    holds = "scores of segments or documents with their times, and marked errors (DA, ESA, MQM)"
    described = "https://github.com/AppraiseDev/Appraise"
    writes = True

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return sorted_out(files).all

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        found = sorted_out(files)
        headers: dict[int, dict[str, int]] = {}
        for file in found.headers:
            cells = cells_of(file.first_lines(1)[0])
            headers[len(cells)] = header_of(cells) or {}
        people: dict[str, str] = {}
        for file in found.people:
            people |= dict(pairs_in(file, "login", "annotatorid"))
        listed: dict[str, list[str]] = defaultdict(list)
        for file in found.listed:
            for document, segment in pairs_in(file, "document", "segment"):
                listed[document].append(segment)
        store = ExportStore()
        for file in found.rows:
            store.add(read_rows(file, headers, problems))
        release = Release(notes=self.drop(store))
        store.settle_times()
        stems = {file.name: DECORATION.sub("", DECORATION.sub("", file.name)) for file in files}
        directions = store.directions()
        for of, table in directions.items():
            judged = ExportDirection(store.db, of, table, people, listed)
            several = sum(each.file == of.file for each in directions) > 1
            name = f"{stems[of.file]} {judged.source}-{judged.target}" if several else ""
            self.add_parts(release, judged, name or stems[of.file])
        return release

    @staticmethod
    def drop(store: ExportStore) -> list[str]:
        notes = []
        if n := store.drop_tutorials():
            notes.append(f"{n:,} answers to tutorials were left out.")
        if n := store.drop_earlier():
            notes.append(
                f"{n:,} items were judged again by the same login: their last judgment counts."
            )
        return notes

    @staticmethod
    def add_parts(release: Release, judged: ExportDirection, name: str) -> None:
        of = judged.of
        key = f"{of.file} {of.source} {of.target}"
        release.texts.append(
            TextsPart(
                key,
                name,
                judged.source,
                judged.target,
                segments=judged.segments,
                has_texts=False,
                settle=judged.settle,
            )
        )
        for whole, there in ((False, judged.has_segments), (True, judged.has_documents)):
            if there:
                release.judgments.append(
                    JudgmentsPart(
                        f"{name} documents" if whole and judged.has_segments else name,
                        key,
                        judged.preset(whole),
                        screens=partial(judged.screens, whole),
                        options=judged.options(whole),
                    )
                )

    # ---- Out -----------------------------------------------------------------------------------

    def may_write(self, release: Release) -> str:
        if not release.judgments:
            return "There are no judgments."
        return next(filter(None, map(why_not, release.judgments)), "")

    def write(self, release: Release, folder: Folder) -> None:
        """Write a file for each campaign, without a header as in Appraise, and the header as a
        separate file."""
        texts = {part.key: part for part in release.texts}
        taken: set[str] = set()
        for part in release.judgments:
            name = PLAIN.sub("_", part.name).strip("._") or "campaign"
            while name in taken:
                name += "_"
            taken.add(name)
            with folder.text(f"{name}.scores.csv") as write:
                for row in rows_of(part, texts[part.texts]):
                    write(csv_line(row))
        with folder.text(HEADER_FILE) as write:
            write(HEADER_LINE)


def csv_line(cells: Sequence[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def why_not(part: JudgmentsPart) -> str:
    """Return why a campaign cannot be written; "" if it can."""
    preset = preset_named(part.preset)
    if not asks_scores(part.preset):
        return "Appraise's export supports only scores and marked errors."
    options = {**preset.options, **part.options}
    if asks_errors(part.preset) and "source" in options.get("sides", ()):
        return "Appraise's export has no errors in the source."
    if len(preset.dimensions or options.get("dimensions", ())) > 1:
        return "Appraise's export has one score of a translation, and this campaign has several."
    return ""
