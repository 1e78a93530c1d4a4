"""Contents of the logs, and what is never logged."""

import io
import json
import logging
import smtplib
import uuid

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connection
from django.test import Client, override_settings
from django.urls import reverse

from judgments.judging.notes import notes
from judgments.models import Invitation, Membership, Note
from mteval_site import logs, requests
from tests import factory
from tests.base import CastTestCase
from tests.judgments.judging.judge_pages import answers, ticket_in
from tests.settings import POSTGRES_HOME

MARKER = "Geheimschlüsselwort-4711"


def logged(formatter):
    """Return a handler like the site's, writing into `handler.stream`."""
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(formatter)
    handler.addFilter(logs.Cleaner())
    return handler


class NothingPrivateTest(CastTestCase):
    """Texts of annotators, passwords and tokens are in no log, at any level, in either layout."""

    def setUp(self):
        root = logging.getLogger()
        self.handlers = [logged(logs.Formatter()), logged(logs.JSONFormatter())]
        level = root.level
        root.setLevel(logging.DEBUG)
        self.addCleanup(root.setLevel, level)
        quiet = [logging.getLogger(name) for name in ("django.db.backends", "asyncio")]
        for each in quiet:  # enabled only by DEBUG=true
            self.addCleanup(each.setLevel, each.level)
            each.setLevel(logging.INFO)
        for handler in self.handlers:
            root.addHandler(handler)
            self.addCleanup(root.removeHandler, handler)
        self.enterContext(override_settings(SLOW_QUERY_MS=0.0001))
        self.client.raise_request_exception = False

    def said(self):
        return "".join(handler.stream.getvalue() for handler in self.handlers)

    def assert_private(self, *secrets, and_says=()):
        said = self.said()
        for text in and_says:
            self.assertIn(text, said)
        for secret in (MARKER, "sselwort-4711", *secrets):  # also where ü is escaped
            self.assertNotIn(secret, said)

    def test_tokens_in_addresses(self):
        invitation = Invitation.objects.create(campaign=self.campaign, created_by=self.owner)
        membership = Membership.objects.get(campaign=self.campaign, user=self.annotator_1)
        closed = str(uuid.uuid4())
        self.client.get(reverse("join", args=[invitation.token]))
        self.client.post(reverse("join", args=[invitation.token]), {"alias": MARKER})
        self.client.get(reverse("join", args=[closed]))
        self.client.get(f"/join/{closed}")
        self.client.get(f"/nothing/{closed}?token={closed}")
        self.client.get(reverse("return", args=[membership.token]))
        tokens = [invitation.token, membership.token, closed]
        self.assert_private(
            *tokens, and_says=["404 GET join", '"view": "return"', "slow statement"]
        )

    def test_a_form_from_elsewhere(self):
        client = Client(enforce_csrf_checks=True)
        client.post(
            "/join/token-4711/", {"alias": MARKER}, headers={"origin": f"http://{MARKER}.x"}
        )
        client.post(reverse("login"), {"username": MARKER, "password": MARKER})
        self.assert_private(and_says=["403 POST login: CSRF cookie not set"])

    def test_answers(self):
        client = self.as_user(self.annotator_1)
        address = reverse("judge-item", args=[self.campaign.pk, 1])
        sent = answers(3, 3) | {"ticket": ticket_in(client.get(address)), "comment": MARKER}
        self.assertEqual(client.post(address, sent).status_code, 302)
        address = reverse("judge-note", args=[self.campaign.pk, 2])
        client.post(address, {"kind": "flag", "comment": MARKER})
        self.assertEqual(Note.objects.get().comment, MARKER)
        client.post(reverse("login"), {"username": MARKER, "password": MARKER})
        self.assert_private(and_says=['"view": "judge-item"', f'"user": {self.annotator_1.pk}'])

    def test_a_failure_while_an_answer_is_stored(self):
        """The traceback is there; the sent data are in neither messages nor variables."""
        problems = [
            ValueError(f"invalid literal: {MARKER}"),
            KeyError(MARKER),
            IntegrityError(f"duplicate key\nDETAIL:  Key (comment)=({MARKER}) already exists."),
            OperationalError(f"server closed the connection\nLINE 1: INSERT '{MARKER}'"),
        ]
        address = reverse("judge-note", args=[self.campaign.pk, 2])
        self.client.force_login(self.annotator_1)
        for problem in problems:

            def fail(*args, problem=problem, **kwargs):
                raise RuntimeError(MARKER) from problem

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(notes, "note", fail)
                response = self.client.post(address, {"kind": "flag", "comment": MARKER})
            self.assertEqual(response.status_code, 500)
        expected = ["raise RuntimeError(MARKER) from problem", "builtins.KeyError"]
        expected += ["django.db.utils.OperationalError: server closed the connection"]
        self.assert_private(and_says=[*expected, "500 POST judge-note", "which led to"])

    def test_every_line_of_json_is_json_and_has_its_request(self):
        given = {"x-request-id": "proxy-0001"}
        self.client.get(reverse("home"), headers=given)
        self.client.get("/nothing/", headers=given)
        lines = [json.loads(line) for line in self.handlers[1].stream.getvalue().splitlines()]
        self.assertEqual({line.get("request_id") for line in lines}, {"proxy-0001"})
        (line,) = [x for x in lines if x["message"] == "request" and x["view"] == "home"]
        self.assertEqual((line["method"], line["status"], line["user"]), ("GET", 200, None))
        self.assertGreater(line["ms"], 0)

    def test_statements_are_counted_and_the_slow_ones_told_without_values(self):
        self.as_user(self.owner).get(reverse("campaign", args=[self.campaign.pk]))
        lines = [json.loads(line) for line in self.handlers[1].stream.getvalue().splitlines()]
        (request,) = [line for line in lines if line.get("view") == "campaign"]
        slow = [x for x in lines if x["logger"] == "mteval.slow" and x.get("request_id")]
        self.assertEqual(request["sql"], len(slow))
        self.assertGreater(request["sql"], 3)
        self.assertTrue(any('"campaign_id" = %s' in line["sql"] for line in slow))
        self.assertTrue(all(line["ms"] >= 0 for line in slow))

    def test_fast_statements_are_not_told(self):
        with override_settings(SLOW_QUERY_MS=60_000):
            self.client.get(reverse("home"))
        self.assertNotIn("slow statement", self.said())


