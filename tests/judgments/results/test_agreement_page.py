"""What the page of agreement says of its intervals and of frequent values."""

from judgments.models import Task
from tests import factory

from .test_results import ResultsTestCase

TOO_FEW = "There is no interval: an interval needs at least eight documents or segments"


class AgreementPageTest(ResultsTestCase):
    def campaign_of(self, n_segments, n_documents, **fields):
        test_set = factory.make_test_set(
            self.owner, n_segments=n_segments, n_documents=n_documents, name="Larger set"
        )
        people = (self.annotator_1, self.annotator_2)
        campaign = factory.make_campaign(
            test_set, annotators=people, researchers=[self.researcher], **fields
        )
        for seat, annotator in enumerate(people, 1):
            factory.make_task(campaign, annotator, seat=seat)
        return campaign

    def page(self, campaign, **query):
        return self.get_as(self.researcher, "agreement", campaign.pk, query_params=query)

    def test_two_documents_judged_twice_give_no_interval(self):
        """Of thirty documents, so that documents would be resampled."""
        campaign = self.campaign_of(60, 30)
        first, second = Task.objects.filter(campaign=campaign).order_by("seat")
        for item in (*first.items.all(), *second.items.filter(position__lte=4)):
            n = item.position % 3
            scores = [5 - n, 3, 1 + n]
            factory.judge(item, {"adequacy": scores, "fluency": scores})
        page = self.page(campaign)
        self.assertContains(page, TOO_FEW)
        self.assertNotContains(page, "intervals over documents")
        self.assertNotContains(page, "bootstrap over documents")
        self.assertContains(page, "No intervals: an interval needs at least eight")

    def test_a_filter_that_loses_the_interval_says_why(self):
        campaign = self.campaign_of(60, 30)
        self.judge_everything(campaign)
        page = self.page(campaign)
        self.assertContains(page, "bootstrap intervals over documents")
        self.assertNotContains(page, "There is no interval")
        page = self.page(campaign, document=["doc1", "doc2"])
        self.assertContains(page, TOO_FEW)
        self.assertNotContains(page, "bootstrap intervals over")

    def test_a_tenth_of_a_long_scale_is_not_one_value(self):
        """No value makes up more than a sixth; most lie from 90 to 100."""
        campaign = self.campaign_of(90, 30, preset="direct-assessment")
        for task in campaign.tasks.all():
            for item in task.items.all():
                high = [91 + (item.position * 5 + place * 3) % 7 for place in range(3)]
                low = [item.position % 80, (item.position * 7) % 80, item.position % 60]
                factory.judge(item, {"da": low if item.position % 5 == 0 else high})
        page = self.page(campaign)
        self.assertNotContains(page, "One value makes up")
        self.assertContains(page, "of the judgments lie in 90–100 of the scale")
