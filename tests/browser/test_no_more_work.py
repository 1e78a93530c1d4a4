"""Somebody who is left out while they judge: what they answered is stored, then the page says that
there is no more work for them, also where the items to come are held in the browser."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from judgments.models import Judgment, Membership
from judgments.quality.decisions.decisions import decide

from .judging import at_item, fetched_ahead, press, sign_in
from .test_trains import HELD, NOTHING, holds, open_browser

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["open_browser"]
KIND = "There is no more work for you in this campaign"


def leave_out(campaign, *, excluded: bool = True) -> None:
    people = Membership.objects.filter(campaign=campaign).select_related("user")
    owner, annotator = people.get(role="owner").user, people.get(role="annotator").user
    decide(campaign, annotator, excluded=excluded, reason="Too fast.", by=owner)


def test_an_answer_to_what_is_open_is_the_last(judging: Page, campaign, axe):
    at_item(judging, 1)
    fetched_ahead(judging, 3)
    leave_out(campaign)
    press(judging, "111111")
    judging.keyboard.press("Enter")
    expect(judging.get_by_role("heading", name=KIND)).to_be_visible()
    axe(judging)
    assert Judgment.objects.count() == 1
    leave_out(campaign, excluded=False)
    judging.reload()
    at_item(judging, 2)


def test_what_was_answered_offline_is_stored_and_nothing_else_is_shown(
    open_browser, site: str, annotator, campaign
):
    context: BrowserContext = open_browser()
    page = context.pages[0]
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    holds(page, 3)
    context.set_offline(True)
    for number in (1, 2, 3):
        press(page, str(number) * 6)
        page.keyboard.press("Enter")
        at_item(page, number + 1)
    leave_out(campaign)
    context.set_offline(False)
    expect(page.get_by_role("heading", name=KIND)).to_be_visible(timeout=15000)
    expect(page.get_by_role("region", name="Waiting answers")).to_be_hidden()
    assert Judgment.objects.count() == 3
    for _ in range(100):
        if page.evaluate(HELD) == NOTHING | {"workers": 1}:
            break
        page.wait_for_timeout(50)
    assert page.evaluate(HELD) == NOTHING | {"workers": 1}, "nothing of the work is held"


def test_an_item_that_was_fetched_ahead_leads_to_the_page_that_says_so(judging: Page, campaign):
    """They step to the next item instead of answering."""
    at_item(judging, 1)
    judging.wait_for_load_state("networkidle")
    leave_out(campaign)
    judging.evaluate("window.mtevalAhead.drop(2)")
    judging.keyboard.press("n")
    expect(judging.get_by_role("heading", name=KIND)).to_be_visible()
