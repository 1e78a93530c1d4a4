"""TSV and CSV: read as tools and spreadsheets save them, and written so that no cell is taken for a
formula.

In a .tsv, tabs separate cells and nothing is quoted: a cell may contain any character except a tab
and a line break. In any other file the header shows whether commas, semicolons or tabs separate
cells, and quotation marks enclose a cell (RFC 4180). Excel's "Unicode text", UTF-16 with tabs, is
quoted too. A first line `sep=;`, as Excel writes it, also sets the separator.
"""

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence

from django.http import HttpResponse

from judgments.files.attachments import CSV, attachment
from judgments.files.formulas import guarded

from .lines import Source, is_utf16, name_of, read_lines
from .problem import ImportProblem

SUFFIXES = (".tsv", ".tsv.gz", ".csv", ".csv.gz")
DELIMITERS = "\t,;"
QUOTED = re.compile('"[^"]*"')
SEP = re.compile(f"sep=([{DELIMITERS}])", re.IGNORECASE)
MOST_LINES_OF_A_ROW = 1_000


# ---- In ----------------------------------------------------------------------------------------


def delimiter_of(line: str) -> str:
    """Return the separator of a header's cells; "" if it is one cell."""
    bare = QUOTED.sub("", line)
    best = "\t" if "\t" in bare else max(",;", key=bare.count)
    return best if best in bare else ""


def cells_of(line: str, otherwise: str = ",") -> list[str]:
    """Return the cells of a line that is a whole row; [] if it is not. otherwise: the separator if
    there is neither tab nor comma nor semicolon."""
    try:
        return next(csv.reader([line], delimiter=delimiter_of(line) or otherwise), [])
    except csv.Error:  # a cell that is too long
        return []


def read_cells(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of its last line, cells) of every row, the header first.

    Raise ImportProblem like `read_lines`, and for quotation marks that are invalid in CSV.
    """
    name = name_of(source)
    first = next(read_lines(source), (1, ""))[1]
    said = SEP.fullmatch(first.strip())
    lines = read_lines(source)
    if said:
        next(lines)
    delimiter = said[1] if said else delimiter_of(first)
    if name.endswith(SUFFIXES[:2]) or (delimiter == "\t" and not is_quoted(source)):
        for number, line in lines:
            yield number, line.split("\t")
        return
    rows = csv.reader((line + "\n" for _, line in lines), delimiter=delimiter or ",", strict=True)
    skipped, last = (1 if said else 0), 0
    try:
        for cells in rows:
            if rows.line_num - last > MOST_LINES_OF_A_ROW:
                raise csv.Error("unexpected end of data")
            last = rows.line_num
            yield last + skipped, cells
    except csv.Error as error:
        reason = f"this is not CSV: {error}."
        if "unexpected end" in str(error):
            reason = "a quotation mark that opens is not closed."
        elif "expected after" in str(error):
            reason = (
                "a cell continues after its closing quotation mark. Write a quotation mark "
                "inside a cell twice."
            )
        raise ImportProblem(name, last + skipped + 1, "", reason) from None


def is_quoted(source: Source) -> bool:
    """Return whether cells separated by tabs are quoted, as spreadsheets save them."""
    return name_of(source).endswith(SUFFIXES[2:]) or is_utf16(source)


def read(source: Source) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (number of its last line, {column: cell}) of every row after the header. Skip empty
    rows of a CSV, which spreadsheets leave at its end.

    Raise ImportProblem for an empty file, an unnamed column, two columns with one name, and a row
    with another number of cells than the header.
    """
    rows = read_cells(source)
    name = name_of(source)
    is_tsv = name.endswith(SUFFIXES[:2])
    first, columns = next(rows, (1, None))
    if columns is None:
        raise ImportProblem(name, None, "", "the file is empty; its first line names the columns.")
    known: set[str] = set()
    for place, column in enumerate(columns, 1):
        if not column.strip():
            raise ImportProblem(name, first, "", f"column {place} has no name.")
        if column in known:
            raise ImportProblem(name, first, column, "two columns have this name.")
        known.add(column)
    for number, cells in rows:
        if not is_tsv and not any(cells):
            continue
        if len(cells) != len(columns):
            reason = "the line is empty."
            if any(cells):
                many = f"{len(cells)} cell" + "s" * (len(cells) != 1)
                reason = f"the line has {many}, but the header has {len(columns)}."
            raise ImportProblem(name, number, "", reason)
        yield number, dict(zip(columns, cells, strict=True))


# ---- Out ---------------------------------------------------------------------------------------


def undefined(value: object) -> bool:
    """Return whether a cell stays empty: for None and NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def csv_cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula; an empty one for an undefined
    value."""
    if undefined(value):
        return ""
    return guarded(value) if isinstance(value, str) else value


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return lines of CSV with line ends."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(map(csv_cell, row) for row in rows)
    return out.getvalue()


def csv_file(name: str, head: Sequence[str], rows: Iterable[Iterable[object]]) -> HttpResponse:
    """Return a download. name: of the file."""
    return attachment(csv_text([head, *rows]), CSV, name)
