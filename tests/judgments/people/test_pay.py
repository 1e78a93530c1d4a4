"""Pay: hours × rate, what that is per hour, and whether it is what was promised.

The expected amounts are worked out by hand: 0.5 h and 2 h at 12.50 are 6.25 and 25.00; three items
at 2.00 are 6.00, in half an hour 12.00 an hour.
"""

import threading
from decimal import Decimal

import pytest
from django.db import connection

from judgments.models import Item, Payment, Role, Task
from judgments.people.staffing.pay import pay_of
from judgments.people.staffing.payments import approve
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
        expected = "annotator-1,3,0,0.5000,6.00,12.00,'=EUR,6.00,0.00,0.00,0.00"
        self.assertEqual(text.splitlines()[1], expected)
        self.post_as(self.owner, "campaign-pay", self.campaign.pk, data={"per": "hour"})
        self.campaign.refresh_from_db()
        self.assertIsNone(pay_of(self.campaign).rate)

    def test_what_the_plan_reckons_with_is_said_and_not_paid(self):
        self.assertNotContains(
            self.get_as(self.owner, "campaign-pay", self.campaign.pk), "The plan assumes"
        )
        self.campaign.plan = {"pay_per_hour": 20.5, "currency": "CHF"}
        self.campaign.save()
        page = self.get_as(self.owner, "campaign-pay", self.campaign.pk)
        self.assertContains(page, "The plan assumes 20.5 CHF an hour.")
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

    # Payments. By hand: 3 and 4 items at 2.00 are 6.00 and 8.00.

    def member(self, user):
        return self.campaign.memberships.get(user=user)

    def act(self, act, *users):
        people = [self.member(user).pk for user in users]
        data = {"act": act, "people": people}
        return self.post_as(self.owner, "campaign-payments", self.campaign.pk, data=data)

    def states(self):
        people = pay_of(self.campaign).people
        return [tuple(map(str, (each.due, each.approved, each.paid))) for each in people]

    def test_what_is_due_is_approved_and_then_paid(self):
        self.pay(per="item", amount="2.00")
        zero = "0.00"
        self.act("paid", self.annotator_1)  # nothing is approved yet
        self.assertFalse(Payment.objects.exists())
        for _ in range(2):  # pressed twice
            self.act("approve", self.annotator_1)
        self.assertEqual(Payment.objects.count(), 1)
        self.assertEqual([each[0] for each in self.states()], [zero, "8.00"])
        self.assertEqual(self.states()[0][1], "6.00")
        self.act("paid", self.annotator_1, self.annotator_2)
        self.assertEqual(self.states()[0], (zero, zero, "6.00"))
        self.assertEqual(self.states()[1][0], "8.00")
        self.pay(per="item", amount="2.50")
        self.assertEqual(self.states()[0][0], "1.50", "a higher rate is due by the difference")
        self.pay(per="item", amount="1.00")
        self.assertEqual(self.states()[0][0], zero, "nothing is taken back")
        text = self.get_as(self.owner, "campaign-pay-file", self.campaign.pk).content.decode()
        self.assertTrue(text.splitlines()[1].endswith("EUR,0.00,0.00,6.00,0.00"))

    def bonus(self, **data):
        data = {"member": self.member(self.annotator_1).pk, "sum": "1.25", "reason": "Care"} | data
        return self.post_as(self.owner, "campaign-bonus", self.campaign.pk, data=data)

    def test_a_bonus_is_beside_what_is_due(self):
        self.bonus()
        self.assertFalse(Payment.objects.exists(), "no currency is known yet")
        self.pay(per="item", amount="2.00")
        elsewhere = self.pairwise.memberships.get(user=self.annotator_1).pk
        for wrong in (
            {"sum": "0"},
            {"sum": "0.001"},
            {"sum": "-1"},
            {"sum": "NaN"},
            {"reason": ""},
            {"member": elsewhere},
            {"member": self.member(self.owner).pk},
        ):
            self.bonus(**wrong)
        self.assertFalse(Payment.objects.exists())
        self.bonus()
        self.assertEqual(self.states()[0], ("6.00", "1.25", "0.00"))
        self.assertEqual(str(pay_of(self.campaign).people[0].bonus), "1.25")
        self.assertContains(self.get_as(self.owner, "campaign-pay", self.campaign.pk), "Care")
        self.assertContains(self.get_as(self.annotator_1, "my-data-file"), "Care")

    def test_the_currency_stays_once_a_sum_is_approved(self):
        self.pay(per="item", amount="2.00")
        self.act("approve", self.annotator_1)
        for data in ({"amount": "2", "currency": "USD", "per": "item"}, {"per": "item"}):
            page = self.post_as(self.owner, "campaign-pay", self.campaign.pk, data=data)
            self.assertContains(page, "Sums have already been approved in EUR", status_code=422)

        no_amount = {"currency": "EUR", "per": "item"}
        page = self.post_as(self.owner, "campaign-pay", self.campaign.pk, data=no_amount)
        self.assertContains(page, "Sums have already been approved; enter 0", status_code=422)
        none = no_amount | {"amount": "0"}
        page = self.post_as(self.owner, "campaign-pay", self.campaign.pk, data=none)
        self.assertEqual(page.status_code, 302)

    def test_who_no_longer_judges_is_still_paid(self):
        self.pay(per="item", amount="2.00")
        self.act("approve", self.annotator_1)
        before = pay_of(self.campaign)
        for user in ("annotator-1", "annotator-2"):
            data = {"member-username": user, "member-role": "researcher"}
            self.post_as(self.owner, "member-new", self.campaign.pk, data=data)
        now = pay_of(self.campaign)
        self.assertEqual((now.total, len(now.people)), (before.total, 2))
        self.bonus(member=self.member(self.annotator_2).pk)
        self.act("approve", self.annotator_2)
        self.act("paid", self.annotator_1, self.annotator_2)
        self.assertEqual([each[2] for each in self.states()], ["6.00", "9.25"])

    def test_a_bonus_without_work_is_paid(self):
        self.pay(per="item", amount="2.00")
        self.campaign.memberships.create(user=self.outsider, role=Role.ANNOTATOR, alias="zoe")
        self.bonus(member=self.member(self.outsider).pk)
        self.act("paid", self.outsider)
        self.assertEqual(self.states()[2], ("0.00", "0.00", "1.25"))

    def test_nobody_of_another_campaign_is_paid(self):
        self.pay(per="item", amount="2.00")
        elsewhere = self.pairwise.memberships.get(user=self.annotator_1).pk
        for act, people in (("approve", [elsewhere]), ("approve", []), ("give", [elsewhere])):
            data = {"act": act, "people": people}
            self.post_as(self.owner, "campaign-payments", self.campaign.pk, data=data)
        self.assertFalse(Payment.objects.exists())

    def test_only_those_who_run_it_pay(self):
        for name in ("campaign-payments", "campaign-bonus"):
            self.assert_refused(name, self.campaign.pk, method="post")
            self.assert_post_only(name, self.campaign.pk)


@pytest.mark.django_db(transaction=True)
def test_two_managers_who_approve_at_once_approve_a_sum_once():
    owner, annotator = factory.make_user("owner"), factory.make_user("ann")
    campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
    member = campaign.memberships.create(user=annotator, role=Role.ANNOTATOR, alias="ann")
    task = factory.make_task(campaign, annotator)
    factory.judge(task.items.first(), VALUES)
    set_staffing(campaign, {"pay": {"per": "item", "amount": "2.00", "currency": "EUR"}})
    barrier = threading.Barrier(2)

    def press():
        barrier.wait()
        approve(campaign, {member.pk}, owner)
        connection.close()

    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [str(each.amount) for each in Payment.objects.all()] == ["2.00"]
