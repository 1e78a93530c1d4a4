"""Pay: hours × rate, what that is per hour, and whether it is what was promised.

The expected amounts are worked out by hand: 0.5 h and 2 h at 12.50 are 6.25 and 25.00; three items
at 2.00 are 6.00, in half an hour 12.00 an hour.
"""

from decimal import Decimal

from judgments.models import Item, Task
from judgments.people.staffing.pay import pay_of
from judgments.people.staffing.settings import set_staffing
from tests import factory
from tests.base import CastTestCase

HOUR = 3_600_000
VALUES = {"adequacy": [1.0, 2.0, 3.0], "fluency": [1.0, 2.0, 3.0]}


class PayTests(CastTestCase):
    def setUp(self):
        for annotator, n, ms in ((self.annotator_1, 3, HOUR // 2), (self.annotator_2, 4, 2 * HOUR)):
            items = Item.objects.filter(task__campaign=self.campaign, task__annotator=annotator)
            for item in items.select_related("task")[:n]:
                item.task.refresh_from_db()
                factory.judge(item, VALUES)
            Task.objects.filter(campaign=self.campaign, annotator=annotator).update(active_ms=ms)

    def pay(self, **rate):
        set_staffing(self.campaign, {"pay": {"currency": "EUR"} | rate})
        return pay_of(self.campaign)

    def amounts(self, pay):
        return [(str(each.amount), str(each.wage)) for each in pay.people]

    def test_by_the_hour(self):
        pay = self.pay(per="hour", amount="12.50", promised="12.50")
        self.assertEqual(self.amounts(pay), [("6.25", "12.50"), ("25.00", "12.50")])
        self.assertEqual((pay.total, pay.median_wage), (Decimal("31.25"), Decimal("12.50")))
        self.assertFalse(pay.is_unfair)

    def test_by_the_item(self):
        pay = self.pay(per="item", amount="2.00", promised="8.01")
        self.assertEqual(self.amounts(pay), [("6.00", "12.00"), ("8.00", "4.00")])
        self.assertEqual(pay.median_wage, Decimal("8.00"))
        self.assertTrue(pay.is_unfair)
        self.assertFalse(self.pay(per="item", amount="2.00", promised="8.00").is_unfair)
        self.assertFalse(self.pay(per="item", amount="2.00").is_unfair)

    def test_by_the_finished_batch(self):
        pay = self.pay(per="batch", amount="10")
        self.assertEqual(self.amounts(pay), [("0.00", "0.00"), ("10.00", "5.00")])

    def test_without_any_time_there_is_no_wage(self):
        Task.objects.update(active_ms=0)
        pay = self.pay(per="item", amount="1", promised="10")
        self.assertEqual(self.amounts(pay), [("3.00", "None"), ("4.00", "None")])
        self.assertIsNone(pay.median_wage)
        self.assertFalse(pay.is_unfair)

    def test_the_page_and_the_file(self):
        page = self.get_as(self.owner, "campaign-pay", self.campaign.pk)
        self.assertContains(page, "2.5 active hours")
        data = {"amount": "2", "currency": "=EUR", "per": "item", "promised": "100"}
        response = self.post_as(self.owner, "campaign-pay", self.campaign.pk, data=data)
        self.assertEqual(response.status_code, 302)
        page = self.get_as(self.owner, "campaign-pay", self.campaign.pk)
        self.assertContains(page, "Below what was promised")
        text = self.get_as(self.owner, "campaign-pay-file", self.campaign.pk).content.decode()
        self.assertEqual(text.splitlines()[1], "annotator-1,3,0,0.5000,6.00,12.00,'=EUR")
        self.post_as(self.owner, "campaign-pay", self.campaign.pk, data={"per": "hour"})
        self.campaign.refresh_from_db()
        self.assertIsNone(pay_of(self.campaign).rate)

    def test_what_the_plan_reckons_with_is_said_and_not_paid(self):
        self.assertNotContains(
            self.get_as(self.owner, "campaign-pay", self.campaign.pk), "The plan reckons"
        )
        self.campaign.plan = {"pay_per_hour": 20.5, "currency": "CHF"}
        self.campaign.save()
        page = self.get_as(self.owner, "campaign-pay", self.campaign.pk)
        self.assertContains(page, "The plan reckons with 20.5 CHF an hour.")
        self.assertIsNone(pay_of(self.campaign).rate)

    def test_what_is_no_amount(self):
        for amount in ("-1", "a", "1,5", "inf", "1e99"):
            data = {"amount": amount, "currency": "EUR", "per": "hour"}
            response = self.post_as(self.owner, "campaign-pay", self.campaign.pk, data=data)
            self.assertContains(response, "An amount is a number", status_code=422)

    def test_the_file_is_the_owners(self):
        self.assert_refused("campaign-pay-file", self.campaign.pk)
        response = self.get_as(self.researcher, "campaign-pay-file", self.campaign.pk)
        self.assertEqual(response.status_code, 403)
