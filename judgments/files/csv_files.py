"""CSV that the site writes, in which no cell is taken for a formula."""

import csv
import io
import math
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from judgments.files.formulas import guarded


def undefined(value: object) -> bool:
    """Return whether a cell stays empty: None and NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def csv_cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula; an empty one where it is undefined."""
    if undefined(value):
        return ""
    return guarded(value) if isinstance(value, str) else value


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return lines of CSV, each with its end."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(map(csv_cell, row) for row in rows)
    return out.getvalue()


def csv_file(name: str, head: Sequence[str], rows: Iterable[Iterable[object]]) -> HttpResponse:
    """Return a download. name: of the file."""
    response = HttpResponse(csv_text([head, *rows]), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
