"""Batches that annotators return, and the blocks of a pool that follow each other."""

from django.urls import reverse
from django.utils import timezone

from judgments.judging import queue
from judgments.models import Judgment, Membership, Task
from judgments.people.workload.work import work_of
from tests import factory

from .judge_pages import JudgingTestCase, answers


class BatchTestCase(JudgingTestCase):
    def part(self, user=None):
        found = Membership.objects.select_related("campaign__test_set")
        return found.get(campaign=self.campaign, user=user or self.annotator_1)

    def give_back(self, key=None, user=None, **data):
        key = work_of(self.part(user)).begun[0][0] if key is None else key
        data = data | {"batch": key}
        return self.post_as(user or self.annotator_1, "judge-return", self.campaign.pk, data=data)

    def finish(self, **extra):
        """Judge all items that wait; what the last answer led to."""
        response = None
        for number in range(1, work_of(self.part()).n_items + 1):
            response = self.answer(number, answers() | extra)
        return response


class ReturnTest(BatchTestCase):
    def test_a_batch_that_was_not_begun_goes_at_once(self):
        page = self.get_as(self.annotator_1, "judge-items", self.campaign.pk)
        self.assertContains(page, "Items 1 to 4, 0 judged")
        response = self.give_back()
        self.assertRedirects(response, reverse("judge", args=[self.campaign.pk]) + "?back=1")
        self.assertContains(self.client.get(response["Location"]), "was given back")
        self.assertEqual(work_of(self.part()).n_items, 0)

    def test_what_was_judged_is_asked_about_and_stays(self):
        self.answer(1, answers())
        response = self.give_back()
        self.assertContains(response, "You judged 1 of its 4 items.")
        self.assertContains(response, "The other 3 items go to somebody else.")
        self.assertEqual(work_of(self.part()).n_items, 4)
        self.give_back(confirm="1")
        work = work_of(self.part())
        self.assertEqual((work.n_items, work.n_judged), (1, 1))
        self.assertEqual(Judgment.objects.count(), 1)
        self.assertEqual(Task.objects.get(rest_of=1).n_items, 3)

    def test_the_same_press_twice_gives_one_batch_back(self):
        factory.make_task(self.campaign, self.annotator_1, batch=2)
        key = work_of(self.part()).begun[0][0]
        for _ in range(2):
            self.give_back(key)
        self.assertEqual(work_of(self.part()).n_items, 4)

    def test_nobody_gives_back_the_batch_of_another(self):
        key = work_of(self.part(self.annotator_2)).begun[0][0]
        for bad in (key, "", "x" * 500, "\0"):
            self.assertEqual(self.give_back(bad).status_code, 302)
        self.assertFalse(Task.objects.exclude(rest_of=None).exists())

    def test_the_question_says_no_numbers_if_progress_is_hidden(self):
        self.campaign.options |= {"hidden_progress": True}
        self.campaign.save()
        self.answer(1, answers())
        response = self.give_back()
        self.assertContains(response, "Give the rest of this batch back?")
        self.assertContains(response, "You keep what you have judged.")
        self.assertNotContains(response, "4 items")
        self.assertNotContains(response, "3 items")

    def test_in_a_closed_campaign_nothing_is_offered(self):
        self.set_status("closed")
        page = self.get_as(self.annotator_1, "judge-items", self.campaign.pk)
        self.assertNotContains(page, "Give this batch back")


class NumberTest(BatchTestCase):
    def test_items_of_a_given_batch_keep_their_numbers(self):
        for batch in (2, 3, 4):
            factory.make_task(self.campaign, batch=batch)
        member = self.part()
        self.assertEqual(queue.give(member, 2), 2)
        self.finish()
        before = [task.pk for task in work_of(member).tasks]
        self.assertEqual(len(before), 3)
        claimed = queue.claim(member, timezone.now())
        self.assertEqual([task.pk for task in work_of(member).tasks], [*before, claimed.pk])
        self.assertIsNone(Task.objects.get(pk=before[-1]).claimed_at)


class PoolTest(BatchTestCase):
    def setUp(self):
        super().setUp()
        self.campaign.plan = {"pool": True}
        self.campaign.save()
        Task.objects.update(claimed_at=timezone.now())
        for batch in (2, 3):
            factory.make_task(self.campaign, batch=batch)

    def test_the_next_block_follows_without_a_page_between(self):
        self.assertContains(self.open(1), "2 more blocks are waiting.")
        response = self.finish()
        self.assertRedirects(
            response, reverse("judge", args=[self.campaign.pk]), target_status_code=302
        )
        self.assertEqual(self.client.get(response["Location"])["Location"], self.item_url(5))
        self.assertContains(self.open(5), "1 more block is waiting.")

    def test_who_wants_to_stop_stops(self):
        page = self.client.get(self.finish(stop="1")["Location"])
        self.assertContains(page, "Batch finished. Thank you!")
        self.assertContains(page, "2 blocks are waiting.")
        self.assertEqual(Task.objects.filter(annotator=None).count(), 2)

    def test_going_back_to_a_finished_block_takes_no_other(self):
        self.finish(stop="1")
        for sent in (answers(), answers(2)):  # the same again, and a revision
            response = self.answer(4, sent)
            self.assertRedirects(response, reverse("judge", args=[self.campaign.pk]))
        self.assertEqual(Judgment.objects.filter(revision=2).count(), 1)
        self.assertEqual(Task.objects.filter(annotator=None).count(), 2)

    def test_without_a_pool_nothing_is_claimed_by_an_answer(self):
        self.campaign.plan = {}
        self.campaign.save()
        self.assertNotContains(self.open(1), "Stop after this block")
        self.finish()
        self.assertEqual(Task.objects.filter(annotator=None, campaign=self.campaign).count(), 2)

    def test_the_last_block_leads_to_the_end(self):
        Task.objects.filter(annotator=None).delete()
        page = self.client.get(self.finish()["Location"])
        self.assertContains(page, "All done. Thank you!")
