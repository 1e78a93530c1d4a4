"""The page Watch: its parts, what it costs, and that a broken part is alone."""

from datetime import timedelta
from unittest import mock

from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judgments.models import Judgment, Note, NoteKind, Role
from judgments.people.workload import progress
from judgments.quality.rules.verdicts import write_rule
from judgments.quality.watch import figures as latest
from judgments.quality.watch import tasks as watch_tasks
from judgments.quality.watch import views as watch
from judgments.results.scores.pair_test import change_pair_test
from tests import factory
from tests.base import CastTestCase

PARTS = tuple(watch.PARTS)


class WatchTestCase(CastTestCase):
    def judge_all(self, campaign=None):
        for n, task in enumerate((campaign or self.campaign).tasks.order_by("seat")):
            for place, item in enumerate(task.items.order_by("position")):
                row = [1.0 + (place + n) % 3, 3.0, 5.0 - place % 2]
                item.task = task
                factory.judge(item, {"adequacy": row, "fluency": row[::-1]})

    def part(self, name, user=None, **extra):
        return self.get_as(
            user or self.owner,
            "watch-part",
            self.campaign.pk,
            name,
            HTTP_HX_REQUEST="true",
            **extra,
        )


class WatchTests(WatchTestCase):
    def test_refused_to_others(self):
        self.assert_refused("watch", self.campaign.pk)
        for name in PARTS:
            self.assert_refused("watch-part", self.campaign.pk, name)

    def test_the_page_asks_for_every_part(self):
        response = self.get_as(self.researcher, "watch", self.campaign.pk)
        for name in PARTS:
            address = reverse("watch-part", args=[self.campaign.pk, name])
            self.assertContains(response, f'hx-get="{address}"')
        self.assertNotContains(response, reverse("campaign-steer", args=[self.campaign.pk]))

    def test_every_part_before_anything_and_after_all_is_judged(self):
        for name in PARTS:
            self.assertEqual(self.part(name).status_code, 200, name)
        self.judge_all()
        caches["shared"].clear()
        for name in PARTS:
            self.assertEqual(self.part(name).status_code, 200, name)
            page = self.get_as(self.owner, "watch-part", self.campaign.pk, name)
            self.assertContains(page, "<h1>")

    def test_counters(self):
        self.judge_all()
        self.campaign.tasks.filter(seat=1).update(last_judged_at=timezone.now())
        counted = progress.counters(self.campaign, timezone.now())
        self.assertEqual((counted.n_judgments, counted.n_judged, counted.n_items), (8, 8, 8))
        self.assertEqual((counted.n_at_work, counted.n_free, counted.n_left), (1, 0, 0))
        self.assertEqual(counted.active_ms, 8000)

    def test_judgments_without_times_are_judgments(self):
        """As imported from files."""
        self.judge_all()
        with factory.rewriting():
            self.campaign.judgments.update(started_at=None, submitted_at=None)
        self.campaign.tasks.update(last_judged_at=None)
        self.assertContains(self.part("counters"), "Last judgment: at an unknown time.")
        self.assertContains(self.part("progress"), "the times of the judgments are not known")

    def test_a_closed_campaign_is_not_asked_for_again(self):
        self.assertContains(self.part("counters"), "data-seconds")
        self.campaign.status = "closed"
        self.campaign.save()
        self.assertNotContains(self.part("counters"), "data-seconds")

    def test_a_broken_part_is_alone(self):
        self.client.raise_request_exception = False
        with mock.patch.object(progress, "curve", side_effect=RuntimeError):
            self.assertEqual(self.part("progress").status_code, 500)
            self.assertEqual(self.part("counters").status_code, 200)
            self.assertEqual(self.get_as(self.owner, "watch", self.campaign.pk).status_code, 200)

    def test_an_unknown_part_is_nowhere(self):
        self.assertEqual(self.part("nothing").status_code, 404)

    def test_annotators_with_flags_agreement_and_notes(self):
        self.judge_all()
        item = self.campaign.tasks.get(seat=1).items.first()
        Note.objects.create(
            item=item, annotator=self.annotator_1, kind=NoteKind.FLAG, comment="Cut <off>."
        )
        figures = latest.AnnotatorFigures(
            flags={self.annotator_1.pk: ("constant",)}, agreement={self.annotator_1.pk: (0.25, 4)}
        )
        with mock.patch.dict(latest.FIGURES, {"annotators": lambda campaign: figures}):
            response = self.part("annotators")
        self.assertContains(response, "every score is the same", count=1)
        self.assertContains(response, ".25")
        self.assertContains(response, "done")
        self.assertContains(self.part("notes"), "Cut &lt;off&gt;.")

    def test_ranks_say_what_separates_the_nearest_pair(self):
        self.judge_all()
        response = self.part("ranks")
        self.assertContains(response, "System-A")
        self.assertRegex(response.content.decode(), r"separates? System-")

    def test_statements_do_not_grow_with_annotators(self):
        item = self.campaign.tasks.get(seat=1).items.first()
        factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [3, 2, 1]})

        def statements(name):
            caches["shared"].clear()
            self.part(name)
            with CaptureQueriesContext(connection) as asked:
                self.client.get(
                    reverse("watch-part", args=[self.campaign.pk, name]), HTTP_HX_REQUEST="true"
                )
            return len(asked)

        before = {name: statements(name) for name in PARTS}
        for n in range(5):
            user = factory.make_user(f"more-{n}")
            self.campaign.memberships.create(user=user, role=Role.ANNOTATOR, alias=f"more {n}")
            task = factory.make_task(self.campaign, user, seat=3 + n)
            item = task.items.first()
            factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [3, 2, 1]})
        self.assertEqual({name: statements(name) for name in PARTS}, before)


