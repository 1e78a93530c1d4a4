"""Prolific, against a stub on this machine: what is asked of it, what is noted, and nothing twice.

Addresses, fields and states of the stub are those of docs.prolific.com: "Approve or reject a
submission" ({"action": "APPROVE"}), "Set up bonuses" ({"study_id", "csv_bonuses"}), "Pay bonuses",
"List study submissions", "Submission object". Amounts by hand: 3 and 4 items at 2.00 are 6.00 and
8.00; the reward is 5.00.
"""

import contextlib
import http.server
import json
import threading
import time
from unittest import mock

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse

from judgments.models import Item, Payment, PaymentKind, Role
from judgments.people.my_data import erasure
from judgments.people.staffing.payments import approve
from judgments.people.staffing.settings import set_staffing
from judgments.people.states import REPLACED, state_of
from judgments.quality.prolific import client
from mteval_site import environment
from tests import factory
from tests.base import CastTestCase

STUDY = "6f0c" * 6
TOKEN = "very-secret-token-of-prolific"
VALUES = {"adequacy": [1.0, 2.0, 3.0], "fluency": [1.0, 2.0, 3.0]}


class Stub(http.server.BaseHTTPRequestHandler):
    """Prolific with one study. `server.answers`: what a path is answered with in the place of what
    it does, a status or "silent"; the act is done before "silent", as Prolific may."""

    def do_GET(self):
        self.answer("GET", None)

    def do_POST(self):
        self.answer("POST", json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, method, data):
        server, path = self.server, self.path.removeprefix("/api/v1").partition("?")[0]
        server.got.append((method, path, data))
        said = next((each for key, each in server.answers.items() if key in path), None)
        if self.headers["Authorization"] != f"Token {TOKEN}":
            said = 401
        if isinstance(said, int):
            return self.send(said, {"error": {"detail": f"No good: {TOKEN}", "status": said}})
        found = self.do(path, data)
        if said == "silent":
            time.sleep(0.6)
        return self.send(200, found)

    def do(self, path, data):
        server = self.server
        if path == f"/studies/{STUDY}/":
            return server.study
        if path == f"/studies/{STUDY}/submissions/":
            query = dict(each.split("=") for each in self.path.partition("?")[2].split("&"))
            start, n = int(query["offset"]), int(query["limit"])
            rows = [{"id": key} | row for key, row in server.submissions.items()]
            return {"results": rows[start : start + n], "meta": {"count": len(rows)}}
        if path.endswith("/transition/"):
            assert data == {"action": "APPROVE"}
            server.submissions[path.split("/")[2]]["status"] = "APPROVED"
            return {"status": "APPROVED"}
        if path == "/submissions/bonus-payments/":
            assert data["study_id"] == STUDY
            with server.lock:
                number = f"b{len(server.bonuses)}"
                server.bonuses[number] = data["csv_bonuses"].split("\n")
            return {"id": number}
        if path.startswith("/bulk-bonus-payments/"):
            server.paid.extend(server.bonuses[path.split("/")[2]])
            return {}
        raise AssertionError(path)

    def send(self, status, data):
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):  # who asked has gone
            self.wfile.write(body)

    def log_message(self, *args):
        pass


def start_stub():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
    server.lock = threading.Lock()
    server.got, server.answers, server.bonuses, server.paid = [], {}, {}, []
    server.study = {"reward": 500, "presentment_currency_code": "GBP"}
    server.study |= {"total_available_places": 9, "places_taken": 2}
    server.submissions = {}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def connected_to(server):
    return override_settings(
        PROLIFIC_TOKEN=TOKEN,
        PROLIFIC_ADDRESS=f"http://127.0.0.1:{server.server_port}",
        PROLIFIC_MANAGERS=["owner"],
    )


def stop(server):
    server.shutdown()
    server.server_close()


