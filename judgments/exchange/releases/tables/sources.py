"""Files with tables → rows of texts: TSV, CSV, JSON lines, workbooks, documents, Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, zip_longest

from judgments.files.csv_files import DELIMITERS, delimiter_of, read_cells
from judgments.files.jsonl import decoded, problem_with_characters, unique_keys
from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import Row, checked_row
from judgments.files.uploads import ReleaseFile

from ..records import Problems
from .parquet import table_of
from .source_table import (
    SAMPLE,
    SourceTable,
    checked_header,
    checked_table,
    stem_of,
)
from .word_tables import tables_in
from .workbooks import sheets_of

PARQUET = b"PAR1"
ZIP = b"PK\x03\x04"
# NaN and Infinity are texts, which only columns of numbers refuse.
WITH_NAN = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=str)


def kind_of(file: ReleaseFile) -> str:
    """Return "xlsx", "docx", "parquet", "jsonl", a delimiter (" ": any spaces and tabs), or "" for
    a file without tables; only by content."""
    head = file.head()
    if head.startswith(ZIP):
        if b"word/document.xml" in head:
            return "docx"
        return "xlsx" if b"[Content_Types].xml" in head or b"xl/" in head else ""
    if head.startswith(PARQUET):
        return "parquet"
    lines = file.first_lines()
    line = next(iter(lines), "")
    if "\0" in line or not line.strip():
        return ""
    if line.startswith("{"):
        return "jsonl" if line.rstrip().endswith("}") or file.name.endswith(".jsonl") else ""
    words = {len(line.split()) for line in lines}
    spaced = " " if len(lines) > 1 and len(words) == 1 and words != {1} else ""
    return delimiter_of(line) or spaced


def first_cells(file: ReleaseFile) -> list[str]:
    """Return the cells of the first line of a file with delimited cells; empty for others."""
    kind = kind_of(file)
    is_plain = kind in (*DELIMITERS, " ") and bool(kind)
    return [cell.strip() for cell in next(_cells(file, kind), (1, []))[1]] if is_plain else []


def tables_of(file: ReleaseFile, header: Sequence[str] = ()) -> list[SourceTable]:
    """Return the tables of a file: one, or one for each sheet. header: for a file whose first line
    does not name the columns. Raise ImportProblem."""
    kind = kind_of(file)
    if kind == "xlsx":
        return sheets_of(file)
    if kind == "docx":
        return tables_in(file)
    if kind == "parquet":
        return [table_of(file)]
    if kind == "jsonl":
        return [_json_lines(file)]
    return [_delimited(file, kind, header)] if kind else []


def tables_if_any(file: ReleaseFile) -> list[SourceTable]:
    """Return the same; empty for an unreadable file, an error that is reported when it has to be
    read."""
    try:
        return tables_of(file)
    except ImportProblem:
        return []


def side_by_side(files: Mapping[str, ReleaseFile]) -> SourceTable:
    """Return a table of files of lines, each a column with its name here."""
    label = ", ".join(file.path for file in files.values())

    def rows(problems: Problems) -> Iterator[Row]:
        readers = [read_lines(file.place) for file in files.values()]
        for number, found in enumerate(zip_longest(*readers), 1):
            if None in found:
                reason = "the files should have the same number of lines."
                raise ImportProblem(label, number, "", reason)
            texts = (text for _, text in found)
            yield checked_row(Row(label, number, dict(zip(files, texts, strict=True))))

    first = next(iter(files.values()))
    return SourceTable(label, stem_of(first), tuple(files), rows)


# ---- TSV and CSV -------------------------------------------------------------------------------


def _delimited(file: ReleaseFile, delimiter: str, header: Sequence[str]) -> SourceTable:
    _, cells = next(_cells(file, delimiter), (1, []))
    columns = checked_header(file.path, list(header) or cells)

    def rows(problems: Problems) -> Iterator[tuple[int, list[str]]]:
        found = _cells(file, delimiter)
        if not header:
            next(found, None)
        return ((number, cells) for number, cells in found if any(cells))

    return checked_table(file.path, stem_of(file), columns, rows)


def _cells(file: ReleaseFile, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of its last line, cells) of every row."""
    if delimiter == " ":
        return ((number, line.split()) for number, line in read_lines(file.place))
    return read_cells(file.place)


# ---- JSON lines --------------------------------------------------------------------------------


def _json_lines(file: ReleaseFile) -> SourceTable:
    """Return a table whose columns are the keys of the first rows. A list or an object within a row
    stays JSON."""
    found: dict[str, None] = {}
    for _, cells in islice(_objects(file, Problems()), SAMPLE):
        found |= dict.fromkeys(cells)
    names = list(found)
    columns = checked_header(file.path, names)

    def rows(problems: Problems) -> Iterator[tuple[int, list[str]]]:
        for number, cells in _objects(file, problems):
            if odd := next((name for name in cells if name not in found), None):
                reason = "this key is in none of the first rows."
                problems.add(ImportProblem(file.path, number, shortened(odd), reason))
            else:
                yield number, [cells.get(name, "") for name in names]

    return checked_table(file.path, stem_of(file), columns, rows)


def _objects(file: ReleaseFile, problems: Problems) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in read_lines(file.place):
        if not line.strip():
            continue
        try:
            yield number, _json_cells(file.path, number, line)
        except ImportProblem as problem:
            problems.add(problem)


def _json_cells(name: str, number: int, line: str) -> dict[str, str]:
    """Return the cells of a line by their columns. Raise ImportProblem."""
    cells = {}
    for column, value in decoded(name, number, line, WITH_NAN).items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if reason := problem_with_characters(column) or problem_with_characters(text):
            raise ImportProblem(name, number, "", reason)
        cells[column] = "" if value is None else text
    return cells
