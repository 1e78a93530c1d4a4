"""Workbooks (.xlsx), read sheet by sheet and written, row by row.

Limits: the declared sizes of the archive's parts are checked before anything is unpacked (an
archive cannot unpack to more than it declares); the table of shared strings, which is held in
memory, has a separate limit; cells are counted, including empty ones between others. Entities in
XML are refused by defusedxml, which openpyxl uses.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime, time
from functools import partial
from typing import IO, Any

from django.conf import settings

from judgments.files.formulas import guarded, unguarded
from judgments.files.problem import ImportProblem
from judgments.files.table import MOST_COLUMNS, Row
from judgments.files.uploads import ReleaseFile

from ..records import Problems
from .source_table import SourceTable, checked_header, checked_table, stem_of, unpacked

MOST_SHARED = 256 * 2**20  # bytes of shared strings
MOST_CELLS = 50_000_000
MOST_PARTS = 2_000
MOST_ROWS = 1_048_576  # of a sheet (ECMA-376, as enforced by Excel)
LONGEST_CELL = 32_767
# Characters that XML cannot contain are written as in ECMA-376 (22.9.2.19, ST_Xstring): _x0001_.
NOT_IN_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


# ---- Reading -----------------------------------------------------------------------------------


def sheet_names(file: ReleaseFile) -> list[str]:
    """Return the names of a workbook's sheets; empty if it cannot be opened."""
    try:
        with _workbook(file) as book:
            return [sheet.title for sheet in book.worksheets]
    except ImportProblem:
        return []


def sheets_of(file: ReleaseFile) -> list[SourceTable]:
    """Return the sheets that have a header, the first row that is not empty."""
    with _workbook(file) as book:
        names = [sheet.title for sheet in book.worksheets]
    found = []
    for place, name in enumerate(names):
        label = f"{file.path}, sheet {name}"
        header = next((cells for _, cells in _rows(file, label, place) if any(cells)), None)
        if header:
            while header and not header[-1]:
                header.pop()
            columns = checked_header(label, header)
            title = name if len(names) > 1 else stem_of(file)
            rows = partial(_below_header, file, label, place, len(columns))
            found.append(checked_table(label, title, columns, rows))
    return found


def _below_header(
    file: ReleaseFile, label: str, place: int, n_columns: int, problems: Problems
) -> Iterator[tuple[int, list[str]]]:
    rows = ((number, cells) for number, cells in _rows(file, label, place) if any(cells))
    next(rows, None)
    for number, cells in rows:
        if any(cells[n_columns:]):
            problems.add(ImportProblem(label, number, "", "a cell has no header above it."))
        else:
            yield number, (cells + [""] * n_columns)[:n_columns]


@contextmanager
def _workbook(file: ReleaseFile) -> Iterator[Any]:
    """Open a workbook. Raise ImportProblem for another format, and for one that is too large."""
    from openpyxl import load_workbook

    with unpacked(file) as place:
        try:
            check_sizes(file.path, place, settings.MAX_UPLOAD_BYTES)
            book = load_workbook(place, read_only=True, data_only=True, keep_links=False)
        except ImportProblem:
            raise
        except Exception:  # noqa: BLE001  openpyxl raises whatever its parts raise
            raise _broken(file.path) from None
        with closing(book):
            yield book


def _broken(file: str) -> ImportProblem:
    return ImportProblem(file, None, "", "this is not a readable workbook (.xlsx).")


def check_sizes(file: str, place: Any, most: int) -> None:
    """Raise ImportProblem for a zip that declares too large a size; most: bytes of all parts."""
    with zipfile.ZipFile(place) as archive:
        parts = archive.infolist()
    shared = sum(part.file_size for part in parts if part.filename.endswith("haredStrings.xml"))
    size = sum(part.file_size for part in parts)
    if len(parts) > MOST_PARTS or shared > MOST_SHARED or size > most:
        reason = "it unpacks to more than this site accepts. Upload its tables as CSV."
        raise ImportProblem(file, None, "", reason)


