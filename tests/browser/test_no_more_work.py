"""Somebody who is left out while judging: later answers are not stored, and the page says so, also
if the next items are held in the browser."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from judgments.models import Judgment, Membership
from judgments.quality.decisions.decisions import decide

from .judging import at_item, fetched_ahead, press, sign_in
from .test_trains import holds, open_browser

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["open_browser"]
KIND = "There is no more work for you in this campaign"
REFUSED = "This campaign takes no more answers from you"


def leave_out(campaign, *, excluded: bool = True) -> None:
    people = Membership.objects.filter(campaign=campaign).select_related("user")
    owner, annotator = people.get(role="owner").user, people.get(role="annotator").user
    decide(campaign, annotator, excluded=excluded, reason="Too fast.", by=owner)


def test_an_answer_that_comes_afterwards_is_not_stored(judging: Page, campaign, axe):
    at_item(judging, 1)
    fetched_ahead(judging, 3)
    leave_out(campaign)
    press(judging, "111111")
    judging.keyboard.press("Enter")
    expect(judging.get_by_text(REFUSED).first).to_be_visible()
    axe(judging)
    assert not Judgment.objects.exists()


def test_what_was_answered_offline_is_not_stored_either_and_waits(
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
    expect(page.get_by_text(REFUSED).first).to_be_visible(timeout=15000)
    assert not Judgment.objects.exists()


def test_an_item_that_was_fetched_ahead_leads_to_the_page_that_says_so(judging: Page, campaign):
    """They step to the next item instead of answering."""
    at_item(judging, 1)
    judging.wait_for_load_state("networkidle")
    leave_out(campaign)
    judging.evaluate("window.mtevalAhead.drop(2)")
    judging.keyboard.press("n")
    expect(judging.get_by_role("heading", name=KIND)).to_be_visible()
