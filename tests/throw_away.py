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
        prepare(home)
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(home.resolve(), ignore_errors=True)
        if home.is_symlink():
            home.unlink()


def prepare(home: Path) -> None:
    """Let the site's role do what otherwise only a superuser may: tests empty append-only tables
    such as judgments, and alter their rows (`tests.factory.rewriting`). And let it act as the role
    that serves (`tests.factory.serving`).

    Without autovacuum: the rows of a test are not committed, so in the middle of the test it counts
    tables with rows as empty, and PostgreSQL then plans joins that take minutes.
    """
    host = str(socket_folder(home))
    connection = psycopg2.connect(host=host, user=SUPERUSER, dbname="postgres")
    connection.autocommit = True
    with contextlib.closing(connection), connection.cursor() as cursor:
        cursor.execute(f"GRANT SET ON PARAMETER session_replication_role TO {OWNER}")
        cursor.execute(f"GRANT {WEB} TO {OWNER} WITH INHERIT FALSE")
        cursor.execute("ALTER SYSTEM SET autovacuum = off")
        cursor.execute("SELECT pg_reload_conf()")
