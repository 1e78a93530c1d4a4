"""Times and words behind the quality of annotators, from the database."""

from datetime import UTC, datetime, timedelta

from django.test import TestCase

from judgments.files.words import n_words
from judgments.models import Judgment
from judgments.quality.rules import figures as rules
from judgments.results.observations.times import times_of
from judgments.results.selection.selection import Selection
from tests import factory

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class TimesTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        owner, cls.annotator = factory.make_user("owner"), factory.make_user("annotator")
        cls.campaign = factory.make_campaign(
            factory.make_test_set(owner), owner=owner, annotators=[cls.annotator]
        )
        task = factory.make_task(cls.campaign, cls.annotator)
        values = {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]}
        for minute, item in enumerate(task.items.order_by("position")):
            judgment = factory.judge(item, values, active_ms=30_000)
            start = NOON + timedelta(minutes=minute)
            # The second one is still open when the third begins.
            end = start + timedelta(seconds=90 if minute == 1 else 30)
            with factory.rewriting():
                Judgment.objects.filter(pk=judgment.pk).update(started_at=start, submitted_at=end)

    def test_overlapping_judgments_are_counted(self):
        (found,) = rules.quality(Selection.of(self.campaign)).annotators
        self.assertEqual((found.n_judgments, found.n_overlapping), (4, 1))
        self.assertEqual(found.flags, ("overlapping",))

    def test_only_the_last_revision_counts(self):
        first = Judgment.objects.order_by("pk").first()
        values = {"adequacy": [3, 2, 1], "fluency": [3, 2, 1]}
        factory.judge(first.item, values, active_ms=2_000, supersedes=first)
        times = times_of(Selection.of(self.campaign))
        self.assertEqual(sorted(times["seconds"]), [2, 30, 30, 30])
        self.assertEqual(set(times["words"]), {6})
        self.assertEqual(set(times["annotator"]), {self.annotator.pk})


def test_words_of_scripts_without_spaces():
    assert n_words("Drei kleine Wörter", "de") == 3
    assert n_words("今天天气", "zh") == 2
    assert n_words("", "de") == 1
