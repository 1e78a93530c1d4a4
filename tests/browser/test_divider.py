"""The divider between source and translations: dragged, moved by keys, kept for the person."""

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Locator, Page, expect

from judgments.models import ReadingSettings

from .judging import at_item, comes_true, intercept, sign_in
from .test_comparison import long_work

pytestmark = pytest.mark.django_db(transaction=True)

IS_TOLD = """() => Object.keys(localStorage).filter((name) => name.startsWith("mteval-widths-"))
  .every((name) => JSON.parse(localStorage[name]).isTold)"""
PANES = """() => [".given", ".judged"].map((each) =>
  document.querySelector(`#stage ${each}`).getBoundingClientRect().width)"""
COLUMNS = """() => [...document.querySelectorAll(
  ".comparison > .given > details, .comparison > .output")].map((each) =>
  Math.round(each.getBoundingClientRect().width))"""


def open_work(page: Page, site: str, annotator, campaign, width=1440, height=900) -> Locator:
    sign_in(page, site, annotator)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    return page.get_by_role("separator", name="Width of the source")


def drag(page: Page, handle: Locator, by: float) -> None:
    box = handle.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 60
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by / 2, y)
    page.mouse.move(x + by, y)
    page.mouse.up()


@pytest.fixture
def listed(annotator):
    """Three translations, one after the other."""
    ReadingSettings.objects.create(user=annotator, compared_texts="list")
    return long_work(annotator, "adequacy-fluency", n_systems=3)


def test_it_is_dragged_and_kept_for_the_person(page: Page, site, annotator, listed, axe):
    handle = open_work(page, site, annotator, listed)
    source, judged = page.evaluate(PANES)
    assert source / (source + judged) == pytest.approx(5 / 12, abs=0.01)
    expect(handle).to_have_attribute("aria-valuenow", "42")
    drag(page, handle, 200)
    moved, _ = page.evaluate(PANES)
    assert moved == pytest.approx(source + 200, abs=8)  # whole percents
    axe(page)
    comes_true(page, IS_TOLD)
    stored = ReadingSettings.objects.get()
    assert (stored.source_pane, stored.source_column) == (56, None)
    assert stored.compared_texts == "list"
    page.evaluate("localStorage.clear()")  # another device
    page.reload()
    at_item(page, 1)
    assert page.evaluate(PANES)[0] == pytest.approx(moved, abs=1)
    handle.dblclick()
    expect(handle).to_have_attribute("aria-valuenow", "42")
    assert page.evaluate(PANES)[0] == pytest.approx(source, abs=1)
    comes_true(page, IS_TOLD)
    assert ReadingSettings.objects.get().source_pane is None


def test_keys_move_it_and_nothing_else(page: Page, site, annotator, listed):
    handle = open_work(page, site, annotator, listed)
    handle.focus()
    for key, now in (("ArrowRight", "44"), ("ArrowLeft", "42"), ("End", "70"), ("Home", "20")):
        page.keyboard.press(key)
        expect(handle).to_have_attribute("aria-valuenow", now)
    page.keyboard.press("ArrowLeft")  # no less
    expect(handle).to_have_attribute("aria-valuenow", "20")
    page.keyboard.press("Enter")
    expect(handle).to_have_attribute("aria-valuenow", "42")
    expect(page.locator("#stage :checked")).to_have_count(0)
    assert page.evaluate("document.activeElement.className") == "divider"


def test_from_right_to_left(page: Page, site, annotator, listed):
    name = settings.LANGUAGE_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": "ar", "url": site}])
    sign_in(page, site, annotator)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{site}/judge/{listed.pk}/1/")
    at_item(page, 1)
    handle = page.locator(".divider")
    source, _ = page.evaluate(PANES)
    drag(page, handle, -150)
    assert page.evaluate(PANES)[0] == pytest.approx(source + 150, abs=8)
    before = int(handle.get_attribute("aria-valuenow") or 0)
    handle.focus()
    page.keyboard.press("ArrowLeft")
    expect(handle).to_have_attribute("aria-valuenow", str(before + 2))


def test_in_a_table_the_column_of_the_source_is_dragged(page: Page, site, annotator, axe):
    campaign = long_work(annotator, "adequacy-fluency", n_systems=3)
    handle = open_work(page, site, annotator, campaign, 1366, 768)
    expect(page.locator(".comparison")).to_have_count(1)
    expect(handle).to_have_attribute("aria-valuenow", "100")
    source, *others = page.evaluate(COLUMNS)
    assert max(others) - min(others) <= 1
    drag(page, handle, 100)
    wider, *narrower = page.evaluate(COLUMNS)
    assert wider == pytest.approx(source + 100, abs=8)
    assert max(narrower) - min(narrower) <= 1
    assert narrower[0] == pytest.approx(others[0] - 100 / len(others), abs=4)
    axe(page)
    comes_true(page, IS_TOLD)
    stored = ReadingSettings.objects.get()
    assert stored.source_pane is None and stored.source_column > 100
    page.keyboard.press("s")  # a folded source has no width to drag
    expect(handle).to_be_hidden()
    page.keyboard.press("s")
    expect(handle).to_be_visible()
    page.keyboard.press("y")  # the panes have their own width
    expect(handle).to_have_attribute("aria-valuenow", "42")


def test_by_touch(browser: Browser, site, annotator, listed):
    context = browser.new_context(has_touch=True, viewport={"width": 1180, "height": 820})
    page = context.new_page()
    handle = open_work(page, site, annotator, listed, 1180, 820)
    source, _ = page.evaluate(PANES)
    box = handle.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + 60
    touch = context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x - 60, "y": y}]),
        ("touchMove", [{"x": x - 120, "y": y}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert page.evaluate(PANES)[0] == pytest.approx(source - 120, abs=8)
    context.close()


def test_without_a_connection_it_holds_on_this_device(page: Page, site, annotator, listed):
    handle = open_work(page, site, annotator, listed)
    intercept(page, "**/settings/widths/", lambda route: route.abort())
    handle.focus()
    page.keyboard.press("End")
    page.wait_for_timeout(900)
    page.reload()
    at_item(page, 1)
    expect(handle).to_have_attribute("aria-valuenow", "70")
    assert ReadingSettings.objects.get().source_pane is None
    page.unroute("**/settings/widths/")
    page.reload()
    at_item(page, 1)
    comes_true(page, IS_TOLD)
    assert ReadingSettings.objects.get().source_pane == 70


@pytest.mark.parametrize(("width", "height"), [(360, 740), (720, 450)])
def test_narrow_windows_have_none(page: Page, site, annotator, listed, width, height):
    expect(open_work(page, site, annotator, listed, width, height)).to_have_count(0)
