"""A visitor of a public demo server, from the button to the scores of their own copy."""

import re

import pytest
from playwright.sync_api import Page, expect

from judgments.exchange.public_demo import copies
from tests import seeds

from .judging import SIZES

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_one_click_to_the_scores(page: Page, site: str, settings, axe, size, theme):
    settings.PUBLIC_DEMO = True
    seeds.take("public demo", copies.make)
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme=theme)
    page.goto(f"{site}/")
    axe(page)
    page.get_by_role("button", name="Try the demo").click()
    expect(page.get_by_role("heading", name="Campaigns", level=1)).to_be_visible()
    banner = page.get_by_role("complementary", name="Demo", exact=True)
    expect(banner).to_contain_text(re.compile(r"will be deleted on \d+ \w+, \d\d:\d\d UTC"))
    axe(page)
    page.get_by_role("link", name=re.compile("adequacy and fluency")).first.click()
    page.get_by_role("link", name="Scores", exact=True).first.click()
    expect(page.get_by_role("rowheader", name="Harbor").first).to_be_visible()
    banner.get_by_role("link", name="Your copy of the demo").click()
    expect(page.get_by_role("heading", name="You are two people")).to_be_visible()
    axe(page)
    banner.get_by_role("button", name="Judge as an annotator").click()
    page.get_by_role("link", name=re.compile("^Start judging.*adequacy")).click()
    expect(page.get_by_role("link", name=re.compile(r"Demo until \d\d:\d\d UTC"))).to_be_visible()
    axe(page)


def test_who_has_to_wait_goes_on_by_themselves(page: Page, site: str, settings, axe):
    settings.PUBLIC_DEMO = True
    seeds.take("public demo", copies.make)
    waits = copies.DemoCopy.objects.get()
    copies.DemoCopy.objects.update(taken_at=waits.made_at)
    page.goto(f"{site}/")
    page.get_by_role("button", name="Try the demo").click()
    expect(page.get_by_role("heading", name="Your demo is being made")).to_be_visible()
    axe(page)
    copies.DemoCopy.objects.update(taken_at=None)
    expect(page.get_by_role("heading", name="Campaigns", level=1)).to_be_visible(timeout=15_000)
