"""Mails of invitations, projects and new passwords, through a real SMTP server that counts
connections and is away at times."""

import socketserver
import threading
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.files.guest_list import Guest
from judgments.models import MailState, Project
from judgments.people.accounts.tasks import mail_new_password
from judgments.people.invitations import links as invitations
from judgments.people.projects import links as project_links
from judgments.people.projects.tasks import mail_project_link
from judgments.web.retries import AGAIN
from tests import factory

pytestmark = pytest.mark.django_db
WORDS = {"mail-subject": "To {campaign}", "mail-body": "Hi {name}: {link}"}
N_GUESTS = 12


class Conversation(socketserver.StreamRequestHandler):
    """What RFC 5321 needs for Python's smtplib to hand over its mails."""

    def say(self, line: str) -> None:
        self.wfile.write(line.encode() + b"\r\n")

    def handle(self) -> None:
        self.server.n_connections += 1
        if self.server.is_away:
            return self.say("421 Not now")
        self.say("220 mail.example.org")
        for line in self.rfile:
            words = line.decode().upper()
            if words.startswith("DATA"):
                self.take_mail()
            elif words.startswith("RCPT") and "REFUSED" in words:
                self.say("550 No such user")
            elif words.startswith("RCPT") and self.server.n_mails >= self.server.takes:
                return self.say("421 Enough for now")
            elif words.startswith("QUIT"):
                return self.say("221 Bye")
            else:
                self.say("250 OK")

    def take_mail(self) -> None:
        self.say("354 Go on")
        for line in self.rfile:
            if line == b".\r\n":
                break
        self.server.n_mails += 1
        self.say("250 Taken")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    n_connections = n_mails = 0
    is_away = False
    takes = 1000


@pytest.fixture
def server(settings):
    with Server(("127.0.0.1", 0), Conversation) as running:
        settings.CAN_MAIL = True
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = running.server_address
        settings.EMAIL_TIMEOUT = 20
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def sheet(client):
    """The address of a sheet of links for N_GUESTS people, and their owner's client."""
    owner = factory.make_user("owner")
    campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
    guests = [Guest(f"Guest {i}", f"guest{i}@example.org") for i in range(N_GUESTS)]
    number = invitations.invite_many(campaign, guests, by=owner)
    client.force_login(owner)
    return campaign, number


def ask_for_mails(client, sheet) -> None:
    campaign, number = sheet
    address = reverse("invitation-mail", args=[campaign.pk, number])
    assert client.post(address, WORDS).status_code == 302


def page(client, sheet) -> str:
    campaign, number = sheet
    return client.get(reverse("invitation-sheet", args=[campaign.pk, number])).text


def seconds_until_next_try() -> float:
    """And let it be due now."""
    (waiting,) = DBTaskResult.objects.filter(status="READY")
    seconds = (waiting.run_after - timezone.now()).total_seconds()
    DBTaskResult.objects.filter(pk=waiting.pk).update(run_after=timezone.now())
    return seconds


def test_one_connection_for_all_mails(client, sheet, server, run_tasks):
    ask_for_mails(client, sheet)
    assert f"0 sent, {N_GUESTS} waiting, 0 failed." in page(client, sheet)
    run_tasks()
    assert (server.n_connections, server.n_mails) == (1, N_GUESTS)
    assert f"{N_GUESTS} sent, 0 waiting, 0 failed." in page(client, sheet)


def test_a_server_that_is_away_is_asked_again_later(client, sheet, server, run_tasks):
    server.is_away = True
    ask_for_mails(client, sheet)
    run_tasks()
    assert (server.n_connections, server.n_mails) == (1, 0), "no attempt for each mail"
    shown = page(client, sheet)
    assert f"0 sent, {N_GUESTS} waiting, 0 failed." in shown
    assert "waiting, tried 1 time: Not now" in shown
    assert 50 < seconds_until_next_try() <= AGAIN[0].total_seconds()
    run_tasks()
    assert 590 < seconds_until_next_try() <= AGAIN[1].total_seconds()
    server.is_away = False
    run_tasks()
    assert (server.n_connections, server.n_mails) == (3, N_GUESTS)
    assert f"{N_GUESTS} sent, 0 waiting, 0 failed." in page(client, sheet)
    assert not DBTaskResult.objects.filter(status="READY").exists()


