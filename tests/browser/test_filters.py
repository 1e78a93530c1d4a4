"""Filters of results: recomputed in place, kept in the address, followed by files."""

import pytest
from playwright.sync_api import expect

from judgments.models import Campaign

from .test_results import SIZES, complaints, demo, draw_all, sign_in  # noqa: F401

pytestmark = pytest.mark.proof


@pytest.mark.parametrize("size", SIZES)
def test_a_filter_is_recomputed_in_place(page, site, demo, complaints, axe, size):  # noqa: F811
    campaign = Campaign.objects.get(pk=demo["rating"])
    domain = campaign.test_set.documents.exclude(domain="").values_list("domain", flat=True)[0]
    page.set_viewport_size(SIZES[size])
    sign_in(page, site)
    page.goto(f"{site}/campaigns/{campaign.pk}/scores/?method=z")
    everything = page.locator("#results table").first.inner_text()
    page.evaluate("window.stays = true")
    page.get_by_text("Filter", exact=True).first.click()
    page.select_option("[name=domain]", domain)
    page.click("#filter-submit")
    expect(page.locator("#selection")).to_contain_text(f"Only documents of the domain {domain}")
    assert page.evaluate("window.stays")
    assert f"domain={domain}" in page.url
    assert "method=z" in page.url
    assert page.locator("#results table").first.inner_text() != everything
    draw_all(page)
    assert f"domain={domain}" in page.locator("a[href*='.svg']").first.get_attribute("href")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    axe(page)
    page.reload()
    expect(page.locator("#selection")).to_contain_text(f"Only documents of the domain {domain}")
    page.get_by_role("link", name="Show all judgments").first.click()
    expect(page.locator("#selection")).to_have_count(0)
    assert complaints == []


@pytest.mark.parametrize("size", SIZES)
def test_errors_by_other_weights(page, site, demo, complaints, axe, size):  # noqa: F811
    page.set_viewport_size(SIZES[size])
    sign_in(page, site)
    page.goto(f"{site}/campaigns/{demo['spans']}/errors/")
    page.get_by_text("Filter", exact=True).first.click()
    page.get_by_label("Weights of errors").select_option(label="spans of ESA")
    page.click("#filter-submit")
    expect(page.locator("#selection")).to_contain_text("errors weigh as in spans of ESA")
    assert "weights=esa" in page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    axe(page)
    assert complaints == []
