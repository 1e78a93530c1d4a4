"""Databases of released versions come to the newest one with every row, and no large table is
locked for long on the way (CONTRIBUTING.md, "How to change the database").

A release adds the names of its last migrations to RELEASES.
"""

import contextlib
import datetime
import uuid

import pytest
from django.contrib.postgres.fields import ArrayField
from django.db import connection, migrations, models, transaction
from django.db.migrations.executor import MigrationExecutor

from judgments.models import Campaign, CampaignRecord, Seal
from judgments.models.chains import checking
from judgments.models.chains.record_checking import check_record
from tests.scratch import inside, new_database

RELEASES = {
    "0.1.0": {"judgments": "0005_stopping_plans", "metrics": "0002_comparisons_and_corpora"},
}
N = 3  # rows of each model
# Tables that may have millions of rows.
LARGE = [
    f"judgments_{name}"
    for name in (
        *("judgment", "rating", "preference", "errorspan", "postedit", "answer", "alignmentlink"),
        *("item", "itemoutput", "output", "segment", "seal"),
    )
]
WHEN = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def targets(release):
    """The migrations of a release; of other packages the newest."""
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes()
    own = RELEASES[release]
    return [node for node in leaves if node[0] not in own] + list(own.items())


def migrate(nodes):
    executor = MigrationExecutor(connection)
    executor.migrate(nodes)
    return MigrationExecutor(connection).loader.project_state(nodes).apps


def migrate_to_newest():
    migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())


# Rows of every model


def fill(apps):
    """N rows in every table of our own and of accounts, each of them different."""
    made: dict[type[models.Model], list] = {}
    models_ = [
        m
        for label in ("auth", "judgments", "metrics")
        for m in apps.app_configs[label].get_models()
    ]
    waiting = [m for m in models_ if m._meta.label != "auth.Permission"]
    while waiting:
        model = waiting.pop(0)
        if any(needed not in made for needed in required_by(model)):
            waiting.append(model)
            continue
        made[model] = []
        for i in range(N):
            made[model].append(model.objects.create(**values(model, i, made)))
    return [model._meta.db_table for model in made]


def required_by(model):
    return {
        f.related_model
        for f in model._meta.concrete_fields
        if f.is_relation and not f.null and f.related_model is not model
    }


def values(model, i, made):
    given = {
        field.name: value(field, i, made)
        for field in model._meta.concrete_fields
        if not (field.primary_key and not field.is_relation)
    }
    return given | special(model, i, made)


def special(model, i, made):
    """What the constraints of the database ask for."""
    match model._meta.label:
        case "judgments.Judgment" if i == 2:
            return {"supersedes": made[model][1], "revision": 2}
        case "judgments.Preference":
            outputs = next(rows for m, rows in made.items() if m._meta.label == "judgments.Output")
            return {"value": i - 1, "output_b": outputs[(i + 1) % N]}
        case "judgments.ErrorSpan":
            return {"side": "target", "start": i, "end": i + 1}
        case "judgments.Task":
            return {"n_items": 9, "n_judged": i}
    return {}


def value(field, i, made):
    if field.is_relation:
        return None if field.null else made[field.related_model][i]
    match field:
        case models.UUIDField():
            return uuid.UUID(int=i + 1)
        case models.BooleanField():
            return i % 2 == 0
        case models.DateTimeField():
            return WHEN + datetime.timedelta(days=i)
        case models.FloatField():
            return i + 0.1
        case models.IntegerField():
            return i + 1
        case models.JSONField():
            return {"row": [i, None, "ä"]}
        case models.BinaryField():
            return bytes([i])
        case ArrayField():
            return [value(field.base_field, i, made), value(field.base_field, i + 1, made)]
        case models.CharField() if field.choices:
            return [key for key, _ in field.flatchoices][i % len(field.flatchoices)]
        case models.CharField() | models.TextField():
            return f"{field.name} ‘{i}’"[: field.max_length]
    raise NotImplementedError(field)


def rows_of(table, columns=None):
    """(columns, {row: as text}) of a table."""
    with connection.cursor() as cursor:
        columns = columns or [
            c.name for c in connection.introspection.get_table_description(cursor, table)
        ]
        listed = ", ".join(f'"{name}"::text' for name in columns)
        cursor.execute(f'SELECT {listed} FROM "{table}"')
        return columns, sorted(cursor.fetchall(), key=repr)


