"""On a phone the source stays in sight, as high as the annotator likes."""

import pytest
from playwright.sync_api import Browser, Page, expect

from judgments.models import Reference

from .judging import at_item
from .test_reading import TARGETS, long_campaign, open_item

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


def height(page: Page) -> float:
    return page.locator("[data-part=source]").evaluate("e => e.offsetHeight")


def test_the_source_has_a_handle_on_a_phone(browser: Browser, site: str, annotator, axe):
    campaign = long_campaign(annotator, "esa", "en", 5)
    context = browser.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740}
    )
    page = context.new_page()
    open_item(page, site, annotator, campaign)
    handle = page.get_by_role("separator", name="Height of the source")
    expect(handle).to_have_attribute("aria-valuenow", "30")
    assert abs(height(page) - 222) < 2
    pane = page.locator("[data-part=source]")
    pane.evaluate("e => e.scrollTop = 60")
    handle.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(handle).to_have_attribute("aria-valuenow", "40")
    assert abs(height(page) - 296) < 2
    assert pane.evaluate("e => e.scrollTop") == 60
    assert page.locator(".span-list li").count() == 0  # arrows went to nothing else
    box = handle.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x, "y": y - 60}]),
        ("touchMove", [{"x": x, "y": y - 148}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(handle).to_have_attribute("aria-valuenow", "20")
    assert abs(height(page) - 148) < 2
    axe(page)
    page.reload()
    at_item(page, 1)
    expect(handle).to_have_attribute("aria-valuenow", "20")  # the device keeps it
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(handle).to_be_hidden()
    context.close()


@pytest.mark.parametrize("size", [(360, 740), (720, 700)])
def test_only_the_fixed_text_keeps_its_heading_in_sight(page: Page, site: str, annotator, size):
    """On a phone, and on a desk at 200 %: scrolled, the reference's heading goes with it."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    campaign = long_campaign(annotator, "adequacy-fluency", "en")
    Reference.objects.update(text=TARGETS["en"] * 20)
    open_item(page, site, annotator, campaign)
    source, reference = page.locator("[data-part=source]"), page.locator("[data-part=reference]")
    reference.evaluate("e => scrollTo(0, scrollY + e.getBoundingClientRect().top + 200)")
    fixed = source.bounding_box()
    heading = reference.locator("summary").bounding_box()
    assert fixed
    assert heading
    assert fixed["y"] == 0
    assert heading["y"] + heading["height"] <= 0
    # The source scrolls under its own heading, which stays.
    source.evaluate("e => e.scrollTop = 200")
    own = source.locator("summary").bounding_box()
    assert own
    assert own["y"] == 0
    assert own["height"] > 20
