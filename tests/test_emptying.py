import contextlib

import psycopg2
import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import connection

from . import factory

pytestmark = pytest.mark.django_db(transaction=True)


def flush() -> None:
    """As Django's TransactionTestCase does."""
    call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


def test_every_table_is_emptied():
    """Also of judgments, which otherwise are only ever added."""
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(factory.make_user("owner"))
    campaign = factory.make_campaign(test_set, annotators=[annotator])
    item = factory.make_task(campaign, annotator).items.first()
    factory.judge(item, {"adequacy": [1.0, 2.0, 3.0], "fluency": [1.0, 2.0, 3.0]})
    ContentType.objects.create(app_label="none", model="none")
    flush()
    made_again = {ContentType, Permission}
    models = [model for model in apps.get_models() if model._meta.managed]
    assert [m for m in models if m not in made_again and m._base_manager.exists()] == []
    assert not ContentType.objects.filter(app_label="none").exists()
    assert Permission.objects.exists()


def test_it_waits_for_whoever_still_writes():
    """What is stored a moment later would be in the next test."""
    settings = connection.settings_dict
    server = {"host": settings["HOST"], "user": settings["USER"], "dbname": settings["NAME"]}
    with contextlib.closing(psycopg2.connect(**server)) as other, other.cursor() as cursor:
        cursor.execute("INSERT INTO django_content_type (app_label, model) VALUES ('late', 'late')")
        with connection.cursor() as own:
            own.execute("SET lock_timeout = 200")
        with pytest.raises(CommandError) as refused:
            flush()
        assert "lock timeout" in str(refused.value.__cause__)
    connection.close()  # and with it its limit
