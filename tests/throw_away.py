"""A PostgreSQL server for tests."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg2

from mteval_site.local.postgres import OWNER, SUPERUSER, WEB, Cluster, socket_folder

CONNECTIONS = 120  # a hundred threads with one each, and the tests' own


@contextlib.contextmanager
def throw_away(home: Path | None = None) -> Iterator[Cluster]:
    """Yield a running cluster without durability that is deleted at the end."""
    home = home or Path(tempfile.mkdtemp(prefix="mteval-test-", dir="/tmp"))
    cluster = Cluster(home, durable=False, connections=CONNECTIONS)
    try:
        cluster.start()
        allow_going_around_triggers(home)
        stop_autovacuum(home)
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(home.resolve(), ignore_errors=True)
        if home.is_symlink():
            home.unlink()


def allow_going_around_triggers(home: Path) -> None:
    """Let the site's role do what otherwise only a superuser may: tests empty append-only tables
    such as judgments, and alter their rows (`tests.factory.rewriting`). And let it act as the role
    that serves (`tests.factory.serving`)."""
    as_superuser(
        home,
        f"GRANT SET ON PARAMETER session_replication_role TO {OWNER}",
        f"GRANT {WEB} TO {OWNER} WITH INHERIT FALSE",
    )


def stop_autovacuum(home: Path) -> None:
    """The rows of a test are not committed, so in the middle of the test autovacuum would count
    tables with rows as empty, and PostgreSQL then plans joins that take minutes."""
    as_superuser(home, "ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()")


def as_superuser(home: Path, *statements: str) -> None:
    host = str(socket_folder(home))
    connection = psycopg2.connect(host=host, user=SUPERUSER, dbname="postgres")
    connection.autocommit = True
    with contextlib.closing(connection), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
