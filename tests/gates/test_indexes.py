"""No index repeats the beginning of another: it would be written with every row without being more
useful than the longer one."""

import pytest
from django.apps import apps
from django.db import connection

pytestmark = pytest.mark.django_db

# Indexes of our tables, with columns as numbered by PostgreSQL; those with a condition are less
# general.
INDEXES = """
SELECT tables.relname, names.relname, NOT indisunique, indkey::text, indclass::text
FROM pg_index
JOIN pg_class AS tables ON tables.oid = indrelid
JOIN pg_class AS names ON names.oid = indexrelid
WHERE tables.relname = ANY (%s) AND indpred IS NULL AND indexprs IS NULL
"""


def test_no_index_is_the_beginning_of_another():
    ours = [
        model._meta.db_table
        for app in ("judgments", "metrics")
        for model in apps.get_app_config(app).get_models()
    ]
    with connection.cursor() as cursor:
        cursor.execute(INDEXES, [ours])
        indexes = cursor.fetchall()
    assert len(indexes) > len(ours)
    repeated = {
        f"{name} is the beginning of {longer}"
        for table, name, is_free, *short in indexes
        for other, longer, _, *long in indexes
        if is_free and table == other and name != longer and is_beginning(short, long)
    }
    assert not repeated


def is_beginning(short: list[str], long: list[str]) -> bool:
    """Return whether columns and their operators are a prefix."""
    return all(b.split()[: len(a.split())] == a.split() for a, b in zip(short, long, strict=True))