def _rows(file: ReleaseFile, label: str, place: int) -> Iterator[tuple[int, list[str]]]:
    """Yield (number, cells) of every row of a sheet. The size that a sheet declares is ignored."""
    left = MOST_CELLS
    with _workbook(file) as book:
        sheet = book.worksheets[place]
        sheet.reset_dimensions()
        rows = enumerate(sheet.iter_rows(values_only=True), 1)
        while True:
            try:
                number, cells = next(rows, (0, ()))
            except Exception:  # noqa: BLE001  openpyxl raises whatever its parts raise
                raise _broken(label) from None
            if not number:
                return
            left -= len(cells) + 1
            if left < 0 or len(cells) > MOST_COLUMNS:
                reason = f"the sheet has over {MOST_COLUMNS:,} columns or {MOST_CELLS:,} cells."
                raise ImportProblem(label, number, "", reason)
            yield number, [_cell(value) for value in cells]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return _unescaped(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return repr(value) if isinstance(value, int | float) else str(value)


def _unescaped(text: str) -> str:
    """Decode escaped characters. A NUL stays escaped, since no text of the site may contain one."""

    def character(match: re.Match) -> str:
        code = int(match[1], 16)
        return chr(code) if code and not 0xD800 <= code <= 0xDFFF else match[0]

    return ESCAPED.sub(character, text)


# ---- Writing -----------------------------------------------------------------------------------


def escaped(text: str) -> str:
    return NOT_IN_XML.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


class BookWriter:
    """A workbook written row by row, to several sheets at a time."""

    def __init__(self) -> None:
        from openpyxl import Workbook as Book

        self.book = Book(write_only=True)
        self.sheets: dict[str, tuple[Any, int]] = {}
        self.n_rows: dict[str, int] = {}
        self.headers: dict[str, tuple[str, ...]] = {}

    def add(self, name: str, columns: tuple[str, ...]) -> None:
        self.headers[name] = columns
        self._new_sheet(name, 1)

    def _new_sheet(self, name: str, n: int) -> None:
        title = name if n == 1 else f"{name} {n}"
        self.sheets[name] = (self.book.create_sheet(title), n)
        self.n_rows[name] = 0
        self._append(name, self.headers[name])

    def write(self, name: str, row: Iterable[object]) -> None:
        """Write a row; after a full sheet, another begins: `outputs 2`."""
        if self.n_rows[name] == MOST_ROWS:
            self._new_sheet(name, self.sheets[name][1] + 1)
        self._append(name, row)

    def _append(self, name: str, row: Iterable[object]) -> None:
        sheet, _ = self.sheets[name]
        sheet.append([self._safe(sheet, name, value) for value in row])
        self.n_rows[name] += 1

    @staticmethod
    def _safe(sheet: Any, name: str, value: object) -> object:
        """Return a cell whose text is never a formula, with characters that XML cannot contain
        escaped."""
        from openpyxl.cell import WriteOnlyCell

        if value is None or value == "":
            return None
        if not isinstance(value, str):
            number = WriteOnlyCell(sheet)
            number._value, number.data_type = repr(value), "n"  # openpyxl drops the last digit
            return number
        text = escaped(guarded(value))
        if len(text) > LONGEST_CELL:
            reason = (
                f"a cell of a workbook can contain {LONGEST_CELL:,} characters. Write TSV or "
                "Parquet."
            )
            raise ImportProblem(name, None, "", reason)
        cell = WriteOnlyCell(sheet)
        cell._value, cell.data_type = text, "s"
        return cell

    def save(self, stream: IO[bytes]) -> None:
        self.book.save(stream)


def unguarded_row(row: Row) -> Row:
    row.cells = {name: unguarded(cell) for name, cell in row.cells.items()}
    return row
