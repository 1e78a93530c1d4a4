"""Notices: who may set them up, what is sent once, and where a webhook may and may not go."""

import hashlib
import hmac
import http.server
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from unittest import mock

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test import TransactionTestCase, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from judgments.models import Act, Notice, NoticeEvent, NoticeRule
from judgments.people import states
from judgments.quality.decisions.decisions import decide
from judgments.quality.notices import notices, webhooks
from judgments.quality.notices import tasks as notices_tasks
from judgments.quality.watch import figures as latest
from tests import factory
from tests.base import CastTestCase

PUBLIC = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))]


class Receiver(http.server.BaseHTTPRequestHandler):
    answer = 204

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, dict(self.headers), body))
        self.send_response(self.answer)
        if self.answer == 302:
            self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *args):
        pass


@pytest.fixture
def receiver():
    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    server.got = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    Receiver.answer = 204


def test_a_signed_message_arrives(receiver):
    host = f"127.0.0.1:{receiver.server_port}"
    with override_settings(WEBHOOK_HOSTS=[host]):
        webhooks.post(f"http://{host}/in?a=1", b'{"x": 1}', "key")
    ((path, headers, body),) = receiver.got
    assert (path, body) == ("/in?a=1", b'{"x": 1}')
    signed = f"{headers['X-Mteval-Time']}.".encode() + body
    # As a receiver would check it, by the standard library alone.
    assert headers["X-Mteval-Signature"] == (
        "sha256=" + hmac.new(b"key", signed, hashlib.sha256).hexdigest()
    )


@pytest.mark.parametrize("answer", [302, 404, 500])
def test_only_success_is_success_and_nobody_is_followed(receiver, answer):
    Receiver.answer = answer
    host = f"127.0.0.1:{receiver.server_port}"
    with (
        override_settings(WEBHOOK_HOSTS=[host]),
        pytest.raises(webhooks.WebhookFailed, match=str(answer)),
    ):
        webhooks.post(f"http://{host}/", b"{}", "key")
    assert [path for path, _, _ in receiver.got] == ["/"]


def test_a_silent_host_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        with (
            override_settings(WEBHOOK_HOSTS=[host]),
            mock.patch.object(webhooks, "SECONDS", 0.2),
            pytest.raises(webhooks.WebhookFailed),
        ):
            webhooks.post(f"http://{host}/", b"{}", "key")


@pytest.mark.parametrize(
    ("hosts", "address"),
    [
        ([], "https://hooks.example.org/"),
        (["hooks.example.org"], "https://hooks.example.org.evil.example/"),
        (["hooks.example.org"], "https://hooks.example.org:8443/"),
        (["hooks.example.org"], "https://evil.example/#hooks.example.org"),
        (["hooks.example.org"], "https://user:secret@hooks.example.org/"),
        (["hooks.example.org"], "https://hooks.example.org@evil.example/"),
        (["hooks.example.org"], "ftp://hooks.example.org/"),
        (["hooks.example.org"], "file:///etc/passwd"),
        (["hooks.example.org"], "https://hooks.example.org:99999/"),
        (["hooks.example.org"], "https://hooks.example.org/\r\nHost: x"),
        (["hooks.example.org"], "https://[::1/"),
    ],
)
def test_addresses_that_are_refused(hosts, address):
    with override_settings(WEBHOOK_HOSTS=hosts), pytest.raises(webhooks.WebhookRefused):
        webhooks.target_of(address)


@pytest.mark.parametrize(
    "ip",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "0.0.0.0", "224.0.0.1"),
        *("::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1"),
    ],
)
def test_a_name_at_a_private_address_is_refused(ip):
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    rows = [*PUBLIC, (family, socket.SOCK_STREAM, 6, "", (ip, 443))]
    with (
        override_settings(WEBHOOK_HOSTS=["hooks.example.org"]),
        mock.patch.object(socket, "getaddrinfo", return_value=rows),
        pytest.raises(webhooks.WebhookRefused, match="private"),
    ):
        webhooks.resolved(webhooks.target_of("https://hooks.example.org/"))


def test_public_addresses_pass_and_plain_http_does_not():
    with (
        override_settings(WEBHOOK_HOSTS=["hooks.example.org", "10.0.0.5"]),
        mock.patch.object(socket, "getaddrinfo", return_value=PUBLIC),
    ):
        found = webhooks.resolved(webhooks.target_of("https://hooks.example.org/"))
        assert str(found) == "93.184.216.34"
        with pytest.raises(webhooks.WebhookRefused, match="https"):
            webhooks.resolved(webhooks.target_of("http://hooks.example.org/"))
    with override_settings(WEBHOOK_HOSTS=["10.0.0.5"]):
        assert str(webhooks.resolved(webhooks.target_of("https://10.0.0.5/"))) == "10.0.0.5"


