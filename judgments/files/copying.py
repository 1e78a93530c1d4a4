"""Bulk inserts by PostgreSQL's COPY: several times as fast as INSERT."""

import csv
import io
from collections.abc import Iterable, Sequence
from itertools import islice

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


def copy_rows(
    model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Insert rows of values for the named fields (a foreign key's value is an id).

    Defaults of the model are not applied: name every field that may not be null. JSON is given as
    text; None is NULL.
    """
    quote = connection.ops.quote_name
    by_name = {field.name: field for field in model._meta.concrete_fields}
    named = [by_name[name] for name in fields]
    columns = ", ".join(quote(str(field.column)) for field in named)
    options = "FORMAT csv"
    # In CSV, an empty text and NULL are both an empty cell; our columns of texts are never NULL.
    if texts := [f for f in named if isinstance(f, models.CharField | models.TextField)]:
        options += f", FORCE_NOT_NULL ({', '.join(quote(str(f.column)) for f in texts)})"
    statement = f"COPY {quote(model._meta.db_table)} ({columns}) FROM STDIN ({options})"
    rows = iter(rows)
    with connection.cursor() as cursor:
        while text := _csv(islice(rows, ROWS_AT_ONCE)):
            cursor.copy_expert(statement, io.StringIO(text))


def _csv(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV: written in C, which matters for millions of cells. A float is written
    such that it reads back as the same float."""
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()
