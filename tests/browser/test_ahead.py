"""Items that the judging screen's script fetches before they are opened (ahead.js)."""

import pytest
from playwright.sync_api import Page, Request

from judgments.models import ItemOutput
from tests import factory

from .judging import at_item, fetched_ahead, sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def work_of(annotator, n_items: int):
    test_set = factory.make_test_set(annotator, n_segments=n_items, n_systems=1)
    campaign = factory.make_campaign(
        test_set, preset="direct-assessment", owner=factory.make_user("o"), annotators=[annotator]
    )
    factory.make_task(campaign, annotator, n_outputs=1)
    return campaign


def open_work(page: Page, site: str, annotator, campaign) -> list[str]:
    """Open the work; return the list to which the rows of each request are added."""
    asked: list[str] = []

    def watch(request: Request) -> None:
        if rows := request.headers.get("x-rows"):
            asked.append(rows)

    page.on("request", watch)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    return asked


def test_each_row_is_requested_once_and_five_come_at_a_time(page: Page, site: str, annotator):
    asked = open_work(page, site, annotator, work_of(annotator, 12))
    fetched_ahead(page, 11)
    page.wait_for_timeout(1000)  # for requests that should not come
    assert asked == ["2,3,4,5,6", "7,8,9,10,11", "12"]


def test_an_item_that_has_vanished_is_left_out_and_the_others_come(
    page: Page, site: str, annotator
):
    campaign = work_of(annotator, 9)
    ItemOutput.objects.filter(item__task__campaign=campaign, item__position=1).delete()
    asked = open_work(page, site, annotator, campaign)
    fetched_ahead(page, 7)
    page.wait_for_timeout(1000)
    assert asked == ["2,3,4,5,6", "7,8,9"]
