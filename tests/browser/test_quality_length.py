"""How long the page of quality control is on a phone: what is secondary is folded."""

import pytest
from django.core.cache import caches
from playwright.sync_api import Page, expect

from judgments.exchange.demo.loading import load
from judgments.models import Campaign

from .judging import sign_in

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 780}


def test_at_most_three_screens_of_a_phone(page: Page, site: str):
    caches["results"].clear()
    load()
    campaigns = Campaign.objects.of_people().exclude(preset="comprehension").order_by("pk")
    sign_in(page, site, campaigns[0].memberships.get(role="owner").user)
    page.set_viewport_size(PHONE)
    for campaign in campaigns:
        page.goto(f"{site}/campaigns/{campaign.pk}/quality/")
        expect(page.get_by_role("heading", name="Who counts")).to_be_visible()
        expect(page.get_by_text("The rule", exact=True)).to_be_visible()
        height = page.evaluate("document.documentElement.scrollHeight")
        assert height <= 3 * PHONE["height"], campaign.name
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        # What is folded opens, charts too.
        page.locator("details.fold[id^='section-quality-figures'] > summary").click()
        expect(page.locator("details.fold[open] table").first).to_be_visible()