class NoticeTests(CastTestCase):
    def rule(self, **fields):
        fields = {"way": "mail", "address": "me@example.org", "site": "https://eval.org/"} | fields
        return self.campaign.notice_rules.create(created_by=self.owner, **fields)

    def finish(self):
        for task in self.campaign.tasks.all():
            for item in task.items.filter(is_judged=False):
                item.task = task
                factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})

    def look(self, flags=None):
        with mock.patch.object(latest, "flags_of", return_value=flags or {}):
            notices_tasks.look_for_notices.call(self.campaign.pk)

    def test_refused_to_others(self):
        rule = self.rule()
        users = {None: 302, self.outsider: 404, self.annotator_1: 403, self.researcher: 403}
        self.assert_refused("notices", self.campaign.pk, users=users)
        for name, args in (("notice-new", ()), ("notice-delete", (rule.pk,))):
            self.assert_refused(name, self.campaign.pk, *args, users=users, method="post")
            self.assert_post_only(name, self.campaign.pk, *args)

    def test_one_is_set_up_and_removed(self):
        data = {"way": "mail", "address": "you@example.org", "on_flag": "on"}
        self.post_as(self.owner, "notice-new", self.campaign.pk, data=data)
        rule = NoticeRule.objects.get()
        self.assertEqual((rule.on_complete, rule.on_flag), (False, True))
        act = Act.objects.get(act="notice-new")
        self.assertEqual(act.facts, {})
        page = self.get_as(self.owner, "notices", self.campaign.pk)
        self.assertContains(page, "you@example.org")
        self.assertNotContains(page, rule.secret)
        self.post_as(self.owner, "notice-delete", self.pairwise.pk, rule.pk)
        self.assertTrue(NoticeRule.objects.exists())
        self.post_as(self.owner, "notice-delete", self.campaign.pk, rule.pk)
        self.assertFalse(NoticeRule.objects.exists())

    def test_what_cannot_be_sent_to_is_refused_with_a_reason(self):
        for way, address, words in (
            ("mail", "nobody", "not an email address"),
            ("webhook", "https://hooks.example.org/", "WEBHOOK_HOSTS"),
            ("webhook", "nobody", "Give an address"),
        ):
            data = {"way": way, "address": address, "on_complete": "on"}
            response = self.post_as(self.owner, "notice-new", self.campaign.pk, data=data)
            self.assertContains(response, words, status_code=422)
        self.assertFalse(NoticeRule.objects.exists())

    def test_completion_is_told_once(self):
        self.rule()
        self.look()
        self.assertFalse(Notice.objects.exists())
        self.finish()
        self.look()
        self.look()
        notice = Notice.objects.get()
        notices.send(notice.pk)
        notices.send(notice.pk)
        (message,) = mail.outbox
        self.assertEqual(message.to, ["me@example.org"])
        self.assertEqual(message.subject, "Small campaign: All 8 items are judged.")
        self.assertIn(f"https://eval.org/campaigns/{self.campaign.pk}/watch/", message.body)
        notice.refresh_from_db()
        self.assertEqual((notice.state, notice.n_tries), ("sent", 1))
        self.assertContains(self.get_as(self.owner, "notices", self.campaign.pk), "Sent")

    def test_each_flag_is_told_to_those_who_want_it(self):
        rule = self.rule()
        self.rule(address="quiet@example.org", on_flag=False)
        flags = {self.annotator_1.pk: ("constant",), self.annotator_2.pk: ()}
        self.look(flags)
        self.look(flags)
        notice = Notice.objects.get()
        self.assertEqual(notice.rule, rule)
        payload = notices.content(notice)
        self.assertEqual(payload["annotator"], "annotator-1")
        self.assertEqual(payload["text"], "annotator-1 is flagged: every score is the same.")
        self.look({self.annotator_1.pk: ("constant", "fast")})
        self.assertEqual(Notice.objects.count(), 2)

    def added(self, flags=None):
        """The annotators and flags of the notices that a look adds."""
        before = set(Notice.objects.values_list("pk", flat=True))
        self.look(flags)
        added = Notice.objects.exclude(pk__in=before).order_by("pk")
        return [(found["annotator"], found["flags"]) for found in map(notices.content, added)]

    def test_people_who_are_decided_on_are_reported_no_more(self):
        self.rule()
        flags = {self.annotator_1.pk: ("constant", "fast"), self.annotator_2.pk: ("fast",)}
        for user in (self.annotator_1, self.annotator_2):
            states.hold(self.campaign, user, reason="By the rule.")
        both = [("annotator-1", ["constant", "fast", "held"]), ("annotator-2", ["fast", "held"])]
        self.assertEqual(self.added(flags), both)
        decide(self.campaign, self.annotator_1, excluded=True, reason="Fast.", by=self.owner)
        states.resume_work(self.campaign, self.annotator_2, reason="Fine.", by=self.owner)
        self.assertEqual(self.added(flags), [])
        more = dict.fromkeys(flags, ("constant", "fast", "run"))
        self.assertEqual(self.added(more), [("annotator-2", ["constant", "fast", "run"])])
        decide(self.campaign, self.annotator_1, excluded=False, reason="Right.", by=self.owner)
        self.assertEqual(self.added(more), [("annotator-1", ["constant", "fast", "run"])])

    def test_people_who_were_left_out_before_are_not_reported(self):
        self.rule()
        decide(self.campaign, self.annotator_1, excluded=True, reason="Fast.", by=self.owner)
        self.assertEqual(self.added({self.annotator_1.pk: ("fast",)}), [])

    def test_a_second_hold_is_reported(self):
        self.rule()
        held = [("annotator-1", ["fast", "held"])]
        for _ in range(2):
            states.hold(self.campaign, self.annotator_1, reason="By the rule.")
            self.assertEqual(self.added({self.annotator_1.pk: ("fast",)}), held)
            self.assertEqual(self.added({self.annotator_1.pk: ("fast",)}), [])
            states.resume_work(self.campaign, self.annotator_1, reason="Fine.", by=self.owner)
        text = notices.content(Notice.objects.first())["text"]
        self.assertIn("they are held until an owner decides", text)

    def test_completion_is_told_although_a_flag_has_the_same_number(self):
        rule = self.rule()
        rule.notices.create(event=NoticeEvent.FLAG, about="8 fast")
        self.finish()
        self.look()
        self.assertTrue(rule.notices.filter(event=NoticeEvent.COMPLETE, about="8").exists())

    def test_the_page_asks_for_all_names_at_once(self):
        rule = self.rule()
        self.look({self.annotator_1.pk: ("constant",)})
        client = self.as_user(self.owner)

        def statements():
            with CaptureQueriesContext(connection) as asked:
                page = client.get(reverse("notices", args=[self.campaign.pk]))
            self.assertContains(page, "annotator-1 is flagged")
            return len(asked)

        few = statements()
        for n in range(5):
            Notice.objects.create(
                rule=rule, event=NoticeEvent.FLAG, about=f"{self.annotator_2.pk} fast x{n}"
            )
        self.assertEqual(statements(), few)

    def test_a_failure_is_tried_again_and_then_given_up(self):
        self.rule(way="webhook", address="https://hooks.example.org/in")
        self.finish()
        self.look()
        notice = Notice.objects.get()
        failing = webhooks.WebhookFailed("hooks.example.org answered with 500.")
        send = notices_tasks.send_notice
        with (
            mock.patch.object(webhooks, "post", side_effect=failing) as post,
            mock.patch.object(notices_tasks, "send_notice") as again,
        ):
            for _ in range(7):
                send.call(notice.pk)
        self.assertEqual(post.call_count, 5)
        self.assertEqual(again.using.call_count, 4)
        notice.refresh_from_db()
        self.assertEqual((notice.state, notice.n_tries), ("failed", 5))
        page = self.get_as(self.owner, "notices", self.campaign.pk)
        self.assertContains(page, "answered with 500")
        _, body, secret = post.call_args.args
        self.assertEqual(json.loads(body)["items"], 8)
        self.assertEqual(secret, notice.rule.secret)

    def test_a_host_that_is_not_listed_any_more_is_given_up_at_once(self):
        self.rule(way="webhook", address="https://hooks.example.org/in")
        self.finish()
        self.look()
        notices.send(Notice.objects.get().pk)
        self.assertEqual(Notice.objects.get().state, "failed")

    def test_what_was_lost_with_its_worker_is_sent_after_all(self):
        self.rule()
        self.finish()
        self.look()
        with mock.patch.object(notices_tasks, "send_notice") as again:
            self.look()
            again.enqueue.assert_not_called()
            Notice.objects.update(created_at=timezone.now() - timedelta(days=1))
            self.look()
        again.enqueue.assert_called_once_with(Notice.objects.get().pk)

    def test_the_end_of_a_batch_asks_a_worker(self):
        task = self.campaign.tasks.get(annotator=self.annotator_1)
        last = task.items.order_by("position").last()
        page = self.get_as(self.annotator_1, "judge-item", self.campaign.pk, task.n_items)
        data = {"ticket": page.context["ticket"]}
        data |= {
            f"output{place}-{name}": "3" for place in (1, 2, 3) for name in ("adequacy", "fluency")
        }
        self.rule()
        with mock.patch.object(notices_tasks, "look_for_notices") as look:
            self.post_as(self.annotator_1, "judge-item", self.campaign.pk, task.n_items, data=data)
        last.refresh_from_db()
        self.assertTrue(last.is_judged)
        look.enqueue.assert_called_once_with(self.campaign.pk)


class TwoWorkersTest(TransactionTestCase):
    def test_a_notice_that_another_worker_sends_is_not_sent_twice(self):
        owner = factory.make_user("owner")
        campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
        rule = campaign.notice_rules.create(created_by=owner, way="mail", address="me@example.org")
        notice = rule.notices.create(event=NoticeEvent.COMPLETE, about="8")

        def send():
            notices.send(notice.pk)
            connection.close()

        with ThreadPoolExecutor(1) as pool, transaction.atomic():
            Notice.objects.select_for_update().get(pk=notice.pk)  # as the other worker does
            other = pool.submit(send)
            wait([other], 10)
            self.assertEqual(mail.outbox, [])
            self.assertTrue(other.done())
        notices.send(notice.pk)
        self.assertEqual(len(mail.outbox), 1)
