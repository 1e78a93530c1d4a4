"""Initial databases of many tests: built once, then copied by PostgreSQL.

Loading the demo takes a second of computing, a copy of its database a tenth of that. The judgments
in the copy are the same, so that results computed for one test are cached for the next.
"""

import contextlib
from collections.abc import Callable

import psycopg2
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import connection, connections

_built: set[str] = set()


def take(name: str, build: Callable[[], object]) -> None:
    """Replace the test database with that of the seed; `build` fills an empty one the first
    time."""
    test_database, seed = connection.settings_dict["NAME"], f"seed_{name}"
    if name not in _built:
        build()
        copy(test_database, seed)
        _built.add(name)
    else:
        copy(seed, test_database)
    cache.clear()
    ContentType.objects.clear_cache()  # their ids are those of the other database


def copy(database: str, target: str) -> None:
    """Replace `target` by a copy of `database`; close all connections to either."""
    connections.close_all()
    settings = connection.settings_dict
    server = psycopg2.connect(host=settings["HOST"], user=settings["USER"], dbname="postgres")
    server.autocommit = True
    with contextlib.closing(server), server.cursor() as cursor:
        # A thread or process of an earlier test may have left its connection open. DROP DATABASE
        # WITH (FORCE) would fail on an autovacuum worker; without it PostgreSQL ends the worker.
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname IN %s AND usename = current_user",
            [(database, target)],
        )
        cursor.execute(f'DROP DATABASE IF EXISTS "{target}"')
        cursor.execute(f'CREATE DATABASE "{target}" TEMPLATE "{database}"')
