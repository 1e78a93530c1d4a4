"""Word documents (.docx): their tables, such as source and translation side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from judgments.files.problem import ImportProblem
from judgments.files.uploads import ReleaseFile

from ..records import Problems
from .source_table import SourceTable, checked_header, checked_table, stem_of, unpacked
from .workbooks import check_sizes

MARKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}
MOST_BYTES = 32 * 2**20  # unpacked: the document is in memory as a whole


def tables_in(file: ReleaseFile) -> list[SourceTable]:
    """Return the tables that have a row below the first, which names the columns. Nested tables
    belong to their cells. Raise ImportProblem."""
    found = []
    for place, rows in enumerate(_tables(file), 1):
        if len(rows) > 1:
            label = f"{file.path}, table {place}"
            columns = checked_header(label, rows[0])
            below = partial(_numbered, rows[1:])
            words = ("row", "first one")
            name = f"{stem_of(file)} {place}"
            found.append(checked_table(label, name, columns, below, words))
    return [replace(found[0], name=stem_of(file))] if len(found) == 1 else found


def _numbered(rows: list[list[str]], problems: Problems) -> Iterator[tuple[int, list[str]]]:
    return enumerate(rows, 2)


def _tables(file: ReleaseFile) -> list[list[list[str]]]:
    from docx import Document  # only with the first document

    with unpacked(file) as place:
        try:
            check_sizes(file.path, place, MOST_BYTES)
            body = Document(str(place)).element.body
            return [
                [[_text(cell) for cell in row.xpath("./w:tc")] for row in table.xpath("./w:tr")]
                for table in body.xpath(".//w:tbl[not(ancestor::w:tbl)]")
            ]
        except ImportProblem:
            raise
        except Exception:  # noqa: BLE001  python-docx raises whatever its parts raise
            reason = "this is not a readable document (.docx)."
            raise ImportProblem(file.path, None, "", reason) from None


def _text(cell: Any) -> str:
    """Return the text of a cell: a line for each paragraph, with tracked insertions and without
    tracked deletions."""
    lines = []
    for paragraph in cell.xpath(".//w:p"):
        pieces = paragraph.xpath(".//w:t | .//w:r/w:tab | .//w:br | .//w:cr | .//w:noBreakHyphen")
        names = [piece.tag.rpartition("}")[2] for piece in pieces]
        texts = zip(names, pieces, strict=True)
        lines.append("".join(MARKS.get(name) or piece.text or "" for name, piece in texts))
    return "\n".join(lines).strip("\n")
