"""At most two heavy requests of an account at once, on all web processes together."""

import json
import threading
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from judgments.models import Role, Task
from judgments.results.selection.selection import Selection
from judgments.web import heavy, sections
from tests import factory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("limited")]


@pytest.fixture
def limited(settings):
    settings.RATE_LIMITS = 1


@pytest.fixture
def campaign():
    owner = factory.make_user("owner")
    return factory.make_campaign(factory.make_test_set(owner), owner=owner)


class Visitor(threading.Thread):
    """Requests an export in a thread with a separate connection, like each thread of the web
    server, and keeps what is sent until it is asked to leave."""

    def __init__(self, user, address: str) -> None:
        super().__init__(daemon=True)
        self.client = Client()
        self.client.force_login(user)
        self.address = address
        self.is_there, self.may_leave = threading.Event(), threading.Event()
        self.vanishes = False
        self.start()
        assert self.is_there.wait(60)

    def run(self) -> None:
        self.response = self.client.get(self.address)
        self.is_there.set()
        self.may_leave.wait(60)
        if not self.vanishes:
            self.response.close()
        connection.close()

    def leave(self, *, vanishes: bool = False) -> None:
        """Close what is being sent; or end as a process does that was killed."""
        self.vanishes = vanishes
        self.may_leave.set()
        self.join()


def chain_of(campaign) -> str:
    return reverse("export-chain", args=[campaign.pk])


def status_of(user, address: str) -> int:
    client = Client()
    client.force_login(user)
    response = client.get(address)
    if response.streaming:
        response.getvalue()
    return response.status_code


def test_the_third_at_once_is_told_to_wait(campaign):
    owner, address = campaign.test_set.owner, chain_of(campaign)
    first, second, third = (Visitor(owner, address) for _ in range(3))
    assert [each.response.status_code for each in (first, second, third)] == [200, 200, 429]
    assert third.response["Retry-After"] == "10"
    page = third.response.content.decode()
    assert "2 files are being made for you already" in page
    assert f'href="{address}"' in page, "it leads to the same again"
    assert status_of(owner, reverse("export-observations", args=[campaign.pk])) == 429
    for page_of_results in ("exports", "scores", "export-json"):
        assert status_of(owner, reverse(page_of_results, args=[campaign.pk])) == 200

    other = factory.make_user("other")
    campaign.memberships.create(user=other, role=Role.RESEARCHER, alias="Other")
    assert status_of(other, address) == 200, "each account has its own"

    first.leave()
    assert status_of(owner, address) == 200, "a download was stopped"
    assert status_of(owner, address) == 200, "and one was sent to its end"
    again = Visitor(owner, address)
    assert again.response.status_code == 200
    assert status_of(owner, address) == 429
    second.leave(vanishes=True)
    assert status_of(owner, address) == 200, "the process of a download was killed"
    for visitor in (again, third):
        visitor.leave()


def test_programs_are_told_as_programs_are(campaign):
    owner = campaign.test_set.owner
    held = [Visitor(owner, chain_of(campaign)) for _ in range(2)]
    client = Client()
    client.force_login(owner)
    response = client.get(reverse("api-format", args=[campaign.pk, "wmt-jsonl"]))
    assert response.status_code == 429
    assert response["Retry-After"] == "10"
    assert response["Content-Type"] == "application/problem+json"
    said = json.loads(response.content)["detail"]
    assert said.startswith("2 files are being made for this account already. ")
    for visitor in held:
        visitor.leave()
    assert client.get(reverse("api-format", args=[campaign.pk, "nothing"])).status_code != 429


def test_what_fails_holds_nothing(campaign):
    owner, address = campaign.test_set.owner, chain_of(campaign)
    for _ in range(3):
        client = Client(raise_request_exception=False)
        client.force_login(owner)
        with patch(
            "judgments.results.views.publication.lines", side_effect=RuntimeError("a defect")
        ):
            assert client.get(address).status_code == 500
    visitors = [Visitor(owner, address) for _ in range(2)]
    assert [each.response.status_code for each in visitors] == [200, 200]
    for visitor in visitors:
        visitor.leave()


def test_tables_count_from_a_size_on(campaign):
    owner = campaign.test_set.owner
    annotator = factory.make_user("annotator")
    factory.make_task(campaign, annotator)
    slug = next(sections.tables_of(Selection.of(campaign)))[0].slug
    address = reverse("export-table", args=[campaign.pk, slug])
    held = [Visitor(owner, chain_of(campaign)) for _ in range(2)]
    assert status_of(owner, address) == 200
    Task.objects.filter(campaign=campaign).update(n_items=heavy.MANY, n_judged=heavy.MANY)
    assert status_of(owner, address) == 429
    for visitor in held:
        visitor.leave()


def test_without_limits_there_is_none(campaign, settings):
    settings.RATE_LIMITS = 0
    visitors = [Visitor(campaign.test_set.owner, chain_of(campaign)) for _ in range(3)]
    assert [each.response.status_code for each in visitors] == [200] * 3
    for visitor in visitors:
        visitor.leave()
