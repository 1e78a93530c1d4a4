"""Bulk inserts by PostgreSQL's COPY: several times as fast as INSERT."""

import io
import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import connection, models

from judgments.models.scratch import next_numbers

ROWS_AT_ONCE = 10_000
# This many added rows are analyzed in any table; fewer only if they are this share of it.
MANY_ROWS, SMALL_SHARE = 20_000, 0.01
# Tables that had more rows when they were last analyzed; -1 if they never were.
HARDLY_GROWN = """
SELECT relname FROM pg_class
WHERE relname = ANY(%s) AND relnamespace = current_schema()::regnamespace AND reltuples > %s
"""
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def new_ids(model: type[models.Model], count: int) -> list[int]:
    """Return `count` primary keys from the model's own sequence, reserved for the caller."""
    return next_numbers(model._meta.db_table, count)


def analyze(*tables: type[models.Model], added: int | None = None) -> None:
    """Let PostgreSQL analyze tables that have just grown much.

    It would do so by itself within minutes; until then it plans joins as if the tables were as
    small as before, and queries of a second would take hours: a page of results, or the record of a
    campaign that is created in the same transaction. (A table that was analyzed while it was empty
    counts as empty, however large it grows.) A table that somebody else is analyzing is skipped: an
    analysis locks it against other analyses until the transaction ends, and nobody waits for that.

    added: about how many rows each of them has gained. Analyzing a large table takes a second even
    for few new rows, so a table that hardly grew is left to PostgreSQL. None: analyze each.
    """
    names = [model._meta.db_table for model in tables]
    with connection.cursor() as cursor:
        if added is not None and added < MANY_ROWS:
            cursor.execute(HARDLY_GROWN, [names, added / SMALL_SHARE])
            hardly_grown = {name for (name,) in cursor.fetchall()}
            names = [name for name in names if name not in hardly_grown]
        if names:
            named = ", ".join(map(connection.ops.quote_name, names))
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {named}")


# By type, since an import needs two million calls; the repr of a float reads back as the same
# float.
CELLS: dict[type, Callable[[Any], str]] = {
    str: lambda value: value.translate(ESCAPES),
    bool: repr,
    int: repr,
    float: repr,
    type(None): lambda value: "\\N",
    datetime: datetime.isoformat,
    list: lambda value: json.dumps(value).translate(ESCAPES),  # of a JSONField
}


def _cell(value: object) -> str:
    if write := CELLS.get(type(value)):
        return write(value)
    # Of a subclass, such as one of Django's choices.
    return value.translate(ESCAPES) if isinstance(value, str) else repr(value)


def copy_rows(
    model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Insert rows of values for the named fields (a foreign key's value is an id).

    Defaults of the model are not applied: name every field that may not be null.
    """
    quote = connection.ops.quote_name
    by_name = {field.name: field for field in model._meta.concrete_fields}
    columns = ", ".join(quote(str(by_name[name].column)) for name in fields)
    statement = f"COPY {quote(model._meta.db_table)} ({columns}) FROM STDIN"
    rows = iter(rows)
    with connection.cursor() as cursor:
        while batch := list(islice(rows, ROWS_AT_ONCE)):
            text = "".join("\t".join(map(_cell, row)) + "\n" for row in batch)
            cursor.copy_expert(statement, io.StringIO(text))
