"""A database of its own for what is stored to be computed with and taken back.

In a transaction of minutes whose rows are rolled back, others would wait for the names that it has
inserted, and nobody could look at the tables that it looks at. Temporary tables are seen by their
session alone, and PostgreSQL finds them before others of the same name.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

# Empty tables like all of people, judgments and metrics, with their indexes, without foreign keys
# and triggers. Numbers come from the true sequences: what is kept in memory or files under the
# number of a campaign is of no other. Prepared statements have to find their tables again.
MAKE = """
DO $$
DECLARE
    own text := current_schema();
    name text;
    key text;
BEGIN
    FOR name, key IN
        SELECT relname, attname FROM pg_class
        LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND attidentity <> ''
        WHERE relnamespace = own::regnamespace AND relkind = 'r'
        AND (relname ~ '^(judgments|metrics)_' OR relname = 'auth_user')
    LOOP
        EXECUTE format(
            'CREATE TEMPORARY TABLE %1$I (LIKE %2$I.%1$I INCLUDING ALL EXCLUDING IDENTITY)'
            ' ON COMMIT DROP', name, own
        );
        IF key IS NOT NULL THEN
            EXECUTE format(
                'ALTER TABLE pg_temp.%I ALTER %I SET DEFAULT nextval(%L)',
                name, key, pg_get_serial_sequence(format('%I.%I', own, name), key)
            );
        END IF;
    END LOOP;
END $$;
DISCARD PLANS
"""


@contextmanager
def scratch_tables() -> Iterator[None]:
    """Have the block find every table empty, and store nothing: whatever it writes is seen on its
    connection alone and is gone at its end. Nobody waits for it. No foreign key is checked."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(MAKE)
        try:
            yield
        finally:
            transaction.set_rollback(True)


def next_numbers(table: str, count: int = 1) -> list[int]:
    """Return primary keys from the sequence of a table, which nobody else will get.

    The name of the sequence is asked in a query of its own, or PostgreSQL looks it up in its
    catalog again for each key, which touches more pages than the key itself.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval((SELECT pg_get_serial_sequence("
            "quote_ident(current_schema()) || '.' || quote_ident(%s), 'id')))"
            " FROM generate_series(1, %s)",
            [table, count],
        )
        return [number for (number,) in cursor.fetchall()]
