"""Rows that are copied arrive as they were given."""

import uuid
from datetime import datetime, timedelta, timezone

import psycopg2.errors
import pytest
from django.db import transaction

from judgments.files.copying import copy_rows
from judgments.models import Item, Judgment, Kind, Rating, Segment, System
from tests import factory

pytestmark = pytest.mark.django_db

TEXTS = [
    *("", " ", " a ", "\t", "\n", "\r", "\r\n", "a\rb", "a\nb", '"', '""', '"a"', "a,b", ",", "'"),
    *("\\", "\\.", "\\N", "NULL", "null", "\\x41", "\x1f", "\u2028", "ä", "🙂", "a\n\\.\nb", "#"),
]


@pytest.fixture
def test_set():
    return factory.make_test_set(factory.make_user("owner"))


def test_texts(test_set):
    """Also those that mean something in CSV or to COPY; an empty one is not NULL."""
    document = test_set.documents.first()
    copy_rows(
        Segment,
        ("test_set", "document", "key", "position", "source", "gloss"),
        [
            (test_set.pk, document.pk, f"copied {n:02}", 100 + n, text, text)
            for n, text in enumerate(TEXTS)
        ],
    )
    copied = Segment.objects.filter(key__startswith="copied").order_by("key")
    assert list(copied.values_list("source", "gloss")) == [(text, text) for text in TEXTS]


def test_all_other_types(test_set):
    task = factory.make_task(factory.make_campaign(test_set), factory.make_user("ann"))
    item, *_ = task.items.all()
    when = datetime(2026, 3, 1, 23, 59, 59, 123456, tzinfo=timezone(timedelta(hours=-9.5)))
    key = uuid.uuid4()
    head = (item.pk, task.campaign_id, task.annotator_id, 1, key, None, when, 0, 1)
    fields = (
        *("item", "campaign", "annotator", "revision", "client_key", "started_at"),
        *("submitted_at", "active_ms", "guideline_version"),
    )
    copy_rows(Judgment, fields, [head])
    judgment = Judgment.objects.get()
    assert judgment.client_key == key
    assert judgment.started_at is None and judgment.submitted_at == when
    assert judgment.active_ms == 0
    values = [0.1, -1e-300, 123456789.123456789, 5e-324, -0.0, 1e9, 1 / 3, 7]
    fields = ("judgment", "output", "dimension", "value", "is_copy")
    output = item.outputs.first().pk
    copy_rows(
        Rating,
        fields,
        [(judgment.pk, output, f"{n}", value, n % 2 == 0) for n, value in enumerate(values)],
    )
    found = list(Rating.objects.order_by("dimension").values_list("value", "is_copy"))
    assert list(map(repr, found)) == [repr((float(v), n % 2 == 0)) for n, v in enumerate(values)]


def test_choices_are_their_values(test_set):
    task = factory.make_task(factory.make_campaign(test_set), factory.make_user("ann"))
    fields = ("task", "position", "segment", "kind", "part", "is_judged")
    copy_rows(Item, fields, [(task.pk, 99, task.items.first().segment_id, Kind.THIRD, "", False)])
    assert Item.objects.get(position=99).kind == "third"


def test_none_is_null(test_set):
    with pytest.raises(psycopg2.errors.NotNullViolation), transaction.atomic():
        copy_rows(System, ("test_set", "name"), [(None, "copied")])
