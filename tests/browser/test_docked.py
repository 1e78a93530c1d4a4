"""Instructions next to the work: in wide windows, without taking the focus, remembered on the
device."""

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from judgments.models import Judgment

from .judging import at_item, intercept, press, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

WIDTH = "document.documentElement.scrollWidth"
FOCUSED = "document.activeElement.closest('aside, #stage')?.id ?? ''"
# The size of the window, and of the area next to the panel.
BESIDE = """() => {
  const { left, right } = document.getElementById("docked").getBoundingClientRect();
  const work = document.querySelector("main").getBoundingClientRect();
  return [left, right, work.left, work.right];
}"""


def open_item(page: Page, site: str, annotator, campaign, width: int, height: int = 900) -> None:
    sign_in(page, site, annotator)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768)])
def test_they_stand_beside_the_work(page: Page, site, annotator, campaign, axe, width, height):
    open_item(page, site, annotator, campaign, width, height)
    link = page.get_by_role("link", name="Instructions")
    expect(link).to_have_attribute("aria-expanded", "false")
    place = page.locator(".is-current")
    place.locator("input").first.focus()
    focused = page.evaluate("document.activeElement.outerHTML")
    top = place.bounding_box()["y"]
    press(page, "i")
    panel = page.get_by_role("complementary", name="Instructions")
    expect(panel).to_contain_text("How do you judge the fluency")
    assert page.evaluate("document.activeElement.outerHTML") == focused
    assert place.bounding_box()["y"] == pytest.approx(top, abs=1)
    expect(link).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#status")).to_have_text("The instructions are shown beside the work.")
    left, right, work_left, work_right = page.evaluate(BESIDE)
    assert (work_left, work_right) == (0, left) and right <= width
    assert page.evaluate(WIDTH) <= width
    axe(page)
    press(page, "543215")  # the work goes on next to it
    press(page, ["Enter"])
    at_item(page, 2)
    expect(panel).to_be_visible()
    assert Judgment.objects.count() == 1
    page.reload()
    at_item(page, 2)
    expect(panel).to_contain_text("How do you judge the fluency")
    press(page, "i")
    expect(panel).to_be_hidden()
    page.reload()
    at_item(page, 2)
    expect(panel).to_be_hidden()


def test_who_reads_in_them_answers_nothing(page: Page, site, annotator, campaign):
    open_item(page, site, annotator, campaign, 1440)
    press(page, "i")
    panel = page.get_by_role("complementary", name="Instructions")
    expect(panel).to_contain_text("How do you judge the fluency")
    panel.focus()
    press(page, ["5", "x", "ArrowDown"])
    expect(page.locator(".output :checked")).to_have_count(0)
    expect(page.locator("dialog[open]")).to_have_count(0)
    press(page, ["Escape"])
    expect(panel).to_be_hidden()
    assert page.evaluate(FOCUSED) == "stage"
    page.get_by_role("link", name="Instructions").click()
    expect(panel).to_be_visible()
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(360, 800), (720, 450), (1280, 720)])
def test_a_narrow_window_has_a_dialog(page: Page, site, annotator, campaign, width, height):
    open_item(page, site, annotator, campaign, 1440)
    press(page, "i")
    panel = page.locator("#docked")
    expect(panel).to_be_visible()
    page.set_viewport_size({"width": width, "height": height})
    expect(panel).to_be_hidden()
    assert page.evaluate(WIDTH) <= width
    press(page, "i")
    expect(page.get_by_role("dialog", name="Instructions")).to_contain_text("How do you judge")
    press(page, ["Escape"])
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(panel).to_be_visible()


def test_where_the_site_cannot_be_reached_the_work_stays(page: Page, site, annotator, campaign):
    open_item(page, site, annotator, campaign, 1440)
    intercept(page, "**/instructions/", lambda route: route.abort())
    press(page, "i")
    expect(page.locator("#trouble")).to_have_text(
        "The site cannot be reached, so the instructions cannot be opened now."
    )
    expect(page.locator("#docked")).to_be_hidden()
    assert page.url.endswith("/1/")
    # Nor by a page that is another one, as where one is signed out; later they open.
    intercept(page, "**/instructions/", lambda route: route.fulfill(body="<p>Sign in</p>"))
    press(page, "i")
    expect(page.locator("#docked")).to_be_hidden()
    page.unroute_all()
    press(page, "i")
    expect(page.locator("#docked")).to_be_visible()
    expect(page.locator("#docked")).not_to_contain_text("null")


def test_from_right_to_left_they_stand_at_the_left(page: Page, site, annotator, campaign):
    name = settings.LANGUAGE_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": "ar", "url": site}])
    open_item(page, site, annotator, campaign, 1440)
    press(page, "i")
    expect(page.locator("#docked")).to_be_visible()
    left, right, work_left, _ = page.evaluate(BESIDE)
    assert left < 20 and work_left == right