@pytest.mark.parametrize("release", RELEASES)
def test_every_row_of_a_release_is_kept(release):
    with new_database() as database, inside(database):
        tables = fill(migrate(targets(release)))
        before = {table: rows_of(table) for table in tables}
        assert len(before) > 35 and all(len(rows) == N for _, rows in before.values())
        migrate_to_newest()
        for table, (columns, rows) in before.items():
            assert rows_of(table, columns) == (columns, rows), table
        reports = [checking.check(campaign) for campaign in Campaign.objects.all()]
        assert [(report.judgments, report.found) for report in reports] == [(1, [])] * N
        assert Seal.objects.count() == N
        assert all(check_record(campaign).found == [] for campaign in Campaign.objects.all())
        acts = CampaignRecord.objects.values_list("act", flat=True)
        assert set(acts) == {"as found at the upgrade"}


@pytest.mark.parametrize("release", RELEASES)
def test_no_large_table_is_locked_while_it_is_read_or_rewritten(release):
    with new_database() as database, inside(database):
        fill(migrate(targets(release)))
        with watched() as found:
            migrate_to_newest()
        assert found == []


# Locks


@contextlib.contextmanager
def watched():
    """Yields a list of the statements that read or rewrite a large table while writers have to
    wait for one."""
    found: list[str] = []

    def watch(execute, sql, params, many, context):
        before = state()
        result = execute(sql, params, many, context)
        after = state()
        locked = [table for table, (_, _, lock) in after.items() if lock]
        for table, (file, scans, _) in after.items():
            old = before.get(table, (file, scans, None))
            if old[0] != file or (locked and scans > old[1]):
                found.append(f"{table}: {sql}")
        return result

    with connection.execute_wrapper(watch):
        yield found


STATE = """
SELECT c.relname, pg_relation_filenode(c.oid), pg_stat_get_xact_numscans(c.oid), (
    SELECT max(l.mode) FROM pg_locks l
    WHERE l.relation = c.oid AND l.pid = pg_backend_pid() AND l.mode IN (
        'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'
    )
)
FROM pg_class c
WHERE c.relname = ANY(%s) AND c.relnamespace = current_schema()::regnamespace
"""


def state():
    """{table: (its file, scans of it in this transaction, a lock that keeps writers away)}"""
    with connection.connection.cursor() as cursor:
        cursor.execute(STATE, [LARGE])
        return {name: tuple(rest) for name, *rest in cursor.fetchall()}


RATING = "judgments_rating"
BAD = {
    "an index": f"CREATE INDEX bad ON {RATING} (value)",
    "a rewrite": f"ALTER TABLE {RATING} ADD COLUMN bad uuid NOT NULL DEFAULT gen_random_uuid()",
    "a type": f"ALTER TABLE {RATING} ALTER COLUMN value TYPE numeric",
    "a constraint": f"ALTER TABLE {RATING} ADD CONSTRAINT bad CHECK (value < 1e8)",
    "not null": f"ALTER TABLE {RATING} ALTER COLUMN judgment_id DROP NOT NULL;"
    f" ALTER TABLE {RATING} ALTER COLUMN judgment_id SET NOT NULL",
    "a fill": f"ALTER TABLE {RATING} ADD COLUMN bad int; UPDATE {RATING} SET bad = 1",
}
GOOD = {
    "a column": f"ALTER TABLE {RATING} ADD COLUMN good integer",
    "a default": f"ALTER TABLE {RATING} ADD COLUMN good integer NOT NULL DEFAULT 7",
    "an unchecked constraint": f"ALTER TABLE {RATING} ADD CONSTRAINT g CHECK (value < 1) NOT VALID",
}


@pytest.mark.parametrize("sql", [*BAD.values(), *GOOD.values()], ids=[*BAD, *GOOD])
def test_what_would_lock_is_seen(sql):
    """The test above would be worth nothing if it saw nothing."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        with watched() as found:
            for statement in sql.split(";"):
                cursor.execute(statement)
        assert bool(found) == (sql in BAD.values()), found
        transaction.set_rollback(True)


def test_the_watch_sees_migrations_of_django():
    """As they would be written by makemigrations, in a transaction."""
    state_ = MigrationExecutor(connection).loader.project_state()
    operation = migrations.AddIndex("rating", models.Index(fields=["value"], name="bad_index"))
    after = state_.clone()
    operation.state_forwards("judgments", after)
    with watched() as found, transaction.atomic():
        with connection.schema_editor() as editor:
            operation.database_forwards("judgments", editor, state_, after)
        transaction.set_rollback(True)
    assert found
