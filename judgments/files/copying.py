"""Many rows at once, by PostgreSQL's COPY: several times the speed of INSERT."""

import io
import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any

from django.db import connection, models, transaction

from judgments.models.scratch import next_numbers

ROWS_AT_ONCE = 10_000
# Rows that are looked at however large their table is, and the share of it that fewer must be.
MANY_ROWS, SMALL_SHARE = 20_000, 0.01
# Tables that had more rows when they were last looked at; -1 where they never were.
HARDLY_GROWN = """
SELECT relname FROM pg_class
WHERE relname = ANY(%s) AND relnamespace = current_schema()::regnamespace AND reltuples > %s
"""
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def new_ids(model: type[models.Model], count: int) -> list[int]:
    """Return so many primary keys from the model's own sequence, which nobody else will get."""
    return next_numbers(model._meta.db_table, count)


def analyze(*tables: type[models.Model], added: int | None = None) -> None:
    """Have PostgreSQL look at tables that have just grown by much, once their rows are stored.

    It would do so by itself within minutes; until then it plans joins as if the tables were as
    small as before, and what takes a second would take hours, such as a page of results. A look
    locks its table against others' until the end of its transaction, so it has one of its own, and
    passes over tables at which somebody else looks. Nothing is done where nothing stays.

    added: about how many rows each of them has got. A look at a large table takes a second however
    few these are, so one that hardly grew is left to PostgreSQL. None: each is looked at.
    """
    transaction.on_commit(partial(analyze_now, *tables, added=added), robust=True)


def analyze_now(*tables: type[models.Model], added: int | None = None) -> None:
    """As `analyze`, at once: for the tables of a transaction of their own (`scratch_tables`)."""
    names = [model._meta.db_table for model in tables]
    with connection.cursor() as cursor:
        if added is not None and added < MANY_ROWS:
            cursor.execute(HARDLY_GROWN, [names, added / SMALL_SHARE])
            hardly_grown = {name for (name,) in cursor.fetchall()}
            names = [name for name in names if name not in hardly_grown]
        if names:
            named = ", ".join(map(connection.ops.quote_name, names))
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {named}")


# By type, since an import asks two million times; the repr of a float reads back as the same float.
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
    # Of a subclass, such as a choice of Django's.
    return value.translate(ESCAPES) if isinstance(value, str) else repr(value)


def copy_rows(
    model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Insert rows of values for the named fields (a foreign key's value is an id).

    Defaults of the model are not filled in: name every field that may not be null.
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
