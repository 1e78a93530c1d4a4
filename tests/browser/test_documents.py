"""Judging a whole document: rows before and after, folded, opened, taken in order."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Judgment, Task
from tests import factory

from .judging import SIZES, at_item, fetched_ahead, make_campaign, press, sign_in, stored

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def document(annotator):
    """Two documents of two segments with three translations each."""
    campaign = make_campaign(annotator, options={"context": "document", "show_source": True})
    factory.make_task(campaign, annotator)
    return campaign


def test_rows_fold_open_and_come_back(page: Page, site: str, annotator, document, axe):
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{document.pk}/")
    at_item(page, 1)
    rows = page.locator("#rows > .row")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("Quelltext Nummer 2")
    expect(rows.nth(1)).not_to_contain_text("here here")  # of three translations none is shown yet
    press(page, "123451")
    page.keyboard.press("Enter")
    at_item(page, 2)
    expect(rows.nth(0)).to_contain_text("✓ Adequacy 1, 3, 5 · Fluency 2, 4, 1")
    expect(page.locator("#status")).to_have_text("Saved. Item 1 of 4 Item 2 of 4")
    expect(page.locator("#stage")).to_be_focused()
    expect(page.locator("#pace strong")).to_have_text("1 of 4")
    axe(page)
    rows.nth(0).get_by_role("link").click()
    at_item(page, 1)
    expect(page.locator("#q-output1-fluency input:checked")).to_have_value("2")
    page.go_back()
    expect(page.locator("#heading")).to_have_text("Item 2 of 4")
    page.go_forward()
    expect(page.locator("#heading")).to_have_text("Item 1 of 4")
    press(page, "5")
    page.keyboard.press("Enter")
    at_item(page, 2)
    expect(rows.nth(0)).to_contain_text("Adequacy 5, 3, 5")
    assert len(loads) == 1, loads
    press(page, "222222")
    page.keyboard.press("Enter")
    at_item(page, 3)  # another document
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("Quelltext Nummer 4")
    assert [j.revision for j in Judgment.objects.order_by("pk")] == [1, 2, 1]
    assert Task.objects.get().n_judged == 2


@pytest.mark.proof
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_a_document_by_touch(browser: Browser, site: str, annotator, axe, size, scheme):
    """One translation on a screen: it reads on in the rows to come."""
    campaign = make_campaign(annotator, "da-sqm", "ar", options={"context": "document"})
    factory.make_task(campaign, annotator, n_outputs=1)
    context = browser.new_context(viewport=SIZES[size], color_scheme=scheme, has_touch=True)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    expect(page.locator(".row-output").nth(1)).to_have_text("Source text number 2 here")
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    page.get_by_role("button", name="67 Most meaning preserved").tap()
    page.get_by_role("button", name="Submit and continue").tap()
    at_item(page, 2)
    expect(page.locator(".row").first).to_contain_text("✓ done")  # the number is never shown
    axe(page)
    assert stored() == [67]
    context.close()


@pytest.mark.proof
def test_offline_the_last_row_says_what_is_not_there(
    page: Page, site: str, annotator, document, axe
):
    """The rest of the document is on the device, the next document is not."""
    sign_in(page, site, annotator)
    page.route("**/3/", lambda route: route.abort())
    page.goto(f"{site}/judge/{document.pk}/")
    at_item(page, 1)
    fetched_ahead(page, 1)
    page.context.set_offline(True)
    press(page, "111111")
    page.keyboard.press("Enter")
    at_item(page, 2)
    press(page, "222222")
    page.keyboard.press("Enter")
    trouble = page.locator("#trouble")
    expect(trouble).to_contain_text("Your answer is kept in this browser")
    expect(trouble).to_contain_text("what comes next is not on this device")
    axe(page)
    assert not Judgment.objects.exists()
    page.unroute_all()
    page.context.set_offline(False)
    at_item(page, 3)
    assert stored() == [1] * 6 + [2] * 6


def test_without_a_script_rows_are_links(browser: Browser, site: str, annotator, document):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{document.pk}/")
    page.locator(".row").nth(1).get_by_role("link").click()
    page.wait_for_url(re.compile("/2/$"))
    for question in page.locator("fieldset").all():
        question.locator("input").nth(1).check()
    page.get_by_role("button", name="Submit and continue").click()
    page.wait_for_url(re.compile("/3/$"))
    assert stored() == [4] * 6
    context.close()
