"""Prepared queries against the querysets they stand for."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Thread

from django.db import connection, transaction
from django.db.models import Count
from django.test import TestCase, TransactionTestCase

from judgments.models import Campaign, Item, Membership, Segment, Task
from judgments.models.prepared_queries import Prepared
from tests import factory


class PreparedTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner")
        cls.users = [factory.make_user(f"annotator-{i}") for i in range(3)]
        test_set = factory.make_test_set(cls.owner)
        cls.campaigns = [
            factory.make_campaign(test_set, owner=cls.owner, annotators=cls.users, name=f"{i}")
            for i in range(2)
        ]
        for campaign in cls.campaigns:
            for seat, user in enumerate(cls.users, 1):
                factory.make_task(campaign, user, seat=seat)

    def test_the_same_rows_for_every_argument_in_one_statement(self):
        def build(campaign, user):
            return Task.objects.filter(campaign=campaign, annotator=user).order_by("pk")

        prepared = Prepared(build)
        for campaign in self.campaigns:
            for user in self.users:
                with self.assertNumQueries(1):
                    found = prepared(campaign.pk, user.pk)
                expected = list(build(campaign.pk, user.pk))
                self.assertEqual(found, expected)
                self.assertEqual(
                    [{k: v for k, v in vars(t).items() if k != "_state"} for t in found],
                    [{k: v for k, v in vars(t).items() if k != "_state"} for t in expected],
                )
        self.assertEqual(prepared(0, 0), [])
        self.assertEqual(prepared(2**63, 0), [])
        self.assertIsNone(prepared.first(0, 0))

    def test_related_rows_json_and_annotations_come_along(self):
        prepared = Prepared(
            lambda user: (
                Membership.objects.annotate(n_tasks=Count("user__tasks"))
                .filter(user=user)
                .order_by("pk")
            ),
            related=["campaign", "campaign__test_set"],
            annotated=["n_tasks"],
        )
        with self.assertNumQueries(1):
            first, second = prepared(self.users[0].pk)
            self.assertEqual(first.campaign.options, self.campaigns[0].options)
            self.assertEqual(second.campaign.test_set.source_language, "de")
            self.assertEqual(first.n_tasks, 2)
        first.campaign.name = "renamed"
        first.campaign.save()
        self.assertEqual(Campaign.objects.get(pk=first.campaign.pk).name, "renamed")

    def test_a_related_row_that_is_not_there_is_none(self):
        campaign = factory.make_task(self.campaigns[0], batch=2).campaign
        prepared = Prepared(
            lambda campaign: Task.objects.filter(campaign=campaign).order_by("pk"),
            related=["annotator"],
        )
        with self.assertNumQueries(1):
            found = [task.annotator for task in prepared(campaign.pk)]
        self.assertEqual(found, [*self.users, None])

    def test_deferred_fields_are_read_when_they_are_asked_for(self):
        prepared = Prepared(lambda task: Task.objects.filter(pk=task), deferred=["seat"])
        task = prepared.first(Task.objects.get(campaign=self.campaigns[0], seat=2).pk)
        with self.assertNumQueries(1):
            self.assertEqual((task.seat, task.batch), (2, 1))

    def test_texts_times_and_constants(self):
        segments = Prepared(
            lambda key, position: Segment.objects.filter(
                key=key, position__lte=position, source__contains="Quelltext"
            ),
            (str, int),
        )
        self.assertEqual(segments("2", 3), [Segment.objects.get(key="2")])
        self.assertEqual(segments("2", 0), [])
        since = Prepared(lambda time: Campaign.objects.filter(created_at__gt=time), (datetime,))
        self.assertEqual(len(since(datetime(2001, 1, 1, tzinfo=UTC))), 2)
        self.assertEqual(since(datetime(2901, 1, 1, tzinfo=UTC)), [])

    def test_values_are_never_part_of_the_statement(self):
        prepared = Prepared(lambda key: Segment.objects.filter(key=key), (str,))
        self.assertEqual(prepared("2' OR '1'='1"), [])
        self.assertEqual(prepared("%s"), [])

    def test_an_argument_that_compares_with_nothing_is_an_error(self):
        with self.assertRaisesMessage(ValueError, "argument 2"):
            Prepared(lambda task, unused: Item.objects.filter(task=task))(1, 2)


class PreparedThreadsTest(TransactionTestCase):
    def test_threads_with_connections_of_their_own(self):
        owner = factory.make_user("owner")
        test_set = factory.make_test_set(owner)
        prepared = Prepared(lambda key: Segment.objects.filter(key=key), (str,))
        found = {}

        def look(key):
            for _ in range(20):
                found[key] = [segment.key for segment in prepared(key)]
            connection.close()

        keys = [segment.key for segment in test_set.segments.all()]
        threads = [Thread(target=look, args=[key]) for key in keys]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {key: [key] for key in keys})

    def test_only_rows_of_the_tables_that_are_named_are_locked(self):
        campaign = factory.make_campaign(factory.make_test_set(factory.make_user("owner")))
        item = factory.make_task(campaign).items.first()
        prepared = Prepared(
            lambda item: Item.objects.filter(pk=item, task__batch=1),
            related=["task"],
            locked=["judgments_task"],
        )

        def n_free(model):
            with transaction.atomic():
                rows = model.objects.filter(pk__in=[item.pk, item.task_id])
                free = len(rows.select_for_update(skip_locked=True, of=("self",)))
            connection.close()
            return free

        with ThreadPoolExecutor(1) as pool, transaction.atomic():
            self.assertEqual(prepared(item.pk), [item])
            self.assertEqual(pool.submit(n_free, Task).result(), 0)
            self.assertGreater(pool.submit(n_free, Item).result(), 0)
        self.assertEqual(n_free(Task), 1)
