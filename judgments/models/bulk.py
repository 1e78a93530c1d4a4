"""Many rows of the database at once, as a NumPy array.

A table of numbers leaves PostgreSQL fastest in the binary format of COPY, whose rows all have the
same length when no field is NULL and every field has a fixed width: one buffer is then the array,
and no Python object is made per row (about ten times faster than a cursor of tuples).
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db.models import QuerySet

from judgments.models.moments import connection_to_read

HEADER_BYTES = 19  # signature, flags, length of the header's extension (none)
TRAILER_BYTES = 2
BLOCK = 8192
CASTS = {"i8": "bigint", "i4": "integer", "i2": "smallint", "f8": "double precision"}
MOMENT = "moment"  # a kind of field: a column for `seconds_of`
CASTS[MOMENT] = "timestamptz"
NEVER = np.iinfo(np.int64).min  # as COPY sends -infinity
BEFORE_2000 = 946_684_800_000_000  # microseconds from 1970 to the year from which COPY counts


def copy_columns(
    fields: Mapping[str, tuple[str, str]], source: str, params: Sequence[object] = ()
) -> dict[str, np.ndarray]:
    """Return a query's columns by name, (n,) each.

    ``fields``: name → (SQL expression, a key of CASTS), none of them NULL; ``source``: what
    follows FROM, with ``params`` for its placeholders (and those of the expressions, which come
    first). Raise ValueError if a field was NULL after all.
    """
    casts = ", ".join(f"({sql})::{CASTS[kind]}" for sql, kind in fields.values())
    with connection_to_read().cursor() as cursor:
        # COPY takes no parameters: the driver quotes them into the text.
        query = cursor.mogrify(f"SELECT {casts} FROM {source}", params).decode()
        buffer = io.BytesIO()
        cursor.copy_expert(f"COPY ({query}) TO STDOUT (FORMAT binary)", buffer)
    wire = [("n fields", ">i2")]
    for name, (_, kind) in fields.items():
        wire += [(f"{name} bytes", ">i4"), (name, f">{_sent_as(kind)}")]
    row = np.dtype(wire)
    data = buffer.getbuffer()[HEADER_BYTES:-TRAILER_BYTES]
    if len(data) % row.itemsize:
        raise ValueError("a field of the query was NULL")
    raw = np.frombuffer(data, row)
    columns = {name: np.empty(len(raw), _sent_as(kind)) for name, (_, kind) in fields.items()}
    for start in range(0, len(raw), BLOCK):  # all columns of some rows while these are in the cache
        some = slice(start, start + BLOCK)
        for name, column in columns.items():
            column[some] = raw[some][name]
    return columns


def _sent_as(kind: str) -> str:
    return "i8" if kind == MOMENT else kind


def ids_of(rows: QuerySet) -> np.ndarray:
    """Return the primary keys (n,) of a query's rows, in its order."""
    try:
        sql, params = rows.values("id").query.sql_with_params()
    except EmptyResultSet:  # known without asking the database
        return np.zeros(0, np.int64)
    return copy_columns({"id": ("found.id", "i8")}, f"({sql}) found", params)["id"]


def seconds_of(moments: np.ndarray) -> np.ndarray:
    """Return moments (n,) as seconds of 1970; NaN for NEVER."""
    return np.where(moments == NEVER, np.nan, (moments + BEFORE_2000) / 1e6)