class LatestTests(WatchTestCase):
    def test_figures_of_a_large_campaign_are_a_workers(self):
        self.judge_all()
        now, compute = timezone.now(), watch_tasks.compute_latest
        with (
            mock.patch.object(latest, "SMALL", 2),
            mock.patch.object(watch, "compute_latest") as task,
        ):
            shown = watch.last_figures(self.campaign, "ranks", now)
            self.assertEqual((shown.latest, shown.is_old), (None, True))
            watch.last_figures(self.campaign, "ranks", now)
            task.enqueue.assert_called_once_with(self.campaign.pk, "ranks")
            self.assertContains(self.part("ranks"), "being computed by a worker")
            compute.call(self.campaign.pk, "ranks")
            shown = watch.last_figures(self.campaign, "ranks", timezone.now())
            self.assertFalse(shown.is_old)
            self.assertEqual(shown.latest.value.scores.dimension, "adequacy")

    def test_the_curve_of_many_judgments_is_a_workers(self):
        self.judge_all()
        with factory.rewriting():
            self.campaign.judgments.update(submitted_at=timezone.now())
        compute = watch_tasks.compute_latest
        with (
            mock.patch.object(watch, "CURVE_AT_ONCE", 2),
            mock.patch.object(latest, "SMALL", 2),
            mock.patch.object(watch, "compute_latest") as task,
        ):
            self.assertContains(self.part("progress"), "The curve is being computed.")
            task.enqueue.assert_called_once_with(self.campaign.pk, "curve")
            compute.call(self.campaign.pk, "curve")
            with mock.patch.object(progress, "curve", side_effect=AssertionError):
                self.assertContains(self.part("progress"), "Items judged over time")

    def test_a_new_judgment_makes_figures_old(self):
        self.judge_all()
        first = watch.last_figures(self.campaign, "ranks", timezone.now()).latest
        later = timezone.now() + timedelta(minutes=1)
        self.assertEqual(watch.last_figures(self.campaign, "ranks", later).latest.at, first.at)
        item = self.campaign.tasks.get(seat=1).items.first()
        old = Judgment.objects.get(item=item)
        factory.judge(item, {"adequacy": [5, 1, 1], "fluency": [5, 1, 1]}, supersedes=old)
        self.assertGreater(watch.last_figures(self.campaign, "ranks", later).latest.at, first.at)


class ForecastTests(WatchTestCase):
    def test_a_new_rule_makes_verdicts_old(self):
        self.judge_all()
        self.assertNotContains(self.part("annotators"), "fail")
        write_rule(self.campaign, text="", by=self.owner, seconds_per_word=30)
        later = timezone.now() + watch.AGAIN
        found = watch.last_figures(self.campaign, "annotators", later).latest.value
        self.assertEqual(set(found.verdicts.values()), {"fail"})
        self.assertIn("floor", found.flags[self.annotator_1.pk])

    def test_another_test_of_systems_makes_ranks_old(self):
        self.judge_all()
        first = watch.last_figures(self.campaign, "ranks", timezone.now()).latest.value.scores
        self.assertEqual((first.method, first.test), ("raw", "signed-rank"))
        change_pair_test(self.campaign, {"compared_by": "z", "test": "permutation"})
        self.campaign.refresh_from_db()
        later = timezone.now() + watch.AGAIN
        found = watch.last_figures(self.campaign, "ranks", later).latest.value.scores
        self.assertEqual((found.method, found.test), ("z", "permutation"))

    def test_words_hours_and_the_day(self):
        task = self.campaign.tasks.get(seat=1)
        items = list(task.items.order_by("position"))
        for item in items[:2]:
            item.task = task
            factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]}, active_ms=900_000)
        words = progress.words_left(self.campaign)
        # Every item of both seats reads alike but for a digit: two of eight are judged.
        self.assertAlmostEqual(words.left, 3 * words.judged)
        now = timezone.now()
        with factory.rewriting():
            Judgment.objects.filter(item=items[0]).update(submitted_at=now - timedelta(days=2))
            Judgment.objects.filter(item=items[1]).update(submitted_at=now - timedelta(days=1))
        curve = progress.curve(self.campaign, now)
        found = progress.forecast(self.campaign, words, now, curve)
        self.assertEqual(sum(curve.counts), 2)
        self.assertAlmostEqual(found.hours, 1.5)  # half an hour for two of eight items
        # Two items in two days: six days for the other six.
        self.assertAlmostEqual((found.done_at - now).total_seconds(), 6 * 86400, delta=1)
        self.assertContains(self.part("progress"), f"{found.done_at:%Y-%m-%d}")

    def test_without_a_judgment_only_the_words(self):
        words = progress.words_left(self.campaign)
        now = timezone.now()
        found = progress.forecast(self.campaign, words, now, progress.curve(self.campaign, now))
        self.assertEqual((found.hours, found.done_at), (None, None))
        self.assertContains(self.part("progress"), "once somebody has judged")
