"""How tests with real transactions empty the tables: Django's `flush`, by DELETE.

TRUNCATE creates new files for every table and index, also for empty ones: a third of a second, when
only a few rows were added. And some tables do not allow TRUNCATE at all. Content types and
permissions stay as the migrations made them, so that they need not be made again.

The rows of earlier tests are removed from the files between modules, and not by autovacuum
(`tests.throw_away.stop_autovacuum`).
"""

import time

from django.core.management.commands import flush
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.operations import DatabaseOperations
from psycopg2.errors import DeadlockDetected

from tests.factory import rewriting

truncate = DatabaseOperations.sql_flush
execute = DatabaseOperations.execute_sql_flush
KEPT = {"django_content_type", "auth_permission"}
VACUUM_EVERY = 60.0  # seconds
vacuumed_at = time.monotonic()


def install() -> None:
    """Let Django empty the tables this way."""
    DatabaseOperations.sql_flush = sql_flush  # type: ignore[method-assign]
    DatabaseOperations.execute_sql_flush = execute_sql_flush  # type: ignore[method-assign]
    flush.emit_post_migrate_signal = lambda *arguments: None  # type: ignore[assignment]


def sql_flush(
    self: DatabaseOperations, style, tables, *, reset_sequences=False, allow_cascade=False
) -> list[str]:
    """Return the statements; they lock like TRUNCATE, to wait for transactions that still write."""
    if reset_sequences or allow_cascade or not tables:
        return truncate(
            self, style, tables, reset_sequences=reset_sequences, allow_cascade=allow_cascade
        )
    names = [self.quote_name(table) for table in tables if table not in KEPT]
    return [f"LOCK TABLE {', '.join(names)}", "; ".join(f"DELETE FROM {name}" for name in names)]


def execute_sql_flush(self: DatabaseOperations, sql_list: list[str]) -> None:
    """Run the statements. A request that is just ending, as the last one of a page that was closed,
    may have read one table and wait for another: PostgreSQL then ends one of the two, and this one
    starts again."""
    for _ in range(3):
        try:
            with rewriting():
                return execute(self, sql_list)
        except OperationalError as error:
            if not isinstance(error.__cause__, DeadlockDetected):
                raise
            deadlock = error
    raise deadlock


def vacuum(connection: BaseDatabaseWrapper) -> None:
    """Remove deleted rows from the files, if it has not been done for a while."""
    global vacuumed_at
    if time.monotonic() - vacuumed_at > VACUUM_EVERY:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
        vacuumed_at = time.monotonic()
