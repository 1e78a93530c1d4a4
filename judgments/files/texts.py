"""Texts of a test set: parallel plain-text files, or one table with a row per segment."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from .lines import Budget, Source, check_plain, name_of, problem_with_text, read_lines
from .problem import ImportProblem, shortened
from .table import Columns, Row, in_one_shape, problem_with_name, read_table

LONGEST_SYSTEM_NAME = 200
LONGEST_REFERENCE_NAME = 100
LONGEST_DOMAIN = 100
LONGEST_NAME = 200  # of a segment or a document
THE_DOCUMENT = "all"  # the one document of a test set whose files name none

REFERENCE, DONOR, SYSTEM = "reference:", "donor:", "system:"
MEDIA = ("media", "captions", "media_start", "media_end")
LONGEST_FILE_NAME = 400
MOST_SECONDS = 86_400
COLUMNS = Columns(
    required=("source",),
    optional=(
        *("segment", "document", "domain", "original_language", "reference", "donor", "gloss"),
        *MEDIA,
    ),
    prefixes=(REFERENCE, DONOR, SYSTEM),
)


class MediaPlace(NamedTuple):
    """What is played or seen with a segment: names of files, and from where to where in seconds."""

    file: str
    captions: str = ""
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class SegmentTexts:
    """One segment with all its texts, and the row it came from.

    An output of "" is an empty translation; a system or a reference that a segment lacks is not
    among its texts. Source and references are never blank, except where no texts are known; the
    source may be empty where there are media. post_edits: of outputs, by their systems. donors: the
    systems that references were made from, by the names of these; a donor that is no system of the
    test set is left out.
    instructions: of the document, which its first segment says.
    """

    file: str
    row: int
    key: str
    document: str
    source: str
    references: Mapping[str, str]
    outputs: Mapping[str, str]
    domain: str = ""
    original_language: str = ""
    gloss: str = ""
    media: MediaPlace | None = None
    post_edits: Mapping[str, str] = field(default_factory=dict)
    instructions: str = ""
    donors: Mapping[str, str] = field(default_factory=dict)


def from_lines(
    source: Source,
    references: Mapping[str, Source],
    outputs: Mapping[str, Source],
    documents: Source | None = None,
    *,
    keep_marks: bool = False,
) -> Iterator[SegmentTexts]:
    """Yield line n of every file belongs to segment n, whose key is n.

    references, outputs: {name: file}; documents: see `DocumentLines`. A blank line of outputs is an
    empty output; on a blank line of a reference the segment has none of that name. keep_marks: a
    byte order mark at the start of a file is part of its first text.
    Raises ImportProblem for files of different length, a blank source, an unfit name.
    """
    for names, longest in ((references, LONGEST_REFERENCE_NAME), (outputs, LONGEST_SYSTEM_NAME)):
        for name, file in names.items():
            if problem := problem_with_name(name, longest):
                raise ImportProblem(name_of(file), None, "", problem)
    if not outputs:
        raise ImportProblem(name_of(source), None, "", "there is no system output for it.")
    files = [source, *references.values(), *outputs.values()]
    check_plain(*files)
    first_output = 1 + len(references)
    if documents is not None:
        files.append(documents)
    places = DocumentLines()
    row = 0
    for row, texts in _side_by_side(files, keep_marks):
        domain, document = "", THE_DOCUMENT
        if documents is not None:
            domain, document = places.read(name_of(documents), row, texts.pop())
        if is_blank(texts[0]):
            raise ImportProblem(name_of(source), row, "", "the line is empty.")
        yield SegmentTexts(
            name_of(source),
            row,
            str(row),
            document,
            texts[0],
            references_there(zip(references, texts[1:first_output], strict=True)),
            outputs_there(zip(outputs, texts[first_output:], strict=True)),
            domain,
        )
    if not row:
        raise ImportProblem(name_of(source), None, "", "the file is empty.")


def is_blank(text: str) -> bool:
    """Return whether there is nothing to read: no text at all, or white space."""
    return not text or text.isspace()


def references_there(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return {name: text} of those references that a segment has."""
    return {name: text for name, text in texts if not is_blank(text)}


