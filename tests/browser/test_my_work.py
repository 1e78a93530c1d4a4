"""*My work* as an annotator uses it: a star, a filter, a search, and back to the item."""

import pytest
from playwright.sync_api import Page, expect

from judgments.people.staffing.settings import set_staffing
from tests import factory

from .judging import sign_in

PAY = {"pay": {"per": "hour", "amount": "12.50", "currency": "EUR", "promised": "12"}}


@pytest.mark.parametrize("width", [1440, 360])
def test_stars_filters_and_searches(page: Page, site, annotator, campaign, axe, width):
    set_staffing(campaign, PAY)
    item = campaign.tasks.get().items.first()
    item.segment.source = "Ein Haus am See, in dem seit langem niemand mehr wohnt. " * 5
    item.segment.save()
    factory.judge(item, {"adequacy": [3, 4, 5], "fluency": [2, 2, 5]}, active_ms=71_000)
    sign_in(page, site, annotator)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{site}/judge/{campaign.pk}/2/")
    page.get_by_role("link", name="My work").click()
    expect(page.get_by_text("Adequacy 3, 4, 5 · Fluency 2, 2, 5")).to_be_visible()
    page.get_by_role("button", name="Star item 3: I am unsure").click()
    expect(
        page.get_by_role("button", name="Star item 3: I am unsure", pressed=True)
    ).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_label("Show").select_option(label="Starred")
    page.get_by_role("button", name="Find").click()
    expect(page.locator(".my-items li")).to_have_count(1)
    page.get_by_role("link", name="All items").click()
    page.get_by_label("Words in the text").fill("am see")
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_text("1 item found")).to_be_visible()
    page.locator(".my-items a").click()
    expect(page).to_have_url(f"{site}/judge/{campaign.pk}/1/")
