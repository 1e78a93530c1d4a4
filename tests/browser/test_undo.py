"""Undo and redo of what was answered on an item, in every protocol, also after a reload."""

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Rating
from judgments.protocols import PRESETS
from tests import factory

from .judging import SIZES, at_item, make_campaign, press, sign_in
from .test_spans import campaign_of, open_at

pytestmark = pytest.mark.django_db(transaction=True)

# What each kind of screen holds, as a draft keeps it.
HELD = "() => window.mtevalHistory.kept().present"
# Two acts for each widget; keys.
ACTS = {
    "radio": ["1", "2"],
    "slider": ["3", "j"],
    "rank": ["1", "2"],
    "spans": ["ArrowRight", "1", "ArrowRight", "ArrowRight", "1"],
    "post-edit": ["1", "x", "Escape"],
    "open-question": ["1", "y", "Escape"],
    "alignment": ["ArrowDown", " "],
    "continuous": [" ", "3", "1"],
}


def undo(page: Page, times: int = 1) -> None:
    for _ in range(times):
        page.keyboard.press("Control+z")


def redo(page: Page, times: int = 1) -> None:
    for _ in range(times):
        page.keyboard.press("Control+Shift+Z")


def test_answers_are_taken_back_and_given_again(page: Page, site: str, annotator, campaign):
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    buttons = page.locator("#undo-steps button")
    expect(buttons.first).to_be_disabled()
    press(page, "543")
    first = page.locator("#stage [role=radiogroup]").nth(0)
    third = page.locator("#stage [role=radiogroup]").nth(2)
    undo(page)
    expect(third.locator(":checked")).to_have_count(0)
    expect(page.locator("#status")).to_have_text("Undone.")
    undo(page, 2)
    expect(page.locator("#stage :checked")).to_have_count(0)
    undo(page)
    expect(page.locator("#status")).to_have_text("There is nothing to undo.")
    redo(page, 2)
    expect(page.locator("#status")).to_have_text("Redone.")
    expect(first.locator(":checked")).to_have_attribute("data-key", "5")
    page.reload()
    at_item(page, 1)
    expect(page.locator("#stage :checked")).to_have_count(2)
    buttons.last.click()
    expect(page.locator("#stage :checked")).to_have_count(3)
    buttons.first.click()
    buttons.first.click()
    expect(page.locator("#stage :checked")).to_have_count(1)
    press(page, "j2")  # another act: what was taken back is gone
    expect(buttons.last).to_be_disabled()


def test_what_is_stored_is_what_is_seen_after_undo(page: Page, site: str, annotator):
    campaign = make_campaign(annotator, "direct-assessment")
    factory.make_task(campaign, annotator, n_outputs=1)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    page.keyboard.press("7")
    page.wait_for_timeout(1300)  # quick changes of a slider are one act
    page.keyboard.press("2")
    undo(page)
    expect(page.locator("#stage [type=range]")).to_have_js_property("value", "70")
    undo(page)
    expect(page.locator("#go")).to_have_text("1 answer missing")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("1 answer missing")
    redo(page)
    page.keyboard.press("Enter")
    at_item(page, 2)
    assert Rating.objects.get().value == 70
    expect(page.locator("#undo-steps button").first).to_be_disabled()  # within the item


def test_marks_come_and_go(page: Page, site: str, annotator):
    open_at(page, site, annotator, campaign_of(annotator, "esa"))
    press(page, ["ArrowRight", "1", "ArrowRight", "ArrowRight", "2"])
    expect(page.locator(".span-list li")).to_have_count(2)
    page.keyboard.press("d")
    expect(page.locator(".span-list li")).to_have_count(1)
    undo(page)
    expect(page.locator(".span-list li")).to_have_count(2)
    page.reload()
    at_item(page, 1)
    undo(page, 2)
    expect(page.locator(".span-list li")).to_have_count(0)
    expect(page.locator(".piece.look-minor, .piece.look-major")).to_have_count(0)
    page.reload()
    at_item(page, 1)
    redo(page, 2)
    expect(page.locator(".span-list li")).to_have_count(2)
    expect(page.locator("#status")).to_have_text("Redone.")


def test_by_touch(browser: Browser, site: str, annotator, campaign, axe):
    context = browser.new_context(viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    page = context.new_page()
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    page.locator("#stage label").first.tap()
    expect(page.locator("#stage :checked")).to_have_count(1)
    button = page.get_by_role("button", name="Undo")
    box = button.bounding_box()
    assert box and box["width"] >= 44 and box["height"] >= 44
    button.tap()
    expect(page.locator("#stage :checked")).to_have_count(0)
    page.get_by_role("button", name="Redo").tap()
    expect(page.locator("#stage :checked")).to_have_count(1)
    axe(page)
    context.close()


def test_typing_is_taken_back_one_act_at_a_time(page: Page, site: str, annotator):
    campaign = make_campaign(annotator, "post-editing")
    factory.make_task(campaign, annotator, n_outputs=1)
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    at_item(page, 1)
    box = page.get_by_role("textbox")
    first = box.input_value()
    box.focus()
    page.keyboard.press("End")
    for word in (" one", " two"):
        page.keyboard.type(word)
        page.wait_for_timeout(1300)
    undo(page)
    expect(box).to_have_value(f"{first} one")
    undo(page)
    expect(box).to_have_value(first)
    redo(page)
    expect(box).to_have_value(f"{first} one")


@pytest.mark.proof
@pytest.mark.parametrize("number", range(1, 1 + len(PRESETS)))
def test_every_screen_takes_back_what_was_done(page: Page, site: str, number):
    """All the way back to what the screen began with, and forward again."""
    page.goto(f"{site}/try/{number}/")
    if page.locator("#stage").count() == 0:
        pytest.skip("a preset without a trial")
    expect(page.locator(".is-current")).to_have_count(1)
    page.evaluate("delete document.body.dataset.goesOn")  # one key would leave the screen
    begun = page.evaluate(HELD)
    widget = page.locator("#stage .is-current").first.get_attribute("data-widget") or "radio"
    press(page, ACTS[widget])
    page.keyboard.press("Tab")
    done = page.evaluate(HELD)
    assert done != begun
    for _ in range(20):
        undo(page)
    assert page.evaluate(HELD) == begun
    for _ in range(20):
        redo(page)
    assert page.evaluate(HELD) == done