def test_who_was_sent_a_mail_before_the_server_went_gets_no_other(client, sheet, server, run_tasks):
    server.takes = 5
    ask_for_mails(client, sheet)
    run_tasks()
    assert (server.n_connections, server.n_mails) == (1, 5)
    assert f"5 sent, {N_GUESTS - 5} waiting, 0 failed." in page(client, sheet)
    server.takes = 1000
    seconds_until_next_try()
    run_tasks()
    assert server.n_mails == N_GUESTS


def test_after_five_attempts_it_is_given_up(client, sheet, server, run_tasks):
    server.is_away = True
    ask_for_mails(client, sheet)
    for _ in AGAIN:
        run_tasks()
        seconds_until_next_try()
    run_tasks()
    assert server.n_connections == len(AGAIN) + 1
    assert not DBTaskResult.objects.filter(status="READY").exists()
    assert f"0 sent, 0 waiting, {N_GUESTS} failed." in page(client, sheet)
    server.is_away = False
    ask_for_mails(client, sheet)
    run_tasks()
    assert f"{N_GUESTS} sent, 0 waiting, 0 failed." in page(client, sheet)


def test_an_address_that_is_refused_for_good_holds_up_nobody(client, sheet, server, run_tasks):
    campaign, _ = sheet
    refused = campaign.invitations.order_by("pk").first()
    campaign.invitations.filter(pk=refused.pk).update(email="refused@example.org")
    ask_for_mails(client, sheet)
    run_tasks()
    assert (server.n_connections, server.n_mails) == (1, N_GUESTS - 1)
    shown = page(client, sheet)
    assert f"{N_GUESTS - 1} sent, 0 waiting, 1 failed." in shown and "No such user" in shown
    assert not DBTaskResult.objects.filter(status="READY").exists()


def test_a_link_that_is_closed_while_its_mail_waits_is_not_sent(client, sheet, server, run_tasks):
    campaign, number = sheet
    server.is_away = True
    ask_for_mails(client, sheet)
    run_tasks()
    client.post(reverse("invitation-sheet-close", args=[campaign.pk, number]))
    server.is_away = False
    seconds_until_next_try()
    run_tasks()
    assert server.n_mails == 0
    assert not campaign.invitations.exclude(mail_state=MailState.NONE).exists()


def due_after(n_failed: int) -> bool:
    return 0.8 * AGAIN[n_failed].total_seconds() < seconds_until_next_try()


def test_a_new_password_and_the_link_of_a_project_are_tried_again_too(server, run_tasks):
    owner = factory.make_user("owner", email="owner@example.org")
    project = Project.objects.create(name="Year", slug="year", owner=owner)
    (link,) = project_links.make_links(
        project,
        [(Guest(email="co@example.org"), [])],
        role="reader",
        by=owner,
        expires_at=timezone.now() + timedelta(days=1),
    )
    site = "http://testserver/"
    for mail_it in (
        lambda: mail_new_password.enqueue("owner@example.org", site, "en"),
        lambda: mail_project_link.enqueue(link.pk, site),
    ):
        server.n_mails, server.is_away = 0, True
        mail_it()
        run_tasks()
        assert due_after(0)
        run_tasks()
        assert due_after(1)
        server.is_away = False
        run_tasks()
        assert server.n_mails == 1
        assert not DBTaskResult.objects.filter(status="READY").exists()


def test_only_the_mail_that_failed_is_sent_again(server, run_tasks):
    for name in ("ann", "bob"):
        factory.make_user(name, email="both@example.org")
    server.takes = 1
    mail_new_password.enqueue("both@example.org", "http://testserver/", "en")
    run_tasks()
    assert server.n_mails == 1 and due_after(0)
    server.takes = 1000
    run_tasks()
    assert server.n_mails == 2


@pytest.mark.parametrize(
    ("address", "n_failed", "said"),
    [("refused@example.org", 0, "No such user"), ("ann@example.org", len(AGAIN), "Not now")],
)
def test_a_mail_that_is_never_taken_is_given_up(server, run_tasks, address, n_failed, said):
    factory.make_user("ann", email=address)
    server.is_away = n_failed > 0
    mail_new_password.enqueue(address, "http://testserver/", "en", n_failed)
    with pytest.raises(AssertionError, match=said):
        run_tasks()
    assert not DBTaskResult.objects.filter(status="READY").exists()
