"""Nobody is given more items than the campaign's quotas allow."""

from django.utils import timezone

from judgments.judging import queue
from judgments.models import Document
from judgments.people.staffing.settings import plain, read, set_staffing, staffing_of
from tests import factory
from tests.base import CastTestCase


class QuotaTest(CastTestCase):
    """Four batches of four segments: two of news, two of patents, and each of two items."""

    def setUp(self):
        self.campaign.tasks.all().delete()
        first, second = Document.objects.filter(test_set=self.test_set).order_by("position")
        Document.objects.filter(pk=first.pk).update(domain="news")
        Document.objects.filter(pk=second.pk).update(domain="patents")
        segments = list(self.test_set.segments.order_by("position"))
        for batch, of in ((1, segments[:2]), (2, segments[:2]), (3, segments[2:]), (4, segments)):
            factory.make_task(self.campaign, batch=batch, segments=of)
        self.member = self.campaign.memberships.get(user=self.annotator_1)

    def settle(self, **quotas):
        set_staffing(self.campaign, quotas)
        self.member.campaign.refresh_from_db()

    def claim_all(self):
        """The batches that somebody gets one after the other, each judged at once."""
        got = []
        while (task := queue.claim(self.member, timezone.now())) is not None:
            got.append(task.batch)
            for item in task.items.order_by("position"):
                item.task = task
                factory.judge(item, {"adequacy": [3, 3, 3], "fluency": [3, 3, 3]})
        return got

    def test_without_a_quota_everything(self):
        self.assertEqual(self.claim_all(), [1, 2, 3, 4])

    def test_items_of_the_campaign(self):
        self.settle(items=7)  # the last has four more
        self.assertEqual(queue.n_free(self.member), 3)
        self.assertEqual(self.claim_all(), [1, 2, 3])
        self.assertIsNone(queue.next_free(self.member))
        self.assertEqual(queue.n_free(self.member), 0)

    def test_items_of_a_domain(self):
        self.settle(domain_items=3)
        self.assertEqual(self.claim_all(), [1, 3])

    def test_a_batch_of_two_domains_counts_for_both(self):
        self.settle(domain_items=4)
        self.assertEqual(self.claim_all(), [1, 2, 3])
        other = self.campaign.memberships.get(user=self.annotator_2)
        other.campaign.refresh_from_db()
        self.assertEqual(queue.give(other, 4), 1)

    def test_texts_without_a_domain_have_no_quota(self):
        Document.objects.filter(test_set=self.test_set).update(domain="")
        self.settle(domain_items=1)
        self.assertEqual(self.claim_all(), [1, 2, 3, 4])

    def test_a_batch_for_a_named_person_keeps_to_it(self):
        self.settle(items=4)
        self.assertEqual(queue.give(self.member, 3), 2)

    def test_what_was_given_back_comes_back_within_the_quota_only(self):
        self.settle(items=4)
        task = queue.claim(self.member, timezone.now())
        queue.give_up(self.member, task.pk)
        self.assertEqual(queue.claim(self.member, timezone.now()).batch, 2)
        self.settle(items=3)
        self.campaign.tasks.filter(batch=2).update(n_judged=2)
        self.assertIsNone(queue.claim(self.member, timezone.now()))

    def test_the_page_sets_and_clears_them(self):
        page = self.get_as(self.owner, "campaign-completion", self.campaign.pk)
        self.assertContains(page, 'name="domain_items"')
        data = {"items": "100", "domain_items": "40"}
        self.post_as(self.owner, "campaign-completion", self.campaign.pk, data=data)
        self.campaign.refresh_from_db()
        found = staffing_of(self.campaign)
        self.assertEqual((found.items, found.domain_items), (100, 40))
        self.assertEqual(read(plain(found)), found)
        self.post_as(self.owner, "campaign-completion", self.campaign.pk, data={})
        self.campaign.refresh_from_db()
        self.assertIsNone(staffing_of(self.campaign).items)
        for data in ({"items": "0"}, {"domain_items": "1000001"}):
            answer = self.post_as(self.owner, "campaign-completion", self.campaign.pk, data=data)
            self.assertEqual(answer.status_code, 422)
