"""How long the rest takes: by the words that are left, not by the items."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judgments.assignment.words import n_words, words_of_items
from judgments.assignment.work import work_of
from judgments.models import Item, Output, Segment
from tests import factory

pytestmark = pytest.mark.django_db


@pytest.fixture
def task():
    """Four items with two outputs each: 30, 90, 300 and 60 words in all."""
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(annotator, n_systems=2)
    for position, n in enumerate((10, 30, 100, 20)):
        text = "word " * n
        Segment.objects.filter(test_set=test_set, position=position).update(source=text)
        Output.objects.filter(segment__position=position).update(text=text)
    campaign = factory.make_campaign(test_set, annotators=[annotator])
    return factory.make_task(campaign, annotator)


def work(task):
    return work_of(task.campaign.memberships.get())


def judge(task, position, seconds):
    values = {"adequacy": [1, 2], "fluency": [1, 2]}
    item = task.items.get(position=position)
    item.task = task  # whose counters go on
    factory.judge(item, values, active_ms=1000 * seconds)


def test_long_items_take_longer(task):
    assert work(task).left_ms is None
    judge(task, 0, 15)  # 30 words: half a second a word
    assert work(task).pace_ms == 15_000
    assert work(task).left_ms == pytest.approx((90 + 300 + 60) * 500)
    judge(task, 2, 285)  # 330 words in 300 s
    assert work(task).left_ms == pytest.approx((90 + 60) * 300_000 / 330)


def test_what_is_skipped_is_neither_left_nor_done(task):
    judge(task, 0, 15)
    task.items.filter(position=2).update(is_skipped=True)
    task.n_skipped = 1
    task.save()
    assert work(task).left_ms == pytest.approx((90 + 60) * 500)


def test_several_tasks_count_together(task):
    segments = list(Segment.objects.filter(position__in=(1, 3)).order_by("position"))
    factory.make_task(task.campaign, task.annotator, batch=2, segments=segments)
    judge(task, 0, 15)
    assert work(task).left_ms == pytest.approx((90 + 300 + 60 + 90 + 60) * 500)


def test_nothing_is_left_at_the_end(task):
    for position in range(4):
        judge(task, position, 10)
    assert work(task).left_ms == 0


def test_texts_are_counted_once(task):
    judge(task, 0, 15)
    found = work(task)
    with CaptureQueriesContext(connection) as first:
        left = found.left_ms
    with CaptureQueriesContext(connection) as second:
        assert work(task).left_ms == left
    assert (len(first), len(second)) == (1, 2)  # the membership and the tasks
    assert not any("segment" in query["sql"] for query in second)


def test_a_source_is_read_once_in_an_item_and_each_of_a_whole_document(task):
    first = Item.objects.get(task=task, position=0)
    assert words_of_items([task])[task.pk][0] == 30
    other = Output.objects.filter(segment__position=1).first()
    first.outputs.add(other, through_defaults={"position": 2})
    task.n_items = 5  # as another task, which nobody has met
    assert words_of_items([task])[task.pk][0] == 30 + 60


@pytest.mark.parametrize(
    ("text", "n"), [("one  two\nthree", 3), ("", 0), ("我们去学校", 1 + 2.5), ("a b ไป", 3 + 1)]
)
def test_words(text, n):
    assert n_words(text) == n
