"""A database of the version before migrations were squashed is upgraded to the newest one with
every row, and no large table is locked for long meanwhile (CONTRIBUTING.md, "How to change the
database").
"""

import contextlib
import datetime
import gzip
import uuid
from pathlib import Path

import pytest
from django.contrib.postgres.fields import ArrayField
from django.db import connection, migrations, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from judgments.models import Campaign, Seal
from judgments.models.chains import checking, judgment_rows, record, sealing
from judgments.models.chains.record_checking import check_record
from tests.scratch import inside, new_database

# Output of `pg_dump --schema-only` for a database made by the earlier migrations.
SCHEMA = Path(__file__).parent / "schema_before_squashing.sql.gz"
SQUASHED = [
    ("judgments", "0001_squashed_0074_words"),
    ("metrics", "0001_squashed_0008_metric_spans"),
]
N = 3  # rows of each model
# Tables that may have millions of rows.
LARGE = [
    f"judgments_{name}"
    for name in (
        *("judgment", "rating", "preference", "errorspan", "postedit", "answer", "alignmentlink"),
        *("item", "itemoutput", "output", "segment", "seal"),
    )
]
# Kinds of rows that a record has only since migrations after the squashed ones.
RECORDED_LATER: set[str] = set()
LATER: set[str] = set()  # kinds of observations
# Columns that a later migration renamed, by table; and the values that it rewrote.
JOB = {"state": "status", "problem": "message"}
RENAMED = {f"judgments_{name}": JOB for name in ("alignerrun", "download", "upload")}
REWRITTEN = {table: {"waiting": "queued", "found": "done"} for table in RENAMED}
WHEN = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def make_old_database():
    """Create a database with the old migrations, and its models of that time."""
    with connection.cursor() as cursor:
        cursor.execute(gzip.decompress(SCHEMA.read_bytes()).decode())
    loader = MigrationLoader(connection)
    others = {key for key in loader.disk_migrations if key[0] not in ("judgments", "metrics")}
    replaced = {key for name in SQUASHED for key in loader.disk_migrations[name].replaces}
    for app, name in others | replaced:
        MigrationRecorder(connection).record_applied(app, name)
    leaves = [node for node in loader.graph.leaf_nodes() if node[0] not in ("judgments", "metrics")]
    return MigrationExecutor(connection).loader.project_state([*leaves, *SQUASHED]).apps


def migrate_to_newest():
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def schema():
    """Return the columns, constraints, indexes, functions and triggers, by name."""
    with connection.cursor() as cursor:
        cursor.execute(THERE)
        return {(kind, name): " ".join(text.split()) for kind, name, text in cursor.fetchall()}


THERE = """
SELECT 'column', table_name || '.' || column_name,
    coalesce(concat_ws(' ', data_type, character_maximum_length, is_nullable, column_default,
        is_identity, generation_expression), '')
FROM information_schema.columns WHERE table_schema = current_schema()
UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()
UNION ALL SELECT 'function', oid::regprocedure::text, concat(pg_get_functiondef(oid), proacl::text)
FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
UNION ALL SELECT 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid)
FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'kind', oid::regclass::text, relpersistence::text
FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
"""


# Rows of every model


# Filled by Django, by seals and records, or only when something is deleted.
NOT_FILLED = {
    "auth.Permission",
    *("judgments.Seal", "judgments.Chain", "judgments.CampaignRecord", "judgments.RecordedPart"),
    *("judgments.Erasure", "judgments.ErasedJudgment", "judgments.DeletedCampaign"),
}

# Of two columns that may be empty, the one that is filled: a constraint demands either.
ONE_OF_TWO = {"judgments.Download.campaign", "metrics.LinkedTexts.bitext"}


def fill(apps):
    """Create N rows in every table of ours and of accounts, each of them different."""
    made: dict[type[models.Model], list] = {}
    models_ = [
        m
        for label in ("auth", "judgments", "metrics")
        for m in apps.app_configs[label].get_models()
    ]
    waiting = [m for m in models_ if m._meta.label not in NOT_FILLED]
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
        if f.is_relation and is_filled(f) and f.related_model is not model
    }


def is_filled(field):
    return not field.null or str(field) in ONE_OF_TWO


def values(model, i, made):
    given = {
        field.name: value(field, i, made)
        for field in model._meta.concrete_fields
        if not isinstance(field, models.AutoField | models.GeneratedField)
    }
    return given | special(model, i, made)


def special(model, i, made):
    """Return values that satisfy the constraints of the database."""
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
        case "judgments.Upload":
            return {"keeps": False}
        case "judgments.ExpectedScore":
            return {"low": 0.5, "high": 1.5, "above": None}
    return {}


