"""CSV download responses."""

import csv
import io
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from judgments.files.formulas import guarded


def csv_file(name: str, head: Sequence[str], rows: Iterable[Iterable[object]]) -> HttpResponse:
    """name: of the file. No cell is taken for a formula; None is an empty one."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    response = HttpResponse(out.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
