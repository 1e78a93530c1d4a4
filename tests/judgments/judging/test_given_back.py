"""What annotators gave back: it counts as read, is subject to the same limits, and is not paid."""

from django.db.models import F
from django.utils import timezone

from judgments.judging import queue
from judgments.judging.completion import is_complete
from judgments.models import (
    Adjudication,
    Item,
    ItemOutput,
    Level,
    Membership,
    Question,
    Role,
    Task,
)
from judgments.people.projects.overview import overviews
from judgments.people.staffing.pay import earned_so_far, pay_of
from judgments.people.staffing.settings import set_staffing
from judgments.people.workload.work import work_of
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.quality.rules.hold import has_judged_enough
from tests import factory
from tests.base import CastTestCase


def finish(task):
    Item.objects.filter(task=task).update(is_judged=True)
    Task.objects.filter(pk=task.pk).update(n_judged=F("n_items"))


class GivenBackTestCase(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.texts = factory.make_test_set(cls.owner, n_segments=12, n_documents=4, name="Four")

    def make(self, preset="mqm", batches=0, **kwargs):
        """A campaign for annotator-1, with batches of four different segments."""
        self.made = factory.make_campaign(
            self.texts, preset=preset, owner=self.owner, annotators=[self.annotator_1], **kwargs
        )
        segments = list(self.texts.segments.order_by("position"))
        for batch in range(batches):
            of_batch = segments[4 * batch : 4 * batch + 4]
            factory.make_task(self.made, batch=batch + 1, segments=of_batch)
        return self.made

    def member(self):
        found = Membership.objects.select_related("campaign__test_set", "user")
        return found.get(campaign=self.made, user=self.annotator_1)

    def claim(self):
        return queue.claim(self.member(), timezone.now())

    def give_back(self, task, n_judged=0):
        for item in task.items.filter(position__lt=n_judged):
            Item.objects.filter(pk=item.pk).update(is_judged=True)
        Task.objects.filter(pk=task.pk).update(n_judged=n_judged)
        queue.give_up(self.member(), task.pk)


class OneVersionTest(GivenBackTestCase):
    def versions(self, task):
        places = ItemOutput.objects.filter(item__task=task)
        return set(places.values_list("item__segment__document", "output__system"))

    def check_documents_once(self):
        design.plan(self.made, PlanSettings(design="latin-square"))
        first = self.claim()
        had = self.versions(first)
        self.give_back(first)
        # The sibling batches have the documents that were read; only the same batch is left.
        self.assertFalse(queue.free_seats(self.member()).exists())
        again = self.claim()
        self.assertEqual((again.pk, self.versions(again)), (first.pk, had))
        finish(again)
        self.assertIsNone(queue.next_free(self.member()))
        self.assertIsNone(self.claim())

    def test_a_document_that_was_read_is_not_given_in_another_translation(self):
        self.make(preset="direct-assessment")
        self.check_documents_once()

    def make_comprehension(self, **kwargs):
        campaign = self.make(preset="comprehension", **kwargs)
        for document in self.texts.documents.all():
            Question.objects.create(
                campaign=campaign,
                document=document,
                position=0,
                level=Level.FACTS,
                text="Who?",
                choices=["A", "B"],
                right=["A"],
            )

    def test_nor_with_questions_about_it(self):
        self.make_comprehension()
        self.check_documents_once()

    def test_nor_in_another_campaign_on_the_same_texts(self):
        self.make_comprehension()
        design.plan(self.made, PlanSettings(design="latin-square"))
        self.give_back(self.claim())
        self.make_comprehension(name="Second")
        design.plan(self.made, PlanSettings(design="latin-square"))
        self.assertIsNone(self.claim())

    def test_what_was_given_back_is_not_taken_after_another_translation_of_it(self):
        self.make(preset="direct-assessment")
        design.plan(self.made, PlanSettings(design="latin-square"))
        first = self.claim()
        self.give_back(first)
        # Somebody gave them another batch with the same documents before this was prevented.
        other = self.made.tasks.filter(annotator=None, rest_of=None).first()
        Task.objects.filter(pk=other.pk).update(annotator=self.annotator_1)
        finish(other)
        self.assertIsNone(queue.next_free(self.member()))
        self.assertIsNone(self.claim())


class LimitTest(GivenBackTestCase):
    def test_what_was_given_back_is_no_batch_beyond_the_limit(self):
        set_staffing(self.make(batches=3), {"batches": 1})
        self.give_back(self.claim())
        second = self.claim()
        self.assertEqual(second.batch, 2)
        finish(second)
        member = self.member()
        self.assertIsNone(queue.next_free(member))
        self.assertTrue(is_complete(member, work_of(member), None))
        self.assertIsNone(self.claim())

    def test_the_rest_of_a_batch_in_which_something_is_judged_is_within_it(self):
        set_staffing(self.make(batches=3), {"batches": 1})
        first = self.claim()
        self.give_back(first, n_judged=1)
        again = self.claim()
        self.assertEqual((again.pk, again.n_items), (first.pk, 4))

    def test_a_third_person_gets_nothing_back_of_the_batch_that_they_decide_on(self):
        self.make(batches=1)
        first = self.claim()
        self.give_back(first)
        items = [factory.make_task(self.made, batch=1, seat=seat).items.first() for seat in (3, 4)]
        third = factory.make_task(self.made, self.annotator_1, batch=9)
        Task.objects.filter(pk=third.pk).update(is_adjudication=True)
        Adjudication.objects.create(
            campaign=self.made,
            first=items[0],
            second=items[1],
            item=third.items.first(),
            asked_by=self.owner,
        )
        finish(third)
        self.assertIsNone(queue.next_free(self.member()))
        self.assertIsNone(self.claim())


class NumberOfFreeTest(GivenBackTestCase):
    def n_free(self):
        return queue.n_free(self.member())

    def test_at_most_the_batches_that_one_person_may_take(self):
        set_staffing(self.make(batches=3, plan={"pool": True}), {"batches": 2})
        self.assertEqual(self.n_free(), 2)
        first = self.claim()
        self.assertEqual(self.n_free(), 1)
        self.give_back(first, n_judged=1)  # its rest, and one more
        self.assertEqual(self.n_free(), 2)

    def test_at_most_the_items_that_one_person_may_take(self):
        set_staffing(self.make(batches=3, plan={"pool": True}), {"items": 9})
        self.assertEqual(self.n_free(), 2)
        self.claim()
        self.assertEqual(self.n_free(), 1)


class PartOfABatchTest(GivenBackTestCase):
    """annotator-1 judges one item of four and gives the rest back; annotator-2 takes it."""

    def setUp(self):
        self.make(batches=1)
        self.made.memberships.create(
            user=self.annotator_2, role=Role.ANNOTATOR, alias="annotator-2"
        )
        pay = {"per": "batch", "amount": "20.00", "currency": "EUR"}
        set_staffing(self.made, {"batches": 1, "pay": pay, "codes": {"pass": "PASSCODE1"}})
        self.first = self.claim()
        self.give_back(self.first, n_judged=1)

    def taken(self, *, again=False):
        """The rest, taken by annotator-2, who returns all of it once more if `again`."""
        members = Membership.objects.select_related("campaign__test_set", "user")
        member = members.get(campaign=self.made, user=self.annotator_2)
        task = queue.claim(member, timezone.now())
        if again:
            queue.give_up(member, task.pk)
        return task

    def paid(self):
        """The batches that are paid: on the page of all, on their own, and in the list."""
        member = self.member()
        own = earned_so_far(member, work_of(member))
        rows = {each.alias: each.batches for each in pay_of(self.made).people}
        (listed,) = overviews([self.made])
        self.assertEqual(listed.pay["EUR"], 20 * sum(rows.values()))
        self.assertEqual(own.batches, rows["annotator-1"])
        return rows

    def shows_code(self):
        return b"PASSCODE1" in self.get_as(self.annotator_1, "judge", self.made.pk).content

    def test_a_part_is_not_paid_as_a_batch(self):
        self.assertEqual(self.paid(), {"annotator-1": 0})
        self.taken(again=True)
        self.assertEqual(self.paid(), {"annotator-1": 0})
        finish(self.taken())
        self.assertEqual(self.paid(), {"annotator-1": 0, "annotator-2": 1})

    def test_a_batch_that_was_taken_again_and_finished_is_paid(self):
        finish(self.claim())
        self.assertEqual(self.paid(), {"annotator-1": 1})

    def test_a_part_is_no_whole_batch_for_the_rule(self):
        self.assertFalse(has_judged_enough(self.member(), 5))
        finish(self.claim())
        self.assertTrue(has_judged_enough(self.member(), 5))

    def test_no_code_for_a_part(self):
        self.assertFalse(self.shows_code())
        self.taken()
        self.assertFalse(self.shows_code())
        page = self.get_as(self.annotator_1, "judge", self.made.pk)
        self.assertContains(page, "There is no completion code for this work")

    def test_the_code_for_a_batch_that_was_taken_again_and_finished(self):
        finish(self.claim())
        self.assertTrue(self.shows_code())

    def test_the_code_for_another_whole_batch(self):
        set_staffing(self.made, {"batches": 2, "codes": {"pass": "PASSCODE1"}})
        segments = list(self.texts.segments.order_by("position"))
        factory.make_task(self.made, batch=2, segments=segments[4:8])
        second = self.claim()
        self.assertEqual(second.batch, 2)
        finish(second)
        self.assertFalse(self.shows_code())  # the rest of the first waits for them
        self.taken()
        self.assertTrue(self.shows_code())