def value(field, i, made):
    if field.is_relation:
        return made[field.related_model][i] if is_filled(field) else None
    match field:
        case models.UUIDField():
            return uuid.UUID(int=i + 1)
        case models.BooleanField():
            return i % 2 == 0
        case models.DateTimeField():
            return WHEN + datetime.timedelta(days=i)
        case models.FloatField():
            return i + 0.1
        case models.IntegerField() | models.DecimalField():
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
    """Return (columns, {row: as text}) of a table."""
    with connection.cursor() as cursor:
        columns = columns or [
            c.name for c in connection.introspection.get_table_description(cursor, table)
        ]
        listed = ", ".join(f'"{name}"::text' for name in columns)
        cursor.execute(f'SELECT {listed} FROM "{table}"')
        return columns, sorted(cursor.fetchall(), key=repr)


def test_every_row_is_kept(monkeypatch):
    of_then = {name: kind for name, kind in record.KINDS.items() if name not in RECORDED_LATER}
    monkeypatch.setattr(record, "KINDS", of_then)
    said_then = {kind: model for kind, model in judgment_rows.MODELS.items() if kind not in LATER}
    monkeypatch.setattr(judgment_rows, "MODELS", said_then)
    with new_database() as database, inside(database):
        tables = fill(make_old_database())
        sealing.seal_all()
        for campaign in Campaign.objects.values_list("pk", flat=True):  # of the old columns
            record.begin(campaign, "opened")
        before = {table: rows_of(table) for table in tables}
        assert len(before) > 60 and all(len(rows) >= N for _, rows in before.values())
        migrate_to_newest()
        for table, (columns, rows) in before.items():
            names = [RENAMED.get(table, {}).get(column, column) for column in columns]
            values = REWRITTEN.get(table, {})
            rows = sorted((tuple(values.get(v, v) for v in row) for row in rows), key=repr)
            assert rows_of(table, names) == (names, rows), table
        reports = [checking.check(campaign) for campaign in Campaign.objects.all()]
        assert [(report.judgments, report.found) for report in reports] == [(1, [])] * N
        assert Seal.objects.count() == N
        assert all(check_record(campaign).found == [] for campaign in Campaign.objects.all())


def test_jobs_get_the_same_status_and_time():
    with new_database() as database, inside(database), connection.cursor() as cursor:
        fill(make_old_database())
        cursor.execute("UPDATE judgments_upload SET state = 'done', keeps = false WHERE id = 1")
        cursor.execute("UPDATE judgments_upload SET state = 'found', keeps = true WHERE id = 2")
        cursor.execute("UPDATE metrics_scoringjob SET moved_at = NULL")
        migrate_to_newest()
        cursor.execute("SELECT status, keeps FROM judgments_upload WHERE id < 3 ORDER BY id")
        assert cursor.fetchall() == [("done", True), ("done", False)]
        cursor.execute("SELECT count(*) FROM metrics_scoringjob WHERE moved_at = created_at")
        assert cursor.fetchone() == (N,)


def test_tasks_stay_in_order():
    with new_database() as database, inside(database), connection.cursor() as cursor:
        fill(make_old_database())
        cursor.execute("UPDATE judgments_task SET claimed_at = NULL WHERE id = 1")  # given by name
        migrate_to_newest()
        cursor.execute("SELECT id FROM judgments_task ORDER BY assigned_at, id")
        assert [pk for (pk,) in cursor.fetchall()] == [2, 3, 1]


def test_the_way_up_ends_where_a_new_database_begins():
    new = schema()
    assert len(new) > 1000
    with new_database() as database, inside(database):
        make_old_database()
        migrate_to_newest()
        assert schema() == new


def test_no_large_table_is_locked_while_it_is_read_or_rewritten():
    with new_database() as database, inside(database):
        fill(make_old_database())
        with watched() as found:
            migrate_to_newest()
        assert found == []


# Locks


@contextlib.contextmanager
def watched():
    """Yield a list of the statements that read or rewrite a large table while writers have to wait
    for one."""
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
    """Return {table: (its file, scans of it in this transaction, a lock that blocks writers)}."""
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
    """The test above would be worthless if it saw nothing."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        with watched() as found:
            for statement in sql.split(";"):
                cursor.execute(statement)
        assert bool(found) == (sql in BAD.values()), found
        transaction.set_rollback(True)


def test_the_watch_sees_migrations_of_django():
    """As written by makemigrations, in a transaction."""
    state_ = MigrationExecutor(connection).loader.project_state()
    operation = migrations.AddIndex("rating", models.Index(fields=["value"], name="bad_index"))
    after = state_.clone()
    operation.state_forwards("judgments", after)
    with watched() as found, transaction.atomic():
        with connection.schema_editor() as editor:
            operation.database_forwards("judgments", editor, state_, after)
        transaction.set_rollback(True)
    assert found
