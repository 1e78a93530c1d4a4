"""Temporary empty tables, for data that is stored only to compute with it.

During a transaction of several minutes whose rows are rolled back, others would wait for the names
that it has inserted, and for the tables that it uses. Temporary tables are visible to their session
only, and PostgreSQL finds them before others of the same name.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

# Empty tables like all of people, judgments and metrics, with their indexes, without foreign keys
# and triggers. Numbers come from the real sequences: what is stored in memory or files under the
# number of a campaign belongs to no other. Prepared statements have to find their tables again.
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
    """Make every table empty within the block, and store nothing: its writes are visible on its
    connection only and are gone at its end. Nobody waits for it. No foreign key is checked."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(MAKE)
        try:
            yield
        finally:
            transaction.set_rollback(True)


def next_numbers(table: str, count: int = 1) -> list[int]:
    """Return primary keys from the sequence of a table, which nobody else will get.

    The sequence is found in a separate query; otherwise PostgreSQL looks it up in its catalog again
    for each key, which costs more than the key itself.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval((SELECT pg_get_serial_sequence("
            "quote_ident(current_schema()) || '.' || quote_ident(%s), 'id')::regclass))"
            " FROM generate_series(1, %s)",
            [table, count],
        )
        return [number for (number,) in cursor.fetchall()]
