"""From a public demo server nothing leaves, whatever its operator has set."""

import json
import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.core import mail
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from judgments.models import Act, DemoCopy
from mteval_site import checks, environment, outgoing
from tests import factory
from tests.shared import ROOT

SET = {
    "EMAIL_URL": "smtp://mail.example.org",
    "EMAIL_FROM": "mt@example.org",
    "WEBHOOK_HOSTS": "hooks.example.org",
    "PROLIFIC_TOKEN": "a-token",
    "PROLIFIC_MANAGERS": "ada",
    "JUDGE_ENDPOINTS": "local=http://127.0.0.1:8000/v1",
    "OIDC_ISSUER": "https://id.example.org",
    "OIDC_CLIENT_ID": "mteval",
    "OIDC_CLIENT_SECRET": "a-secret",
}
READ = """
import json, os
from mteval_site import settings as s
print(json.dumps([
    s.CAN_MAIL, getattr(s, "EMAIL_BACKEND", ""), s.WEBHOOK_HOSTS, s.PROLIFIC_TOKEN,
    s.PROLIFIC_MANAGERS, s.JUDGE_ENDPOINTS, s.OIDC_ISSUER, "allauth" in s.INSTALLED_APPS,
    s.IGNORED_VARIABLES, s.MAX_UPLOAD_BYTES, os.environ.get("MTEVAL_MODEL_DOWNLOADS"),
    s.SCORING_NEURAL_SECONDS,
]))
"""
# A site of its own, with a listener on this machine; 192.0.2.1 is nobody's.
CONNECT = """
import socket, urllib.request
import django
django.setup()
from mteval_site.outgoing import NothingLeaves
with socket.create_server(("127.0.0.1", 0)) as server:
    socket.create_connection(server.getsockname()).close()
refused = 0
for reach in (
    lambda: socket.create_connection(("192.0.2.1", 80), 0.2),
    lambda: socket.create_connection(("example.org", 80), 0.2),
    lambda: socket.socket().connect(("192.0.2.1", 80)),
    lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)),
    lambda: socket.gethostbyname("example.org"),
    lambda: urllib.request.urlopen("http://example.org/"),
):
    try:
        reach()
    except NothingLeaves:
        refused += 1
    except OSError as error:
        refused += isinstance(getattr(error, "reason", None), NothingLeaves)
print(refused)
"""


def run(code: str, tmp_path, **variables: str) -> str:
    """What a process of a site with these variables prints."""
    known = {"MTEVAL_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "mteval_site.settings"}
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=kept | known | variables,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_whatever_is_set_is_ignored(tmp_path):
    found = json.loads(
        run(READ, tmp_path, MTEVAL_PUBLIC_DEMO="true", MTEVAL_MODEL_DOWNLOADS="any", **SET)
    )
    sink = "mteval_site.mail_sink.MailSink"
    assert found[:8] == [False, sink, [], "", [], {}, "", False]
    assert set(found[8]) == set(SET) - {"EMAIL_FROM", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"}
    assert found[9:] == [2 * 1024 * 1024, "none", 60]


def test_another_site_does_what_is_set(tmp_path):
    found = json.loads(run(READ, tmp_path, **SET))
    assert found[0] is True
    assert found[2] == ["hooks.example.org"]
    assert found[3] == "a-token"
    assert found[6:9] == ["https://id.example.org", True, []]
    assert found[10:] == [None, 6 * 60 * 60]


@pytest.mark.slow
def test_no_process_connects_to_another_machine(tmp_path):
    assert run(CONNECT, tmp_path, MTEVAL_PUBLIC_DEMO="true").strip() == "6"


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        *[(here, True) for here in ("127.0.0.1", "127.9.9.9", "::1", "localhost", b"localhost")],
        *[(here, True) for here in (None, "", "0.0.0.0", "::1%lo")],
        *[(there, False) for there in ("192.0.2.1", "10.0.0.1", "2001:db8::1", "example.org")],
        *[(there, False) for there in ("localhost.example.org", b"\xff", "169.254.169.254")],
    ],
)
def test_what_is_this_machine(host, expected):
    assert outgoing.is_here(host) is expected


def test_sockets_of_files_are_here():
    outgoing.hook("socket.connect", (None, "/run/postgresql/.s.PGSQL.5432"))
    with pytest.raises(outgoing.NothingLeaves):
        outgoing.hook("socket.connect", (None, ("192.0.2.1", 80)))


