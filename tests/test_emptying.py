import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg2
import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import connection

from . import factory
from .emptying import KEPT

pytestmark = pytest.mark.django_db(transaction=True)


def flush() -> None:
    """Flush like Django's TransactionTestCase."""
    call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


def test_every_table_is_emptied():
    """Also the append-only ones, such as judgments."""
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(factory.make_user("owner"))
    campaign = factory.make_campaign(test_set, annotators=[annotator])
    item = factory.make_task(campaign, annotator).items.first()
    factory.judge(item, {"adequacy": [1.0, 2.0, 3.0], "fluency": [1.0, 2.0, 3.0]})
    kept = {model: model._base_manager.count() for model in (ContentType, Permission)}
    flush()
    models = [model for model in apps.get_models() if model._meta.managed]
    assert [m for m in models if m not in kept and m._base_manager.exists()] == []
    assert {model: model._base_manager.count() for model in kept} == kept
    assert kept[ContentType] and kept[Permission]


def test_it_waits_for_whoever_still_writes():
    """Otherwise rows stored a moment later would be in the next test."""
    settings = connection.settings_dict
    server = {"host": settings["HOST"], "user": settings["USER"], "dbname": settings["NAME"]}
    with contextlib.closing(psycopg2.connect(**server)) as other, other.cursor() as cursor:
        cursor.execute("INSERT INTO auth_group (name) VALUES ('late')")
        with connection.cursor() as own:
            own.execute("SET lock_timeout = 200")
        with pytest.raises(CommandError) as refused:
            flush()
        assert "lock timeout" in str(refused.value.__cause__)
    connection.close()  # together with its limit


def test_it_begins_again_after_a_deadlock_with_a_request_that_ends():
    """The other one reads the last table, and, while the first ones are locked, one of these."""
    factory.make_user("annotator")
    settings = connection.settings_dict
    server = {"host": settings["HOST"], "user": settings["USER"], "dbname": settings["NAME"]}
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    names = [name for name in tables if name not in KEPT]  # in the order of a set
    with connection.cursor() as own:
        own.execute(f'SELECT count(*) FROM "{names[0]}"')
        before = own.fetchone()[0]
    with (
        contextlib.closing(psycopg2.connect(**server)) as other,
        other.cursor() as cursor,
        ThreadPoolExecutor(1) as pool,
    ):
        cursor.execute(f'SELECT 1 FROM "{names[-1]}" LIMIT 1')
        reading = pool.submit(read_soon, other, names[0])
        flush()
        assert reading.result(timeout=30) == before
    assert not get_user_model().objects.exists()


def read_soon(other, table: str) -> int:
    """Return the number of rows when the table can be read, which ends the transaction."""
    time.sleep(0.3)
    with other.cursor() as cursor:
        cursor.execute(f'SELECT count(*) FROM "{table}"')
        found = cursor.fetchone()[0]
    other.commit()
    return found