class ProlificTests(CastTestCase):
    def setUp(self):
        self.stub = start_stub()
        self.addCleanup(stop, self.stub)
        self.enterContext(connected_to(self.stub))
        self.enterContext(override_settings(PROLIFIC_MANAGERS=[self.owner.get_username()]))
        self.enterContext(mock.patch.object(client, "SECONDS", 0.3))
        for n, (user, items) in enumerate(((self.annotator_1, 3), (self.annotator_2, 4)), 1):
            for item in Item.objects.filter(task__annotator=user, task__campaign=self.campaign)[
                :items
            ]:
                item.task.refresh_from_db()
                factory.judge(item, VALUES)
            member = self.member(user)
            member.external_ids = {"PROLIFIC_PID": f"p{n}", "SESSION_ID": f"s{n}"}
            member.save()
            self.stub.submissions[f"s{n}"] = {
                "participant_id": f"p{n}",
                "status": "AWAITING REVIEW",
                "reward": 500,
            }
        pay = {"per": "item", "amount": "2.00", "currency": "GBP"}
        set_staffing(self.campaign, {"pay": pay, "prolific_study": STUDY})
        self.both = {self.member(self.annotator_1).pk, self.member(self.annotator_2).pk}

    def member(self, user):
        return self.campaign.memberships.get(user=user)

    def page(self):
        return self.get_as(self.owner, "campaign-prolific", self.campaign.pk)

    def act(self, act, *users):
        users = users or (self.annotator_1, self.annotator_2)
        data = {"act": act, "people": [self.member(user).pk for user in users]}
        page = self.post_as(
            self.owner, "campaign-prolific-act", self.campaign.pk, data=data, follow=True
        )
        return " ".join(str(each) for each in page.context["messages"])

    def asked(self, part):
        return [path for _, path, _ in self.stub.got if part in path]

    def sums(self, **which):
        found = Payment.objects.filter(**which).order_by("membership__alias", "pk")
        return [(each.membership.alias, str(each.amount)) for each in found]

    def test_the_page_says_who_has_which_place(self):
        self.stub.submissions["s2"]["status"] = "RETURNED"
        self.stub.submissions["s9"] = {"participant_id": "p9", "status": "ACTIVE", "reward": 500}
        page = self.page()
        self.assertContains(page, "7 are free")
        self.assertContains(page, "Submissions by people who are not here: 1.")
        self.assertContains(page, "place passed on", count=1)
        self.assertContains(page, "5.00")
        self.assertNotContains(page, TOKEN)

    def test_a_place_is_of_whom_the_link_named(self):
        self.stub.submissions["s1"]["participant_id"] = "p2"  # a second one, listed first
        places = [place for place, _, _ in self.page().context["rows"]]
        self.assertEqual(
            [(each.member.alias, each.submission) for each in places], [("annotator-2", "s2")]
        )
        member = self.member(self.annotator_2)
        member.external_ids = {"PROLIFIC_PID": "p2"}
        member.save()
        self.assertEqual(self.page().context["rows"], [], "nobody knows which of two")

    def test_a_list_of_several_pages(self):
        with mock.patch.object(client, "PAGE", 1):
            self.assertEqual(len(self.page().context["rows"]), 2)
        self.assertEqual(len(self.asked("/submissions/")), 2)

    def test_approval_pays_the_reward_once_and_the_rest_waits(self):
        self.assertIn("no approved work here", self.act("approve"))
        self.assertEqual(self.asked("transition"), [])
        approve(self.campaign, self.both, self.owner)
        self.assertIn("noted as paid: 2", self.act("approve"))
        expected = [("annotator-1", "5.00"), ("annotator-2", "5.00")]
        self.assertEqual(self.sums(paid_at__isnull=False), expected)
        rest = [("annotator-1", "1.00"), ("annotator-2", "3.00")]
        self.assertEqual(self.sums(paid_at=None), rest)
        self.assertIn("noted as paid: 0", self.act("approve"))
        self.assertEqual(len(self.asked("transition")), 2, "nobody is approved twice")
        self.assertEqual(self.sums(paid_at=None), rest)

    def test_a_reward_above_what_was_earned_is_noted_as_it_is(self):
        self.stub.submissions["s1"]["reward"] = 750
        approve(self.campaign, self.both, self.owner)
        self.act("approve", self.annotator_1)
        self.assertEqual(
            self.sums(paid_at__isnull=False), [("annotator-1", "6.00"), ("annotator-1", "1.50")]
        )

    def test_whom_prolific_approved_elsewhere_is_only_noted(self):
        self.stub.submissions["s1"]["status"] = "APPROVED"
        approve(self.campaign, self.both, self.owner)
        self.act("approve", self.annotator_1)
        self.assertEqual(self.asked("transition"), [])
        self.assertEqual(self.sums(paid_at__isnull=False), [("annotator-1", "5.00")])

    def test_one_that_fails_keeps_nobody_else_from_it(self):
        approve(self.campaign, self.both, self.owner)
        self.stub.answers = {"s1/transition": 400}
        said = self.act("approve")
        self.assertIn("annotator-1 is not approved. Prolific refused with 400: No good: ….", said)
        self.assertEqual(self.sums(paid_at__isnull=False), [("annotator-2", "5.00")])
        self.stub.answers = {}
        self.act("approve")
        self.assertEqual(self.asked("transition").count("/submissions/s2/transition/"), 1)
        self.assertEqual(len(self.sums(paid_at__isnull=False)), 2)

    def test_what_would_be_refused_to_all_is_asked_once(self):
        approve(self.campaign, self.both, self.owner)
        for status, words in ((401, "PROLIFIC_TOKEN"), (429, "asks to wait"), (500, "failed")):
            self.stub.got.clear()
            self.stub.answers = {"transition": status}
            said = self.act("approve")
            self.assertIn(words, said)
            self.assertIn("after annotator-1: 1", said)
            self.assertEqual(len(self.asked("transition")), 1)
        self.assertEqual(self.sums(paid_at__isnull=False), [])

    def test_an_approval_without_an_answer_is_found_in_the_list(self):
        approve(self.campaign, self.both, self.owner)
        self.stub.answers = {"s1/transition": "silent"}
        self.assertIn("did not answer", self.act("approve", self.annotator_1))
        self.assertEqual(self.sums(paid_at__isnull=False), [])
        self.stub.answers = {}
        self.act("approve", self.annotator_1)
        self.assertEqual(len(self.asked("transition")), 1)
        self.assertEqual(self.sums(paid_at__isnull=False), [("annotator-1", "5.00")])

    def with_bonus(self):
        Payment.objects.create(
            membership=self.member(self.annotator_1), kind=PaymentKind.BONUS, amount="1.25"
        )
        approve(self.campaign, self.both, self.owner)

    def test_bonuses_and_what_is_beyond_the_reward(self):
        self.with_bonus()
        self.assertIn("must have approved", self.act("bonus"))
        self.act("approve")
        self.assertIn("bonuses for 2 people.", self.act("bonus"))
        self.assertEqual(self.stub.paid, ["s1,2.25", "s2,3.00"])
        self.assertEqual(self.sums(paid_at=None), [])
        self.assertIn("nothing approved", self.act("bonus"))
        self.assertEqual(self.stub.paid, ["s1,2.25", "s2,3.00"])

    def test_work_whose_reward_is_not_noted_is_not_paid_by_a_bonus(self):
        self.with_bonus()
        self.stub.submissions["s1"]["status"] = "APPROVED"
        self.act("bonus")
        self.assertEqual(self.stub.paid, ["s1,1.25"])

    def test_refused_bonuses_are_paid_later(self):
        self.with_bonus()
        self.act("approve")
        for path in ("bonus-payments/", "/pay/"):
            for status in (400, 401, 429):
                self.stub.answers = {path: status}
                self.assertIn("Nothing was done. Prolific refused", self.act("bonus"))
        self.stub.answers = {"/submissions/bonus-payments/": "silent"}
        self.assertIn("Nothing was done. Prolific did not answer", self.act("bonus"))
        self.assertEqual(self.stub.paid, [])
        self.assertEqual(len(self.sums(paid_at=None, sent_at=None)), 3)
        self.stub.answers = {}
        self.act("bonus")
        self.assertEqual(self.stub.paid, ["s1,2.25", "s2,3.00"])

    def test_bonuses_without_a_clear_answer_wait_for_somebody_who_looks(self):
        self.with_bonus()
        self.act("approve")
        for said in ("silent", 500):
            self.stub.answers, before = {"/pay/": said}, list(self.stub.paid)
            self.assertIn("It may have paid the bonuses", self.act("bonus"))
            self.stub.answers, after = {}, list(self.stub.paid)
            self.assertEqual(after != before, said == "silent")
            self.act("bonus")
            self.assertEqual(self.stub.paid, after, "they are not sent again")
            self.assertContains(self.page(), "payment is not confirmed", count=2)
            data = {"act": "paid", "people": list(self.both)}
            self.post_as(self.owner, "campaign-payments", self.campaign.pk, data=data)
            self.assertIn("0 sums can", self.act("free"), "a request may be on its way")
            self.assertEqual(len(self.sums(paid_at=None)), 3)
            Payment.objects.filter(paid_at=None).update(sent_at="2020-01-01T00:00Z")
            self.assertIn("3 sums can be sent again", self.act("free"))
        self.act("bonus")
        self.assertEqual(self.stub.paid, ["s1,2.25", "s2,3.00"] * 2, "as somebody said")

    def test_another_currency_pays_nobody(self):
        approve(self.campaign, self.both, self.owner)
        self.stub.study["presentment_currency_code"] = "USD"
        for act in ("approve", "bonus"):
            self.assertIn("The currency of the study is USD", self.act(act))
        self.assertEqual([method for method, _, _ in self.stub.got if method == "POST"], [])

    def test_a_returned_place_and_its_work_go_to_others(self):
        self.stub.submissions["s1"]["status"] = "TIMED-OUT"
        before = self.campaign.tasks.count()
        said = self.act("replace")
        self.assertIn("Of those ticked, 1 had no place here that was given on", said)
        self.assertIn("planned for others: 1", said)
        self.assertEqual(state_of(self.member(self.annotator_1)).name, REPLACED)
        self.assertEqual(state_of(self.member(self.annotator_1)).reason, "At Prolific: timed-out.")
        planned = self.campaign.tasks.count() - before
        self.assertGreater(planned, 0)
        self.act("replace")
        self.assertEqual(self.campaign.tasks.count() - before, planned, "nothing twice")
        self.assertContains(self.page(), "replaced")

    def test_who_returned_a_place_and_has_judged_nothing(self):
        user = factory.make_user("annotator-3")
        member = self.campaign.memberships.create(
            user=user, role=Role.ANNOTATOR, alias="c", external_ids={"PROLIFIC_PID": "p3"}
        )
        task = factory.make_task(self.campaign, user, seat=3)
        self.stub.submissions["s3"] = {"participant_id": "p3", "status": "RETURNED", "reward": 500}
        self.assertIn("planned for others: 1.", self.act("replace", user))
        self.assertEqual(state_of(member).name, REPLACED)
        open_seats = self.campaign.tasks.filter(batch=task.batch, annotator=None)
        n_open = Item.objects.filter(task__in=open_seats, is_judged=False).count()
        self.assertEqual(n_open, task.n_items, "somebody else can have their work, once")

    def test_who_is_erased_leaves_no_number_of_prolific(self):
        approve(self.campaign, self.both, self.owner)
        self.act("approve")
        erasure.erase(self.annotator_1, by="", reason="", judgments=False)
        sums = Payment.objects.filter(membership__user=self.annotator_1)
        self.assertEqual(set(sums.values_list("prolific", flat=True)), {""})

    def test_failures_are_said_on_the_page(self):
        for said in (401, 429, 500, "silent"):
            self.stub.answers = {"/submissions/": said}
            page = self.page()
            self.assertContains(page, "Nothing was changed.")
            self.assertNotContains(page, TOKEN)
        self.stub.answers = {}
        self.stub.study = ["nonsense"]
        self.assertContains(self.page(), "cannot be read")
        with override_settings(PROLIFIC_ADDRESS="http://127.0.0.1:9"):
            self.assertContains(self.page(), "cannot be reached")
        with override_settings(PROLIFIC_ADDRESS="http://10.0.0.5"):
            self.assertContains(self.page(), "Only https")

    def test_only_those_who_run_it_and_whom_the_operator_names(self):
        self.assert_refused("campaign-prolific", self.campaign.pk)
        self.assert_refused("campaign-prolific-act", self.campaign.pk, method="post")
        self.assert_post_only("campaign-prolific-act", self.campaign.pk)
        approve(self.campaign, self.both, self.owner)
        for setting in ({"PROLIFIC_MANAGERS": ["another"]}, {"PROLIFIC_TOKEN": ""}):
            with override_settings(**setting):
                self.assertIn("You may not pay", self.act("approve"))
                self.assertNotContains(self.page(), "Approve at Prolific,")
        set_staffing(self.campaign, {"prolific_study": ""})
        self.assertContains(self.page(), "First, enter under")
        self.assertEqual(self.stub.got, [])

    def test_the_link_is_there_where_the_site_is_connected(self):
        link = reverse("campaign-prolific", args=[self.campaign.pk])
        self.assertContains(self.get_as(self.owner, "campaign-pay", self.campaign.pk), link)
        with override_settings(PROLIFIC_TOKEN=""):
            page = self.get_as(self.owner, "campaign-pay", self.campaign.pk)
            self.assertNotContains(page, link)

    def test_the_number_of_a_study(self):
        for number, status in (("../me", 422), (STUDY, 302), ("", 302)):
            data = {"prolific_study": number}
            page = self.post_as(self.owner, "campaign-completion", self.campaign.pk, data=data)
            self.assertEqual(page.status_code, status)


