"""What a database holds, counted; and whether it holds nothing yet."""

import contextlib
from collections.abc import Iterator
from typing import Any

from mteval_site.backup import BackupProblem
from mteval_site.local import upkeep
from mteval_site.version import COMMAND

# Rows that migrating an empty database or signing in makes.
OF_NOBODY = {"django_migrations", "django_content_type", "auth_permission", "django_session"}
TABLES = """
SELECT relname FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') ORDER BY relname
"""
FUNCTIONS = """
SELECT p.oid::regprocedure::text FROM pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
"""


@contextlib.contextmanager
def transaction(database: dict, *, reading: bool) -> Iterator[Any]:
    """A cursor in one transaction; reading: all of it sees the same moment."""
    with upkeep.connected(database) as connection:
        if reading:
            connection.set_session(isolation_level="REPEATABLE READ", readonly=True)
        with connection, connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0")
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            yield cursor


def server_version(cursor: Any) -> int:
    """Return the major version of the server."""
    return cursor.connection.server_version // 10_000


def tables(cursor: Any) -> list[str]:
    cursor.execute(TABLES)
    return [name for (name,) in cursor.fetchall()]


def counted(cursor: Any) -> dict[str, Any]:
    """Return how many rows each table has, judgments of each campaign, and which migrations it
    has."""
    rows = {}
    for name in tables(cursor):
        cursor.execute(f'SELECT count(*) FROM "{name}"')
        (rows[name],) = cursor.fetchone()
    cursor.execute(
        "SELECT campaign_id, count(*) FROM judgments_judgment GROUP BY campaign_id ORDER BY 1"
    )
    judgments = {str(campaign): n for campaign, n in cursor.fetchall()}
    cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
    migrations = [f"{app}.{name}" for app, name in cursor.fetchall()]
    return {"rows": rows, "judgments": judgments, "migrations": migrations}


def require_empty(cursor: Any, known: set[str]) -> None:
    """Raise BackupProblem when somebody's rows, or a table that is not `known`, are there."""
    for name in tables(cursor):
        if name not in known:
            raise BackupProblem(
                f"The database has a table that is not mteval's, {name}; restore into a database "
                "of its own."
            )
        if name in OF_NOBODY:
            continue
        cursor.execute(f'SELECT EXISTS (SELECT FROM "{name}")')
        if cursor.fetchone()[0]:
            raise BackupProblem(
                f"The database is not empty: {name} has rows, as those of every site that was "
                "started. Nothing was changed. Stop the site and restore into a folder that does "
                f"not exist yet, before the first start with it: MTEVAL_VAR=FOLDER {COMMAND} "
                f"manage restore FILE, then MTEVAL_VAR=FOLDER {COMMAND}; with DATABASE_URL, name "
                "a new, empty database instead."
            )


def clear(cursor: Any) -> None:
    """Remove the tables and functions of an empty database, which a backup brings itself."""
    cursor.execute("SET LOCAL lock_timeout = '10s'")
    if names := tables(cursor):
        listed = ", ".join(f'"{name}"' for name in names)
        cursor.execute(f"DROP TABLE {listed} CASCADE")
    cursor.execute(FUNCTIONS)
    for (signature,) in cursor.fetchall():
        cursor.execute(f"DROP FUNCTION {signature} CASCADE")