@pytest.mark.parametrize(
    ("given", "is_taken"),
    [
        ("0123456789abcdef", True),
        ("6f1e0a7c-3b1d-4c58-9b7e-1f2a3b4c5d6e", True),
        ("short", False),
        ("x" * 65, False),
        ('evil", "level": "', False),
        ("line\\nbreak-in-id", False),
    ],
)
@pytest.mark.django_db
def test_request_ids_of_proxies(client, given, is_taken):
    answer = client.get("/health/", headers={"x-request-id": given})
    found = answer["X-Request-ID"]
    assert (found == given) is is_taken
    assert requests.GIVEN_ID.fullmatch(found)


@pytest.mark.django_db
def test_request_ids_differ(client):
    assert len({client.get("/health/")["X-Request-ID"] for _ in range(3)}) == 3


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        ("SELECT 1 WHERE a = 'it''s' AND b = %s", "SELECT 1 WHERE a = '…' AND b = %s"),
        (b"INSERT INTO t VALUES ('x', 'y')", "INSERT INTO t VALUES ('…', '…')"),
        ("x" * 5000, "x" * 2000),
    ],
)
def test_statements_without_values(sql, shown):
    assert logs.without_values(sql) == shown


@pytest.mark.parametrize(
    ("problem", "shown"),
    [
        (smtplib.SMTPRecipientsRefused({"anna@example.org": (550, b"no such user")}), ""),
        (smtplib.SMTPDataError(554, b"no mail for anna@example.org"), ": 554"),
        (ConnectionRefusedError(111, "Connection refused"), ": [Errno 111] Connection refused"),
    ],
)
def test_refusals_of_a_mail_server_without_addresses(problem, shown):
    assert logs.details_of(problem) == shown


def test_gunicorn_says_nothing_of_an_address():
    handler = logged(logs.Formatter())
    for message in ("Error handling request %s", "Invalid request from ip=::1: %s"):
        record = logging.LogRecord(
            "gunicorn.error", 40, "", 1, message, (f"/join/{MARKER}/",), None
        )
        handler.handle(record)
    said = handler.stream.getvalue()
    assert "Error handling request" in said and "Invalid request" in said and MARKER not in said


@pytest.mark.django_db(transaction=True)
def test_postgresql_does_not_log_the_values_of_what_failed():
    owner = factory.make_user(MARKER)
    for statement in ("INSERT INTO auth_user SELECT * FROM auth_user WHERE username = %s",
                      "SELECT %s::int"):  # fmt: skip
        with pytest.raises(DatabaseError), connection.cursor() as cursor:
            cursor.execute(statement, [owner.username])
    said = (POSTGRES_HOME / "postgres.log").read_text()
    assert "duplicate key value violates unique constraint" in said
    assert "STATEMENT" not in said and "DETAIL" not in said
    assert "Key (" not in said
