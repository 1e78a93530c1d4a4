"""Which database errors are 503, and which are bugs; time limits, with real servers."""

import json
import re
import time
from collections.abc import Callable

import pytest
from django.conf import settings as site_settings
from django.db import (
    DataError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
    connection,
    connections,
    transaction,
)
from django.test import Client, RequestFactory
from django.urls import path

from judgments.web import cache
from mteval_site import databases, deadline, urls
from mteval_site.views import failure

pytestmark = pytest.mark.django_db


def query(statement: str) -> Callable:
    def view(request):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)

    return view


def raises(error: Exception) -> Callable:
    def view(request):
        raise error

    return view


def no_server(request):
    import psycopg2

    try:
        psycopg2.connect(host="/nowhere", dbname="x")
    except psycopg2.OperationalError as error:
        raise OperationalError(str(error)) from error


def computes(request):
    time.sleep(0.3)
    query("SELECT 1")(request)


def keeps(request):
    time.sleep(0.3)
    cache.get_or_compute("nothing", lambda: 1, group=1)


# Errors in PostgreSQL's form: RAISE takes their codes (its documentation, appendix A).
def code(number: str) -> Callable:
    return query(f"DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '{number}'; END $$")


VIEWS = {
    "no-server": no_server,
    "closed": raises(InterfaceError("connection already closed")),
    "too-many-connections": code("53300"),
    "disk-full": code("53100"),
    "shutdown": code("57P01"),
    "recovery": code("57P03"),
    "lock-timeout": code("55P03"),
    "deadlock": code("40P01"),
    "canceled": code("57014"),
    "too-slow": raises(deadline.TooSlow()),
    "computes": computes,
    "keeps": keeps,
    "mistake": query("SELECT nothing"),
    "division": query("SELECT 1 / 0"),
    "bug": raises(ValueError("x")),
}
urlpatterns = [*urls.urlpatterns, *(path(f"try/{name}/", view) for name, view in VIEWS.items())]
urlpatterns += [path(f"api/try/{name}/", view) for name, view in VIEWS.items()]
handler500 = urls.handler500


@pytest.fixture
def site(settings) -> Client:
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


AWAY = ["no-server", "closed", "too-many-connections", "disk-full", "shutdown", "recovery"]
BUSY = ["lock-timeout", "deadlock"]


@pytest.mark.parametrize("name", AWAY + BUSY)
def test_what_passes_by_itself_is_503_with_retry_after(site: Client, name: str):
    page = site.get(f"/try/{name}/?a=1&b=2")
    assert page.status_code == 503
    assert int(page["Retry-After"]) > 0
    assert "no-store" in page["Cache-Control"]
    assert "Back in a moment" in page.text
    assert f'href="/try/{name}/?a=1&amp;b=2"' in page.text
    for headers in ({"x-rows": "1"}, {"hx-request": "true"}):
        text = site.get(f"/try/{name}/", headers=headers)
        assert (text.status_code, text["Content-Type"]) == (503, "text/plain")
    for answer in (
        site.get(f"/api/try/{name}/"),
        site.post(f"/try/{name}/", headers={"accept": "application/json"}),
    ):
        assert answer.status_code == 503
        assert int(answer["Retry-After"]) > 0
        assert "database" in json.loads(answer.text)["detail"]


@pytest.mark.parametrize("name", [*AWAY, *BUSY, "canceled"])
def test_nothing_is_said_to_be_stored_that_may_not_be(site: Client, name: str):
    """The transaction of the sent data is gone, or its outcome is unknown."""
    page = site.post(f"/try/{name}/")
    api = site.post(f"/api/try/{name}/")
    script = site.post(f"/try/{name}/", headers={"hx-request": "true"})
    for answer in (page, api, script):
        assert answer.status_code == 503
        assert "may not be stored" in answer.text
    for answer in (page, api, script, site.get(f"/try/{name}/")):
        assert "is stored" not in answer.text
        assert "Nothing was changed" not in answer.text
    assert "may not be stored" not in site.get(f"/try/{name}/").text, "nothing was sent"


@pytest.mark.parametrize("name", ["canceled", "too-slow"])
def test_what_takes_too_long_says_what_to_do(site: Client, name: str):
    page = site.get(f"/try/{name}/")
    assert page.status_code == 503
    assert "Retry-After" not in page
    assert "filter" in page.text and "Exports" in page.text
    assert "Ask for less" in site.get(f"/api/try/{name}/").json()["detail"]


