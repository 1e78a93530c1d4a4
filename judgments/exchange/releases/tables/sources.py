"""Files that hold tables → rows of texts: TSV, CSV, JSON lines, workbooks, documents, Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

from judgments.files.csv_files import delimiter_of, read_cells
from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import Row
from judgments.files.uploads import ReleaseFile

from ..records import Problems
from .parquet import table_of
from .source_table import SAMPLE, SourceTable, checked_header, checked_row, stem_of
from .word_tables import tables_in
from .workbooks import sheets_of

PARQUET = b"PAR1"
ZIP = b"PK\x03\x04"


def kind_of(file: ReleaseFile) -> str:
    """ "xlsx", "docx", "parquet", "jsonl", a delimiter, or "" for no table; by content alone."""
    head = file.head()
    if head.startswith(ZIP):
        if b"word/document.xml" in head:
            return "docx"
        return "xlsx" if b"[Content_Types].xml" in head or b"xl/" in head else ""
    if head.startswith(PARQUET):
        return "parquet"
    line = next(iter(file.first_lines(1)), "")
    if "\0" in line or not line.strip():
        return ""
    if line.startswith("{"):
        return "jsonl" if line.rstrip().endswith("}") or file.name.endswith(".jsonl") else ""
    return delimiter_of(line)


def tables_of(file: ReleaseFile) -> list[SourceTable]:
    """The tables of a file: one, or one for each sheet. Raises ImportProblem."""
    kind = kind_of(file)
    if kind == "xlsx":
        return sheets_of(file)
    if kind == "docx":
        return tables_in(file)
    if kind == "parquet":
        return [table_of(file)]
    if kind == "jsonl":
        return [_json_lines(file)]
    return [_delimited(file)] if kind else []


# ---- TSV and CSV -------------------------------------------------------------------------------


def _delimited(file: ReleaseFile) -> SourceTable:
    _, cells = next(read_cells(file.place), (1, []))
    columns = checked_header(file.name, cells)

    def read(problems: Problems) -> Iterator[Row]:
        rows = read_cells(file.place)
        next(rows, None)
        for number, cells in rows:
            if not any(cells):
                continue
            if len(cells) != len(columns):
                reason = f"the line has {len(cells)} cells, but the header has {len(columns)}."
                problems.add(ImportProblem(file.name, number, "", reason))
                continue
            try:
                row = Row(file.name, number, dict(zip(columns, cells, strict=True)))
                yield checked_row(row)
            except ImportProblem as problem:
                problems.add(problem)

    return SourceTable(file.name, stem_of(file), columns, read)


# ---- JSON lines --------------------------------------------------------------------------------


def _json_lines(file: ReleaseFile) -> SourceTable:
    """Columns are the keys of the first rows. A list or an object within a row stays JSON."""
    found: dict[str, None] = {}
    for _, cells in islice(_objects(file, Problems()), SAMPLE):
        found |= dict.fromkeys(cells)
    columns = checked_header(file.name, list(found))

    def read(problems: Problems) -> Iterator[Row]:
        for number, cells in _objects(file, problems):
            if odd := next((name for name in cells if name not in found), None):
                reason = "this key is in none of the first rows."
                problems.add(ImportProblem(file.name, number, shortened(odd), reason))
                continue
            try:
                row = Row(file.name, number, {name: cells.get(name, "") for name in columns})
                yield checked_row(row)
            except ImportProblem as problem:
                problems.add(problem)

    return SourceTable(file.name, stem_of(file), columns, read)


def _objects(file: ReleaseFile, problems: Problems) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in read_lines(file.place):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            if not isinstance(found, dict):
                raise ValueError("not an object")
            yield number, {name: _json_cell(value) for name, value in found.items()}
        except (ValueError, RecursionError):
            reason = "the line is not a JSON object in { }."
            problems.add(ImportProblem(file.name, number, "", reason))


def _json_cell(value: object) -> str:
    """Raises ValueError for a text that the database cannot hold."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text.encode()  # half of a surrogate pair
    if "\0" in text:
        raise ValueError("NUL")
    return text
