"""Databases in addition to the tests' own, for tests that restore or migrate one."""

import contextlib
from collections.abc import Iterator

import psycopg2
from django.core.cache import cache
from django.db import connection, connections


@contextlib.contextmanager
def new_database(name: str = "scratch") -> Iterator[dict]:
    """Yield the entry of DATABASES for an empty database."""
    own = connection.settings_dict
    server = psycopg2.connect(host=own["HOST"], user=own["USER"], dbname="postgres")
    server.autocommit = True
    name = f"{own['NAME']}_{name}"
    with contextlib.closing(server), server.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}"')
        try:
            yield {**own, "NAME": name}
        finally:
            connections.close_all()
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextlib.contextmanager
def inside(database: dict) -> Iterator[None]:
    """Have Django use another database inside the block."""
    name = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = database["NAME"]
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = name
        cache.clear()