@pytest.mark.parametrize("name", ["mistake", "division", "bug"])
def test_a_defect_stays_500(site: Client, name: str):
    page = site.get(f"/try/{name}/")
    assert page.status_code == 500
    assert "Retry-After" not in page


@pytest.mark.parametrize("name", ["computes", "keeps"])
def test_a_request_ends_at_the_first_look_after_its_time(site: Client, settings, name: str):
    settings.REQUEST_TIMEOUT = 0.2
    assert site.get(f"/try/{name}/").status_code == 503
    settings.REQUEST_TIMEOUT = 20
    assert "Too much" not in site.get(f"/try/{name}/").text
    settings.REQUEST_TIMEOUT = 0.2  # uploads are not limited by it
    assert "Too much" not in site.post(f"/try/{name}/").text


def test_waiting_for_another_request_counts():
    """Two request the same campaign; the second gives up before the first is done."""
    import threading

    inside, go_on = threading.Event(), threading.Event()

    def first() -> None:
        cache.get_or_compute("slow", lambda: (inside.set(), go_on.wait(10)), group=7)

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait(10)
    started = time.monotonic()
    with deadline.limit(0.3), pytest.raises(deadline.TooSlow):
        cache.get_or_compute("other", lambda: 1, group=7)
    assert 0.25 < time.monotonic() - started < 3
    go_on.set()
    thread.join()
    assert cache.get_or_compute("other", lambda: 1, group=7) == 1


@pytest.mark.parametrize("raised", ["view", "middleware"])
def test_an_error_is_seen_wherever_it_is_raised(monkeypatch, raised):
    """A session is read long before the view."""
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "abcdefghijklmnopqrstuvwxyz012345"
    error = OperationalError("server closed the connection unexpectedly")
    target = {
        "view": "judgments.judging.home.home",
        "middleware": "judgments.people.accounts.sessions.SessionStore._get_session_from_db",
    }[raised]

    def refuse(*args, **kwargs):
        raise error

    if raised == "middleware":
        monkeypatch.setattr(target, refuse)
        assert client.get("/").status_code == 503
    else:
        request = RequestFactory().get("/")
        try:
            refuse()
        except OperationalError:
            assert failure(request).status_code == 503


def test_annotators_read_it_in_their_language():
    from django.utils import translation

    with translation.override("ar"):
        try:
            raise OperationalError("away")
        except OperationalError:
            page = failure(RequestFactory().get("/judge/1/"))
    assert 'lang="ar" dir="rtl"' in page.text
    assert "سنعود بعد قليل" in page.text


def test_nothing_else_is_taken_for_an_absence():
    assert not databases.is_away(None)
    assert not databases.is_away(ValueError("server closed the connection"))
    assert not databases.is_away(DataError("x"))
    assert not databases.is_away(ProgrammingError("x"))


def settings_of(kind: str) -> dict[str, str]:
    """Return PostgreSQL's settings of a connection of such a process."""
    other = connections["default"].copy()
    databases.limit(other.settings_dict, site_settings.DATABASE_TIMEOUTS[kind])
    names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [names])
            return dict(cursor.fetchall())
    finally:
        other.close()


def test_the_limits_reach_the_server():
    assert settings_of("web") == {
        "statement_timeout": "60000",
        "lock_timeout": "10000",
        "idle_in_transaction_session_timeout": "300000",
    }
    assert settings_of("worker") == {
        "statement_timeout": "1800000",
        "lock_timeout": "300000",
        "idle_in_transaction_session_timeout": "0",
    }


def test_management_commands_have_no_limits():
    assert "options" not in connections["default"].settings_dict["OPTIONS"]
    assert connections["default"].settings_dict["OPTIONS"]["connect_timeout"] == 5


def test_the_address_has_the_last_word():
    database = {"OPTIONS": {"options": "-c statement_timeout=5s"}}
    databases.limit(database, {"statement_timeout": 60})
    limits = re.findall(r"statement_timeout=\d+s", database["OPTIONS"]["options"])
    assert limits == ["statement_timeout=60s", "statement_timeout=5s"]  # the last one holds