def outputs_there(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return {system: text}; what is blank is an empty translation."""
    return {system: "" if is_blank(text) else text for system, text in texts}


def gloss_in(text: str) -> str:
    """Return the gloss of a segment; what is blank is none."""
    return "" if is_blank(text) else text


class DocumentLines:
    """Reads lines that say to which document a segment belongs: `document`, or
    `domain TAB document` as in the files of mt-metrics-eval.

    Names tell documents apart. Where another domain has had a document of the same name before, the
    later one is called “domain/document”.
    """

    def __init__(self) -> None:
        self.domains: dict[str, str] = {}

    def read(self, file: str, row: int, line: str) -> tuple[str, str]:
        """Return (domain, name of the document); raises ImportProblem for a name that will not
        do."""
        domain, tab, name = line.partition("\t")
        if not tab:
            domain, name = "", line
        elif domain and (problem := problem_with_name(domain, LONGEST_DOMAIN)):
            raise ImportProblem(file, row, "", f"domain: {problem}")
        if self.domains.setdefault(name, domain) != domain:
            name = f"{domain}/{name}"
            self.domains.setdefault(name, domain)
        if problem := problem_with_name(name, LONGEST_NAME):
            raise ImportProblem(file, row, "", problem)
        return domain, name


def _side_by_side(files: list[Source], keep_marks: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, the line of every file); raises ImportProblem for a too long line and for
    files that do not end together."""
    budget = Budget()
    readers = [read_lines(file, budget, keep_mark=keep_marks) for file in files]
    for row, entries in enumerate(zip_longest(*readers), 1):
        if None in entries:
            raise _different_lengths(files, readers, row, entries)
        texts = [text for _, text in entries]
        for file, text in zip(files, texts, strict=True):
            if problem := problem_with_text(text):
                raise ImportProblem(name_of(file), row, "", problem)
        yield row, texts


def _different_lengths(files, readers, row, entries) -> ImportProblem:
    """Return the problem of the first file that is not as long as the source, once all are
    counted."""
    lengths = []
    for reader, entry in zip(readers, entries, strict=True):
        rest = sum(1 for _ in reader) if entry else 0
        lengths.append(row - 1 + (entry is not None) + rest)
    wrong = next(i for i, length in enumerate(lengths) if length != lengths[0])
    reason = (
        f"the file has {lengths[wrong]:,} line{'s' * (lengths[wrong] != 1)}, but "
        f"{name_of(files[0])} has {lengths[0]:,}. "
        "Line n of every file should belong to segment n."
    )
    return ImportProblem(name_of(files[wrong]), min(lengths[wrong], lengths[0]) + 1, "", reason)


def from_table(table: Source) -> Iterator[SegmentTexts]:
    """Return a row for each segment, with a column `reference:NAME` or `system:NAME` for each text,
    and `donor:NAME` for the system that a reference was made from.

    `reference` alone is short for `reference:ref`, `donor` for `donor:ref`; without `segment`, rows
    are counted from 1.
    An empty cell of a system is an empty output, one of a reference says that there is none.
    Raises ImportProblem for a blank source, a segment's key that comes twice, an unfit name.
    """
    return from_rows(read_table(table, COLUMNS))


def from_rows(rows: Iterable[Row]) -> Iterator[SegmentTexts]:
    """Yield the same from rows that somebody has read, and whose columns are checked."""
    seen: dict[str, int] = {}
    for count, row in enumerate(in_one_shape(rows), 1):
        if count == 1:
            _check_shape(row)
        key = row.name("segment", LONGEST_NAME) if "segment" in row.cells else str(count)
        if key in seen:
            raise row.problem(
                "segment", f"{shortened(key)} is already the name of row {seen[key]:,}."
            )
        seen[key] = row.number
        yield _segment(row, key)


def _check_shape(row: Row) -> None:
    """Raise ImportProblem for columns of the first row, and names in them, that will not do."""
    columns = tuple(row.cells)
    if "reference" in columns and REFERENCE + "ref" in columns:
        raise row.problem("reference", "the reference “ref” has two columns.")
    for prefix, longest in ((REFERENCE, LONGEST_REFERENCE_NAME), (SYSTEM, LONGEST_SYSTEM_NAME)):
        for column in columns:
            name = column.removeprefix(prefix)
            if name != column and (problem := problem_with_name(name, longest)):
                raise row.problem(column, problem)
    for column in columns:
        name = "ref" if column == "donor" else column.removeprefix(DONOR)
        is_donor = name != column
        if is_donor and not {REFERENCE + name, *(["reference"] * (name == "ref"))} & {*columns}:
            raise row.problem(column, f"no column contains a reference {shortened(name)}.")
    if "donor" in columns and DONOR + "ref" in columns:
        raise row.problem("donor", "the donor of the reference “ref” has two columns.")
    if not any(column.startswith(SYSTEM) for column in columns):
        reason = "no column contains system outputs: name one such as “system:online-A”."
        raise row.problem("", reason)


def _segment(row: Row, key: str) -> SegmentTexts:
    named = "document" in row.cells
    references = references_there(
        ("ref" if column == "reference" else column.removeprefix(REFERENCE), text)
        for column, text in row.cells.items()
        if column == "reference" or column.startswith(REFERENCE)
    )
    outputs = outputs_there(
        (column.removeprefix(SYSTEM), text)
        for column, text in row.cells.items()
        if column.startswith(SYSTEM)
    )
    media = media_in(row)
    source = row.get("source")
    return SegmentTexts(
        row.file,
        row.number,
        key,
        row.name("document", LONGEST_NAME) if named else THE_DOCUMENT,
        "" if media and is_blank(source) else row.text("source"),
        references,
        outputs,
        row.get("domain"),
        row.get("original_language"),
        gloss_in(row.get("gloss")),
        media,
        donors=_donors(row, references, outputs),
    )


def _donors(row: Row, references: Mapping[str, str], outputs: Mapping[str, str]) -> dict[str, str]:
    """By the names of references; raises ImportProblem for a donor that has no column."""
    found = {}
    for column, cell in row.cells.items():
        if (column != "donor" and not column.startswith(DONOR)) or is_blank(cell):
            continue
        name = "ref" if column == "donor" else column.removeprefix(DONOR)
        if cell not in outputs:
            raise row.problem(column, f"no column contains outputs of {shortened(cell)}.")
        if name in references:
            found[name] = cell
    return found


def media_in(row: Row) -> MediaPlace | None:
    """Return what the row says of media; raises ImportProblem for times that make no stretch."""
    if not row.get("media"):
        for column in MEDIA[1:]:
            if row.get(column):
                raise row.problem(column, "the row names no file in the column media.")
        return None
    start, end = (_seconds(row, column) for column in ("media_start", "media_end"))
    if end is not None and end <= (start or 0):
        raise row.problem("media_end", "the end should be later than the start.")
    captions = row.name("captions", LONGEST_FILE_NAME) if row.get("captions") else ""
    return MediaPlace(row.name("media", LONGEST_FILE_NAME), captions, start, end)


def _seconds(row: Row, column: str) -> float | None:
    if not row.get(column):
        return None
    value = row.decimal(column)
    if not 0 <= value <= MOST_SECONDS:
        raise row.problem(column, f"give seconds, from 0 to {MOST_SECONDS:,}.")
    return value
