"""Querysets whose SQL is generated once and then reused with other values.

Django generates the SQL of a queryset anew each time, and PostgreSQL plans it anew, which takes
several times as long as running it on the pages that annotators open all day. The query stays an
ordinary queryset:

    tasks_of = Prepared(lambda user: Task.objects.filter(annotator=user).order_by("pk"))
    tasks_of(7)      # a list of tasks; one statement

Every argument is one value that the queryset compares with, a number unless `kinds` says otherwise.
prefetch_related, varying slices and None are not supported.
"""

import inspect
import itertools
import re
import weakref
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection, models
from django.db.models.query import QuerySet

# Numbers in the names of statements.
_numbers = itertools.count(1)
# The prepared statements of each connection of the driver; a new connection has none.
_prepared: weakref.WeakKeyDictionary[Any, set[str]] = weakref.WeakKeyDictionary()


class ServerStatement:
    """A statement that PostgreSQL reads and plans once for each connection (PREPARE) and then only
    runs. Connections shared by several clients in turn, such as PgBouncer's in transaction mode,
    cannot have such statements.

    sql: with $1, $2, … for the values that change, and %s for the constants, if any.
    """

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
        """Prepare the statement once for an open connection. Not through Django's cursor: the
        preparation belongs to the statement that is about to run, and must not count as another
        one."""
        held = connection.connection
        names = _prepared.setdefault(held, set())
        if self.name not in names:
            with connection.wrap_database_errors, held.cursor() as cursor:
                cursor.execute(self.sql, self.constants)
            names.add(self.name)


PLACE = re.compile("%%|%s")
LARGEST = models.BigIntegerField.MAX_BIGINT
# Placeholder values, one for each position of an argument; no constant of a query looks like them.
STAND_INS: dict[type, Callable[[int], Any]] = {
    int: lambda place: 2_000_000_011 + place,
    str: lambda place: f"stand-in {place}",
    datetime: lambda place: datetime(1901, 1, 1, tzinfo=UTC) + timedelta(days=place),
}


class Prepared:
    """build: returns the queryset; its select_related, defer and locks are ignored.

    related: foreign keys whose rows are loaded too, as paths ("item__task"), the nearer ones first;
    annotated: names of annotations that the instances have; deferred: fields that are loaded on
    first access; locked: tables whose rows are locked until the transaction ends.
    """

    def __init__(
        self,
        build: Callable[..., QuerySet],
        kinds: tuple[type, ...] | None = None,
        *,
        related: Sequence[str] = (),
        annotated: Sequence[str] = (),
        deferred: Sequence[str] = (),
        locked: Sequence[str] = (),
    ) -> None:
        self.build = build
        self.kinds = kinds or (int,) * len(inspect.signature(build).parameters)
        self.related, self.annotated = related, annotated
        self.deferred, self.locked = deferred, locked
        self.compiled: Compiled | None = None

    def __call__(self, *values: Any) -> list:
        """Return the rows as instances, including related ones and annotations; none for a number
        that is larger than any in the database, like Django's own queries."""
        if any(isinstance(value, int) and abs(value) > LARGEST for value in values):
            return []
        if self.compiled is None:
            self.compiled = Compiled(self)
        return self.compiled.run(values)

    def first(self, *values: Any) -> Any:
        """Return the first row, or None."""
        return next(iter(self(*values)), None)


class ModelColumns:
    """The positions of a model's columns in a row, from `start` on. path: of foreign keys to it."""

    def __init__(
        self, path: str, model: type[models.Model], start: int, deferred: Sequence[str] = ()
    ) -> None:
        fields = [each for each in model._meta.concrete_fields if each.attname not in deferred]
        self.path, self.model = path, model
        self.above, _, self.name = path.rpartition("__")
        self.names = [field.attname for field in fields]
        self.span = slice(start, start + len(fields))
        self.key = start + self.names.index(str(model._meta.pk and model._meta.pk.attname))
        readers = enumerate(getattr(field, "from_db_value", None) for field in fields)
        self.readers = [(place, reader) for place, reader in readers if reader]

    def selected(self) -> list[str]:
        return [f"{self.path}__{name}" if self.path else name for name in self.names]

    def instance(self, row: Sequence[Any]) -> Any:
        """Return the instance, or None if an outer join found none."""
        if row[self.key] is None:
            return None
        values = list(row[self.span])
        for place, reader in self.readers:
            values[place] = reader(values[place], None, connection)
        return self.model.from_db(connection.alias, self.names, values)


class Compiled:
    """A statement, and how its rows become instances."""

    def __init__(self, prepared: Prepared) -> None:
        stand_ins = [STAND_INS[kind](place) for place, kind in enumerate(prepared.kinds)]
        queryset = prepared.build(*stand_ins)
        self.own = ModelColumns("", queryset.model, 0, prepared.deferred)
        parts = {"": self.own}
        for path in prepared.related:
            above, _, name = path.rpartition("__")
            model: Any = parts[above].model._meta.get_field(name).related_model
            parts[path] = ModelColumns(path, model, [*parts.values()][-1].span.stop)
        self.related = [part for part in parts.values() if part.path]
        self.annotated = prepared.annotated
        names = [name for part in parts.values() for name in part.selected()]
        self.n_columns = len(names)
        rows = queryset.values_list(*names, *prepared.annotated)
        sql, parameters = rows.query.sql_with_params()
        missing = [place for place, value in enumerate(stand_ins) if value not in parameters]
        if missing:
            raise ValueError(f"The queryset does not compare with argument {missing[0] + 1}.")
        places = (f"${stand_ins.index(v) + 1}" if v in stand_ins else "%s" for v in parameters)
        if prepared.locked:
            sql += f" FOR UPDATE OF {', '.join(prepared.locked)}"
        self.statement = ServerStatement(
            queryset.model._meta.db_table,
            PLACE.sub(lambda found: found[0] if found[0] == "%%" else next(places), sql),
            len(stand_ins),
            [value for value in parameters if value not in stand_ins],
        )

    def run(self, values: Sequence[Any]) -> list:
        """Return the instances; rows of one run share instances that are related to several of
        them."""
        shared: dict[tuple[str, Any], Any] = {}
        return [self.instance(row, shared) for row in self.statement.rows(values)]

    def instance(self, row: Sequence[Any], shared: dict[tuple[str, Any], Any]) -> Any:
        found = {"": self.own.instance(row)}
        for part in self.related:
            key = part.path, row[part.key]
            if key not in shared:
                shared[key] = part.instance(row)
            found[part.path] = shared[key]
            if found[part.above] is not None:
                setattr(found[part.above], part.name, shared[key])
        for name, value in zip(self.annotated, row[self.n_columns :], strict=True):
            setattr(found[""], name, value)
        return found[""]