def test_mails_are_dropped_with_a_line_in_the_log(settings, caplog):
    settings.EMAIL_BACKEND = "mteval_site.mail_sink.MailSink"
    n = mail.send_mail("A subject", "A text", None, ["ada@example.org", "bela@example.org"])
    assert n == 0
    assert "a mail to 2 people was dropped" in caplog.text
    assert "ada" not in caplog.text


def test_variables_are_withheld(monkeypatch):
    monkeypatch.setattr(environment, "_withheld", set())
    monkeypatch.setenv("EMAIL_URL", "smtp://mail.example.org")
    monkeypatch.delenv("WEBHOOK_HOSTS", raising=False)
    assert environment.withhold(["EMAIL_URL", "WEBHOOK_HOSTS"]) == ["EMAIL_URL"]
    assert environment.text("EMAIL_URL") == ""
    assert environment.text("EMAIL_URL", "none") == "none"


def test_check_tells_what_is_ignored(settings):
    settings.IGNORED_VARIABLES = ["EMAIL_URL"]
    (warning,) = checks.public_demo_sends_nothing(None)
    assert warning.id == "mteval_site.W009"
    assert "EMAIL_URL is set, and ignored" in warning.msg
    settings.IGNORED_VARIABLES = []
    assert checks.public_demo_sends_nothing(None) == []


@pytest.mark.django_db
def test_check_tells_of_data_that_are_no_demo(settings):
    def warnings():
        return checks.public_demo_has_no_data(None, databases=["default"])

    settings.PUBLIC_DEMO = True
    assert warnings() == []
    factory.make_test_set(factory.make_user("ada"))
    assert "has 1 test sets and 1 accounts" in warnings()[0].msg
    assert checks.public_demo_has_no_data(None) == []
    settings.PUBLIC_DEMO = False
    assert warnings() == []


FORGET = "SELECT judgments_forget_demo(%s, %s, %s, '{}')"


def a_copy(**ends) -> DemoCopy:
    accounts = [factory.make_user(name) for name in ("manager", "annotator")]
    return DemoCopy.objects.create(manager=accounts[0], annotator=accounts[1], **ends)


def refused(copy: int, accounts: list[int], campaigns: list[int]) -> str:
    """Say why a call by the serving role is refused; empty if it is not."""
    try:
        with transaction.atomic(), factory.serving(), connection.cursor() as cursor:
            cursor.execute(FORGET, [copy, accounts, campaigns])
    except DatabaseError as error:
        return str(error.__cause__).splitlines()[0]
    return ""


@pytest.mark.django_db
def test_logs_forget_on_a_public_demo_server_only(settings):
    over = a_copy(ends_at=timezone.now() - timedelta(seconds=1))
    assert refused(over.pk, [], []).startswith("permission denied")
    settings.PUBLIC_DEMO = True
    assert refused(over.pk, [], []) == ""
    assert not DemoCopy.objects.exists()


@pytest.mark.django_db
def test_logs_forget_only_what_belonged_to_a_copy_that_is_over(settings):
    settings.PUBLIC_DEMO = True
    running = a_copy(ends_at=timezone.now() + timedelta(hours=1))
    ended = "There is no copy {} of the demo whose day is over."
    assert refused(running.pk, [], []) == ended.format(running.pk)
    assert refused(running.pk + 1, [], []) == ended.format(running.pk + 1)
    DemoCopy.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    exists = "Accounts, campaigns and test sets are deleted before they are forgotten."
    assert refused(running.pk, [running.manager_id], []) == exists
    not_deleted = "These are not all deleted campaigns of these test sets."
    assert refused(running.pk, [], [1_000_000]) == not_deleted
    assert DemoCopy.objects.exists()


@pytest.mark.django_db
def test_logs_do_not_forget_by_a_variable_alone():
    Act.objects.create(account="ada", role="owner", act="login", result="done")
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        factory.serving(),
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT set_config('mteval.forgets_demo', 'on', true)")
        cursor.execute("DELETE FROM judgments_act")
    assert Act.objects.exists()
    with pytest.raises(DatabaseError, match="only ever added"), transaction.atomic():
        Act.objects.all().delete()
