"""Blocks of a pool in a browser: in their documents, one after the other, and returned."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Task
from tests import factory

from .judging import SIZES, at_item, press, sign_in, stored

pytestmark = pytest.mark.django_db(transaction=True)
N_SEGMENTS = 12


@pytest.fixture
def pool(annotator):
    """A document of twelve segments in three blocks of two, of which the first is in its middle."""
    test_set = factory.make_test_set(
        factory.make_user("owner"), n_segments=N_SEGMENTS, n_documents=1, target_language="ar"
    )
    campaign = factory.make_campaign(
        test_set,
        preset="da-sqm",
        annotators=[annotator],
        options={"context": "document"},
        plan={"pool": True, "block_length": 2},
    )
    segments = list(test_set.segments.all())
    for batch, start in enumerate((5, 7, 9), 1):
        factory.make_task(campaign, batch=batch, segments=segments[start : start + 2], n_outputs=1)
    return campaign


def begin(page: Page, site: str, annotator, campaign) -> None:
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    expect(page.get_by_text("3 blocks are waiting.")).to_be_visible()
    page.keyboard.press("Enter")
    at_item(page, 1)


def test_one_block_after_the_other_by_keys_alone(page: Page, site: str, annotator, pool, axe):
    begin(page, site, annotator, pool)
    expect(page.get_by_text("2 more blocks are waiting.")).to_be_visible()
    for number in range(1, 5):
        at_item(page, number)
        press(page, "4")
        page.keyboard.press("Enter")
    at_item(page, 5)
    page.get_by_label("Stop after this block").check()
    press(page, "4")
    page.keyboard.press("Enter")
    at_item(page, 6)
    expect(page.get_by_label("Stop after this block")).to_be_checked()
    press(page, "4")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    assert len(stored()) == 6


@pytest.mark.proof
def test_who_stops_is_asked_before_the_next_block(page: Page, site: str, annotator, pool, axe):
    begin(page, site, annotator, pool)
    page.get_by_label("Stop after this block").check()
    for number in (1, 2):
        at_item(page, number)
        press(page, "4")
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Batch finished. Thank you!")).to_be_visible()
    axe(page)
    assert Task.objects.filter(annotator=None).count() == 2
    page.keyboard.press("Enter")
    at_item(page, 3)


@pytest.mark.proof
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_a_block_in_its_document(browser: Browser, site: str, annotator, axe, pool, size, scheme):
    context = browser.new_context(viewport=SIZES[size], color_scheme=scheme)
    page = context.new_page()
    begin(page, site, annotator, pool)
    around = page.locator(".row.is-context")
    expect(around).to_have_count(N_SEGMENTS - 2)
    expect(around.filter(visible=True)).to_have_count(4)
    assert around.locator("a, button, input, [tabindex]").count() == 0
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    page.get_by_text("3 more segments of the document").first.click()
    expect(around.filter(visible=True)).to_have_count(7)
    expect(around.first).to_contain_text("Quelltext Nummer 1 steht hier")
    expect(around.first).to_contain_text("Source text number 1")
    axe(page)
    press(page, "4")
    page.keyboard.press("Enter")
    at_item(page, 2)
    expect(around).to_have_count(N_SEGMENTS - 2)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    context.close()


@pytest.mark.proof
def test_a_begun_block_is_given_back(page: Page, site: str, annotator, pool, axe):
    begin(page, site, annotator, pool)
    press(page, "67")
    page.keyboard.press("Enter")
    at_item(page, 2)
    page.get_by_role("link", name="My work").click()
    expect(page.get_by_role("button", name="Give this batch back")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Give this batch back").click()
    expect(page.get_by_text("You judged 1 of its 2 items.")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Give the rest back").click()
    expect(page.get_by_role("heading", name="The batch was given back")).to_be_visible()
    page.wait_for_url(re.compile(r"\?back=1$"))
    axe(page)
    assert stored() == [67]
    assert Task.objects.get(rest_of=1).annotator is None
