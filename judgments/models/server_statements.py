"""Statements that PostgreSQL reads and plans once for each connection (PREPARE) and then only runs.

Connections are kept for a minute, and planning a statement takes the database longer than running
it. Connections in which several clients take turns, as PgBouncer's in transaction mode, cannot have
such statements.
"""

import itertools
import weakref
from collections.abc import Sequence
from typing import Any

from django.db import connection

_numbers = itertools.count(1)
# Of each connection of the driver, the statements that it has: a new one has none.
_prepared: weakref.WeakKeyDictionary[Any, set[str]] = weakref.WeakKeyDictionary()


class ServerStatement:
    """sql: with $1, $2, … for the values that change, and %s for the constants, if any."""

    def __init__(self, name: str, sql: str, n_values: int, constants: Sequence[Any] | None = None):
        self.name = f"{name}_{next(_numbers)}"
        self.sql, self.constants = f"PREPARE {self.name} AS {sql}", constants
        places = ", ".join(["%s"] * n_values)
        self.call = f"EXECUTE {self.name} ({places})" if n_values else f"EXECUTE {self.name}"

    def rows(self, values: Sequence[Any]) -> list[tuple]:
        with connection.cursor() as cursor:
            self.prepare()
            cursor.execute(self.call, values)
            return cursor.fetchall()

    def prepare(self) -> None:
        """Once for a connection, which is open. Not by Django's cursor: the preparation belongs to
        the statement that is about to run, and is not one more."""
        held = connection.connection
        names = _prepared.setdefault(held, set())
        if self.name not in names:
            with connection.wrap_database_errors, held.cursor() as cursor:
                cursor.execute(self.sql, self.constants)
            names.add(self.name)
