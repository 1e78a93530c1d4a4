"""The block in which everything that is read is of one moment."""

import threading

import pytest
from django.conf import settings
from django.db import DatabaseError, connections, transaction
from django.http import StreamingHttpResponse
from django.test import RequestFactory

from judgments.models import Campaign, moments
from judgments.models.moments import alias, at_one_moment, connection_to_read, read_moment
from mteval_site import deadline
from tests import factory

pytestmark = pytest.mark.django_db(transaction=True, databases=list(settings.DATABASES))


@pytest.fixture(autouse=True)
def own_connection(settings):
    """As on a real site."""
    settings.MOMENT_DATABASE = "moment"


def is_closed() -> bool:
    return connections["moment"].connection is None


def elsewhere(work) -> None:
    """Do something in a thread, with a separate connection."""

    def run() -> None:
        try:
            work()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


@pytest.fixture
def campaign():
    return factory.make_campaign(factory.make_test_set(factory.make_user("owner")))


def test_what_is_stored_meanwhile_is_not_seen(campaign):
    with read_moment():
        assert Campaign.objects.get().name == "Small campaign"
        elsewhere(lambda: Campaign.objects.update(name="Other"))
        assert Campaign.objects.get().name == "Small campaign"
        with connection_to_read().cursor() as cursor:
            cursor.execute("SELECT name FROM judgments_campaign")
            assert cursor.fetchall() == [("Small campaign",)]
    assert Campaign.objects.get().name == "Other"


def test_what_was_read_in_a_moment_can_be_changed_after_it(campaign):
    with read_moment():
        found = Campaign.objects.select_related("test_set").get()
    found.name = "Other"
    found.save()
    assert is_closed()
    assert found.test_set.segments.count() == 4 and is_closed()
    assert Campaign.objects.get().name == "Other"


def test_a_moment_only_reads(campaign):
    with (
        pytest.raises(DatabaseError, match="read-only"),
        read_moment(),
        connection_to_read().cursor() as cursor,
    ):
        cursor.execute("UPDATE judgments_campaign SET name = 'Other'")
    assert is_closed() and alias() == "default"


def test_none_begins_in_another_or_in_a_transaction():
    with read_moment():
        with pytest.raises(RuntimeError, match="a moment already"), read_moment():
            pass
        assert alias() == "moment"
    with transaction.atomic(), pytest.raises(RuntimeError, match="transaction"), read_moment():
        pass
    assert is_closed() and alias() == "default"


def test_an_error_ends_it():
    with pytest.raises(ZeroDivisionError), read_moment():
        assert not is_closed()
        raise ZeroDivisionError
    assert is_closed() and alias() == "default"


def test_there_is_room_for_some_at_once(monkeypatch):
    """Another one waits as long as its request may take, and gets the place that becomes free."""
    monkeypatch.setattr(moments, "_room", threading.BoundedSemaphore(1))
    said = []

    def ask() -> None:
        try:
            with deadline.limit(0.05), read_moment():
                said.append("read")
        except deadline.TooSlow:
            said.append("too slow")

    with read_moment():
        elsewhere(ask)
    elsewhere(ask)
    assert said == ["too slow", "read"]


def test_who_goes_away_keeps_no_moment_open(campaign):
    @at_one_moment
    def view(request):
        pieces = (f"{campaign.name}\n" for campaign in Campaign.objects.all())
        return StreamingHttpResponse(pieces, headers={"X-Kind": "names"}, content_type="text/plain")

    response = view(RequestFactory().get("/"))
    assert is_closed()
    assert (response["X-Kind"], response["Content-Length"]) == ("names", "15")
    response.close()  # before anything was taken
    whole = view(RequestFactory().get("/"))
    assert whole.getvalue() == b"Small campaign\n"
    whole.close()


def test_what_goes_wrong_is_raised_before_anything_is_sent(campaign):
    @at_one_moment
    def view(request):
        return StreamingHttpResponse(str(each.pk / 0) for each in Campaign.objects.all())

    with pytest.raises(ZeroDivisionError):
        view(RequestFactory().get("/"))
    assert is_closed()
