"""How long the rest takes: by the words that are left, not by the items."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judgments.models import Item, Output, Segment
from judgments.people.workload import time_left
from judgments.people.workload.rates import FIXED_WORDS, HALF_LIFE, NEW, NEW_HALF_LIFE
from judgments.people.workload.words import n_words, words_of_items
from judgments.people.workload.work import work_of
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
        for output in Output.objects.filter(segment__position=position).select_related("system"):
            output.text = f"{output.system.name} {'word ' * (n - 1)}"  # equal ones are read once
            output.save()
    campaign = factory.make_campaign(test_set, annotators=[annotator])
    return factory.make_task(campaign, annotator)


def work(task):
    return work_of(task.campaign.memberships.get())


def judge(task, position, seconds):
    values = {"adequacy": [1, 2], "fluency": [1, 2]}
    item = task.items.get(position=position)
    item.task = task  # whose counters go on
    factory.judge(item, values, active_ms=1000 * seconds)


def weight(*words):
    return sum(FIXED_WORDS + n for n in words)


def later(seconds, place=0):
    """Milliseconds that an item would take once the work is no longer new."""
    return 1000 * seconds / (1 + NEW * 0.5 ** (place / NEW_HALF_LIFE))


def test_long_items_take_longer(task):
    assert work(task).left_ms is None
    judge(task, 0, 15)
    assert work(task).pace_ms == 15_000
    per_word = later(15) / weight(30)
    assert work(task).left_ms == pytest.approx(weight(90, 300, 60) * per_word)
    judge(task, 2, 285)  # now it is the latest, and counts more
    older = 0.5 ** (1 / HALF_LIFE)
    per_word = (later(285, 1) + older * later(15)) / (weight(300) + older * weight(30))
    assert work(task).left_ms == pytest.approx(weight(90, 60) * per_word)


def test_what_is_skipped_is_neither_left_nor_done(task):
    judge(task, 0, 15)
    task.items.filter(position=2).update(is_skipped=True)
    task.n_skipped = 1
    task.save()
    assert work(task).left_ms == pytest.approx(weight(90, 60) * later(15) / weight(30))


def test_several_tasks_count_together(task):
    segments = list(Segment.objects.filter(position__in=(1, 3)).order_by("position"))
    factory.make_task(task.campaign, task.annotator, batch=2, segments=segments)
    judge(task, 0, 15)
    assert work(task).left_ms == pytest.approx(weight(90, 300, 60, 90, 60) * later(15) / weight(30))


def test_times_of_the_last_two_tasks_count(task):
    """Nothing of an older task is read, however much it holds."""
    segments = list(Segment.objects.filter(position=0))
    tasks = [task] + [
        factory.make_task(task.campaign, task.annotator, batch=batch, segments=segments)
        for batch in (2, 3, 4)
    ]
    for each, seconds in zip(tasks[:3], (900, 10, 20), strict=True):
        judge(each, 0, seconds)
    older = 0.5 ** (1 / HALF_LIFE)
    per_word = (later(20, 2) + older * later(10, 1)) / (1 + older) / weight(30)
    assert work(task).left_ms == pytest.approx(weight(90, 300, 60, 30) * per_word)


def test_a_revision_is_no_time_of_an_item(task):
    judge(task, 0, 15)
    item = task.items.get(position=0)
    item.task = task
    values = {"adequacy": [1, 2], "fluency": [1, 2]}
    factory.judge(item, values, active_ms=600_000, supersedes=item.judgments.get())
    assert work(task).left_ms == pytest.approx(weight(90, 300, 60) * later(15) / weight(30))


def test_where_no_judgment_has_a_time_items_count(task):
    task.n_judged, task.active_ms = 1, 20_000
    task.save()
    task.items.filter(position=0).update(is_judged=True)
    assert work(task).left_ms == 3 * 20_000


def test_a_pass_without_the_source_reads_less(task):
    task.campaign.options |= {"separate_passes": True}
    task.campaign.save()
    task.items.filter(position__in=(0, 1)).update(part="fluency")  # 20 and 60 words of outputs
    task.items.filter(position__in=(2, 3)).update(part="adequacy")
    judge(task, 0, 15)
    per_word = later(15) / weight(20)
    assert work(task).left_ms == pytest.approx(weight(60, 300, 60) * per_word)


def test_nothing_is_left_at_the_end(task):
    for position in range(4):
        judge(task, position, 10)
    assert work(task).left_ms == 0


def test_texts_are_counted_once_and_times_after_every_few_items(task):
    """Two statements are the membership and the tasks; two more count words, one reads times."""
    judge(task, 0, 15)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            left = work(task).left_ms
        counts.append(len(captured))
    assert counts == [5, 2]
    assert not any("segment" in query["sql"] for query in captured)
    judge(task, 1, 25)
    with CaptureQueriesContext(connection) as captured:
        assert work(task).left_ms < left
    assert len(captured) == 3


def test_every_process_of_the_site_tells_the_same():
    """One that has followed all items, and one that is asked at the end."""
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(annotator, n_segments=30, n_systems=2)
    task = factory.make_task(factory.make_campaign(test_set, annotators=[annotator]), annotator)
    for position in range(29):
        judge(task, position, 5 + position)
        left_before = work(task).left_ms
        time_left._rates.clear()
        assert work(task).left_ms == left_before, position


def test_later_a_new_time_is_not_looked_up_for_every_item():
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(annotator, n_segments=40, n_systems=2)
    task = factory.make_task(factory.make_campaign(test_set, annotators=[annotator]), annotator)
    n_looked_up = 0
    for position in range(39):
        judge(task, position, 10)
        with CaptureQueriesContext(connection) as captured:
            assert work(task).left_ms > 0
        n_looked_up += any("judgments_judgment" in query["sql"] for query in captured)
    assert 8 < n_looked_up < 16


def test_a_source_is_read_once_in_an_item_and_each_of_a_whole_document(task):
    first = Item.objects.get(task=task, position=0)
    assert words_of_items([task])[task.pk][0] == 30
    other = Output.objects.filter(segment__position=1).first()
    first.outputs.add(other, through_defaults={"position": 2})
    task.n_items = 5  # as another task, which nobody has met
    assert words_of_items([task])[task.pk][0] == 30 + 60


@pytest.mark.parametrize(
    ("n_words_each", "preset", "unit"),
    [
        (25, "adequacy-fluency", "segment"),
        (60, "adequacy-fluency", "paragraph"),
        (60, "document-assessment", "document"),
    ],
)
def test_what_the_pace_is_told_of(n_words_each, preset, unit):
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(annotator)
    test_set.segments.update(source="word " * n_words_each)
    campaign = factory.make_campaign(test_set, preset=preset, annotators=[annotator])
    task = factory.make_task(campaign, annotator)
    assert work(task).unit == unit


@pytest.mark.parametrize(
    ("text", "n"), [("one  two\nthree", 3), ("", 0), ("我们去学校", 1 + 2.5), ("a b ไป", 3 + 1)]
)
def test_words(text, n):
    assert n_words(text) == n
