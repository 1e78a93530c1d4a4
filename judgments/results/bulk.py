"""Many rows of the database at once, as a NumPy array.

A table of numbers leaves PostgreSQL fastest in the binary format of COPY, whose rows all have the
same length when no field is NULL and every field has a fixed width: one buffer is then the array,
and no Python object is made per row (about ten times faster than a cursor of tuples).
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import numpy as np
from django.db import connection

HEADER_BYTES = 19  # signature, flags, length of the header's extension (none)
TRAILER_BYTES = 2
CASTS = {"i8": "bigint", "i4": "integer", "i2": "smallint", "f8": "double precision"}


def copy_rows(
    fields: Mapping[str, tuple[str, str]], source: str, params: Sequence[object] = ()
) -> np.ndarray:
    """Structured array (n,) of a query's rows.

    ``fields``: name → (SQL expression, a key of CASTS), none of them NULL; ``source``: what
    follows FROM, with ``params`` for its placeholders (and those of the expressions, which come
    first). ValueError if a field was NULL after all.
    """
    columns = ", ".join(f"({sql})::{CASTS[kind]}" for sql, kind in fields.values())
    with connection.cursor() as cursor:
        # COPY takes no parameters: the driver quotes them into the text.
        query = cursor.mogrify(f"SELECT {columns} FROM {source}", params).decode()
        buffer = io.BytesIO()
        cursor.copy_expert(f"COPY ({query}) TO STDOUT (FORMAT binary)", buffer)
    wire = [("", ">i2")]
    for name, (_, kind) in fields.items():
        wire += [(f"{name} bytes", ">i4"), (name, f">{kind}")]
    wire[0] = ("n fields", ">i2")
    row = np.dtype(wire)
    data = buffer.getbuffer()[HEADER_BYTES:-TRAILER_BYTES]
    if len(data) % row.itemsize:
        raise ValueError("a field of the query was NULL")
    raw = np.frombuffer(data, row)
    rows = np.empty(len(raw), [(name, kind) for name, (_, kind) in fields.items()])
    for name in fields:
        rows[name] = raw[name]
    return rows
