"""The script of the protocol that CONTRIBUTING.md shows, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from judgments.models import Rating
from tests import added_protocol, factory

from .judging import at_item, make_campaign, sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_its_widget_answers_by_keys(monkeypatch, settings, tmp_path, page: Page, live_server, axe):
    added_protocol.add_protocol(monkeypatch, settings, tmp_path)
    annotator = factory.make_user("annotator")
    campaign = make_campaign(annotator, "stumbles")
    factory.make_task(
        campaign, annotator, segments=campaign.test_set.segments.all()[:1], n_outputs=2
    )
    sign_in(page, live_server.url, annotator)
    page.goto(f"{live_server.url}/judge/{campaign.pk}/")
    at_item(page, 1)
    expect(page.locator("#go")).to_have_text("2 answers missing")
    for key in ("+", "+", "j", "0"):
        page.locator("body").press(key)
    axe(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    assert list(Rating.objects.order_by("pk").values_list("value", flat=True)) == [-2, 0]