@pytest.mark.parametrize("value", ["a b", "a\nb", "ü"])
def test_a_token_that_no_header_takes_is_not_repeated(monkeypatch, value):
    monkeypatch.setenv("PROLIFIC_TOKEN", value)
    with pytest.raises(ImproperlyConfigured) as said:
        environment.token("PROLIFIC_TOKEN")
    assert value not in str(said.value)


@pytest.mark.django_db(transaction=True)
def test_two_managers_who_press_at_once_pay_a_bonus_once():
    owner, annotator = factory.make_user("owner"), factory.make_user("ann")
    campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
    ids = {"PROLIFIC_PID": "p1", "SESSION_ID": "s1"}
    member = campaign.memberships.create(
        user=annotator, role=Role.ANNOTATOR, alias="ann", external_ids=ids
    )
    pay = {"per": "item", "amount": "2.00", "currency": "GBP"}
    set_staffing(campaign, {"pay": pay, "prolific_study": STUDY})
    Payment.objects.create(membership=member, kind=PaymentKind.BONUS, amount="1.25")
    server = start_stub()
    server.submissions["s1"] = {"participant_id": "p1", "status": "APPROVED", "reward": 500}
    both_set_up = threading.Barrier(2)
    set_up = client.set_up_bonuses

    def set_up_together(*args):
        number = set_up(*args)
        both_set_up.wait(10)  # both have seen a bonus that is not paid
        return number

    address = reverse("campaign-prolific-act", args=[campaign.pk])
    codes = []

    def press():
        browser = Client()
        browser.force_login(owner)
        answer = browser.post(address, {"act": "bonus", "people": [member.pk]})
        codes.append(answer.status_code)
        connection.close()

    with connected_to(server), mock.patch.object(client, "set_up_bonuses", set_up_together):
        threads = [threading.Thread(target=press) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    stop(server)
    assert codes == [302, 302]
    assert len(server.bonuses) == 2, "both have set it up"
    assert server.paid == ["s1,1.25"]
    assert Payment.objects.get().paid_at is not None
