"""Querysets whose SQL is written once and then used again with other values.

Django writes the SQL of a queryset anew each time, and PostgreSQL plans it anew, which on the pages
that annotators open all day costs several times what running it does. The query stays an ordinary
queryset:

    tasks_of = Prepared(lambda user: Task.objects.filter(annotator=user).order_by("pk"))
    tasks_of(7)      # a list of tasks; one statement

Every argument stands for one value that the queryset compares with, a number unless `kinds` says
otherwise. Not for prefetch_related, slices that vary, or None.
"""

import inspect
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models.base import ModelState
from django.db.models.query import QuerySet

from judgments.models.server_statements import ServerStatement

PLACE = re.compile("%%|%s")
# Stand-ins, one for each place of an argument; no constant of a query looks like them.
STAND_INS: dict[type, Callable[[int], Any]] = {
    int: lambda place: 2_000_000_011 + place,
    str: lambda place: f"stand-in {place}",
    datetime: lambda place: datetime(1901, 1, 1, tzinfo=UTC) + timedelta(days=place),
}


class Prepared:
    def __init__(self, build: Callable[..., QuerySet], kinds: tuple[type, ...] | None = None):
        self.build = build
        self.kinds = kinds or (int,) * len(inspect.signature(build).parameters)
        self.compiled: Compiled | None = None

    def __call__(self, *values: Any) -> list:
        """The rows as instances, related ones and annotations included."""
        if self.compiled is None:
            self.compiled = Compiled(self.build, self.kinds)
        return self.compiled.run(values)

    def first(self, *values: Any) -> Any:
        """The first row, or None."""
        return next(iter(self(*values)), None)


class Compiled:
    """What `django.db.models.query.ModelIterable` finds out for each run, kept."""

    def __init__(self, build, kinds):
        stand_ins = [STAND_INS[kind](place) for place, kind in enumerate(kinds)]
        # `connection` is whichever belongs to the running thread, so all threads share this.
        compiler = build(*stand_ins).query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        missing = [place for place, value in enumerate(stand_ins) if value not in parameters]
        if missing:
            raise ValueError(f"The queryset does not compare with argument {missing[0] + 1}.")
        places = (f"${stand_ins.index(v) + 1}" if v in stand_ins else "%s" for v in parameters)
        self.statement = ServerStatement(
            compiler.query.model._meta.db_table,
            PLACE.sub(lambda found: found[0] if found[0] == "%%" else next(places), sql),
            len(stand_ins),
            [value for value in parameters if value not in stand_ins],
        )
        self.compiler = compiler
        self.instances = Instances(compiler.klass_info, compiler.select)
        self.annotations = list(compiler.annotation_col_map.items())
        columns = [column[0] for column in compiler.select[: compiler.col_count]]
        self.converters = compiler.get_converters(columns)

    def run(self, values) -> list:
        found = self.statement.rows(values)
        if self.converters:
            found = self.compiler.apply_converters(found, self.converters)
        alias = connection.alias
        return [self.instance(row, alias) for row in found]

    def instance(self, row, alias: str):
        instance = self.instances.of(row, alias)
        for name, column in self.annotations:
            setattr(instance, name, row[column])
        return instance


class Instances:
    """Instances of a model from the columns of rows, with those of select_related; as
    `Model.from_db` makes them, without its signals, to which nobody listens."""

    def __init__(self, info: dict[str, Any], select: list):
        assert not info.get("from_parent"), "Models with parents are not prepared."
        self.model = info["model"]
        start, end = info["select_fields"][0], info["select_fields"][-1] + 1
        self.span = slice(start, end)
        self.names = [column[0].target.attname for column in select[start:end]]
        self.key = start + self.names.index(self.model._meta.pk.attname)
        self.related = [
            (Instances(each, select), each["local_setter"], each["remote_setter"])
            for each in info.get("related_klass_infos", ())
        ]

    def of(self, row, alias: str):
        """The instance, or None where an outer join found none."""
        if row[self.key] is None:
            return None
        instance = self.model.__new__(self.model)
        vars(instance).update(zip(self.names, row[self.span], strict=True))
        instance._state = state = ModelState()
        state.adding, state.db = False, alias
        for instances, set_local, set_remote in self.related:
            other = instances.of(row, alias)
            set_local(instance, other)
            if other is not None:
                set_remote(other, instance)
        return instance
